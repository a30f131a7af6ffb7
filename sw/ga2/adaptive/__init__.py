# SPDX-License-Identifier: Apache-2.0
"""Adaptive k shown: its choices over a run, and what they are worth beside plain decoding and every fixed k."""
