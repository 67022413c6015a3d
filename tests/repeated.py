"""What a test has run on the host is run again on a machine in a GPU's place (docs/emulation.md), and leaves the same bits.

`Noted` keeps each launch on memory of the host, each run by the interpreter and each call of a device function, with copies of what it
was given and of what it left. They are repeated when the test is over, so the test sees nothing of it.

Not repeated: what ended with an error, arrays that share memory, objects other than NumPy's arrays and values, `fastmath`, and kernels
that ask which target they are for (`SIDED`).
"""

import ctypes
import pathlib
import re
import sys
import warnings

import numpy as np

from hetjit import _core, device
from hetjit.device import decorators, records

sys.path += [str(pathlib.Path(__file__).resolve().parent / folder) for folder in ("differential", "python")]

import producers
import tools

MOST = 24  # of one test
WIDER = {"emu:gfx942": "hip:gfx942"}  # machines whose warps are wider than the host's, and what code for them is compiled for
SIDED = re.compile(r"\b(target|is_host|is_device|clock|clock64|globaltimer|nanosleep)\b")


class Unrepeatable(Exception):
    """Something that a machine cannot be given as the host had it."""


class Run:
    """One launch: `given` before and `left` after, as lists of copies."""

    def __init__(self, kernel, bound, given):
        self.kernel, self.grid, self.block = kernel, bound.grid, bound.block
        self.shared, self.cooperative = bound.shared, bound.cooperative
        self.given, self.left = given, None


class Noted:
    def __init__(self, patch):
        self.runs, self.functions = [], {}
        self.note_launches(patch)
        self.note_captures(patch)
        self.note_interpreted(patch)
        self.note_calls(patch)

    def note_launches(self, patch):
        bracket, noted = _core.Kernel.__getitem__, self

        def bound(kernel, config):
            made = bracket(kernel, config)
            return made if kernel._on or kernel.options.get("fastmath") else Watched(made, kernel, noted)
        patch.setattr(decorators._Launchable, "__getitem__", bound, raising=False)

    def note_captures(self, patch):
        capture = _core.capture

        def remembered(function, *rest, **options):
            snapshot = capture(function, *rest, **options)
            self.functions[snapshot] = function
            return snapshot
        patch.setattr(_core, "capture", remembered)

    def note_interpreted(self, patch):
        interpret = _core.interpret

        def noted(snapshot, arguments, grid, block, contract=True, shared=0, **target):
            function = None if target else self.functions.get(snapshot)  # as it is for one machine: not repeated on all
            run = function and self.begin(lambda: device.kernel(contract=contract)(function), (grid, block, None, shared), arguments)
            interpret(snapshot, arguments, grid, block, contract=contract, shared=shared, **target)
            self.end(run, arguments)
        patch.setattr(_core, "interpret", noted)

    def note_calls(self, patch):
        call = _core.call

        def noted(snapshot, arguments, **options):
            result = call(snapshot, arguments, **options)
            if snapshot in self.functions:
                self.note_result(self.functions[snapshot], arguments, result)
            return result
        patch.setattr(_core, "call", noted)

    def note_result(self, function, arguments, result):
        """As a launch of a kernel that stores the function's results."""
        try:
            kernel, outs, left = storing(function, len(arguments), result)
        except Unrepeatable:
            return
        self.end(self.begin(lambda: kernel, (1, 1), (*outs, *arguments)), (*left, *arguments))

    def begin(self, make, config, arguments):
        """A launch that is about to be done, or None."""
        if len(self.runs) >= MOST:
            return None
        try:
            given = copies(arguments)
            kernel = make()
            return Run(kernel, _core.Kernel.__getitem__(kernel, config), given)
        except (Unrepeatable, TypeError, ValueError):
            return None

    def end(self, run, arguments):
        if run:
            run.left = copies(arguments)
            self.runs.append(run)

    def repeat(self, where):
        """("run", "") when all that can be repeated left the same on the machine, ("failed", why), or (None, "") when nothing can."""
        outcome = None
        for run in self.runs:
            try:
                with warnings.catch_warnings(action="ignore"):  # they have been given once
                    outcome = "run" if repeated(run, where) else outcome
            except Exception as error:
                return "failed", f"{run.kernel.__name__} on {where}: {type(error).__name__}: {str(error)[:200]}"
        return outcome, ""


class Watched:
    """A kernel with its configuration, whose launches are noted."""

    def __init__(self, bound, kernel, noted):
        self._bound, self._kernel, self._noted = bound, kernel, noted

    def __getattr__(self, name):
        return getattr(self._bound, name)

    def __call__(self, *arguments, **named):
        config = self._bound.grid, self._bound.block, None, self._bound.shared, self._bound.cooperative
        run = None if named else self._noted.begin(lambda: self._kernel, config, arguments)
        self._bound(*arguments, **named)
        self._noted.end(run, arguments)


