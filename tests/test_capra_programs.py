# SPDX-License-Identifier: Apache-2.0
"""Compiled programs on the golden core equal the integer interpreter of their graphs, tensor by tensor."""

from functools import lru_cache

import numpy as np
import pytest

from capra import Graph, M, compile_graphs, compile_model, draft_graph, evaluate, interpret, target_graph
from capra.execute import Machine
from capra.fuse import FusionOptions
from ga2.models.calibration import target_ranges
from ga2.models.drafts import make_table, table_choices
from ga2.models.targets import make_target
from ga2.spec import CONFIG_NAMES, load_config

SHAPES = [(0, 1), (0, 16), (1, 1), (3, 5), (5, 4), (16, 1), (17, 8), (63, 3)]


@lru_cache
def tiny(kind: str, seed: int):
    """(weights, ranges, draft table) of a tiny target."""
    weights = make_target(kind, seed)
    table = make_table(kind, weights, noise=0.0, seed=1)
    return weights, target_ranges(kind, weights), table


@lru_cache
def machine(config: str, kind: str = "sharp", seed: int = 2) -> Machine:
    weights, ranges, table = tiny(kind, seed)
    drafts = {"matmul": np.linalg.solve(weights["E"], table), "table": table}
    return Machine(compile_model(load_config(config), weights, ranges, drafts, chain_steps=3))


def target_inputs(length: int, m: int, seed: int = 0) -> dict:
    rng = np.random.default_rng([seed, length, m])
    caches = {name: rng.integers(-128, 128, (length, 16)).astype(np.int8) for name in ("k_cache", "v_cache")}
    return {"ids": rng.integers(0, 16, (m, 1)), **caches}


def assert_tensors_equal(machine: Machine, name: str, inputs: dict, length: int, m: int) -> None:
    program = machine.model.programs[name]
    execution = machine.run(name, inputs, length, m)
    expected = interpret(program.graph, machine.model.spec, inputs, length, m)
    compared = 0
    for tensor, found in execution.tensors.items():
        assert np.array_equal(found, expected[tensor]), f"{name}: tensor {tensor} at LEN={length}, M={m}"
        compared += found.size > 0
    assert compared >= 3
    for output in program.graph.outputs:
        assert np.array_equal(execution.outputs[output.name], expected[output.node.name]), output.name
    assert not machine.core.undefined_reads


@pytest.mark.parametrize("config", CONFIG_NAMES)
@pytest.mark.parametrize(("length", "m"), SHAPES)
def test_target_equals_the_interpreter(config: str, length: int, m: int) -> None:
    assert_tensors_equal(machine(config), "target", target_inputs(length, m), length, m)


@pytest.mark.parametrize("config", CONFIG_NAMES)
def test_target_fills_the_cache_to_its_last_row(config: str) -> None:
    length = load_config(config).max_len - 16
    assert_tensors_equal(machine(config), "target", target_inputs(length, 16), length, 16)


@pytest.mark.parametrize("config", CONFIG_NAMES)
@pytest.mark.parametrize("name", ["draft_matmul", "draft_table", "matmul_chain_3", "table_chain_3"])
def test_drafts_equal_the_interpreter(config: str, name: str) -> None:
    for token in range(16):
        assert_tensors_equal(machine(config), name, {"ids": np.array([[token]])}, 5, 1)


@pytest.mark.parametrize("kind", ["structured", "random"])
def test_drafts_propose_what_the_float_table_proposes(kind: str) -> None:
    core = machine("nano", kind, 1)
    choices = table_choices(tiny(kind, 1)[2])
    for token in range(16):
        ids = {"ids": np.array([[token]])}
        chosen = choices[token]
        assert core.run("draft_table", ids).outputs["choice"][0, 0] == chosen
        if kind == "structured":
            assert core.run("draft_matmul", ids).outputs["choice"][0, 0] == chosen
            chain = core.run("matmul_chain_3", ids).outputs
            assert [chain[f"choice_{step}"][0, 0] for step in range(3)] == [
                chosen, choices[chosen], choices[choices[chosen]]
            ]  # fmt: skip


@pytest.mark.parametrize("config", CONFIG_NAMES)
def test_rows_of_a_block_equal_single_steps(config: str) -> None:
    """Row i of a block of m is bit-identical to the one-row step at that position."""
    core = machine(config)
    length, m = 6, 7
    inputs = target_inputs(length, m)
    block = core.run("target", inputs, length, m).outputs
    for row in range(m):
        step_inputs = {
            "ids": inputs["ids"][row : row + 1],
            "k_cache": np.vstack([inputs["k_cache"], block["k"][:row]]),
            "v_cache": np.vstack([inputs["v_cache"], block["v"][:row]]),
        }
        step = core.run("target", step_inputs, length + row, 1).outputs
        for name, values in step.items():
            assert np.array_equal(values[0], block[name][row]), f"{name} of row {row}"


