"""Rows of the device model that mean the same everywhere: in the interpreter, on the CPU and on machines in a GPU's place."""

import struct
import subprocess
import sys

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from everywhere import TESTS, Mixed, everywhere, launched
from hetjit import _core, device


def wrapped(value, bits):
    return (value + 2 ** (bits - 1)) % 2 ** bits - 2 ** (bits - 1)


# ---- numbers


@everywhere
@pytest.mark.parametrize("name", [
    pytest.param("int8", marks=pytest.mark.row("HET-FIX-I8")), pytest.param("int16", marks=pytest.mark.row("HET-FIX-I16")),
    pytest.param("int32", marks=pytest.mark.row("HET-FIX-I32")), pytest.param("int64", marks=pytest.mark.row("HET-FIX-I64"))])
def test_signed_integers(name, where):
    """The ends of the range come in as they are, wrap, keep their sign and go out."""
    def kernel(x, out, wide):
        out[0] = x
        out[1] = x + 1
        out[2] = x - 1
        out[3] = -x
        out[4] = x * x
        out[5] = x >> 1
        out[6] = x // 3
        out[7] = abs(x)
        wide[0] = x
        wide[1] = x < 0
        wide[2] = x.dtype.itemsize

    kind, bits = getattr(device, name), 8 * np.dtype(name).itemsize
    for x in (-2 ** (bits - 1), 2 ** (bits - 1) - 1, -1, 0, 5):
        out, wide = launched(where, kernel, kind(x), np.zeros(8, name), np.zeros(3, np.int64))
        assert out.tolist() == [wrapped(v, bits) for v in (x, x + 1, x - 1, -x, x * x, x >> 1, x // 3, abs(x))]
        assert wide.tolist() == [x, x < 0, bits // 8]


@everywhere
@pytest.mark.row("HET-NUM-6")
def test_builtin_ints_fit_at_the_launch_and_wrap_after_it(where):
    def kernel(x, out):
        out[0] = x
        out[1] = x + 1
        out[2] = x * x
        out[3] = x << 1
        out[4] = -(-x - 1)
        out[5] = (x + 1) // 2
        out[6] = sum((x, x, x))

    x = 2**31 - 1
    out, = launched(where, kernel, x, np.zeros(7, np.int64))
    assert out.tolist() == [x, -2**31, wrapped(x * x, 32), -2, -2**31, -2**30, wrapped(3 * x, 32)]
    for wrong in (2**31, -2**31 - 1, 2**70):
        with pytest.raises(OverflowError):
            launched(where, kernel, wrong, np.zeros(7, np.int64))


@device.struct
class Flags:
    first: bool
    number: device.int8
    second: bool


@everywhere
@pytest.mark.row("HET-NUM-2")
def test_bools_are_bytes_of_zero_or_one(where):
    def kernel(x, yes, single, pair, out, records):
        out[0] = x > 2
        out[1] = not x > 2
        out[2] = bool(x)
        out[3] = yes
        out[4] = single
        out[5] = pair[0]
        out[6] = pair[1] == 300
        out[7] = yes & (x != x)
        records[0] = Flags(x > 2, 7, x < 2)
        records[1] = records[1].replace(second=yes)

    records = np.array([255, 255, 255, 1, 255, 255], np.uint8).view(device.numpy_dtype(Flags))
    out, records = launched(where, kernel, 256, True, np.bool_(True), (False, 300), np.full(8, 0xFF, np.uint8).view(np.bool_), records)
    assert out.tobytes().hex() == "0100010101000100"
    assert records.tobytes().hex() == "010700" + "01ff01"
    assert device.abi(bool)[:2] == (1, 1)


@everywhere
@pytest.mark.row("HET-NONE-2")
def test_none_is_a_pointer_among_the_parameters(where):
    def kernel(a, nothing, b, more, c, out):
        out[0] = a
        out[1] = b
        out[2] = c
        out[3] = nothing is None and more is None

    out, = launched(where, kernel, np.int8(-3), None, np.int8(5), None, np.float64(0.1), np.zeros(4))
    assert out.tolist() == [-3, 5, 0.1, 1]


@pytest.mark.row("HET-NONE-2")
def test_none_takes_the_bytes_of_a_pointer():
    def kernel(a, nothing, b):
        pass

    assert device.abi(type(None))[:2] == device.abi(None)[:2] == (8, 8)
    ptx = _core.show(_core.capture(kernel), "ptx", "(int8, None, int8)", "cuda:sm_90")
    declared = ptx[ptx.index(".entry"):ptx.index("{")].replace(".u", ".b")
    assert [line.split()[1] for line in declared.split("\n") if ".param" in line] == [".b8", ".b64", ".b8"]
    for target in ("cpu:x86-64-v3", "cuda:sm_90", "hip:gfx942"):
        assert _core.compile(_core.capture(kernel), "(int8, None, int8)", target)["parameter_bytes"] in (17, 24)


PARAMETERS = {"bool_": True, "int8": -3, "float64": 0.1, "uint16": 65535, "complex64": 1 - 2j, "uint8": 255, "int64": -2**40, "float16": 0.5,
              "complex128": 2j, "uint32": 2**32 - 1, "int16": -300, "float32": 2.5, "uint64": 2**63, "int32": -7}


@everywhere
@pytest.mark.row("HET-FIX-6")
def test_parameters_are_the_numbers_themselves(where):
    """Each at its own alignment, one after the other."""
    names = [f"p{k}" for k in range(len(PARAMETERS))]
    scope = {"device": device}
    exec(f"def kernel({', '.join(names)}, out, ends):\n" + "".join(f"    out[{k}] = {name}\n" for k, name in enumerate(names))
         + "    ends[0] = p6\n    ends[1] = p12\n", scope)
    given = [np.dtype(name.rstrip("_")).type(value) for name, value in PARAMETERS.items()]
    out, ends = launched(where, scope["kernel"], *given, np.zeros(len(names), np.complex128), np.zeros(2, np.uint64))
    assert out.tolist() == [complex(value) for value in PARAMETERS.values()] and ends.tolist() == [2**64 - 2**40, 2**63]


def for_targets(out):
    if device.target(device.is_host):
        out[0] = 1
    elif device.target(device.is_nvidia & device.provides(device.sm90)):
        out[0] = 2
    elif device.target(device.is_nvidia | device.no_target):
        out[0] = 3
    elif device.target(~device.is_exactly(device.gfx942) & device.is_device):
        out[0] = 4
    elif device.target(device.any_target):
        out[0] = 5
    if device.target(device.no_target):
        out[1] = [].sort(key=print)  # nothing of this is in the language
    out[1] = 1 if device.target(device.is_host) == (not device.target(device.is_device)) else 0


@everywhere
@pytest.mark.differs("each target takes a branch of its own")
@pytest.mark.row("HETX-TS-1", "HETX-TS-2", "HETX-ES-1")
def test_each_target_runs_its_branch(where):
    branches = {"interpreter": 1, "cpu": 1, "emu:sm_90": 2, "emu:gfx942": 5}
    assert launched(where, for_targets, np.zeros(2, np.int32))[0].tolist() == [branches.get(where, 4), 1]


# ---- vectors


@everywhere
@pytest.mark.row("HET-VEC-1", "HET-VEC-19")
@pytest.mark.parametrize("format", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16", "float32",
                                    "float64", "float8e4m3", "float8e5m2"])
def test_vectors_of_every_format_and_length(format, where):
    lines, at = [], 0
    for lanes in (1, 2, 3, 4):
        elements = ", ".join(f"device.{format}(n + {k})" for k in range(lanes))
        lines += [f"v = device.{format}x{lanes}({elements})", *(f"out[{at + k}] = device.float32(v[{k}])" for k in range(lanes)),
                  f"out[{at + lanes}] = len(v) + 10 * v.size + 100 * int(v.dtype == device.{format})",
                  f"out[{at + lanes + 1}] = device.float32(v.{'xyzw'[lanes - 1]})"]
        at += lanes + 2
    scope = {"device": device}
    exec("def kernel(n, out):\n" + "".join(f"    {line}\n" for line in lines), scope)
    out, = launched(where, scope["kernel"], 4, np.zeros(at))
    assert out.tolist() == [value for lanes in (1, 2, 3, 4) for value in (*range(4, 4 + lanes), 100 + 11 * lanes, 3 + lanes)]


# ---- numbers as arrays without dimensions


@everywhere
@pytest.mark.row("HET-FIX-3")
@pytest.mark.parametrize("value", [np.int8(-3), np.float64(0.1), np.float16(2), np.complex64(1 - 2j), np.bool_(True), 7, 1.5],
                         ids=lambda value: type(value).__name__)
def test_numbers_have_what_arrays_have(value, where):
    def kernel(x, out, facts):
        out[0] = x.T
        out[1] = x.transpose()
        out[2] = x.transpose(())
        out[3] = np.transpose(x)
        out[4] = x.reshape(())
        out[5] = np.reshape(x, ())
        out[6] = x.astype(x.dtype)
        out[7] = x.view(x.dtype)
        out[8] = x[()]
        out[9] = x[...]
        facts[0] = len(x.shape)
        facts[1] = len(x.strides)
        facts[2] = x.ndim
        facts[3] = x.ndims
        facts[4] = x.size
        facts[5] = x.itemsize
        facts[6] = x.nbytes

    dtype = {int: np.int32, float: np.float32}.get(type(value)) or value.dtype
    out, facts = launched(where, kernel, value, np.zeros(10, dtype), np.zeros(7, np.int32))
    assert (out == np.full(10, value, dtype)).all()
    size = np.dtype(dtype).itemsize
    assert facts.tolist() == [0, 0, 0, 0, 1, size, size]


@pytest.mark.row("HET-FIX-3")
@pytest.mark.parametrize("target", ["cpu:x86-64-v3", "cuda:sm_90", "hip:gfx942"])
@pytest.mark.parametrize("ask, text", [
    (lambda x, a: x.mT, "float32 has no attribute 'mT'"), (lambda x, a: a.mT, "float32[()] has no attribute 'mT'"),
    (lambda x, a: x.ravel(), "'ravel' takes an array, not float32"), (lambda x, a: np.ravel(x), "'ravel' takes an array, not float32"),
    (lambda x, a: x.flatten(), "'flatten' takes an array, not float32"),
    (lambda x, a: x.transpose(0), "'transpose' takes (), the axes of a number, not int"),
    (lambda x, a: x.transpose(0, 1), "'transpose' takes (), the axes of a number, not several"),
    (lambda x, a: np.transpose(x, (0,)), "'transpose' takes (), the axes of a number, not tuple[int]"),
    (lambda x, a: x.reshape(1), "'reshape' takes (), the shape of a number, not int"),
    (lambda x, a: np.reshape(x), "'reshape' takes (), the shape of a number, not nothing"),
], ids=range(10))
def test_what_would_make_an_array_of_a_number_is_refused(ask, text, target):
    """`mT` is on no array of fewer than two dimensions, NumPy's too; the others need memory for an array."""
    with pytest.raises(device.CompileError) as caught:
        _core.compile(_core.capture(ask), "(float32, float32[()])", target, kernel=False)
    assert text in str(caught.value) and "help" in str(caught.value)
    assert not hasattr(np.float32(1), "mT")


# ---- layouts


@everywhere
@pytest.mark.row("HET-ALN-1")
def test_aligned_types_compute_as_what_they_are(where):
    aligned = device.align(device.float32, 16)

    @device.struct
    class Pair:
        a: aligned
        b: device.float32

    def kernel(p, x, y, n, got, want, kinds):
        for k in range(n):
            a, b = p.a + x[k], p.b + y[k]
            got[k, 0] = x[k] + b
            want[k, 0] = y[k] + b
            got[k, 1] = x[k] * x[k] - a
            want[k, 1] = y[k] * y[k] - b
            got[k, 2] = a / 3
            want[k, 2] = b / 3
            got[k, 3] = x[k] // b
            want[k, 3] = y[k] // b
            got[k, 4] = x[k] % 0.7
            want[k, 4] = y[k] % 0.7
            got[k, 5] = min(x[k], 2) + int(x[k] < y[k])
            want[k, 5] = min(y[k], 2) + int(y[k] < y[k])
            x[k] = a
            y[k] = b
        kinds[0] = p.a.dtype == device.float32
        kinds[1] = (p.a + 1).dtype == (p.b + 1).dtype
        kinds[2] = (p.a + device.float64(1)).dtype == device.float64

    assert aligned is not device.float32 and device.abi(aligned)[:2] == (4, 16) and device.abi(Pair)[:2] == (16, 16)
    values = np.array([0.1, -2.5, 1e30, 3.3e-41], np.float32)
    x = np.zeros(4, device.numpy_dtype(aligned))
    x.view(np.float32)[::4] = values
    x, y, got, want, kinds = launched(where, kernel, Pair(1.3, 1.3), x, values, 4, np.zeros((4, 6), np.float32), np.ones((4, 6), np.float32),
                                      np.zeros(3, np.bool_))
    assert got.tobytes() == want.tobytes() and kinds.all() and x.itemsize == 16
    assert (x.view(np.float32)[::4] == y).all() and (y == values + np.float32(1.3)).all()


MIXED = Mixed(True, -5, 70000, (200, 0.1), (1, 2.5, -3), -300, 1 - 2j, 255)
MEMBERS = struct.pack("<?", True), b"\xfb", struct.pack("<i", 70000), None, struct.pack("<3f", 1, 2.5, -3), struct.pack("<h", -300), \
    struct.pack("<2f", 1, -2), b"\xff"


@everywhere
@pytest.mark.row("HET-STR-6", "HET-STR-8", "HET-STR-14", "HET-TUP-2")
def test_members_lie_where_abi_says(where):
    """Written by a kernel from a parameter and from parts, and read from bytes that Python wrote."""
    def kernel(whole, given, out, parts):
        out[0] = whole
        out[1] = Mixed(whole.flag, whole.small, whole.count, whole.pair, whole.place, whole.wide, whole.turn, whole.last)
        parts[0] = given[0].count
        parts[1] = given[0].pair[1]
        parts[2] = given[0].place.z
        parts[3] = given[0].wide
        parts[4] = given[0].turn.imag
        parts[5] = given[0].last

    layout, dtype = device.abi(Mixed), device.numpy_dtype(Mixed)
    given = np.frombuffer(bytes(image_of(layout)), dtype)
    _, out, parts = launched(where, kernel, MIXED, given, np.full(2 * layout.size, 0xEE, np.uint8).view(dtype), np.zeros(6))
    for k in range(2):
        assert members(out[k:k + 1].tobytes(), layout) == members(bytes(image_of(layout)), layout)
    assert parts.tolist() == [70000, 0.1, -3, -300, -2, 255]


def image_of(layout):
    """MIXED as bytes, by the offsets that abi() says."""
    found = bytearray(layout.size)
    for (_, offset, _), value in zip(layout.fields, MEMBERS):
        if value is None:  # the tuple, with padding of its own
            found[offset:offset + 1], found[offset + 8:offset + 16] = b"\xc8", struct.pack("<d", 0.1)
        else:
            found[offset:offset + len(value)] = value
    return found


def members(data, layout):
    spans = [(offset, 1 if value is None else len(value)) for (_, offset, _), value in zip(layout.fields, MEMBERS)]
    pair = layout.fields[3][1]
    return [data[start:start + count] for start, count in (*spans, (pair + 8, 8))]


@everywhere
@pytest.mark.row("HET-STR-9", "HET-STR-10", "HET-TUP-4")
@pytest.mark.parametrize("align, size", [(1, 20), (2, 20), (8, 24), (16, 32)])
def test_alignment_of_structs(align, size, where):
    """A smaller one than the natural one changes nothing; the last byte of one record lies before the next."""
    @device.struct(align=align)
    class Record:
        a: device.int8
        b: tuple[device.int8, device.int32]
        c: device.int16
        d: device.int32

    def kernel(given, out):
        for k in range(len(out)):
            out[k] = Record(given.a + k, (k, given.b[1] - k), given.c * k, given.d + k)

    dtype = device.numpy_dtype(Record)
    assert device.abi(Record)[:2] == (size, max(align, 4)) and dtype.itemsize == size
    out, = launched(where, kernel, Record(1, (2, 70000), -3, 9), np.zeros(3 * size, np.uint8).view(dtype))
    found = [struct.unpack_from("<b3xb3xih2xi", out.tobytes(), k * size) for k in range(3)]
    assert found == [(1 + k, k, 70000 - k, -3 * k, 9 + k) for k in range(3)]


@pytest.mark.row("HET-STR-14")
def test_another_process_has_the_same_layout():
    code = "from everywhere import Mixed; from hetjit import device; print(device.abi(Mixed)[:2], [o for _, o, _ in device.abi(Mixed).fields])"
    done = subprocess.run([sys.executable, "-c", code], cwd=TESTS / "emulation", capture_output=True, text=True, timeout=120)
    layout = device.abi(Mixed)
    assert done.stdout.strip() == f"{layout[:2]} {[offset for _, offset, _ in layout.fields]}", done.stderr


# ---- places


@everywhere
@pytest.mark.row("HETX-TP-1")
def test_places_are_vectors_of_three(where):
    def first_of(v: device.uint32x3):
        return v.x

    def kernel(out, kinds):
        t, b, d, g = device.thread_idx, device.block_idx, device.block_dim, device.grid_dim
        whole = t + b * d
        across = g * d
        row = whole.x + across.x * (whole.y + across.y * whole.z)
        place = 0
        for v in (t, b, d, g):
            x, y, z = v
            out[row, place] = first_of(v)
            out[row, place + 1] = v.y + 0 * y
            out[row, place + 2] = v[2] + 0 * x + 0 * z
            place += 3
            if len(v) != 3 or v.size != 3:
                out[row, 0] = 99
        kinds[0] = t.dtype == device.uint32
        kinds[1] = (t + device.uint32x3(1, 1, 1)).dtype == device.uint32
        kinds[2] = device.uint32x3(0, 0, 0) == t * 0

    grid, block = (2, 1, 2), (3, 2, 2)
    extent = tuple(g * b for g, b in zip(grid, block))
    out, kinds = launched(where, kernel, np.zeros((int(np.prod(extent)), 12), np.int32), np.zeros(3, np.bool_), grid=grid, block=block)
    want = [[x % 3, y % 2, z % 2, x // 3, y // 2, z // 2, *block, *grid]
            for z in range(extent[2]) for y in range(extent[1]) for x in range(extent[0])]
    assert out.tolist() == want and kinds.all()


@pytest.mark.row("HETX-TP-1")
def test_the_type_of_places():
    assert issubclass(device.Dim3, device.uint32x3) and device.Dim3 is not device.uint32x3
    assert device.abi(device.Dim3)[:2] == device.abi(device.uint32x3)[:2] == (12, 4)
    for place in (device.thread_idx, device.block_idx, device.block_dim, device.grid_dim):
        for ask in (lambda: place.x, lambda: place.y, lambda: place.z, lambda: place[0]):
            with pytest.raises(RuntimeError, match="only known inside a kernel"):
                ask()


# ---- atomics of sixteen bytes


@pytest.mark.differs("AMD refuses them")
@everywhere
@pytest.mark.row("HETX-AT-1")
def test_atomics_of_sixteen_bytes(where):
    def kernel(x, out):
        i = device.thread_idx.x
        device.atomic.store(out, i, device.atomic.load(x, i) * device.complex128(0, 1))

    x = np.arange(4) + 1j * np.arange(4, 8)
    if where.startswith("emu:gfx"):  # which has no such instruction
        with pytest.raises(device.CompileError, match="is for numbers of up to 8 bytes on AMD"):
            launched(where, kernel, x, np.zeros(4, np.complex128), block=4)
        return
    assert launched(where, kernel, x, np.zeros(4, np.complex128), block=4)[1].tolist() == (x * 1j).tolist()


@pytest.mark.row("HETX-AT-1")
def test_atomics_of_sixteen_bytes_are_refused_on_amd():
    def kernel(x):
        device.atomic.store(x, 0, x[1])

    for target in ("hip:gfx942", "hip:gfx1100"):
        with pytest.raises(device.CompileError, match="'store' is for numbers of up to 8 bytes on AMD, not complex128") as caught:
            _core.compile(_core.capture(kernel), "(complex128[:])", target)
        assert caught.value.code == "E0221"
        _core.compile(_core.capture(kernel), "(complex64[:])", target)
