# SPDX-License-Identifier: Apache-2.0
"""Sizes imm + a*LEN + b*M: each question to one is answered as trying every LEN and M would answer it."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capra import LEN, Affine, M
from capra.affine import affine

SIZES = st.builds(Affine, *[st.integers(-5000, 5000)] * 3)
SMALL = [Affine(*parts) for parts in product(range(-2, 3), repeat=3)]
REGISTERS = list(product((0, 1, 7, 300), (1, 2, 16)))


@given(SIZES, SIZES, st.integers(-100, 100))
def test_sums_and_differences_are_those_of_the_values(one: Affine, two: Affine, number: int) -> None:
    for length, m in REGISTERS:
        first, second = one.at(length, m), two.at(length, m)
        assert (one + two).at(length, m) == first + second
        assert (one - two).at(length, m) == first - second
        assert (number + one).at(length, m) == (one + number).at(length, m) == number + first
        assert (one - number).at(length, m) == first - number
        assert affine(one).at(length, m) == first and affine(number).at(length, m) == number


def test_the_registers_themselves() -> None:
    for length, m in REGISTERS:
        assert (LEN.at(length, m), M.at(length, m), Affine().at(length, m)) == (length, m, 0)


@pytest.mark.parametrize("size", SMALL, ids=str)
def test_what_holds_for_all_len_and_m_is_what_trying_them_finds(size: Affine) -> None:
    every = [size.at(length, m) for length, m in REGISTERS]
    assert size.constant == (len(set(every)) == 1)
    for least_m in (1, 2, 3):
        lowest = min(size.at(length, m) for length in (0, 1, 50) for m in (least_m, least_m + 1, 50))
        assert size.never_negative(least_m) == (lowest >= 0)
    assert size.never_negative() == size.never_negative(1)
    for max_len, m_max in ((6, 3), (4, 4), (5, 1)):
        legal = [(length, m) for m in range(1, m_max + 1) for length in range(max_len - m + 1)]
        assert size.largest(max_len, m_max) == max(size.at(length, m) for length, m in legal)


@given(SIZES)
def test_a_size_is_read_back_from_its_text(size: Affine) -> None:
    assert Affine.parse(str(size)) == size


def test_the_text_of_every_small_size_is_its_own_and_can_be_read() -> None:
    assert len({str(size) for size in SMALL}) == len(SMALL)
    for size in SMALL:
        value = eval(str(size), {"LEN": 1000, "M": 17})  # a text that is arithmetic, too
        assert value == size.at(1000, 17) and Affine.parse(str(size)) == size


TERMS = st.tuples(st.sampled_from("+-"), st.integers(0, 99), st.sampled_from(("", "LEN", "M")), st.booleans())


@given(st.lists(TERMS, min_size=1, max_size=6), st.booleans())
def test_terms_may_come_in_any_order_and_more_than_once(terms: list[tuple], spaced: bool) -> None:
    """A factor of one may be left out, and so may a plus sign in front."""
    expected, text = Affine(), ""
    for sign, factor, register, short in terms:
        size = {"": Affine(factor), "LEN": Affine(0, factor), "M": Affine(0, 0, factor)}[register]
        expected = expected + size if sign == "+" else expected - size
        name = register if short and factor == 1 and register else f"{factor}*{register}" if register else f"{factor}"
        text += f" {sign} {name}" if spaced else f"{sign}{name}"
    assert Affine.parse(text) == expected
    assert Affine.parse(text.strip().removeprefix("+")) == expected


NO_SIZES = ["", " ", "+", "x", "LENM", "3LEN", "3*4", "3*", "*3", "LEN*2", "2**M", "1.5", "LEN+", "LEN++1", "m", "٣"]


@pytest.mark.parametrize("text", NO_SIZES)
def test_what_is_no_size_is_refused_in_its_own_words(text: str) -> None:
    with pytest.raises(ValueError, match="is no size: expected terms such as 3, LEN, 2") as caught:
        Affine.parse(text)
    assert f"'{text}'" in str(caught.value)
