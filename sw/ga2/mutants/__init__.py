# SPDX-License-Identifier: Apache-2.0
"""Broken compilers and speculative paths, made in copies of the tree, each of which a named test must see."""
