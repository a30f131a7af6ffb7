# SPDX-License-Identifier: Apache-2.0
"""Drafts compared: how many guesses each gets right, and what that is worth in cycles."""
