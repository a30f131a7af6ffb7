# SPDX-License-Identifier: Apache-2.0
"""Where edalize looks for `flow: ga2synth`."""

from ga2.fusesoc.synth import Ga2synth

__all__ = ["Ga2synth"]
