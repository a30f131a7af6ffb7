# SPDX-License-Identifier: Apache-2.0
"""The quantisation spec: one per model, shared by all its programs.

Symmetric int8: value = byte * scale. Activations have one scale a role; a weight that streams through the array as
panels has one scale a column. Because nothing depends on M or LEN, a row's bytes depend on its own prefix alone, and
speculative greedy decoding is exact.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from capra.graph import Graph
from capra.node import Node

INT8_MAX = 127
INT16_MAX = 2**15 - 1
EXACT_RESIDUAL_FROM = 8
"""Above this ratio the columns' scales are raised a little, so that the residual's factor is an exact integer."""


class QuantError(ValueError):
    """Ranges or weights that int8 arithmetic cannot represent."""


@dataclass(frozen=True)
class ColumnWeight:
    """A weight for the array: bytes int8 (k, n), one scale a column (n,)."""

    values: NDArray[np.int8]
    scales: NDArray[np.float64]


@dataclass(frozen=True)
class QuantSpec:
    """Scales by role; panel weights by name; row-major weights (tables, tensors) by name, in their role's scale."""

    scales: Mapping[str, float]
    columns: Mapping[str, ColumnWeight] = field(default_factory=dict)
    tensors: Mapping[str, NDArray[np.int8]] = field(default_factory=dict)

    def scale(self, role: str) -> float:
        """The real value of one int8 step; QuantError if calibration never saw the role."""
        try:
            return self.scales[role]
        except KeyError:
            known = ", ".join(sorted(self.scales))
            raise QuantError(f"role '{role}' has no calibrated range: there are {known}") from None

    def quantise(self, role: str, values: NDArray[np.float64]) -> NDArray[np.int8]:
        """Real values as bytes of a role, saturated."""
        return to_int8(values, self.scale(role))


def to_int8(values: NDArray[np.float64], scale: float | NDArray[np.float64]) -> NDArray[np.int8]:
    """Round half away from zero, saturate to -127..127."""
    steps = np.asarray(values, np.float64) / scale
    rounded = np.sign(steps) * np.floor(np.abs(steps) + 0.5)
    return np.clip(rounded, -INT8_MAX, INT8_MAX).astype(np.int8)


def streams_as_panels(reader: Node, operand: Node) -> bool:
    """True if `reader` takes the weight `operand` as column panels.

    Not if its left operand is exponentials: their rows' multipliers leave no room for a scale a column.
    """
    if reader.op != "matmul" or reader.transpose_b or operand.op != "weight" or operand is not reader.inputs[1]:
        return False
    left = reader.inputs[0]
    return left.op != "softmax" or left.norm


def quantise(graphs: Iterable[Graph], ranges: Mapping[str, float], per_column: bool = True) -> QuantSpec:
    """One spec for the fused `graphs` of a model. ranges: largest magnitude by role, from calibration.

    Without `per_column` all columns of a panel weight get the scale of its largest number.
    """
    graphs = tuple(graphs)
    limits = {role: float(limit) for role, limit in ranges.items()}
    row_major: dict[str, tuple[str, NDArray[np.float64]]] = {}
    _check_shared(graphs)
    for graph in graphs:
        for node in graph.nodes:
            if node.op == "weight" and _read_by_rows(graph, node):
                row_major[node.name] = (node.role, graph.weights[node.name])
    for role, array in row_major.values():
        limits[role] = max(limits.get(role, 0.0), float(np.abs(array).max()))
    spec = QuantSpec({role: _scale(role, limit) for role, limit in limits.items()})
    columns: dict[str, ColumnWeight] = {}
    for graph in graphs:
        for node in graph.nodes:
            if node.op == "matmul" and streams_as_panels(node, node.inputs[1]):
                weight = node.inputs[1]
                made = _column_weight(graph.weights[weight.name], node, spec, per_column)
                former = columns.setdefault(weight.name, made)
                if not np.array_equal(former.scales, made.scales):
                    raise QuantError(f"{node.name}: weight {weight.name} already has other column scales; copy it")
    tensors = {name: spec.quantise(role, array) for name, (role, array) in row_major.items()}
    return QuantSpec(spec.scales, columns, tensors)


def _check_shared(graphs: Iterable[Graph]) -> None:
    """QuantError for a weight, or a cache, that two programs call by one name and mean different numbers."""
    roles: dict[str, tuple[str, str]] = {}
    for graph in graphs:
        for node in graph.nodes:
            if node.kind == "cache":
                other, role = roles.setdefault(node.name, (graph.name, node.role))
                if role != node.role:
                    raise QuantError(f"cache {node.name}: in program {other} it has role '{role}', in {graph.name} "
                                     f"'{node.role}'; expected one role, as its bytes have one scale")  # fmt: skip
    known: dict[str, tuple[str, NDArray[np.float64]]] = {}
    for graph in graphs:
        for name, array in graph.weights.items():
            other, former = known.setdefault(name, (graph.name, array))
            if not np.array_equal(former, array):
                raise QuantError(f"weight {name}: programs {other} and {graph.name} give it different numbers; "
                                 "expected the same, or another name")  # fmt: skip


def _read_by_rows(graph: Graph, weight: Node) -> bool:
    readers = graph.consumers(weight)
    others = [reader for reader in readers if not streams_as_panels(reader, weight) or weight is reader.inputs[0]]
    return bool(others) or graph.is_output(weight)


def _scale(role: str, limit: float) -> float:
    if not np.isfinite(limit) or limit < 0:
        raise QuantError(f"role '{role}' has range {limit}: expected a finite magnitude")
    return limit / INT8_MAX if limit > 0 else 1.0


def _column_weight(array: NDArray[np.float64], product: Node, spec: QuantSpec, per_column: bool) -> ColumnWeight:
    largest = np.abs(array).max(axis=0)
    if not per_column:
        largest = np.full_like(largest, largest.max())
    scales = np.where(largest > 0, largest / INT8_MAX, 1.0)
    if product.residual:
        scales = _residual_scales(scales, spec.scale(product.inputs[2].role) / spec.scale(product.inputs[0].role))
    return ColumnWeight(to_int8(array, scales), scales)


def _residual_scales(scales: NDArray[np.float64], step: float) -> NDArray[np.float64]:
    """Column scales raised so that step / scale fits int16 and, where it is large, is an integer.

    step: the residual's scale over the left operand's. The residual enters the accumulator multiplied by that ratio.
    """
    ratio = np.minimum(step / scales, INT16_MAX)
    exact = step / np.maximum(np.floor(ratio), 1.0)
    return np.where(ratio >= EXACT_RESIDUAL_FROM, exact, scales)
