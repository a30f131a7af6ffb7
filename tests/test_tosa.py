# SPDX-License-Identifier: Apache-2.0
"""The golden model against the kept vectors of the TOSA reference model."""

import numpy as np
import pytest

from ga2.golden import numerics as nm
from verif.tosa.vectors import vectors

ROUNDINGS = ("single", "double")


def of(kind: str, rounding: str) -> list[dict]:
    found = [vector for vector in vectors(kind) if vector["rounding"] == rounding]
    assert found
    return found


@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_rescale(rounding: str) -> None:
    for v in of("rescale", rounding):
        value = nm.rescale(v["sum"], v["mult"], v["shift"], rounding == "double") + v["zp"]
        assert nm.clamp_byte(value).tolist() == v["byte"]


@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_matmul(rounding: str) -> None:
    for v in of("matmul", rounding):
        left, right = np.array(v["left"], np.int8), np.array(v["right"], np.int8)
        out = nm.matmul(left, right, v["bias"], v["mult"], v["shift"], zp=v["zp"], double=rounding == "double")
        assert out.tolist() == v["out"]


def test_argmax() -> None:
    for v in vectors("argmax"):
        assert nm.argmax_rows(np.array(v["rows"], np.int8)).tolist() == v["index"]


def test_the_two_roundings_differ_somewhere() -> None:
    """Otherwise the vectors of double rounding would show nothing."""
    differing = 0
    for v in of("rescale", "double"):
        single = nm.clamp_byte(nm.rescale(v["sum"], v["mult"], v["shift"]) + v["zp"])
        differing += int((single != np.array(v["byte"])).sum())
    assert differing > 0
