# SPDX-License-Identifier: Apache-2.0
"""Where edalize looks for `flow: ga2lint`."""

from ga2.fusesoc.lint import Ga2lint

__all__ = ["Ga2lint"]
