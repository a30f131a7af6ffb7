# SPDX-License-Identifier: Apache-2.0
"""What speculation is worth if guesses are accepted independently of one another.

With acceptance a a pass over k guesses commits E = 1 + a + ... + a^k tokens (Leviathan, Kalman, Matias, "Fast
Inference from Transformers via Speculative Decoding", 2023, equation 1). A draft that costs c of the target's step
then gives E / (1 + k c), where verifying costs what one step does; on a core the costs are known in cycles.
"""

from collections.abc import Callable


def expected_tokens(acceptance: float, k: int) -> float:
    """Tokens that a pass over k guesses commits, the free one included: (1 - a^(k+1)) / (1 - a), k + 1 at a = 1."""
    if not 0.0 <= acceptance <= 1.0 or k < 0:
        raise ValueError(f"acceptance {acceptance}, k = {k}: expected 0 to 1, and at least 0")
    return sum(acceptance**power for power in range(k + 1))


def serving_speedup(acceptance: float, k: int, c: float) -> float:
    """E / (1 + k c): c is the draft's cost over the target's, and a pass costs what a step does."""
    return expected_tokens(acceptance, k) / (1 + k * c)


def chip_speedup(acceptance: float, k: int, plain: float, draft: float, verify: float) -> float:
    """E t_plain / (k t_draft + t_verify(k + 1)), in cycles of one plain step, one guess and one pass of k + 1 rows."""
    return expected_tokens(acceptance, k) * plain / (k * draft + verify)


def best_k(speedup: Callable[[int], float], most: int) -> int:
    """The k from 0 (plain decoding, speed-up 1) to `most` with the largest speed-up; the smallest on a tie."""
    return max(range(most + 1), key=lambda k: (speedup(k) if k else 1.0, -k))
