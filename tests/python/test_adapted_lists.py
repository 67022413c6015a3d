"""hetjit.types: arrays for C made from lists, and the arguments of a launch."""

import array
import ctypes
import gc

import pytest

from adapted import Interface, LISTS, ints, is_held, lib, needs_numpy, np
from hetjit.types import ArgumentPack, DeviceArray, ListOfBytes, ListOfInt, ListOfPointer, ListOfUnsigned, ListOfUnsignedLong, Pointer
from test_processes import python


@pytest.mark.row("HIPPY-LST-1")
def test_texts_of_a_list(lib):
    out = ctypes.create_string_buffer(16)
    for given in (ListOfBytes([b"ab", b"c"]), [b"ab", b"c"], (b"ab", b"c")):
        lib.join(given, 2, out)
        assert out.value == b"abc"


@pytest.mark.row("HIPPY-LST-1")
def test_a_list_of_texts_keeps_them():
    """Also when the list that it was made from changes, or ends."""
    texts = [b"first " * 10 + bytes([65 + i]) for i in range(9)]
    wanted = list(texts)
    made = ListOfBytes(texts)
    texts.clear()
    assert [ctypes.string_at(address) for address in ints(made, ctypes.c_void_p, 9)] == wanted
    del wanted
    gc.collect()
    assert ctypes.string_at(ints(made, ctypes.c_void_p, 9)[8]).endswith(b"I") and len(made) == 9 and list(made)[0].startswith(b"first")


@pytest.mark.row("HIPPY-LST-2")
def test_pointers_of_a_list():
    memory = bytearray(8)
    made = ListOfPointer([None, 16, ctypes.c_void_p(8), memory, Interface()])
    with memoryview(memory):
        pass
    assert is_held(memory)
    assert [address or 0 for address in ints(made, ctypes.c_void_p, 5)] == [0, 16, 8, int(Pointer(memory)), 0x1000]
    del made
    assert not is_held(memory)


@pytest.mark.row("HIPPY-LST-3")
def test_ints_of_a_list(lib):
    made = ListOfInt([1, -2, 3])
    assert ints(made, ctypes.c_int, 3) == [1, -2, 3] and made.nbytes == 12
    assert lib.sum_of_ints([1, -2, 30], 3) == 29 == lib.sum_of_ints(array.array("i", [29]), 1)
    with pytest.raises(OverflowError, match="element 1: 2147483648"):
        ListOfInt([0, 2**31])


def test_what_c_is_given_is_there_while_it_runs(lib):
    """ctypes lets an argument go before it calls."""
    for _ in range(100):
        assert lib.sum_of_ints(list(range(10000)), 10000) == 49995000


@pytest.mark.row("HIPPY-LST-4")
def test_unsigneds_of_a_list():
    made = ListOfUnsigned([0, 2**32 - 1])
    assert ints(made, ctypes.c_uint, 2) == [0, 2**32 - 1]
    for wrong in (-1, 2**32):
        with pytest.raises(OverflowError, match=f"element 0: {wrong}"):
            ListOfUnsigned([wrong])


@pytest.mark.row("HIPPY-LST-5")
def test_unsigned_longs_of_a_list():
    made = ListOfUnsignedLong([2**64 - 1, 0])
    assert ints(made, ctypes.c_ulong, 2) == [2**64 - 1, 0]
    for wrong in (-1, 2**64):
        with pytest.raises(OverflowError):
            ListOfUnsignedLong([wrong])


@pytest.mark.row("HIPPY-LST-6")
def test_elements_may_be_numbers_of_ctypes():
    kept = ListOfInt([ctypes.c_short(5), ctypes.c_longlong(-6), 7]), ListOfUnsigned((ctypes.c_ubyte(255),)), ListOfUnsignedLong([ctypes.c_ulong(9)])
    assert ints(kept[0], ctypes.c_int, 3) == [5, -6, 7] and ints(kept[1], ctypes.c_uint, 1) == [255] and ints(kept[2], ctypes.c_ulong, 1) == [9]
    with pytest.raises(TypeError, match="element 0: a ctypes.c_float is not an int"):
        ListOfInt([ctypes.c_float(5)])


@pytest.mark.row("HIPPY-LST-7")
@pytest.mark.parametrize("kind", LISTS)
def test_anything_else_is_an_address(kind):
    memory = bytearray(8)
    made = kind(memory)
    assert int(made) == int(Pointer(memory)) and is_held(memory)
    memory[0] = 7
    del made
    assert memory[0] == 7 and not is_held(memory)  # nothing was freed
    assert int(kind(None)) == 0 and int(kind(16)) == 16
    with pytest.raises(TypeError, match="how many elements"):
        len(kind(16))


