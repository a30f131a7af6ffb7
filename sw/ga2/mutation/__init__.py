# SPDX-License-Identifier: Apache-2.0
"""Mutation of the compiler: every small change of every function, and whether a test sees it."""
