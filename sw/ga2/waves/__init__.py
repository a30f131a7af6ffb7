# SPDX-License-Identifier: Apache-2.0
"""Waveforms of one block of a speculative decoding: the dump, how a viewer shows it, and a picture of it."""