@pytest.mark.row("HIPPY-LST-8")
def test_a_wrong_element_is_named():
    for kind, given in ((ListOfBytes, [b"a", 3]), (ListOfBytes, (b"a", "b")), (ListOfInt, [1, "2"]), (ListOfUnsigned, [1, 2.0]),
                        (ListOfUnsignedLong, [1, None]), (ListOfPointer, [1, "x"])):
        with pytest.raises(TypeError, match=f"{kind.__name__}: element 1"):
            kind(given)


# ---- the arguments of a launch

@pytest.mark.parametrize("kind", ["ListOfUnsignedLong", "ListOfPointer"])
def test_arrays_for_which_there_is_no_memory(kind):
    """A MemoryError, and the process goes on."""
    pytest.importorskip("resource", reason="no limits of memory on this system")
    python(f"""
import resource
from hetjit import types
given = [None if "{kind}" == "ListOfPointer" else 1] * (1 << 22)
types.{kind}(given[:9])
with open("/proc/self/statm") as file:
    size = int(file.read().split()[0]) * resource.getpagesize()
soft, hard = resource.getrlimit(resource.RLIMIT_AS)
resource.setrlimit(resource.RLIMIT_AS, (size + (40 << 20), hard))
try:
    types.{kind}(given)
except MemoryError:
    pass
else:
    raise AssertionError("there was memory")
resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
assert int(types.{kind}(given))
""")


class Float4(ctypes.Structure):
    _fields_ = [("lanes", ctypes.c_float * 4)]
    _align_ = 16


def packed(*arguments):
    pack = ArgumentPack(arguments)
    return ctypes.string_at(int(pack), pack.nbytes)


@pytest.mark.row("HIPPY-EXT-1")
def test_arguments_are_packed():
    pointer = Pointer(0x1122334455667788)
    found = packed(ctypes.c_float(1.23), ctypes.c_int(100), ctypes.c_short(5), ctypes.c_int(2), ctypes.c_float(5.6), pointer)
    assert len(found) == 32
    assert (found[:4], found[4:8], found[8:10], found[12:16], found[16:20], found[24:]) == (
        bytes(ctypes.c_float(1.23)), bytes(ctypes.c_int(100)), bytes(ctypes.c_short(5)), bytes(ctypes.c_int(2)), bytes(ctypes.c_float(5.6)),
        int(pointer).to_bytes(8, "little"))
    assert packed(DeviceArray(16), None, 5, Interface()) == b"".join(one.to_bytes(8, "little") for one in (16, 0, 5, 0x1000))
    assert packed() == b""
    for wrong in (1.5, "s"):
        with pytest.raises(TypeError, match="argument 1: "):
            ArgumentPack([ctypes.c_int(1), wrong])
    with pytest.raises(ValueError, match="4096"):
        ArgumentPack([(ctypes.c_char * 4097)()])
    with pytest.raises(ValueError, match="4096"):
        ArgumentPack([ctypes.c_int(1)] * 1025)


@pytest.mark.row("HIPPY-EXT-2")
def test_alignment_is_not_capped():
    assert ctypes.sizeof(Float4) == 16
    assert packed(ctypes.c_char(b"a"), Float4((1, 2, 3, 4)))[16:] == bytes(Float4((1, 2, 3, 4)))
    assert len(packed(ctypes.c_char(b"a"), ctypes.c_longdouble(1))) == 32

    class Wide(Float4):
        _align_ = 32
    assert len(packed(ctypes.c_char(b"a"), Wide())) == 48
    assert int(ArgumentPack([ctypes.c_int(1)])) % 64 == 0


@pytest.mark.row("HIPPY-EXT-2")
@needs_numpy
def test_numpys_numbers_are_values():
    assert packed(ctypes.c_char(b"a"), np.complex128(2j))[16:] == bytes(np.complex128(2j))
    assert packed(np.float32(1.5), np.int8(-1), np.float64(2), np.float16(1), np.True_) == (
        bytes(np.float32(1.5)) + b"\xff\0\0\0" + bytes(np.float64(2)) + bytes(np.float16(1)) + b"\1")
    with pytest.raises(TypeError, match="argument 0"):
        ArgumentPack([np.zeros(1, "i4,f4")[0]])


@pytest.mark.row("HIPPY-EXT-3")
def test_a_pack_may_be_an_address():
    assert int(ArgumentPack(None)) == 0 and int(ArgumentPack(16)) == 16
    memory = bytearray(8)
    pack = ArgumentPack(memory)
    assert int(pack) == int(Pointer(memory)) and is_held(memory)
    del pack
    assert not is_held(memory)
    pack = ArgumentPack([memory])
    assert is_held(memory)
    del pack
    assert not is_held(memory)
