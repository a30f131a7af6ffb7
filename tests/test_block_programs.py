# SPDX-License-Identifier: Apache-2.0
"""A whole speculative block as one program: the same guesses, choices and caches as a program a guess and one for the
target, on the graph, on the golden core, and for any draft; and each way to get it wrong is seen."""

from dataclasses import replace

import numpy as np
import pytest

from capra import Affine, Graph, GraphError, Node, compile_graphs, lower, model_graphs
from capra.execute import Machine
from capra.interpret import interpret
from capra.rewrite import rewrite
from capra.verify import VerifyError
from ga2.device.golden import GoldenDevice
from ga2.device.protocol import FaultReport, RunResult, run_sync
from ga2.spec import CONFIG_NAMES
from ga2.speculation.block_player import BlockPlayer
from ga2.speculation.chip import ChipPlayer, Decoded, DecodeError, decode
from ga2.speculation.graph_device import GraphDevice
from ga2.speculation.session import Session
from ga2.stimulus import build_session, tiny_graphs
from ga2.timing.model import predict

FORMS = ("matmul", "table")
SIZES = (1, 3, 5)  # of blocks on nano; the largest has more rows than the array
MODELS = [("structured", 1, 4.0), ("random", 30, 3.0), ("sharp", 107, 3.0)]


def bytes_alone(session: Session) -> GoldenDevice:
    """A golden device for which every program takes one cycle."""
    return GoldenDevice(session.config, session.model.end, lambda config, outcome: {"total": 1})


def decoded(device, session: Session, player=BlockPlayer, **request) -> Decoded:
    return run_sync(decode(device, session, **({"k": 3, "start": 0, "tokens": 16} | request), player_of=player))


def kept_caches(device, session: Session, rows: int) -> list[bytes]:
    """The caches' rows that a decoding keeps."""
    caches = session.model.caches.values()
    return [run_sync(device.read(cache.address, rows * cache.pitch)) for cache in caches]


def differences(session: Session, **request) -> list[str]:
    """What decoding in blocks does not do as separate programs do."""
    devices = [bytes_alone(session), bytes_alone(session)]
    one, many = (
        decoded(device, session, player, **request)
        for device, player in zip(devices, (BlockPlayer, ChipPlayer), strict=True)
    )
    assert one.programs == one.blocks and one.programs_run[0].entry.endswith(f"_block_{request['k']}")
    found = [] if one.tokens == many.tokens else ["tokens"]
    found += [] if one.blocks_run == many.blocks_run else ["blocks"]
    rows = min(one.ledger.cache_length, many.ledger.cache_length)
    found += [] if kept_caches(devices[0], session, rows) == kept_caches(devices[1], session, rows) else ["caches"]
    return found


@pytest.mark.parametrize("k", SIZES)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("target", "seed", "noise"), MODELS)
def test_blocks_decode_as_separate_programs_do(target: str, seed: int, noise: float, form: str, k: int) -> None:
    session = build_session("nano", target, seed, form, noise, blocks=SIZES)
    for start in (0, 13):
        assert differences(session, k=k, start=start) == []


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("config", CONFIG_NAMES)
def test_every_configuration(config: str, form: str) -> None:
    session = build_session(config, "structured", 1, form, 4.0, blocks=(1, 3))
    assert [differences(session, k=k, start=5) for k in (1, 3)] == [[], []]


@pytest.mark.parametrize("form", FORMS)
def test_programs_leave_the_bytes_of_their_graphs(form: str) -> None:
    session = build_session("nano", "random", 96, form, 3.0, blocks=(3,))
    core, graphs = bytes_alone(session), GraphDevice(session.model)
    runs = [decoded(device, session, start=7, tokens=20) for device in (core, graphs)]
    assert runs[0].run == runs[1].run
    np.testing.assert_array_equal(core.memory_array(), graphs.memory)


def inputs(length: int, last: int) -> dict:
    rng = np.random.default_rng([length, last])
    caches = {name: rng.integers(-128, 128, (length, 16)).astype(np.int8) for name in ("k_cache", "v_cache")}
    return {"last": np.array([[last]]), **caches}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("config", CONFIG_NAMES)
