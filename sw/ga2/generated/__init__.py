# SPDX-License-Identifier: Apache-2.0
"""The campaign of generated programs (`verif/programs`): many simulations at once, a summary, failures kept."""
