# SPDX-License-Identifier: Apache-2.0
"""Make the kept vectors with the TOSA reference model: python make_vectors.py FILE, in the environment of tosa-tools.

Each vector is a graph of TOSA operators that means one operation of GA2, its inputs, and what the model answers:
  rescale  RESCALE int32 -> int8, one scale a value, single and double rounding
  matmul   MATMUL int8, ADD of a bias, RESCALE per channel: the instruction MM
  argmax   ARGMAX int8 along the rows: the instruction AMAX
TOSA leaves a result open where a value does not lie within -2^(shift-1) .. 2^(shift-1) - 1, or a shift not in 2 .. 62;
the model says so, and such vectors are never drawn.
"""

import json
import sys
import warnings
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

warnings.filterwarnings("ignore", category=DeprecationWarning)

import tosa_reference_model as model  # noqa: E402  # its import warns, so the filter comes first
from serializer import tosa_serializer as ts  # noqa: E402
from tosa.RoundingMode import RoundingMode  # noqa: E402

SEED = 1
OP, DTYPE = ts.TosaOp.Op(), ts.DType
ROUNDING = {"single": RoundingMode.SINGLE_ROUND, "double": RoundingMode.DOUBLE_ROUND}


class Graph:
    """One graph under construction and its inputs."""

    def __init__(self) -> None:
        self.graph = ts.TosaSerializer("")
        self.inputs: list[np.ndarray] = []

    def input(self, values: np.ndarray, dtype: int) -> str:
        self.inputs.append(values)
        return self.graph.addPlaceholder(list(values.shape), dtype, None).name

    def const(self, values: Any, dtype: int, kind: type) -> str:
        array = np.atleast_1d(np.array(values, kind))
        return self.graph.addConst(list(array.shape), dtype, array).name

    def add(self, kind: str, inputs: list[str], shape: list[int], dtype: int, last: bool, *arguments: Any) -> str:
        """An operator with the arguments of its attribute; the name of its result."""
        attribute = ts.TosaSerializerAttribute()
        getattr(attribute, f"{kind}Attribute")(*arguments)
        out = (self.graph.addOutput if last else self.graph.addIntermediate)(shape, dtype).name
        self.graph.addOperator(getattr(OP, kind.upper()), inputs, [out], attribute)
        return out

    def rescale(self, value: str, shape: list[int], mult: list[int], shift: list[int], zp: int, rounding: str) -> None:
        """int32 to int8, the last operator."""
        inputs = [value, self.const(mult, DTYPE.INT32, np.int32), self.const(shift, DTYPE.INT8, np.int8),
                  self.const(0, DTYPE.INT32, np.int32), self.const(zp, DTYPE.INT8, np.int8)]  # fmt: skip
        per_channel = len(mult) > 1
        self.add("Rescale", inputs, shape, DTYPE.INT8, True, True, ROUNDING[rounding], per_channel, False, False)

    def run(self) -> np.ndarray:
        """The result; ValueError where TOSA leaves it open or forbids the graph."""
        outputs, status = model.run(bytes(self.graph.serialize()), self.inputs)
        if status != model.GraphStatus.TOSA_VALID:
            raise ValueError(f"the reference model answers {status}")
        return outputs[0]


