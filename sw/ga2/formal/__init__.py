# SPDX-License-Identifier: Apache-2.0
"""Formal proofs: the table `verif/formal/proofs.yaml`, `prove(proof)` and `attack(proof, fault)`."""

from ga2.formal.flow import Outcome, Part, attack, prove
from ga2.formal.summary import Record, write
from ga2.formal.table import TABLE, Fault, Proof, load

__all__ = ["TABLE", "Fault", "Outcome", "Part", "Proof", "Record", "attack", "load", "prove", "write"]
