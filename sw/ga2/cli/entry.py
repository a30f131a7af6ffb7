# SPDX-License-Identifier: Apache-2.0
"""The command `ga2`: an interrupt is one from the first moment, while the imports are still going on."""

import sys


def main() -> None:
    """Import the command line and run it."""
    try:
        from ga2.cli.main import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()
