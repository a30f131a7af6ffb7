# SPDX-License-Identifier: Apache-2.0
"""One call for the pytest entry of a unit bench: build the module, run the bench, fail with its log.

Beside `vec_bench.py`, which holds the cocotb tests, `test_vec.py` needs no more than:

    @pytest.mark.parametrize("cols", [4, 8, 16])
    def test_vec(sim, cols):
        bench("ga2_vec", Path(__file__).with_name("vec_bench.py"), sim, {"COLS": cols})
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from ga2.sim.build import build
from ga2.sim.run import Run, run


def bench(
    toplevel: str,
    test_module: str | Path,
    sim: str,
    parameters: Mapping[str, int | str] | None = None,
    extra_sources: Sequence[Path] = (),
    *,
    testcase: str | Sequence[str] | None = None,
    env: Mapping[str, str] | None = None,
    internals: bool = True,
    seed: int | None = None,
    keep: bool = False,
    waves: bool = False,
) -> Run:
    """Run the cocotb tests of `test_module` on `toplevel`; raises if anything but success is the result.

    `test_module` is the bench's file, or a module name importable from the repository's root. The RTL comes from
    `fusesoc.core` (only what `toplevel` needs is compiled); `extra_sources` add wrappers kept beside the bench.
    """
    made = build(toplevel, sim, parameters=parameters, extra_sources=extra_sources, internals=internals, waves=waves)
    if isinstance(test_module, Path):
        search, module = [test_module.resolve().parent], test_module.stem
    else:
        search, module = [], test_module
    return run(made, module, testcase=testcase, env=env, search=search, seed=seed, keep=keep)


run_unit = bench
