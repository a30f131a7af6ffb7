# SPDX-License-Identifier: Apache-2.0
"""The timing model: one file a unit, each a closed form of an operation's fields and the unit's own state."""
