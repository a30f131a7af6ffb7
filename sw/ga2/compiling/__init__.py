# SPDX-License-Identifier: Apache-2.0
"""Graphs from a name or a file, through Capra's passes, to a program image and text."""