@pytest.mark.parametrize("config", ["nano", "base"])
@pytest.mark.parametrize("m", [1, 2, 4])
def test_sliced_attention_has_the_bits_of_the_causal_block(config: str, m: int) -> None:
    weights, ranges, _ = tiny("sharp", 2)
    sliced = target_graph(weights, rows=m, name="sliced")
    kept = FusionOptions(causal=False)
    unfused = Machine(compile_graphs(load_config(config), [sliced], ranges, kept))
    refused = Machine(compile_graphs(load_config(config), [sliced], ranges))
    operations = [op.opcode for op in unfused.model.programs["sliced"].ops]
    assert operations.count("SM") == m
    assert [op.opcode for op in refused.model.programs["sliced"].ops].count("SM") == 1
    for length in (0, 3, 13):
        inputs = target_inputs(length, m)
        causal = machine(config).run("target", inputs, length, m).outputs
        assert_tensors_equal(unfused, "sliced", inputs, length, m)
        for other in (unfused, refused):
            found = other.run("sliced", inputs, length, m).outputs
            assert all(np.array_equal(found[name], causal[name]) for name in causal)


def test_int8_stays_close_to_float() -> None:
    """Relative L2 error below 15 % (logits) and 12 % (attention, keys, values), over cached tokens."""
    weights, ranges, _ = tiny("random", 1)
    core = machine("nano", "random", 1)
    prefix, block = [0, 5, 3, 13], [9, 10, 9, 10]
    model = core.model
    first = core.run("target", {"ids": np.array(prefix)[:, np.newaxis]}, 0, 4).outputs
    inputs = {"ids": np.array(block)[:, np.newaxis], "k_cache": first["k"], "v_cache": first["v"]}
    found = core.run("target", inputs, 4, 4).outputs
    x = weights["E"][prefix]
    exact = evaluate(
        target_graph(weights), inputs | {"k_cache": x @ weights["Wk"], "v_cache": x @ weights["Wv"]}, 4, 4
    )
    for name, bound in {"logits": 0.15, "attention": 0.12, "k": 0.12, "v": 0.12}.items():
        real = found[name] * model.spec.scale(name)
        error = np.linalg.norm(real - exact[name]) / np.linalg.norm(exact[name])
        assert error < bound, f"{name}: {error:.3f}"


def test_every_weight_crosses_the_bus_once() -> None:
    model = machine("nano").model
    for name in ("target", "draft_matmul", "matmul_chain_3"):
        program = model.programs[name]
        loaded = [op.ext for op in program.ops if op.weight]
        assert len(set(loaded)) == len(loaded)
        words = sum(op.dims["words"].imm for op in program.ops if op.weight)
        assert words == sum(
            w.values.size // 4 for key, w in model.spec.columns.items() if key in program.graph.weights
        )


def test_draft_alone_shares_nothing_with_a_target() -> None:
    weights, ranges, table = tiny("structured", 0)
    graph = draft_graph(weights["E"], "table", table)
    model = compile_graphs(load_config("nano"), [graph], ranges)
    assert_tensors_equal(Machine(model), "draft_table", {"ids": np.array([[3], [7]])}, 0, 2)


def test_a_weight_larger_than_the_scratchpad_streams_through_it() -> None:
    config, rng = load_config("nano"), np.random.default_rng(1)
    weight = rng.normal(0, 0.1, (512, 36))
    assert weight.size > config.spad_bytes
    graph = Graph("wide")
    graph.output("o", graph.matmul(graph.input("x", M, 512), graph.weight("w", weight), name="o"))
    core = Machine(compile_graphs(config, [graph], {"x": 1.0, "o": 3.0}))
    inputs = {"x": rng.integers(-128, 128, (16, 512)).astype(np.int8)}
    execution = core.run("wide", inputs, 0, 16)
    program = core.model.programs["wide"]
    expected = interpret(program.graph, core.model.spec, inputs, 0, 16)
    assert np.array_equal(execution.outputs["o"], expected["o"]) and len(np.unique(expected["o"])) > 100
    assert sum(op.dims["words"].imm for op in program.ops if op.weight) == weight.size // config.cols
