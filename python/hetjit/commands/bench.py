"""Runs a program and times the kernels that it launches, on copies of their arguments: against what y[i] = y[i] + a * x[i] over
as much memory reaches on the same device. The bytes are those of a kernel that reads and writes every element of its arrays once:
one that leaves some out can seem faster than the memory is, and one that comes again slower."""

import argparse
import functools
import json
import os
import pathlib
import runpy
import statistics
import sys
import time

from hetjit import _core, device
from hetjit.commands import programs, traffic
from hetjit.device import decorators

SECONDS = 0.3  # for each kernel; at least LEAST runs of it
LEAST = 5
SMALLEST, LARGEST = 1 << 16, 1 << 28  # bytes of the arrays for the roof


@device.kernel
def axpy(a, x, y):
    """Writes only what it has read, so that no cache fetches what is written over."""
    i = device.tid(1)
    if i < len(y):
        y[i] = y[i] + a * x[i]


# ---- arguments

def copied(value, known):
    """The argument with its arrays copied, in the same layout. What is given twice is the same array twice."""
    if id(value) in known:
        return known[id(value)][1]
    if isinstance(value, tuple):
        items = [copied(item, known) for item in value]
        made = tuple(items) if type(value) is tuple else type(value)(*items)
    elif isinstance(value, device.DeviceArray):
        made = device.array(value.copy_to_host(), value.device)
    elif "numpy" in sys.modules and isinstance(value, sys.modules["numpy"].ndarray):
        made = _same_layout(value)
    elif hasattr(value, "__dlpack__"):
        made = value.clone() if hasattr(value, "clone") else value.copy() if hasattr(value, "copy") else value
    else:
        made = value
    known[id(value)] = value, made  # the value, too, or another could get its number
    return made


def _same_layout(array):
    """A copy of the memory from its first byte to its last, seen with the same strides."""
    import ctypes

    import numpy
    address = array.__array_interface__["data"][0]
    reach = [(extent - 1) * stride for extent, stride in zip(array.shape, array.strides)] if array.size else []
    begin, end = sum(min(r, 0) for r in reach), sum(max(r, 0) for r in reach) + array.itemsize
    memory = numpy.empty(end - begin, numpy.uint8)
    if array.size:
        ctypes.memmove(memory.ctypes.data, address + begin, end - begin)
    return numpy.ndarray(array.shape, array.dtype, memory, -begin, array.strides)


def bytes_of(value):
    """Bytes of all the elements of the arrays in an argument."""
    if isinstance(value, tuple):
        return sum(map(bytes_of, value))
    if isinstance(value, _core.DeviceArray):
        return value.nbytes
    shape, size = getattr(value, "shape", None), getattr(value, "itemsize", None) or getattr(value, "element_size", lambda: None)()
    return functools.reduce(lambda a, b: a * b, map(int, shape), size) if shape and size else 0


def moved(kernel, arguments, keywords):
    """Bytes of the arrays that are read and of those that are written; bytes of the arrays that are either."""
    code = kernel.__code__
    names = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
    given = {**dict(zip(names, arguments)), **keywords}
    snapshot, signature = _core.request(kernel, arguments, keywords, None)
    request = programs.request_of(kernel, signature, "cpu:native", snapshot=snapshot)
    found = traffic.accesses(request.show("optimized"))
    total = [bytes_of(given.get(name)) for name in names]
    reads, writes, either = (sum(total[i] for i in which) for which in (found.reads, found.writes, found.reads | found.writes))
    return reads + writes, either


# ---- time

def timed(launches, where):
    """For each launch the seconds of its runs, in turn with those of the others, so that a busy machine is busy for all; the first two
    rounds are left out."""
    found, end = [[] for _ in launches], None
    while end is None or len(found[0]) < LEAST + 2 or time.perf_counter() < end:
        for launch, seconds in zip(launches, found):
            device.synchronize(where)
            start = time.perf_counter()
            launch()
            device.synchronize(where)
            seconds.append(time.perf_counter() - start)
        end = end or time.perf_counter() + SECONDS
    return [seconds[2:] for seconds in found]


