# SPDX-License-Identifier: Apache-2.0
"""The arithmetic against plain Python integers, and the softmax's stated accuracy against float."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ga2.golden import numerics as nm
from ga2.golden.exp_table import exp_table_sv

INT32 = st.integers(-(2**31), 2**31 - 1)
SCALES = np.geomspace(0.01, 1, 40)
KEYS = (1, 2, 3, 5, 8, 16, 33, 64, 128, 256, 512)


def emul_of(scale: float) -> int:
    """The field `emul` for a score scale."""
    return round(scale * np.log2(np.e) * 2**15)


def probabilities(scores: np.ndarray, emul: int) -> np.ndarray:
    """The probabilities that e8 and the row multiplier stand for; rm has scale 2^30."""
    e8, rm = nm.softmax_rows(scores[np.newaxis], [scores.size], emul, 2**30)
    return e8[0] * 256.0 * rm[0] / 2**46


def exact(scores: np.ndarray, scale: float) -> np.ndarray:
    e = np.exp(scale * (scores.astype(float) - scores.max()))
    return e / e.sum()


def score_rows(n: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Rows that try the softmax's errors: random, equal, one-hot, two levels, near the maximum."""
    spread = rng.integers(-128, 128, n)
    two = rng.choice([int(rng.integers(-128, 127)), 127], n)
    step = np.full(n, int(rng.integers(-128, 127)))
    step[0] = 127
    hot = np.full(n, -128)
    hot[-1] = 127
    bell = np.clip(rng.normal(0, 20, n), -128, 127)
    return [row.astype(np.int8) for row in (spread, np.full(n, 5), two, step, hot, bell, rng.integers(90, 128, n))]


@given(INT32, st.integers(0, 2**31 - 1), st.integers(0, 63), st.booleans())
def test_rescale_is_the_formula(x: int, mult: int, shift: int, double: bool) -> None:
    term = 1 << (shift - 1) if shift else 0
    if double and shift > 31:
        term += 2**30 if x >= 0 else -(2**30)
    assert int(nm.rescale(x, mult, shift, double)) == (x * mult + term) >> shift


@pytest.mark.parametrize("x", [-(2**31), -(2**31) + 1, -1, 0, 1, 2**31 - 1])
@pytest.mark.parametrize("double", [False, True])
def test_rescale_at_the_edges_of_int64(x: int, double: bool) -> None:
    for mult in (0, 1, 2**30, 2**31 - 1):
        for shift in range(64):
            term = (1 << shift) >> 1
            if double and shift > 31:
                term += 2**30 if x >= 0 else -(2**30)
            assert int(nm.rescale(x, mult, shift, double)) == (x * mult + term) >> shift


def test_matmul_flags_against_python_integers() -> None:
    rng = np.random.default_rng(0)
    for trial in range(60):
        m, n, k = (int(v) for v in rng.integers(1, 9, 3))
        unsigned, use_aux, use_rowmul, double = (bool(v) for v in rng.integers(0, 2, 4))
        left = rng.integers(0, 256, (m, k)).astype(np.uint8) if unsigned else rng.integers(-128, 128, (m, k), np.int8)
        right = rng.integers(-128, 128, (k, n), np.int8)
        bias = rng.integers(-(2**31), 2**31, n)
        mult, shift = rng.integers(2**30, 2**31, n), rng.integers(2, 63, n)
        aux, rfac = rng.integers(-128, 128, (m, n), np.int8), rng.integers(-(2**15), 2**15, n)
        rowmul = rng.integers(0, 2**32, m)
        zp, lo, hi = -3, -100, 90
        result = nm.matmul(
            left,
            right,
            bias,
            mult,
            shift,
            zp=zp,
            lo=lo,
            hi=hi,
            double=double,
            aux=aux if use_aux else None,
            rfac=rfac,
            rowmul=rowmul if use_rowmul else None,
        )
        for i in range(m):
            for j in range(n):
                acc = int(bias[j]) + sum(int(left[i, q]) * int(right[q, j]) for q in range(k))
                acc += int(aux[i, j]) * int(rfac[j]) if use_aux else 0
                acc = (acc + 2**31) % 2**32 - 2**31
                factor = int(rowmul[i]) % 2**31 if use_rowmul else int(mult[j])
                term = 1 << (int(shift[j]) - 1)
                if double and shift[j] > 31:
                    term += 2**30 if acc >= 0 else -(2**30)
                want = min(max(((acc * factor + term) >> int(shift[j])) + zp, lo), hi)
                assert result[i, j] == want, (trial, i, j)


@given(
    st.integers(-128, 127),
    st.integers(-(2**15), 2**15 - 1),
    st.integers(-128, 127),
    st.integers(-(2**15), 2**15 - 1),
    st.integers(0, 31),
    st.integers(-128, 127),
)
def test_vec_is_the_formula(a: int, ma: int, b: int, mb: int, shift: int, zp: int) -> None:
    want = ((a * ma + b * mb + ((1 << shift) >> 1)) >> shift) + zp
    got = nm.vec(np.array([a], np.int8), ma, np.array([b], np.int8), mb, shift=shift, zp=zp, lo=-100, hi=101)
    assert got[0] == min(max(want, -100), 101)


