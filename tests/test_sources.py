# SPDX-License-Identifier: Apache-2.0
"""The list of sources in fusesoc.core: complete, in an order that compiles, and cut down to what a module needs."""

from pathlib import Path

from ga2.fusesoc.core_file import core_text
from ga2.sim.sources import CORE_FILE, FOLDERS, ROOT, catalogue, closure, listed


def test_core_file_lists_every_source() -> None:
    assert core_text() == CORE_FILE.read_text(), "run: make generate"


def test_each_listed_file_exists_once() -> None:
    files = catalogue()
    assert len(files) == len(set(files))
    assert all(path.is_file() for path in files)
    assert {path for fileset in FOLDERS for path in listed(fileset)} == set(files)


def test_packages_come_before_modules() -> None:
    stems = [path.stem for path in listed("rtl")]
    packages = [stem.endswith("_pkg") for stem in stems]
    assert packages == sorted(packages, reverse=True)


def test_closure_holds_what_is_named_and_nothing_else(tmp_path: Path) -> None:
    texts = {
        "ga2_a_pkg": "package ga2_a_pkg; endpackage",
        "ga2_leaf": "module ga2_leaf import ga2_a_pkg::*; (); endmodule",
        "ga2_other": "module ga2_other; endmodule // like ga2_top",
        "ga2_top": "module ga2_top; ga2_leaf u_leaf (); /* not ga2_other */ endmodule",
    }
    files = [tmp_path / f"{name}.sv" for name in texts]
    for path in files:
        path.write_text(texts[path.stem])
    assert [path.stem for path in closure(["ga2_top"], files)] == ["ga2_a_pkg", "ga2_leaf", "ga2_top"]


def test_sources_begin_with_their_licence() -> None:
    for path in catalogue():
        assert path.read_text().startswith("// SPDX-License-Identifier: Apache-2.0"), path.relative_to(ROOT)
