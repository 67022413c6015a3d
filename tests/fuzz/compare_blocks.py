"""Runs a random kernel whose threads work together (blocks.py) in the interpreter of the typed graph, and on the host in each way that it
may go there: the tiers, numbers of lanes, with checks, fused. All leave the same bits; every NaN is the same."""

import contextlib
import os
import pathlib
import random
import signal
import sys
import threading

import numpy as np

from hetjit import _core, device

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))
import blocks
import compare
import producers

Tensor = producers.lending.tensor_class(producers.exchange_class())

SECONDS = 120  # what takes longer hangs
TIERS, LANES = ("blocks", "blocks", "whole", "warps", "threads"), ("1", "2", "4", "8", "16", "32", "64", None)


@contextlib.contextmanager
def environment(**wanted):
    before = {name: os.environ.get(name) for name in wanted}
    try:
        for name, value in wanted.items():
            os.environ.pop(name, None) if value is None else os.environ.__setitem__(name, value)
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None) if value is None else os.environ.__setitem__(name, value)


@contextlib.contextmanager
def time_limit(seconds):
    """A launch that hangs asks for signals as it waits; so this ends it, on Python's main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def late(*_):
        raise TimeoutError(f"not done after {seconds} s")
    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def dtype(kind):
    return np.dtype({"bool": np.bool_, "bfloat16": np.float32}.get(kind, kind))


def arguments_of(kernel, seed):
    draw = random.Random(seed)
    threads = int(np.prod(kernel.grid)) * int(np.prod(kernel.block))
    inputs = [compare.array(kind, [compare.element(kind, draw) for _ in range(blocks.ELEMENTS)]) for kind in kernel.inputs]
    return [kernel.n, np.zeros(3 * threads + 5, np.int32), *inputs, *(np.zeros(threads, dtype(kind)) for kind in kernel.outputs)]


def target_of(where):
    return device.info(where)["target"] if where else "cpu"


def warp_size(where):
    return 64 if target_of(where).startswith("hip:gfx9") else 32


def by_interpreter(kernel, function, seed, contract, where=""):
    """As it does what is for that device: its warps have as many lanes."""
    arguments = arguments_of(kernel, seed)
    with time_limit(SECONDS):
        _core.interpret(_core.capture(function), tuple(arguments), kernel.grid, kernel.block, contract=contract, shared=kernel.shared,
                        target=target_of(where))
    return arguments


def on_the_host(kernel, function, seed, way):
    options = {"contract": way.get("contract", False)} | ({"check": way["check"]} if "check" in way else {})
    arguments = arguments_of(kernel, seed)
    # Tensors with versions: what the kernel changes it must be known to store to.
    tensors = [Tensor(a) if isinstance(a, np.ndarray) else a for a in arguments]
    before = [a.tobytes() if isinstance(a, np.ndarray) else a for a in arguments]
    with environment(HETJIT_TIER=way.get("tier"), HETJIT_LANES=way.get("lanes")), time_limit(SECONDS):
        device.kernel(**options)(function)[kernel.grid, kernel.block, None, kernel.shared, kernel.cooperative](*tensors)
    for i, (tensor, old) in enumerate(zip(tensors, before)):
        assert not isinstance(tensor, Tensor) or tensor.version or tensor.array.tobytes() == old, f"argument {i} was changed unannounced"
    return arguments


def by_device(kernel, function, seed, where, contract=False):
    """On a device that is not the host: a GPU, or a machine in its place."""
    arguments = arguments_of(kernel, seed)
    there = [device.array(a, where) if isinstance(a, np.ndarray) else a for a in arguments]
    # Without it, what AMD's lanes give that no thread is is the hardware's affair (language.md).
    checks = {"check": "bounds"} if where.startswith(("emu:gfx", "hip")) else {}
    with time_limit(SECONDS):
        device.kernel(contract=contract, **checks)(function)[kernel.grid, kernel.block, None, kernel.shared, kernel.cooperative](*there)
        device.synchronize(where)
    return [device.to_numpy(held) if isinstance(a, np.ndarray) else a for a, held in zip(arguments, there)]


def ways(seed, where=""):
    """How the host is to run it: as it would by itself, maybe fused, or in one of all the other ways, maybe with checks.
    Or how the device `where` is."""
    draw = random.Random(seed)
    if where:
        return [{"device": where, "contract": draw.randrange(4) == 0}]
    if draw.randrange(3) == 0:
        return [{"contract": True} if draw.randrange(4) == 0 else {}]
    way = {"tier": draw.choice(TIERS), "lanes": draw.choice(LANES)}
    if way["tier"] == "blocks":
        way["lanes"] = draw.choice(("2", "4", "8", "2", None))  # there are few blocks
    if draw.randrange(6) == 0:
        way["check"] = "bounds"
    return [way]


def differences(got, want):
    found = compare.differences(compare.Run(got, set()), compare.Run(want, set()))
    return found[:8] + ([f"… and {len(found) - 8} more"] if len(found) > 8 else [])


def compare_kernel(kernel, seed, where=""):
    """A compare.Outcome; of the device `where` instead of the host."""
    function = compare.load(kernel.source)
    wanted = {}
    for way in ways(seed, where):
        contract = way.get("contract", False)
        try:
            if contract not in wanted:
                wanted[contract] = by_interpreter(kernel, function, seed, contract, where)
            got = by_device(kernel, function, seed, where, contract) if where else on_the_host(kernel, function, seed, way)
        except device.CompileError as error:
            return compare.Outcome("refused", str(error))
        except Exception as error:
            return compare.Outcome("different", f"{way or 'as it is'}: {type(error).__name__}: {error}")
        found = differences(got, wanted[contract])
        if found:
            return compare.Outcome("different", f"{way or 'as it is'}, against the interpreter:\n" + "\n".join(found))
    return compare.Outcome("same", "")


def report(kernel, seed, outcome):
    """The program, how it was launched, and what differed."""
    lines = [f"import numpy as np\n\nfrom hetjit import device\n\n\n{kernel.source}"]
    lines += [f"# {line}" for line in outcome.text.splitlines()]
    lines.append(f"# grid {kernel.grid}, block {kernel.block}, shared {kernel.shared}, cooperative {kernel.cooperative}; arguments of seed {seed}:")
    for argument in arguments_of(kernel, seed):
        lines.append(f"#   {argument!r}" if not isinstance(argument, np.ndarray) else f"#   {argument.dtype}{argument[:16].tolist()}")
    return "\n".join(lines) + "\n"