# ---- values

def copies(arguments):
    return [copied(argument) for argument in without_sharing(arguments)]


def copied(value):
    if isinstance(value, np.ndarray):
        if not value.flags.aligned or type(value) is not np.ndarray or not value.flags.c_contiguous and value.dtype.kind not in "biufc":
            raise Unrepeatable
        return tools.fresh(value)
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple(map(copied, value))
    if isinstance(value, (bool, int, float, complex, np.generic, type(None), device.Vector, records.Struct)):
        return value
    raise Unrepeatable


def without_sharing(arguments):
    arrays = [a for a in arguments if isinstance(a, np.ndarray)]
    if not all(not np.may_share_memory(a, b) for i, a in enumerate(arrays) for b in arrays[:i]):
        raise Unrepeatable
    return arguments


def storing(function, count, result):
    """(a kernel that calls the function and stores its results, arrays for them, those arrays as they must be)."""
    leaves = list(leaves_of(result, "r"))
    outs = [np.zeros(1, kept_in(value)) for _, value in leaves]
    left = [np.full(1, value, out.dtype) for (_, value), out in zip(leaves, outs)]
    names, parameters = [f"out{k}" for k in range(len(outs))], ", ".join(f"a{k}" for k in range(count))
    stores = "".join(f"    {name}[0] = {place}\n" for name, (place, _) in zip(names, leaves))
    scope = {"function": function}
    exec(f"def storing({', '.join(names)}, {parameters}):\n    r = function({parameters})\n{stores}", scope)
    return device.kernel(scope["storing"]), outs, left


def leaves_of(value, place):
    if type(value) is tuple:
        for k, part in enumerate(value):
            yield from leaves_of(part, f"{place}[{k}]")
    elif value is not None:
        yield place, value


def kept_in(value):
    """A NumPy type that any number of a device's fits in as its value."""
    kinds = {bool: "bool", float: "f8", complex: "c16", int: "u8" if isinstance(value, int) and value >= 2 ** 63 else "i8"}
    if type(value) not in kinds:
        raise Unrepeatable
    return kinds[type(value)]


# ---- again

def repeated(run, where):
    """Whether the launch could be repeated there; it then left the same."""
    if SIDED.search(" ".join(run.kernel.underlying.__code__.co_names)):
        return False
    if not any(isinstance(value, np.ndarray) for value in run.given):
        return False  # nothing to see
    kernel = device.kernel(**{**run.kernel.options, "portable_math": True})(run.kernel.underlying)
    config = run.grid, run.block, None, run.shared, run.cooperative
    there = [lent(value, where) for value in run.given]
    try:
        kernel[config](*there)
    except (device.CompileError, TypeError):
        if refused_here_too(kernel, config, run.given):
            return False
        raise
    device.synchronize(where)
    try:
        compare(there, run.left)
    except AssertionError:
        if where not in WIDER:
            raise
        compare(interpreted(run), run.left)  # or it is not the width that differs
        compare(there, interpreted(run, target=WIDER[where]))
    return True


def interpreted(run, **target):
    """What a launch leaves, by the interpreter: where warps are wider than the host's, too, which many kernels see."""
    left, function = copies(run.given), run.kernel.underlying
    hints = tuple(_core.element_of_dtype(a.dtype) if isinstance(a, np.ndarray) else None for a in left)
    _core.interpret(_core.capture(function, hints), tuple(left), run.grid, run.block, contract=run.kernel.options.get("contract", True),
                    shared=run.shared, **target)
    return left


def lent(value, where):
    if isinstance(value, np.ndarray):
        return device.array(value, where) if value.flags.c_contiguous else Strided(value, where)
    return tuple(lent(part, where) for part in value) if type(value) is tuple else value


class Strided(producers.Producer):
    """An array on a machine, with the steps that it has here."""

    ever = []  # it is given back after the launch

    def __init__(self, array, where):
        self.low, high = np.lib.array_utils.byte_bounds(array)
        span = (ctypes.c_uint8 * (high - self.low)).from_address(self.low)
        self.span = device.array(np.frombuffer(span, np.uint8), where)
        super().__init__(array, device=self.span.place)
        self.managed.tensor.data = self.span.address + array.ctypes.data - self.low
        self.ever.append(self)

    def back(self):
        like = self.array
        return np.ndarray(like.shape, like.dtype, device.to_numpy(self.span), like.ctypes.data - self.low, like.strides)


def refused_here_too(kernel, config, given):
    try:
        _core.Kernel.__getitem__(kernel, config)(*copies(given))
        return False
    except (device.CompileError, TypeError):
        return True


def compare(got, want):
    if type(want) in (tuple, list):
        for one, other in zip(got, want):
            compare(one, other)
    elif isinstance(want, np.ndarray):
        tools.same_bytes(got.back() if isinstance(got, Strided) else device.to_numpy(got), want)
