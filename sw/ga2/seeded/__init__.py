# SPDX-License-Identifier: Apache-2.0
"""Deliberate mistakes in copies of the sources, each of which a checker, or its unit's bench, must see."""
