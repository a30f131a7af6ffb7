# SPDX-License-Identifier: Apache-2.0
"""The attack on GA2's first claim: row i of a block is bit for bit the one-row step at that position.

Hence speculative greedy output equals plain greedy output, for every input. `models` and `cases` make the inputs,
`rows`, `decoding` and `rule` judge them on any device, `campaign` runs many.
"""