def roof(where, size):
    """A launch over arrays of about `size` bytes that does nothing but use memory, and how many bytes it reads and writes."""
    count = min(max(size, SMALLEST), LARGEST) // 8
    x, y = (device.zeros(count, device.float32, where) for _ in range(2))
    launch = axpy[(count + 255) // 256, 256]
    return lambda: launch(2.0, x, y), 12 * count


# ---- launches

class Watch:
    """The launches of a program: each kernel once for each geometry and each kind of arguments."""

    def __init__(self, name):
        self.name, self.results, self.known = name, [], set()

    def bound(self, kernel, config):
        made = _core.Kernel.__getitem__(kernel, config)
        if kernel is axpy or self.name and kernel.__name__ != self.name:
            return made
        return functools.partial(self.launch, kernel, made)

    def launch(self, kernel, bound, *arguments, **keywords):
        key = (kernel.underlying.__code__, bound.grid, bound.block, *map(_shape, [*arguments, *keywords.values()]))
        if key in self.known:
            return bound(*arguments, **keywords)
        self.known.add(key)
        copies = {}
        again, named = [copied(value, copies) for value in arguments], {name: copied(value, copies) for name, value in keywords.items()}
        bound(*arguments, **keywords)
        self.results.append(measure(kernel, bound, again, named))

    def run(self, path, arguments):
        sys.argv[:] = [path, *arguments]
        sys.path.insert(0, str(pathlib.Path(path).parent.resolve()))
        watched = self.bound
        decorators._Launchable.__getitem__ = lambda kernel, config: watched(kernel, config)
        try:
            runpy.run_path(path, run_name="__main__")
        except SystemExit as left:
            if left.code:
                raise
        finally:
            del decorators._Launchable.__getitem__


def _shape(value):
    return (type(value), getattr(value, "shape", None), str(getattr(value, "dtype", "")), getattr(value, "strides", None))


def _place(values):
    for value in values:
        if isinstance(value, _core.DeviceArray):
            return value.device
        if isinstance(value, tuple) and (found := _place(value)):
            return found
        if hasattr(value, "__cuda_array_interface__"):
            return f"cuda:{getattr(getattr(value, 'device', None), 'index', None) or 0}"
    return None


def measure(kernel, bound, arguments, keywords):
    where = _place([*arguments, *keywords.values()]) or kernel._on or "cpu"
    size, room = moved(kernel, tuple(arguments), keywords)
    memory, most = roof(where, room)
    seconds, of_memory = timed([lambda: bound(*arguments, **keywords), memory], where)
    best, reachable = min(seconds), most / min(of_memory)
    return {"kernel": kernel.__name__, "explanation": _core.explain(kernel, tuple(arguments), keywords, None).partition("\n")[0], "device": where,
            "grid": list(bound.grid), "block": list(bound.block), "runs": len(seconds), "seconds": best,
            "median_seconds": statistics.median(seconds), "bytes": size, "bytes_per_second": size / best, "roof_bytes_per_second": reachable,
            "of_roof": size / best / reachable}


# ---- the command

def _scaled(value, unit, steps):
    for prefix, factor in steps:
        if value >= factor:
            break
    return f"{value / factor:.3g} {prefix}{unit}"


_time = functools.partial(_scaled, unit="s", steps=(("", 1), ("m", 1e-3), ("µ", 1e-6), ("n", 1e-9)))
_bytes = functools.partial(_scaled, unit="B", steps=(("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3), ("", 1)))


def _verdict(share):
    if share > 1.25:
        return "more than memory gives: elements are left out, or the machine was busy meanwhile"
    return "near all that memory gives" if share > 0.6 else "its time goes elsewhere: python -m hetjit explain"


def _told(one):
    yield one["explanation"]
    yield f"  launch  {tuple(one['grid'])} blocks of {tuple(one['block'])} threads on {one['device']}"
    yield f"  time    {_time(one['seconds'])}, the best of {one['runs']}; median {_time(one['median_seconds'])}"
    if not one["bytes"]:
        yield "  memory  no array is read or written"
        return
    yield f"  memory  {_bytes(one['bytes'])}, every element once: {_bytes(one['bytes_per_second'])}/s"
    yield f"  roof    {_bytes(one['roof_bytes_per_second'])}/s of memory; this is {one['of_roof']:.0%}, {_verdict(one['of_roof'])}"


def _parser():
    parser = argparse.ArgumentParser(prog="python -m hetjit bench", description=__doc__, epilog="status: 0, or 1 when the program fails, or 2 "
                                     "when there is nothing to time")
    parser.add_argument("--json", action="store_true", help="a JSON list on the last line, times in seconds")
    parser.add_argument("place", metavar="FILE[:KERNEL]", help="the program; it runs as __main__. With a kernel: only that one")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="of the program")
    return parser


def main(arguments):
    asked = _parser().parse_args(arguments)
    os.environ["HETJIT_CHECK"] = ""
    try:
        path, name = programs.split(asked.place)
        watch = Watch(name.split(".")[-1])
        watch.run(path, asked.arguments)
        if not watch.results:
            raise programs.Misuse(f"{path} runs and launches no {f'kernel {name}' if name else 'kernel'}")
    except programs.Misuse as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    print(json.dumps(watch.results) if asked.json else "\n\n".join("\n".join(_told(one)) for one in watch.results))
    return 0
