# SPDX-License-Identifier: Apache-2.0
"""Decoding requests and how they are carried out: on the golden device here, on simulated RTL in a simulator."""

from ga2.decoding.request import Outcome, Request

__all__ = ["Outcome", "Request"]
