# SPDX-License-Identifier: Apache-2.0
"""Sessions on the golden core: recorded counts on compiled programs, the structured rule on the chip, and that a
compiled program does what its graph means, instruction by instruction."""

import csv
from dataclasses import replace

import numpy as np
import pytest

from ga2.device.golden import GoldenDevice
from ga2.device.protocol import FaultReport, RunResult, run_sync
from ga2.isa.encoding import Instruction, encode
from ga2.models.targets import successor
from ga2.spec import CONFIG_NAMES, SPEC_DIR, load_config
from ga2.speculation.chip import DecodeError, check_id, decode
from ga2.speculation.graph_device import GraphDevice
from ga2.speculation.ledger import recompute_counts
from ga2.stimulus import (
    Step,
    StimulusError,
    build_session,
    check_draft,
    draft_choices,
    prefill_steps,
    run_steps,
    steps_of,
    verifier_steps,
)

with (SPEC_DIR / "recorded" / "greedy_runs.csv").open(newline="") as stream:
    RUNS = [row for row in csv.DictReader(stream) if row["decoding"] == "speculative"]

OUTPUTS = ("attention", "logits", "choice")


def golden(session) -> GoldenDevice:
    """A golden device for bytes alone: every program counts as one cycle."""
    return GoldenDevice(session.config, session.model.end, lambda config, outcome: {"total": 1})


def decoded(session, **request):
    return run_sync(decode(golden(session), session, **request))


async def read_block(device, session, length, m):
    """What a target pass left: attention, logits and choices (m rows), new keys and values."""
    model, found = session.model, {}
    for name in OUTPUTS:
        symbol = session.target.outputs[name]
        found[name] = symbol.unpack(await device.read(symbol.address, m * symbol.pitch))
    for name, symbol in model.caches.items():
        found[name] = symbol.unpack(await device.read(symbol.address + length * symbol.pitch, m * symbol.pitch))
    return found


@pytest.mark.parametrize("config", CONFIG_NAMES)
@pytest.mark.parametrize("row", RUNS, ids=lambda row: f"{row['target']}-k{row['k']}-noise{row['noise']}")
def test_recorded_runs_on_the_golden_core(config, row):
    k = int(row["k"])
    session = build_session(config, target=row["target"], noise=float(row["noise"]))
    plain = decoded(session, k=0, start=0, tokens=32 + k)
    run = decoded(session, k=k, start=0, tokens=32)
    assert run.tokens == plain.tokens[:33]
    assert run.ledger == recompute_counts(plain.tokens, draft_choices(session), k, 32)
    assert run.programs == run.cycles == run.proposed + run.blocks
    if row["target"] == "structured":
        assert (run.accepted, run.proposed, run.blocks, run.programs) == tuple(
            int(row[name]) for name in ("accepted", "proposed", "blocks", "programs")
        )


@pytest.mark.parametrize("form", ["matmul", "table"])
@pytest.mark.parametrize(("target", "seed"), [("structured", 1), ("random", 30), ("random", 96), ("sharp", 107)])
def test_compiled_programs_leave_the_bytes_of_their_graphs(target, seed, form):
    session = build_session("nano", target=target, target_seed=seed, draft=form, noise=3.0)
    core, graphs = golden(session), GraphDevice(session.model)
    runs = [run_sync(decode(device, session, k=3, start=7, tokens=20)) for device in (core, graphs)]
    assert runs[0].ledger == runs[1].ledger
    assert steps_of(runs[0]) == steps_of(runs[1])
    np.testing.assert_array_equal(core.memory_array(), graphs.memory)


@pytest.mark.parametrize("form", ["matmul", "table"])
@pytest.mark.parametrize("noise", [0.0, 3.0, 4.0, 5.0, 6.0, 12.0])
def test_no_noise_of_the_grid_flips_a_choice_of_the_draft(form, noise):
    session = build_session("nano", draft=form, noise=noise)
    assert draft_choices(session) == list(session.table_choice)


def test_a_flip_is_an_error_that_names_the_token():
    session = build_session("nano")
    wrong = tuple(9 if token == 4 else choice for token, choice in enumerate(session.table_choice))
    with pytest.raises(StimulusError, match="draft_matmul: after token 4 the int8 draft guesses 7, its float table 9"):
        check_draft(replace(session, table_choice=wrong))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"target": "blunt"}, "unknown target 'blunt'"),
        ({"draft": "oracle"}, "unknown draft 'oracle'"),
        ({"noise": -1.0}, "noise -1.0"),
        ({"noise": float("nan")}, "noise nan"),
    ],
)
def test_bad_sessions_are_refused(change, message):
    with pytest.raises(StimulusError, match=message):
        build_session("nano", **change)


def test_the_draft_has_no_part_in_the_targets_quantisation():
    quiet, noisy = (build_session("nano", target="random", noise=noise).model for noise in (0.0, 6.0))
    roles = set(quiet.spec.scales) - {"draft_logits", "draft_table"}
    assert {role: quiet.spec.scale(role) for role in roles} == {role: noisy.spec.scale(role) for role in roles}
    for name in ("Wq", "Wk", "Wv", "Wo", "W1", "W2", "Wout"):
        np.testing.assert_array_equal(quiet.spec.columns[name].values, noisy.spec.columns[name].values)


def test_sessions_are_cached():
    assert build_session("nano", noise=3.0) is build_session(load_config("nano"), target_seed=9, noise=3)


