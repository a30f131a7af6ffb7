# SPDX-License-Identifier: Apache-2.0
"""Greedy speculative decoding: the accept rule, the books, the loop, and who plays in it."""
