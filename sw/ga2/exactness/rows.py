# SPDX-License-Identifier: Apache-2.0
"""Row i of a block beside the one-row step at its position, byte by byte; and what a later row may not change."""

from collections.abc import Sequence

import numpy as np

from capra import interpret
from ga2.exactness.cases import RowsCase
from ga2.exactness.subject import CACHES, STORED, Prepared, Subject
from ga2.exactness.trace import Rows
from ga2.models.shapes import VOCABULARY, WIDTH

CONTEXT = ("scores", "probabilities")  # tensors with a column for every key


def unequal(block: Rows, row: int, other: Rows, other_row: int, seen: int) -> list[str]:
    """Names of the tensors whose row `row` of the block differs from row `other_row` of another pass.

    Scores and their exponentials have a column for every key of the pass: the first `seen` count, and exponentials
    beyond them must be zero.
    """
    found = [f"{name}: in one of the two only" for name in block.keys() ^ other.keys()]
    for name in block.keys() & other.keys():
        one, two = block[name][row], other[name][other_row]
        if name == "probabilities" and (one[seen:].any() or two[seen:].any()):
            found.append(f"{name}: not zero beyond the row's {seen} keys")
        width = seen if name in CONTEXT else len(one)
        if not np.array_equal(one[:width], two[:width]):
            at = int(np.flatnonzero(one[:width] != two[:width])[0])
            found.append(f"{name}: byte {at} is {one[at]} in the block and {two[at]} alone")
    return sorted(found)


def wrong_choices(rows: Rows) -> list[str]:
    """Rows whose choice is not the lowest index of their largest logit."""
    logits = rows["stored logits"][:, :VOCABULARY].view(np.int8)
    chosen = rows["stored choice"][:, :4].copy().view("<u4")[:, 0]
    return [
        f"row {row}: the choice is {choice}, the lowest index of the largest logit is {best}"
        for row, (choice, best) in enumerate(zip(chosen, logits.argmax(axis=1), strict=True))
        if choice != best
    ]


def _named(where: str, found: Sequence[str]) -> list[str]:
    return [f"{where}: {line}" for line in found]


def graph_differences(prepared: Prepared, case: RowsCase, cache: np.ndarray, rows: Rows) -> list[str]:
    """Stored tensors that are not what the model's graph means, by the compiler's integer interpreter."""
    session, setting = prepared.session, case.setting
    keys, values = cache[:, : setting.length, :WIDTH].view(np.int8)
    inputs = {"ids": np.array(case.tokens)[:, np.newaxis], "k_cache": keys, "v_cache": values}
    meant = interpret(session.target.graph, session.model.spec, inputs, setting.length, len(case.tokens))
    found = []
    for name in (*STORED, *CACHES):
        wanted = np.frombuffer(session.target.outputs[name].pack(meant[name]), np.uint8).reshape(len(case.tokens), -1)
        found += [f"row {row} of {name}" for row in np.flatnonzero((wanted != rows[f"stored {name}"]).any(axis=1))]
    return found


async def check_rows(subject: Subject, case: RowsCase) -> list[str]:
    """Everything that contradicts row invariance, causality or the meaning of the model in one case; one line each."""
    setting, tokens = case.setting, case.tokens
    length, m = setting.length, len(tokens)
    prepared = await subject.prepare(setting)
    before = await subject.cache(prepared)
    block = await subject.run(prepared, tokens, length)
    after = await subject.cache(prepared)

    found = _named("choice", wrong_choices(block))
    appended = np.array([block["stored k"], block["stored v"]])
    expected = before.copy()
    expected[:, length : length + m] = appended
    if not np.array_equal(after, expected):
        found.append("the pass wrote cache rows that are not its own")
    if setting.weights == "compiled":
        found += _named("not what the graph means", graph_differences(prepared, case, before, block))

    for row, token in enumerate(tokens):
        await subject.spoil_cache(prepared, length + row)
        step = await subject.run(prepared, [token], length + row)
        found += _named(f"row {row}", unequal(block, row, step, 0, length + row + 1))
    if not np.array_equal((await subject.cache(prepared))[:, : length + m], expected[:, : length + m]):
        found.append("the steps left another cache than the block")

    await subject.spoil_cache(prepared, length)
    kept, shift = case.kept + 1, int(prepared.source.integers(1, VOCABULARY))
    others = (*tokens[:kept], *((token + shift) % VOCABULARY for token in tokens[kept:]))
    changed = await subject.run(prepared, others, length)
    for row in range(kept):
        lines = unequal(block, row, changed, row, length + row + 1)
        found += _named(f"row {row}, with other tokens from row {kept} on", lines)
    return found
