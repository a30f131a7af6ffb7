# SPDX-License-Identifier: Apache-2.0
"""A speculative decoding looked at closely: its first blocks, one verifier program, causality, and the mask."""
