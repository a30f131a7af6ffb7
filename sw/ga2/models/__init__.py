# SPDX-License-Identifier: Apache-2.0
"""The tiny language model in float: targets, drafts, the reference and the calibration."""
