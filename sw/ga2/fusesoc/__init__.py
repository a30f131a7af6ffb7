# SPDX-License-Identifier: Apache-2.0
"""FuseSoC: the flows that `fusesoc run` carries out for GA2 and for cores that use it, and the generated core file."""
