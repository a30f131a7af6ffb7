# SPDX-License-Identifier: Apache-2.0
"""Mutation of compiler and host loop: every small change of every function, and whether a test sees it."""
