# SPDX-License-Identifier: Apache-2.0
"""`ga2 compile`: graphs by name and from files, what every pass says, what is written, and what is refused."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from capra import M
from capra.dump import OF_MODEL, OF_PROGRAM
from capra.passes import PASSES, pass_names
from capra.place import Placement
from ga2.cli.errors import UserError
from ga2.cli.main import app
from ga2.compiling.source import SourceError, source
from ga2.isa.assembler import assemble_file
from ga2.isa.image import Image
from ga2.sim.sources import ROOT
from ga2.slices.subject import compile_recipe
from ga2.slices.summary import kept
from ga2.spec import CONFIG_NAMES, load_config
from ga2.stimulus import build_session

KEPT = sorted((ROOT / "verif" / "slices" / "kept").glob("*.json"))
STEPS = [
    {"op": "input", "name": "x", "rows": "M", "cols": 16},
    {"op": "weight", "name": "W", "rows": 16, "cols": 8},
    {"op": "matmul", "name": "product", "inputs": ["x", "W"], "scale": 0.5},
    {"op": "relu", "name": "y", "inputs": ["product"]},
    {"op": "output", "name": "out", "inputs": ["y"]},
]


def ga2(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["compile", *arguments])


def text(*arguments: str) -> str:
    shown = ga2(*arguments)
    assert shown.exit_code == 0, shown.exception
    return shown.output


def graph_file(folder: Path, steps: list[dict] = STEPS, **more: object) -> Path:
    """A file as somebody writes it."""
    path = folder / "mine.json"
    recipe = {"seed": 1, "runs": [{"length": 0, "m": 4}], "steps": steps}
    path.write_text(json.dumps({"recipe": recipe, **more}))
    return path


def test_every_pass_has_a_text() -> None:
    assert set(OF_PROGRAM) | set(OF_MODEL) == set(pass_names())


@pytest.mark.parametrize("name", pass_names())
def test_the_text_of_a_pass_is_stable_and_speaks_of_the_graph(name: str) -> None:
    first, second = (text("target", "--dump", name, "--config", config) for config in ("wide", "wide"))
    assert first == second and first.startswith(f"{name}: ") and first.splitlines()[0].endswith("for wide")
    if name != "tune":
        assert "logits" in first
    if name not in ("tune", "quantise", "layout", "allocate"):
        assert "LEN+M" in first or "M+LEN" in first


def test_stages_show_what_their_passes_do() -> None:
    out = {name: text("target", "--dump", name) for name in pass_names()}
    assert "relu(hidden)" in out["residual"] and "relu(hidden)" not in out["relu"]
    assert "add(x, projected)" in out["causal"] and "h              matmul(attention, Wo, x)" in out["residual"]
    assert "keys           concat_rows(k_cache, k)" in out["graph"] and "scale 0.25" in out["graph"]
    assert "(LEN+M, 16)  1 x 16        320 x 16  1280" in out["shapes"]
    assert "k              keys             LEN .. LEN+M-1" in out["place"]
    assert "MM k: m=M n=4 k=16 out=keys[LEN, 1]" in out["lower"]
    assert out["lower"].count(": rows=1 words=16") > out["stream"].count(": rows=1 words=16")


def test_several_stages_come_in_the_order_of_the_passes() -> None:
    both = text("draft_table", "--dump", "place", "--dump", "graph")
    assert both == text("draft_table", "--dump", "graph") + "\n" + text("draft_table", "--dump", "place")


def test_a_stage_before_one_that_fails_can_be_seen(tmp_path: Path) -> None:
    big = [{**STEPS[0], "rows": "LEN+M", "cols": 256}, {"op": "output", "name": "out", "inputs": ["x"]}]
    path = str(graph_file(tmp_path, big))
    assert "LEN+M" in text(path, "--dump", "lower")
    shown = ga2(path, "--dump", "lower", "-o", str(tmp_path / "a.bin"))
    assert isinstance(shown.exception, UserError) and "find no place" in str(shown.exception)
    assert shown.output == "" and not (tmp_path / "a.bin").exists()


@pytest.mark.parametrize("config", CONFIG_NAMES)
def test_the_whole_tiny_model_is_what_is_decoded(config: str, tmp_path: Path) -> None:
    image, listing = tmp_path / "model.bin", tmp_path / "model.s"
    text("model", "--config", config, "-o", str(image), "--asm", str(listing))
    assert Image.load(image) == build_session(config).model.image
    assert assemble_file(listing).to_bytes() == image.read_bytes()


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_a_kept_graph_compiles_as_in_its_campaign(path: Path, tmp_path: Path) -> None:
    config, recipe = kept(path)
    text(str(path), "-o", str(tmp_path / "a.bin"))
    found = Image.load(tmp_path / "a.bin")
    expected = compile_recipe(load_config(config), recipe).model.image
    assert found.config == config and len(found.instructions) == len(expected.instructions)
    assert found.constants == expected.constants


def test_prefix_slices_stay_slices_without_the_causal_pass() -> None:
    path = next(str(path) for path in KEPT if path.stem == "scores_behind_the_mask")
    fused, sliced = (text(path, "--dump", "emit", option) for option in ("--causal", "--no-causal"))
    assert fused.count(" SM ") < sliced.count(" SM ")


def test_the_summary_says_what_it_takes() -> None:
    assert "target: entry 0, 42 instructions" in text("target")


def test_a_model_of_ones_own(tmp_path: Path) -> None:
    """Weights from a file; sizes of a weight that has an array may be left out."""
    array = np.random.default_rng(0).normal(0, 1, (16, 8))
    np.savez(tmp_path / "w.npz", W=array)
    bare = [STEPS[0], {"op": "weight", "name": "W"}, *STEPS[2:]]
    path = graph_file(tmp_path, bare, weights="w.npz", ranges={"x": 3.0, "y": 2.5}, configuration="small")
    found = source(str(path), None, "structured")
    assert found.config.name == "small" and np.array_equal(found.graphs[0].weights["W"], array)
    assert (found.ranges["x"], found.ranges["y"]) == (3.0, 2.5) and found.graphs[0].name == "mine"
    product = found.graphs[0].node("product")
    assert product.scale == 0.5 and product.shape.rows == M
    assert "y  matmul(x, W)  (M, 8)   scale 0.5, relu" in text(str(path), "--dump", "relu", "--config", "nano")


def step(index: int, **change: object) -> list[dict]:
    return [{**each, **change} if at == index else each for at, each in enumerate(STEPS)]


@pytest.mark.parametrize(
    ("steps", "more", "says"),
    [
        (step(2, inputs=["x", "V"]), {}, "steps.2.inputs.1: no earlier step is called 'V'"),
        (step(0, rows="2M"), {}, "steps.0.rows: '2M' is no size: expected terms such as"),
        (step(0, rows="LEN-1"), {}, "x: input of : shape (LEN-1, 16) may be negative"),
        (step(2, op="divide"), {}, "a recipe has no step 'divide'"),
        (step(2, inputs=["W", "x"]), {}, "product: matmul of W (16, 8), x (M, 16): inner sizes 8 and M differ"),
        (step(2, inputs=["x"]), {}, "product: a step matmul takes 2 inputs, not 1"),
        ([*STEPS[:4], {"op": "copy", "name": "W", "inputs": ["x"]}, STEPS[4]], {}, "W: the name is taken"),
        (step(1, cols=9), {"weights": "w.npz"}, "W: its array is 16 x 8, its step 16 x 9"),
        (step(1, name="V"), {"weights": "w.npz"}, "steps.2.inputs.1: no earlier step is called 'W'"),
        (STEPS, {"weights": "more.npz"}, "weights: no step that is a weight is called 'other'"),
        (STEPS, {"weights": "none.npz"}, "none.npz: No such file"),
        (STEPS, {"weights": "mine.json"}, "weights: mine.json is no .npz file of numbers"),
        (STEPS, {"weights": 3}, "weights: expected the name of an .npz file, not 3"),
        (STEPS, {"weight": "w.npz"}, "unknown key 'weight': there are configuration, recipe, weights, ranges"),
        (STEPS, {"ranges": {"z": 1}}, "ranges: no tensor has the role 'z': there are W, product, x, y"),
        (STEPS, {"ranges": {"x": "1"}}, "ranges: x: expected a number, not '1'"),
        (STEPS, {"ranges": {"y": -1}}, "role 'y' has range -1.0: expected a finite magnitude"),
        (STEPS, {"configuration": "huge"}, "huge"),
        ([*STEPS, {"op": "relu", "name": "z", "inputs": [4]}], {}, "step 4 is an output and no tensor"),
        ([*STEPS[:4], {**STEPS[4], "inputs": []}], {}, "out: a step output takes 1 inputs, not 0"),
    ],
)
def test_a_file_that_is_wrong_is_told(tmp_path: Path, steps: list[dict], more: dict, says: str) -> None:
    np.savez(tmp_path / "w.npz", W=np.ones((16, 8)))
    np.savez(tmp_path / "more.npz", W=np.ones((16, 8)), other=np.ones(3))
    path = graph_file(tmp_path, steps, **more)
    shown = ga2(str(path), "-o", str(tmp_path / "a.bin"), "--asm", str(tmp_path / "a.s"))
    assert isinstance(shown.exception, UserError), shown.exception
    assert says in str(shown.exception) and shown.output == ""
    assert sorted(each.name for each in tmp_path.iterdir()) == ["mine.json", "more.npz", "w.npz"]


def test_a_mistake_of_the_compiler_is_no_bad_input(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("capra.plan.place", lambda *_: Placement({}, {}))
    shown = ga2(str(graph_file(tmp_path)), "-o", str(tmp_path / "a.bin"))
    assert shown.exit_code == 1 and shown.stdout == ""
    assert shown.stderr.startswith("ga2: a mistake in the compiler, and none of the graph: pass place: x: ")
    assert not (tmp_path / "a.bin").exists()


@pytest.mark.parametrize("data", [b"", b"[", b"[]", b"{}", b"\xff", b"[" * 100_000])
def test_a_file_that_is_no_graph(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(data)
    with pytest.raises(SourceError, match=r"a\.json: "):
        source(str(path), None, "structured")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("target", "--dump", "nonsense"), "no pass 'nonsense': there are graph, prune, shapes"),
        (("nobody",), "no program 'nobody': there are target, draft_matmul"),
        (("no/such.json",), "no such file"),
        (("target", "--config", "huge"), "unknown configuration 'huge'"),
        (("target", "--target", "nobody"), "nobody"),
        (("target", "-o", "/nowhere/a.bin"), "/nowhere/a.bin"),
        (("target", "-o", "good.bin", "--asm", "no/such/folder.s"), "no/such/folder.s"),
        (("target", "-o", "one", "--asm", "./one"), "--output and --asm name the same file"),
    ],
)
def test_wrong_arguments_are_told_and_nothing_is_written(
    arguments: tuple[str, ...], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shown = ga2(*arguments)
    assert not list(tmp_path.iterdir())
    assert isinstance(shown.exception, UserError) and says in str(shown.exception) and shown.output == ""


def test_the_page_shows_what_the_command_prints(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "user" / "compile.md").read_text()
    blocks = page.split("```")[1::2]
    path = tmp_path / "mlp.json"
    path.write_text(next(block for block in blocks if block.startswith("json")).removeprefix("json"))
    rng = np.random.default_rng(0)
    np.savez(tmp_path / "mlp.npz", W1=rng.normal(0, 0.3, (16, 32)), W2=rng.normal(0, 0.3, (32, 16)))
    for arguments in (("--dump", "normalise"), ()):
        assert f"\n{text(str(path), *arguments).rstrip()}\n" in blocks
    for each in PASSES:
        assert f"| `{each.name}` | {each.summary} |" in page