def test_every_tensor_equals_the_interpreter_up_to_a_full_cache(config: str, form: str) -> None:
    session = build_session(config, "sharp", 107, form, 3.0, blocks=(1, 3))
    machine = Machine(session.model)
    for k in (1, 3):
        program = session.block(k)
        assert program is not None
        for length in (0, 1, 13, session.config.max_len - k - 1):
            found = machine.run(program.name, inputs(length, length % 16), length, k + 1)
            meant = interpret(program.graph, session.model.spec, inputs(length, length % 16), length, k + 1)
            for name, values in found.tensors.items():
                assert np.array_equal(values, meant[name]), f"{program.name}: {name} at LEN = {length}"
            assert found.outputs["guesses"].shape == (k, 1) and found.outputs["choice"].shape == (k + 1, 1)
            assert not machine.core.undefined_reads


def test_a_nearly_full_cache_takes_the_smaller_block_and_then_the_plain_step() -> None:
    session = build_session("nano", blocks=(1, 2))
    late = decoded(bytes_alone(session), session, tokens=320, k=2)
    sizes = [len(block.guesses) for block in late.blocks_run]
    assert sizes[-2:] == [2, 1] and late.programs_run[-1].entry == "matmul_block_1"
    whole = decoded(bytes_alone(session), session, player=ChipPlayer, tokens=320, k=2)
    assert late.run == whole.run
    last = decoded(bytes_alone(session), session, tokens=4, k=0)
    assert {run.entry for run in last.programs_run} == {"target"}


def test_a_block_without_a_program_is_separate_programs() -> None:
    session = build_session("nano", blocks=(3,))
    run = decoded(bytes_alone(session), session, k=2, tokens=6)
    assert [each.entry for each in run.programs_run] == ["draft_matmul", "draft_matmul", "target"] * 2


def test_a_run_of_a_block_is_on_record() -> None:
    session = build_session("nano", noise=4.0, blocks=(3,))
    run = decoded(bytes_alone(session), session)
    for each, block in zip(run.programs_run, run.blocks_run, strict=True):
        assert (each.entry, each.ids, each.m) == ("matmul_block_3", block.rows, 4)
        assert (each.guesses, each.choices) == (block.guesses, block.choices)


class Faulting(GraphDevice):
    """Every program stops with a fault."""

    async def run(self, entry, length, m):
        return RunResult({}, FaultReport("window", 12, 0x40))


class Misreading(GraphDevice):
    """One output holds an id that is no token."""

    output = ""

    async def run(self, entry, length, m):
        result = await super().run(entry, length, m)
        symbol = self._program(entry).outputs[self.output]
        await self.write(symbol.address, (16).to_bytes(4, "little"))
        return result


def test_faults_and_ids_that_are_no_tokens_are_errors_that_name_the_program() -> None:
    session = build_session("nano", blocks=(3,))
    with pytest.raises(DecodeError, match=r"matmul_block_3 with LEN = 0, M = 4: fault window at pc 12, address 0x40"):
        decoded(Faulting(session.model), session)
    for output, what in (("guesses", "a guess"), ("choice", "a choice")):
        device = Misreading(session.model)
        device.output = output
        with pytest.raises(DecodeError, match=f"{what} of program matmul_block_3 with LEN = 0, M = 4 is 16, outside"):
            decoded(device, session)


def test_blocks_change_nothing_that_is_there_without_them() -> None:
    """The one quantisation spec, every weight's bytes, and the programs and constants of the others."""
    bare, more = build_session("nano").model, build_session("nano", blocks=(1, 3)).model
    count, constants = len(bare.image.instructions), len(bare.image.constants)
    assert more.image.instructions[:count] == bare.image.instructions
    assert more.image.constants[:constants] == bare.image.constants
    assert more.spec.scales == bare.spec.scales
    for kind in ("columns", "tensors"):
        former, now = getattr(bare.spec, kind), getattr(more.spec, kind)
        assert former.keys() == now.keys()
        for name, weight in former.items():
            np.testing.assert_array_equal(getattr(weight, "values", weight), getattr(now[name], "values", now[name]))
    offset = more.windows[0].base - bare.windows[0].base
    assert {address + offset: data for address, data in bare.memory.items()} == dict(more.memory)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("config", CONFIG_NAMES)
