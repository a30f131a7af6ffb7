# SPDX-License-Identifier: Apache-2.0
"""Where edalize looks for `flow: ga2sim`."""

from ga2.fusesoc.sim import Ga2sim

__all__ = ["Ga2sim"]
