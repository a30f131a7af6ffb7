# SPDX-License-Identifier: Apache-2.0
"""GA2: golden model, timing model, device, models, host loop and command line."""
