# SPDX-License-Identifier: Apache-2.0
"""Graphs around `slice_rows`: drawn for what has not been seen yet, compiled, and checked from four sides."""
