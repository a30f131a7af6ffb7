# SPDX-License-Identifier: Apache-2.0
"""What a verifier says."""


class VerifyError(AssertionError):
    """A pass produced something that the next one must not see: a mistake in the compiler."""


def require(holds: bool, what: str) -> None:
    """VerifyError saying `what` unless it holds."""
    if not holds:
        raise VerifyError(what)