def scales(rng: np.random.Generator, count: int, largest: int) -> tuple[list[int], list[int], list[int]]:
    """(sums, multipliers, shifts): half of the results lie inside a byte, the others saturate or vanish."""
    sums, mults, shifts = [], [], []
    for index in range(count):
        shift = int(rng.integers(2, 63))
        bits = min(shift - 1, largest)
        edges = [-(2**bits), -(2**bits) + 1, 2**bits - 1, -1, 0, 1]
        value = int(rng.choice(edges)) if index % 4 == 0 else int(rng.integers(-(2**bits), 2**bits))
        if index % 2:  # to a byte: value * mult / 2^shift of about 100
            mult = min(2**31 - 1, max(1, (100 << shift) // max(1, abs(value))))
        else:
            mult = int(rng.choice([1, 2**30, 2**31 - 1, int(rng.integers(2**30, 2**31))]))
        sums.append(value), mults.append(mult), shifts.append(shift)
    return sums, mults, shifts


def rescale_vector(rng: np.random.Generator, rounding: str) -> dict[str, Any]:
    sums, mults, shifts = scales(rng, 64, 31)
    zp = int(rng.choice([0, -128, 127, 5]))
    while True:  # a result must fit int32 before it is limited
        fits = [abs(x * m) >> s < 2**31 - 2**9 for x, m, s in zip(sums, mults, shifts, strict=True)]
        if all(fits):
            break
        mults = [m if ok else m >> 1 for m, ok in zip(mults, fits, strict=True)]
    graph = Graph()
    value = graph.input(np.array([sums], np.int32), DTYPE.INT32)
    graph.rescale(value, [1, len(sums)], mults, shifts, zp, rounding)
    return {"rounding": rounding, "zp": zp, "sum": sums, "mult": mults, "shift": shifts,
            "byte": graph.run()[0].tolist()}  # fmt: skip


def matmul_vector(rng: np.random.Generator, rounding: str, m: int, n: int, k: int) -> dict[str, Any]:
    left, right = (rng.integers(-128, 128, size).astype(np.int8) for size in ((1, m, k), (1, k, n)))
    if rng.random() < 0.3:
        left[:] = rng.choice([-128, 127])
    bias = rng.integers(-(2**12), 2**12, n).tolist()
    mults = rng.integers(2**30, 2**31, n).tolist()
    shifts = [int(30 + (k * 8192).bit_length() // 2 + rng.integers(-1, 5)) for _ in range(n)]
    zp = int(rng.choice([0, -128, 3]))
    graph = Graph()
    a, b = graph.input(left, DTYPE.INT8), graph.input(right, DTYPE.INT8)
    zero = [graph.const(0, DTYPE.INT8, np.int8) for _ in range(2)]
    product = graph.add("MatMul", [a, b, *zero], [1, m, n], DTYPE.INT32, False)
    added = graph.graph.addConst([1, 1, n], DTYPE.INT32, np.array(bias, np.int32).reshape(1, 1, n)).name
    total = graph.add("Add", [product, added], [1, m, n], DTYPE.INT32, False)
    graph.rescale(total, [1, m, n], mults, shifts, zp, rounding)
    return {"rounding": rounding, "zp": zp, "left": left[0].tolist(), "right": right[0].tolist(), "bias": bias,
            "mult": mults, "shift": shifts, "out": graph.run()[0].tolist()}  # fmt: skip


def argmax_vector(rng: np.random.Generator, m: int, n: int) -> dict[str, Any]:
    pools = [range(-128, 128), (-128, 127), (-128, -127), (-1, 0, 1)]
    rows = rng.choice(np.array(pools[int(rng.integers(4))]), (m, n)).astype(np.int8)
    graph = Graph()
    graph.add("ArgMax", [graph.input(rows, DTYPE.INT8)], [m], DTYPE.INT32, True, 1, 1)
    return {"rows": rows.tolist(), "index": graph.run().tolist()}


def main(path: Path) -> None:
    """Write every vector; the same bytes each time."""
    rng = np.random.default_rng(SEED)
    sizes = [(1, 5, 3), (3, 8, 16), (5, 9, 17), (4, 4, 4), (2, 17, 40)]
    vectors = {
        "origin": f"make tosa-vectors: verif/tosa/make_vectors.py, seed {SEED}, on the TOSA reference model of"
        f" tosa-tools {version('tosa-tools')} (PyPI)",
        "rescale": [rescale_vector(rng, rounding) for rounding in ROUNDING for _ in range(24)],
        "matmul": [matmul_vector(rng, rounding, *size) for rounding in ROUNDING for size in sizes],
        "argmax": [argmax_vector(rng, m, n) for m, n in ((4, 1), (6, 3), (6, 4), (6, 5), (6, 16), (6, 33), (3, 100))],
    }
    lines = [f'"origin": {json.dumps(vectors["origin"])}']
    for kind in ("rescale", "matmul", "argmax"):
        lines.append(f'"{kind}": [\n' + ",\n".join(json.dumps(one) for one in vectors[kind]) + "\n]")
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{path}: {sum(len(vectors[kind]) for kind in ('rescale', 'matmul', 'argmax'))} graphs")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