def test_argmax_takes_the_lowest_index_of_a_tie() -> None:
    assert list(nm.argmax_rows(np.array([[1, 7, 7], [-128, -128, -128], [0, -1, 1]], np.int8))) == [1, 0, 2]


@given(st.integers(0, 255), st.integers(0, 2**16 - 1))
def test_exp_is_the_formula(d: int, emul: int) -> None:
    bits = nm.EXP_BITS
    index = (d * emul + (1 << (14 - bits))) >> (15 - bits)
    octaves, entry = index >> bits, int(nm.exp_table()[index % 2**bits])
    want = 0 if octaves > 16 else (entry + ((1 << octaves) >> 1)) >> octaves
    assert int(nm.softmax_exp(d, emul)) == want


def test_exp_never_rises_with_the_distance() -> None:
    for emul in [*range(0, 2**16, 97), 2**16 - 1]:
        e16 = nm.softmax_exp(np.arange(256), emul)
        assert e16[0] == nm.EXP_ONE and np.all(np.diff(e16) <= 0)


def test_probabilities_stay_within_the_stated_error() -> None:
    rng = np.random.default_rng(1)
    worst = {n: 0.0 for n in KEYS}
    for scale in SCALES:
        for n in KEYS:
            for row in score_rows(n, rng):
                p = probabilities(row, emul_of(scale))
                worst[n] = max(worst[n], np.abs(p - exact(row, scale)).max())
                assert abs(p.sum() - 1) <= n / 512
    print("keys and largest |p - exact|:", {n: round(float(error), 5) for n, error in worst.items()})
    assert max(worst.values()) <= 0.004


def test_the_worst_rows_stay_within_the_stated_error() -> None:
    """One maximum among n - 1 equal scores at every distance: the sum misses most where e16 just rounds to zero."""
    d = np.arange(256)
    for scale in np.geomspace(0.01, 1, 200):
        e16, ex = nm.softmax_exp(d, emul_of(scale)), np.exp(-scale * d)
        for others in (1, 2, 3, 7, 31, 127, 511):
            rm = (2**46) // (nm.EXP_ONE + others * e16)
            for byte, value in ((255, np.ones(256)), (nm.exp_byte(e16).astype(int), ex)):
                assert np.abs(byte * 256 * rm / 2.0**46 - value / (1 + others * ex)).max() <= 0.004


def test_fewer_table_bits_would_miss_the_stated_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nm, "EXP_BITS", nm.EXP_BITS - 1)
    monkeypatch.setattr(nm, "_EXP_TABLE", nm.exp_table(nm.EXP_BITS))
    with pytest.raises(AssertionError):
        test_the_worst_rows_stay_within_the_stated_error()


@pytest.mark.parametrize("n", [1, 2, 3, 7, 100, 511, 512])
def test_equal_scores_sum_to_one(n: int) -> None:
    assert abs(probabilities(np.full(n, -7, np.int8), 1234).sum() - 1) <= 2**-16


def test_order_and_prefix_do_not_matter() -> None:
    rng = np.random.default_rng(2)
    row = rng.integers(-128, 128, 77).astype(np.int8)
    order = rng.permutation(77)
    e8, rm = nm.softmax_rows(row[np.newaxis], [77], 900, 2**30)
    shuffled, rm_shuffled = nm.softmax_rows(row[order][np.newaxis], [77], 900, 2**30)
    assert np.array_equal(e8[0][order], shuffled[0]) and rm[0] == rm_shuffled[0]
    block, rms = nm.softmax_rows(np.tile(row, (3, 1)), [5, 6, 77], 900, 12345)
    for i, length in enumerate((5, 6, 77)):
        alone, rm_alone = nm.softmax_rows(row[np.newaxis, :length], [length], 900, 12345)
        assert np.array_equal(block[i, :length], alone[0]) and not block[i, length:].any() and rms[i] == rm_alone[0]


def test_normalised_bytes_are_probabilities_times_256() -> None:
    rng = np.random.default_rng(3)
    for n in (1, 2, 9, 130):
        row = rng.integers(-128, 128, (1, n)).astype(np.int8)
        out, _ = nm.softmax_rows(row, [n], emul_of(0.05), 2**30, norm=True)
        assert np.abs(out[0] - np.minimum(255, 256 * exact(row[0], 0.05))).max() < 1.6


def test_the_table_package_holds_every_entry() -> None:
    text = exp_table_sv()
    assert text.count("exp_table = 16'd") == 2**nm.EXP_BITS
    assert f"{nm.EXP_BITS}'d0: exp_table = 16'd{nm.EXP_ONE};" in text
