"""What a test asks of the interpreter is asked of the machines too (docs/emulation.md), and must be the same bits.

By default a share of the tests does so, most for sm_90, some for an older or a newer architecture or for AMD; `./dev test --machines`
(HETJIT_MACHINES=all) all of them for all; HETJIT_MACHINES=none nobody.
Left out: kernels that end with an error or read clocks, arguments that on_machine.py does not pack, and functions of libdevice's. All else that a
machine's target refuses fails the test. Math functions are ours (portable_math), so their bits are the same, too.
"""

import functools
import os
import pathlib
import re
import sys
import zlib

import pytest

try:
    import numpy as np
except ImportError:  # another interpreter, without it
    np = None

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "emulation"))

SHARES = {"cuda:sm_90": 3, "cuda:sm_75": 18, "cuda:sm_100": 18, "hip:gfx942": 8, "hip:gfx1100": 8}  # one of so many
MODULES = {"test_aggregates", "test_array_loops", "test_called_functions", "test_clamps", "test_complex", "test_edges", "test_errors_at_run_time", "test_exact_sums",
           "test_intrinsics", "test_items_of_many", "test_long_functions", "test_math", "test_mathlib", "test_random", "test_ranges", "test_recursion", "test_remainders_by_constants",
           "test_short_divisions", "test_simt", "test_small_floats", "test_special_cases", "test_statements", "test_view_methods", "test_views", "test_warp_edges"}
SHOWS_BITS_OF_NAN = {"test_bytes_of_casts"}  # which no target promises
OF_LIBDEVICE = ("[Gamma-", "[Lgamma-", "[through_a_function_that_waits]")  # not in our library (docs/math.md)
OF_WARPS = re.compile(r"hetjit\.device\.(\w+_sync|syncwarp|activemask|lane_id|warp_size)\b")  # what is left depends on how many lanes those have
FOR_ONE_SIZE = {"test_simt", "test_warp_edges"}  # tests whose kernels are written for the warps that the interpreter is asked for


def targets(node):
    """Those whose machines are asked what the test asks."""
    if np is None or node.module.__name__ not in MODULES or node.originalname in SHOWS_BITS_OF_NAN \
            or any(name in node.name for name in OF_LIBDEVICE):
        return []
    how = os.environ.get("HETJIT_MACHINES", "share")
    able = [target for target in SHARES if there_is(target)]
    chosen = {target for target in able if zlib.crc32((node.nodeid + target).encode()) % SHARES[target] == 0}
    return [target for target in able if how == "all" or how == "share" and target in chosen]


@functools.cache
def there_is(target):
    from hetjit.emulation import devices
    try:
        devices.maker_of(f"emu:{target.partition(':')[2]}")
    except ImportError:
        return False
    return True


@pytest.fixture(autouse=True)
def machines_too(request, monkeypatch):
    asked = targets(request.node)
    if not asked:
        return
    import on_machine
    from hetjit import _core
    interpret, for_one_size = _core.interpret, request.node.module.__name__ in FOR_ONE_SIZE

    def both(snapshot, arguments, grid, block, target="cpu", **options):
        of_warps = OF_WARPS.search(snapshot)
        able = [there for there in asked if not for_one_size or lanes(there) == lanes(target)]
        given, again = ([tuple(map(copied, arguments)) for _ in able] for _ in range(2))
        interpret(snapshot, arguments, grid, block, target=target, **options)
        for there, mine, want in zip(able, given, again):
            with monkeypatch.context() as patch:
                if of_warps and there[:3] == "hip":
                    patch.setenv("HETJIT_CHECK", "bounds")  # else what lanes give that no thread is is the hardware's affair
                if of_warps and lanes(there) != lanes(target):
                    interpret(snapshot, want, grid, block, target=there, **options)
                else:
                    want = arguments
                on_machine.repeat(there, snapshot, mine, want, grid, block, **options)

    monkeypatch.setattr(_core, "interpret", both)


def lanes(target):
    """Of a warp there."""
    return 64 if target.startswith("hip:gfx9") else 32


def copied(value):
    import tools
    return tools.fresh(value)