def test_every_weight_and_every_row_crosses_the_bus_once(config: str, form: str) -> None:
    session = build_session(config, draft=form, blocks=(1, 3))
    program = session.block(3)
    assert program is not None
    loaded = [op.ext for op in program.ops if op.weight]
    assert len(set(loaded)) == len(loaded)
    words = sum(op.dims["words"].imm for op in program.ops if op.weight)
    used = [weight for name, weight in session.model.spec.columns.items() if name in program.graph.weights]
    assert words == sum(weight.values.size // session.config.cols for weight in used)
    gathers = [op.ext.item for op in program.ops if op.opcode == "LDG" and op.ext]
    assert sorted(gathers) == ["E.rows"] * 4 + ["L.rows"] * 3 * (form == "table")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("config", CONFIG_NAMES)
def test_a_block_takes_fewer_cycles_than_its_parts(config: str, form: str) -> None:
    session = build_session(config, draft=form, blocks=(1, 3))
    device = GoldenDevice(session.config, session.model.end, predict)
    one, many = (decoded(device, session, player, tokens=8) for player in (BlockPlayer, ChipPlayer))
    assert one.cycles < many.cycles


def test_what_cannot_be_is_refused() -> None:
    (target, *_), ranges = tiny_graphs()
    with pytest.raises(GraphError, match="blocks of draft 'table', which is not among the drafts"):
        model_graphs(target.weights, ranges, {"matmul": np.eye(16)}, blocks={"table": (1,)})
    graph = Graph("g")
    ids, rows = graph.input("i", 1, 1, kind="ids"), graph.input("x", 1, 1)
    for parts in ((ids, rows), (rows, ids)):
        with pytest.raises(GraphError, match="i holds ids, and other parts are none"):
            graph.concat_rows(*parts)


def broken(change) -> Session:
    """A session whose block of three is the graph that `change` makes of it."""
    graphs, ranges = tiny_graphs("random", 30, {"matmul": (3,)})
    sound = build_session("nano", "random", 30)
    return replace(sound, model=compile_graphs(sound.config, map(change, graphs), ranges))


def with_inputs(name: str, *wanted: str):
    """A change of a graph: the node `name` reads other nodes."""

    def rule(graph: Graph, node: Node) -> list[Node]:
        return [replace(node, inputs=tuple(map(graph.node, wanted)))] if node.name == name else []

    return lambda graph: rewrite(graph, rule) if graph.name == "matmul_block_3" else graph


def test_the_sound_graph_decodes_as_separate_programs_do() -> None:
    assert differences(broken(lambda graph: graph), k=3, start=1) == []


@pytest.mark.parametrize(
    ("change", "seen"),
    [
        (with_inputs("guess_logits_1", "x_0", "Wd"), "blocks"),  # the second guess is not chained to the first
        (with_inputs("x_2", "E", "guess_0"), "blocks"),  # nor its row
        (with_inputs("x", "x_0", "x_2", "x_1", "x_3"), "blocks"),
        (with_inputs("guesses", "guess_1", "guess_0", "guess_2"), "blocks"),
        (with_inputs("keys", "k", "k_cache"), "blocks"),
    ],
    ids=["logits of another step", "row of another step", "rows in another order", "guesses of another step",
         "keys before the cache"],
)  # fmt: skip
def test_a_block_that_is_wired_wrongly_is_seen(change, seen: str) -> None:
    assert seen in differences(broken(change), k=3, start=1)


def test_keys_appended_at_another_row_are_seen(monkeypatch) -> None:
    """By the verifier of operations, and without it by what the next block attends."""
    monkeypatch.setattr(lower, "LEN", Affine(1, 1, 0))
    with pytest.raises(VerifyError, match="not to row LEN of k_cache"):
        broken(lambda graph: graph)
