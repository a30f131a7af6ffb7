# SPDX-License-Identifier: Apache-2.0
"""When speculation pays: the recorded grid of drafts and block sizes, measured, beside what a formula predicts."""
