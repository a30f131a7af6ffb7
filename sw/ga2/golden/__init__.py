# SPDX-License-Identifier: Apache-2.0
"""The golden model: arithmetic, resolution and faults, and the sequential interpreter."""
