"""What a test asks of the interpreter is asked of the PTX machine too (docs/emulation.md), and must be the same bits.

By default a share of the tests does so, most for sm_90, some for an older or a newer architecture; `./dev test --machines`
(HETJIT_MACHINES=all) all of them for all three; HETJIT_MACHINES=none nobody.
Left out: kernels that end with an error or read clocks, arguments that on_machine.py does not pack, and functions of libdevice's. Math functions
are ours (portable_math), so their bits are the same, too.
"""

import os
import pathlib
import sys
import zlib

import pytest

try:
    import numpy as np
except ImportError:  # another interpreter, without it
    np = None

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "emulation"))

SHARE = 3  # one of so many
MODULES = {"test_aggregates", "test_called_functions", "test_complex", "test_edges", "test_errors_at_run_time", "test_exact_sums",
           "test_intrinsics", "test_items_of_many", "test_long_functions", "test_math", "test_mathlib", "test_random", "test_recursion", "test_simt",
           "test_small_floats", "test_special_cases", "test_statements", "test_view_methods", "test_views", "test_warp_edges"}
SHOWS_BITS_OF_NAN = {"test_bytes_of_casts"}  # which no target promises
OF_LIBDEVICE = ("[Gamma-", "[Lgamma-", "[through_a_function_that_waits]")  # not in our library (docs/math.md)
ARCHITECTURES = ("sm_90", "sm_75", "sm_100")
DRAWN = ("sm_90", "sm_90", "sm_90", "sm_90", "sm_75", "sm_100")


def chosen(node):
    """The architectures that a test asks, too."""
    if np is None or node.module.__name__ not in MODULES or node.originalname in SHOWS_BITS_OF_NAN \
            or any(name in node.name for name in OF_LIBDEVICE):
        return ()
    how, drawn = os.environ.get("HETJIT_MACHINES", "share"), zlib.crc32(node.nodeid.encode())
    if how == "all":
        return ARCHITECTURES
    return (DRAWN[drawn // SHARE % len(DRAWN)],) if how == "share" and drawn % SHARE == 0 else ()


@pytest.fixture(autouse=True)
def machines_too(request, monkeypatch):
    architectures = chosen(request.node)
    if not architectures:
        return
    from hetjit import _core
    interpret = _core.interpret

    def both(snapshot, arguments, grid, block, **options):
        copies = [tuple(map(copied, arguments)) for _ in architectures]
        interpret(snapshot, arguments, grid, block, **options)
        for arch, given in zip(architectures, copies):
            on_the_machine(f"cuda:{arch}", snapshot, given, arguments, grid, block, **options)

    monkeypatch.setattr(_core, "interpret", both)


def copied(value):
    import tools
    return tools.fresh(value)


def on_the_machine(target, snapshot, arguments, want, grid, block, contract=True, shared=0):
    import on_machine
    import tools
    from hetjit import _core, device
    try:
        image = _core.compile(snapshot, on_machine.signature(arguments), target, contract=contract, portable_math=True)
    except (on_machine.Unpacked, device.CompileError, ValueError):
        return
    if b"%clock" in image["code"] or b"%globaltimer" in image["code"]:
        return
    on_machine.run(image, grid, block, arguments, shared)
    for got, wanted in zip(arguments, want):
        if isinstance(got, np.ndarray):
            tools.same_bytes(got, wanted)
