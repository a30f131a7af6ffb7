# SPDX-License-Identifier: Apache-2.0
"""How far the core's arithmetic lies from the functions that it stands for."""
