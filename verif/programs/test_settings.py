# SPDX-License-Identifier: Apache-2.0
"""Settings files: what they inherit, and what is said about wrong ones."""

import pytest

from verif.programs.settings_files import FOLDER, SettingsError, load_settings, settings_names


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "base.yaml").write_text((FOLDER / "base.yaml").read_text())
    return tmp_path


@pytest.mark.parametrize("name", settings_names())
def test_every_file_is_right(name):
    assert load_settings(name).about


def test_a_file_inherits_what_it_does_not_name(folder):
    (folder / "one.yaml").write_text("extends: base\naffine: 0.25\nrows: {'1': 1}\n")
    (folder / "two.yaml").write_text("extends: one\nin_place: 1\n")
    base, two = load_settings("base", folder), load_settings("two", folder)
    assert (two.affine, two.in_place, two.rows) == (0.25, 1, {"1": 1})
    assert two.opcodes == base.opcodes


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("extends: bas\n", "wrong.yaml: extends: unknown settings 'bas': choose one of base, wrong"),
        ("extends: wrong\n", "wrong -> wrong goes round in a circle"),
        ("extends: 3\n", "extends: expected the name of other settings, not 3"),
        ("extends: base\nafine: 1\n", "unknown key 'afine': do you mean affine?"),
        ("extends: base\nxyzzy: 1\n", "unknown key 'xyzzy': it is one of about, instructions"),
        ("extends: base\naffine: 2\n", "affine: input should be less than or equal to 1, not 2"),
        ("extends: base\nopcodes: {MUL: 1}\n", "opcodes.MUL: input should be 'LD', 'LDG'"),
        ("extends: base\nopcodes: {MM: 0}\n", "opcodes: every share is 0"),
        ("extends: base\nrows: {'1': -1}\n", "rows.1: input should be greater than or equal to 0, not -1"),
        ("extends: base\nfaults: {parity: 1}\n", "no precise fault is called 'parity': choose from len_m"),
        ("extends: base\ninstructions: [9, 3]\n", "expected [fewest, most] with 1 <= fewest <= most <= 200"),
        ("about: alone\n", "'instructions' is missing, here and in what the file extends"),
        ("- a\n- b\n", "expected `key: value` lines"),
        ("a: [\n", "wrong.yaml: while parsing"),
    ],
)
def test_a_wrong_file_is_named_with_its_key(folder, text, complaint):
    (folder / "wrong.yaml").write_text(text)
    with pytest.raises(SettingsError) as error:
        load_settings("wrong", folder)
    assert "wrong.yaml" in str(error.value) and complaint in str(error.value)
    assert "\n" not in str(error.value)


def test_unknown_settings_are_answered_with_the_known_ones():
    with pytest.raises(SettingsError, match="unknown settings 'nothing': choose one of base, collisions, default"):
        load_settings("nothing")