@pytest.mark.parametrize("config", ["nano", "base"])
def test_the_structured_rule_holds_on_the_core_for_every_start_and_cache_length(config):
    session, source = build_session(config), np.random.default_rng(5)
    cache = [int(token) for token in source.integers(0, 16, 64)]
    starts = list(range(16))
    passes = [Step(session.target.name, length, tuple(starts)) for length in reversed(range(65))]
    player = run_sync(run_steps(golden(session), session, prefill_steps(session, cache) + passes))
    for run in player.runs[-len(passes) :]:
        assert list(run.choices) == [successor(token) for token in starts]


@pytest.mark.parametrize("config", ["nano", "small"])
def test_rows_of_a_verifier_equal_one_row_steps_on_the_core(config):
    session, source = build_session(config, target="sharp", target_seed=2), np.random.default_rng(11)

    async def check():
        device = golden(session)
        for length in (0, 1, 5, 63):
            for m in (2, 4, 7):
                cache = [int(token) for token in source.integers(0, 16, length)]
                block = [int(token) for token in source.integers(0, 16, m)]
                await run_steps(device, session, verifier_steps(session, cache, [block]))
                whole = await read_block(device, session, length, m)
                for row, token in enumerate(block):
                    player = await run_steps(device, session, [])
                    await player.run(session.target, (token,), length + row)
                    one = await read_block(device, session, length + row, 1)
                    for name, values in whole.items():
                        np.testing.assert_array_equal(values[row], one[name][0], f"{name} LEN={length} M={m} row={row}")

    run_sync(check())


def test_removing_any_instruction_of_the_target_changes_some_output():
    session = build_session("nano")
    target, image = session.target, session.model.image
    no_op = encode(Instruction("VEC", {}))
    cache, block = [6, 1, 8, 0, 3, 9, 15], [2, 13, 4, 10, 5]

    async def outputs(instructions):
        device = golden(session)
        player = await run_steps(device, session, prefill_steps(session, cache))
        await device.load_image(replace(image, instructions=instructions), session.model.image_address)
        device.core.spad.data[:] = np.random.default_rng(0).integers(0, 256, device.core.spad.data.shape)
        try:
            await player.run(target, tuple(block), len(cache))
        except DecodeError:
            return None
        return await read_block(device, session, len(cache), len(block))

    whole = run_sync(outputs(list(image.instructions)))
    for index in range(len(target.instructions) - 1):
        instructions = list(image.instructions)
        instructions[target.entry + index] = no_op
        changed = run_sync(outputs(instructions))
        assert changed is None or any(not np.array_equal(whole[name], changed[name]) for name in whole), (
            f"instruction {index} ({target.ops[index].node}) is not needed: {target.instructions[index]}"
        )


class FaultingDevice(GraphDevice):
    """Every program stops with a fault."""

    async def run(self, entry, length, m):
        return RunResult({}, FaultReport("window", 12, 0x40))


def test_a_fault_is_an_error_that_names_the_program():
    session = build_session("nano")
    with pytest.raises(DecodeError, match=r"draft_matmul with LEN = 0, M = 1: fault window at pc 12, address 0x40"):
        run_sync(decode(FaultingDevice(session.model), session, k=3, start=0, tokens=4))


@pytest.mark.parametrize(
    ("change", "message"),
    [({"k": 16}, "k = 16: expected 0 to 15"), ({"start": 16}, "start token 16"), ({"tokens": 321}, "1 to 320")],
)
def test_bad_requests_are_refused(change, message):
    session = build_session("nano")
    with pytest.raises(ValueError, match=message):
        decoded(session, **({"k": 3, "start": 0, "tokens": 4} | change))


@pytest.mark.parametrize("change", [{"k": -1}, {"k": 16}, {"start": -1}, {"start": 16}, {"tokens": 0}, {"tokens": 321}])
def test_requests_beyond_either_end_are_refused(change):
    with pytest.raises(ValueError, match=r"expected (0 to 15|1 to 320)"):
        decoded(build_session("nano"), **({"k": 3, "start": 0, "tokens": 4} | change))


def test_the_shortest_run():
    run = decoded(build_session("nano"), k=0, start=15, tokens=1)
    assert run.tokens == [15, successor(15)] and (run.blocks, run.proposed) == (1, 0)


@pytest.mark.parametrize("value", [-1, 16])
def test_an_id_that_is_no_token_is_an_error(value):
    with pytest.raises(DecodeError, match=f"a choice is {value}, outside the vocabulary of 16"):
        check_id(value, 16, "a choice")
    assert [check_id(token, 16, "a choice") for token in (0, 15)] == [0, 15]


def test_the_wall_of_a_core_without_a_host_is_its_cycles():
    """The golden clock counts programs alone; the second run starts where the first has ended."""
    session = build_session("nano")
    device = golden(session)
    for _ in range(2):
        run = run_sync(decode(device, session, k=3, start=0, tokens=20))
        assert run.wall == run.cycles == run.programs > 1
        assert run.discarded == run.emitted - 20 and run.counters == {"total": run.programs}


def test_a_run_to_a_full_cache():
    session = build_session("nano", noise=3.0)
    run = decoded(session, k=15, start=0, tokens=320)
    assert run.tokens[-1] == successor(run.tokens[-2]) and len(run.tokens) == 321
    assert run.ledger.cache_length == run.emitted == 320
