# SPDX-License-Identifier: Apache-2.0
"""The measured statement of the core's speed: what is run, what it is held to, and where the cycles go."""
