# SPDX-License-Identifier: Apache-2.0
"""Markdown for the generated regions of the documents."""

from collections.abc import Sequence

BEGIN = "<!-- generated: {} -->"
END = "<!-- end -->"


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table; cells are converted with `str`."""
    lines = [" | ".join(header), " | ".join("---" for _ in header)]
    lines += [" | ".join(str(cell) for cell in row) for row in rows]
    return "\n".join(f"| {line} |" for line in lines)


def replace_region(text: str, name: str, body: str) -> str:
    """`text` with the marked region `name` replaced; ValueError if the markers are missing."""
    begin = BEGIN.format(name)
    head, found, rest = text.partition(begin)
    _, closed, tail = rest.partition(END)
    if not found or not closed:
        raise ValueError(f"no region '{begin}' ... '{END}'")
    return f"{head}{begin}\n{body}\n{END}{tail}"
