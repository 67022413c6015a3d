"""Writes docs/reference: a page for each group of public names, with what their docstrings say and an example of each
(docs/reference/examples.txt), whose output is what it prints.

    python docs/reference.py [--check]        in the built environment: ./dev run python docs/reference.py
"""

import inspect
import pathlib
import re
import sys
import tempfile

import pages

import hetjit
from hetjit import device, driver, puzzles, types

FOLDER = pathlib.Path(__file__).resolve().parent / "reference"

GROUPS = {  # page: its title and its names, in their order
    "kernels": ("Kernels and launches", "kernel func launch Kernel Function ConstExpr readonly Array emit cxx extern Export"),
    "places": ("Where a thread is", "thread_idx block_idx block_dim grid_dim tid grid_size lane_id warp_size clock"),
    "memory": ("Memory of blocks and threads", "shared_array local_array dynamic_shared_array"),
    "together": ("Barriers, votes, shuffles", "syncthreads syncthreads_count syncthreads_and syncthreads_or syncgrid grid_dependency_synchronize trigger_launch_completion WarpMask FULL_MASK activemask "
                 "lanemask_lt syncwarp all_sync any_sync eq_sync ballot_sync shfl_sync shfl_up_sync shfl_down_sync shfl_xor_sync "
                 "match_any_sync match_all_sync"),
    "atomics": ("Atomic operations", "Atomic AtomicInterface AtomicRef threadfence " + " ".join(f"atomic.{name}" for name in device.atomic.__all__)),
    "numbers": ("Number formats", "DType formats finfo iinfo isdtype"),
    "vectors": ("Vectors", "Vector vector vectors Dim3 dot cross length distance normalize lerp"),
    "structs": ("Structs and layouts", "struct Struct align Aligned abi Layout numpy_dtype as_array"),
    "math": ("Mathematics and bits", "sqrt cbrt rsqrt exp exp2 expm1 log log2 log10 log1p pow hypot sin cos tan asin acos atan atan2 arcsin arccos arctan "
             "arctan2 sinh cosh tanh asinh acosh atanh arcsinh arccosh arctanh erf erfc tgamma lgamma floor ceil trunc rint fabs abs "
             "copysign nextafter fmod fma fmin fmax min max isnan isinf isfinite saturate popc brev clz ffs mulhi"),
    "random": ("Random numbers", " ".join(f"random.{name}" for name in device.random.__all__)),
    "targets": ("What code is compiled for", "target is_exactly provides is_host is_device is_nvidia is_amd any_target no_target "
                "TargetDescription SMSelector architectures machine_representation"),
    "devices": ("Devices and arrays", "devices current use info synchronize why_not array asarray empty zeros ones full to_numpy DeviceArray writable"),
    "device_memory": ("Memory of devices", " ".join(f"memory.{name}" for name in device.memory.__all__)),
    "streams": ("Streams, events, graphs", "Stream Event Graph"),
    "cache": ("The cache on disk", " ".join(f"cache.{name}" for name in device.cache.__all__)),
    "errors": ("Errors and warnings", "CompileError ReadOnlyError CompileWarning UnsignedWarning PrecisionWarning AssignmentWarning OverflowWarning RebindingWarning CheckError BoundsError RaceError "
               "BarrierError DeviceError OutOfMemoryError CacheWarning"),
}
INTRODUCTIONS = {
    "places": "Known in kernels, while they run. On the host they raise `RuntimeError`.",
    "memory": "Known in kernels; on the host they raise `RuntimeError`. The shape is an int or a tuple of ints of 1 or more, known while compiling; the "
              "dtype any type that an array may have elements of. More memory than a target has is a `CompileError`.",
    "together": "Known in kernels; on the host the functions raise `RuntimeError`. A `pred` is a bool or an integer, or a function without parameters that "
                "gives one. A `value` is a number of any format, or a vector, struct or tuple of such. A mask is an integer or a `WarpMask`. A call with "
                "a mask that does not name the calling lane is undefined; `check=\"bounds\"` finds it.",
    "atomics": "`array` is an array of numbers, `index` an int, or a tuple for several axes. `add`, `sub`, `max`, `min`: integers and floats but for the 8-bit "
               "ones; `and_`, `or_`, `xor`: integers; `exch`, `cas`: up to 8 bytes; `load`, `store`: up to 16 (8 on AMD). Another format is a `TypeError` on the "
               "host and a `CompileError` in kernels; a memory order or scope that there is not is a `ValueError`, and a `CompileError`.",
    "math": "Functions of floats: float32 and float64 in their own format, the 16-bit ones by way of float32; an integer becomes a float32 first. In kernels a number "
            "outside of the domain gives NaN, or an infinity at a pole; on the host they are `math`'s functions, which raise `ValueError`. `popc`, `brev`, "
            "`clz`, `ffs`, `mulhi` are for integers of 8 to 64 bits, and raise `TypeError` for others. How accurate they are: [Math functions](../math.md).",
    "random": "`seed`, `sequence` and `offset` are integers, of which 64 bits count: -1 is 2⁶⁴ - 1. A Python int of a launch has 32 bits: for a seed of 2³¹ or more annotate `seed: device.uint64`. The same numbers on every target and on the host. "
              "Different seeds, sequences or offsets give independent ones.",
    "vectors": "Values of one to four numbers, immutable, laid out as CUDA C++ has them. As elements of arrays: `device.numpy_dtype(device.float32x3)`. A wrong number of "
               "lanes is a `TypeError`, vectors of unlike length or a struct beside a vector too.",
    "targets": "Descriptions are combined by `|`, `&`, `~`. Where an architecture is asked for, anything else is a `TypeError`.",
    "devices": "Names: `cpu`, `cuda:0`, `hip:1`, and `emu:sm_90`, `emu:gfx942` for machines that stand in for a GPU. `cuda` is the first of its kind.",
    "device_memory": "What our own arrays take and leave on each device: [Devices, threads, streams, memory](../runtime.md#memory-of-our-arrays).",
    "streams": "How they are used: [Streams](../guides/streams.md). What is closed, or of another device, is a `ValueError`; what the driver refuses a `DeviceError`.",
    "cache": "What is kept, for how long and what it is found by: [Compiled kernels on disk](../cache.md).",
    "errors": "A launch raises besides: `TypeError`, `ValueError`, `OverflowError` and `BufferError` for its arguments, and what the kernel raises itself.",
}
OF_VALUES = {  # what has no docstring of its own, for it is no function and no class
    "thread_idx": "The thread's place in its block: `.x .y .z`, or by index, each a uint32.",
    "block_idx": "The block's place in the grid: `.x .y .z`, or by index, each a uint32.",
    "block_dim": "Threads of a block along each axis: `.x .y .z`, or by index, each a uint32.",
    "grid_dim": "Blocks of the grid along each axis: `.x .y .z`, or by index, each a uint32.",
    "lane_id": "The thread's place in its warp, an int32. Threads are counted through the block, x first.",
    "warp_size": "Threads of a warp, an int32 that is known while compiling: 32, on AMD's gfx9 64.",
    "FULL_MASK": "All lanes of a warp, whatever their number: a WarpMask of -1.",
    "readonly": "`x: device.readonly`: the kernel only reads that array. One compilation serves arrays that may be written and ones that may not; a store is an error.",
    "is_host": "The CPU.", "is_device": "Any GPU.", "is_nvidia": "NVIDIA's GPUs.", "is_amd": "AMD's GPUs.",
    "any_target": "Every target.", "no_target": "None.",
}
ROWS = re.compile(r"\s*\b(?:HETX?-[A-Z]+-\d+|AMB-\d+)(?: to \d+)?,?")


