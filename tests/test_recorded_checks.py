# SPDX-License-Identifier: Apache-2.0
"""The recorded checks of the speculative path, by name: judges of the broken versions as well."""

import pytest

from tests.speculation_battery import CHECKS


@pytest.mark.parametrize("name", CHECKS)
def test_check(name: str) -> None:
    CHECKS[name]()