# ---- names

def architectures():
    return sorted(name for name in device.__all__ if isinstance(getattr(device, name), device.SMSelector))


def number_formats():
    return [name for name in device.__all__ if type(getattr(device, name)) is device.DType]


def vector_types():
    return [name for name in device.__all__ if re.fullmatch(r"\w+x[1-4]", name)]


FAMILIES = {"formats": number_formats, "vectors": vector_types, "architectures": architectures}


def public_names():
    """Every name that a user may write behind `device.`"""
    return {*device.__all__, *(f"atomic.{name}" for name in device.atomic.__all__), *(f"random.{name}" for name in device.random.__all__),
            *(f"cache.{name}" for name in device.cache.__all__),
            *(f"memory.{name}" for name in device.memory.__all__)} - {"atomic", "random", "cache", "memory"}


def shown_names():
    names = [name for _, names in GROUPS.values() for name in names.split()]
    return [each for name in names for each in (FAMILIES[name]() if name in FAMILIES else [name])]


# ---- entries

def examples():
    parts = re.split(r"^== (\S+)\n", (FOLDER / "examples.txt").read_text(), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def found(name):
    thing = device
    for part in name.split("."):
        thing = getattr(thing, part)
    return thing


def plain(docstring):
    """A docstring without the rows of the specification that it names."""
    text = ROWS.sub("", inspect.cleandoc(docstring or "")).strip()
    return text + "." if text and text[-1] not in ".):`…" else text


def signature(thing):
    try:
        given = str(inspect.signature(thing)).replace("WarpMask(-0x1)", "FULL_MASK").replace("=Ellipsis", "")
        return re.sub(r"/, |, /|, \*\*unknown", "", given)
    except (TypeError, ValueError):
        return ""


def members(cls):
    """(name, what to write, docstring) of a class's own public attributes."""
    bases = (tuple, int, device.AtomicInterface, types.Pointer, types.Record)
    inherited = {name for base in bases if issubclass(cls, base) and cls is not base for name in dir(base)}
    for name in sorted(name for name in set(dir(cls)) - inherited if hasattr(cls, name)):
        thing = inspect.getattr_static(cls, name)
        if not name.startswith("_") and not isinstance(thing, cls):
            call = signature(getattr(cls, name)).replace("(self, ", "(").replace("(self)", "()") if callable(getattr(cls, name)) else ""
            text = plain(inspect.getdoc(thing) or inspect.getdoc(getattr(cls, name)))
            yield name, f"`.{name}{call}`", text.replace("\n\n", " ").replace("\n", " ")


def entry(name, example):
    if name in OF_VALUES:
        return [f"## device.{name}", "", OF_VALUES[name], "", *block(example)]
    return [*described(f"device.{name}", found(name)), "", *block(example)]


def described(name, thing):
    call = [] if inspect.isclass(thing) else [f"`{name}{signature(thing)}`", ""]
    lines = [f"## {name}", "", *call, plain(thing.__doc__)]
    if inspect.isclass(thing) and not issubclass(thing, BaseException):
        lines += ["", *(f"* {call}: {text}" for _, call, text in members(thing))]
    return lines


def block(example):
    return ["```python", example.rstrip(), "```", ""] if example else []


def limits(format):
    if format.kind == "integer":
        return f"{device.iinfo(format).min} to {device.iinfo(format).max}"
    if format.kind != "floating":
        return ""
    if format._largest:
        return f"largest {format._largest:.6g}"
    return f"largest {float(device.finfo(format).max):.6g}, epsilon {float(device.finfo(format).eps):.3g}"


def family(name, example):
    if name == "formats":
        rows = [f"| `device.{each}` | {found(each).itemsize} | {found(each).kind} | {limits(found(each))} |" for each in number_formats()]
        return ["## The formats", "", "Each is a `device.DType`.", "", "| | bytes | kind | range |", "|---|---|---|---|", *rows, "", *block(example)]
    if name == "vectors":
        formats = list(dict.fromkeys(each[:-2] for each in vector_types()))
        rows = ["| " + " | ".join(f"`device.{one}x{n}`" for n in (1, 2, 3, 4)) + " |" for one in formats]
        return ["## The vector types", "", "| 1 lane | 2 | 3 | 4 |", "|---|---|---|---|", *rows, "", *block(example)]
    listed = ", ".join(f"`device.{each}`" for each in architectures())
    return ["## The architectures", "", "NVIDIA's with and without an underscore; a suffix `a` means the features of that architecture alone, `f` those of its "
            "family.", "", listed + ".", ""]


# ---- pages

def page(name, title, names):
    shown = examples()
    introduction = [INTRODUCTIONS[name], ""] if name in INTRODUCTIONS else []
    lines = [f"# {title}", "", *introduction, "```python", "import numpy as np", "from hetjit import device", "```", ""]
    for name in names.split():
        example = shown.get(name if name in FAMILIES else f"device.{name}", "")
        lines += family(name, example) if name in FAMILIES else entry(name, example)
    return "\n".join(lines).rstrip() + "\n"


def puzzle_page():
    return "\n".join(["# hetjit.puzzles", "", "```python", "import numpy as np", "from hetjit import device", "```", "", "## puzzles.check", "",
                      f"`puzzles.check{signature(puzzles.check)}`", "", plain(puzzles.check.__doc__), "",
                      *block(examples()["puzzles.check"])])


MODULES = {"types": (types, "Adapters: hetjit.types", "How they are used: [Adapters](../adapters.md)."),
           "driver": (driver, "Low-level calls: hetjit.driver", "How they are used: [Low-level calls](../driver.md).")}


def module_page(name):
    module, title, introduction = MODULES[name]
    entries = [[*described(f"{name}.{each}", getattr(module, each)), ""] for each in module.__all__]
    return "\n".join([f"# {title}", "", introduction, "", *(line for lines in entries for line in lines)]).rstrip() + "\n"


def index():
    return "\n".join(["# Reference", "", f"Every public name of `hetjit.device`, {hetjit.__version__}. What compiled code may contain beside them: "
                      "[the language](../language.md).", "",
                      *(f"* [{title}]({name}.md)" for name, (title, _) in GROUPS.items()), *(f"* [{title}]({name}.md)" for name, (_, title, _) in MODULES.items()), "* [hetjit.puzzles](puzzles.md)", ""])


def documents():
    """The text of each page, without what its examples print."""
    return {"index": index(), "puzzles": puzzle_page(), **{name: module_page(name) for name in MODULES}, **{name: page(name, *group) for name, group in GROUPS.items()}}


def without_output(text):
    return re.sub(r"\n*^```output\n.*?^```$", "", text, flags=re.S | re.M)


def main():
    stale = []
    for name, text in documents().items():
        path = FOLDER / f"{name}.md"
        if not path.exists() or without_output(path.read_text()).rstrip() != text.rstrip():
            stale.append(path.name)
            if "--check" not in sys.argv:
                path.write_text(text)
                with tempfile.TemporaryDirectory() as folder:
                    pages.update(path, folder)
    print("stale: " + ", ".join(stale) if stale else "the reference is current")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
