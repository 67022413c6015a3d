"""hetjit.types: what objects mean as an address, and who keeps the memory."""

import array
import ctypes
import gc
import sys
import threading
import weakref

import pytest

from adapted import ADAPTERS, CALLBACK, Interface, Opaque, address_of, is_held, lib, needs_numpy, np
from hetjit import types
from hetjit.types import ArgumentPack, CStr, DeviceArray, ListOfBytes, ListOfInt, ListOfPointer, Pointer, dim3


@pytest.mark.row("HIPPY-PTR-2")
def test_none_is_null():
    assert int(Pointer(None)) == int(Pointer()) == 0 and not Pointer(None)


@pytest.mark.row("HIPPY-PTR-3")
def test_a_pointer_is_copied_and_its_buffer_stays_its_own():
    memory = bytearray(8)
    p = Pointer(memory)
    q = Pointer(p)
    assert int(p) == int(q) == int(Pointer(int(p)))
    del q
    assert is_held(memory)
    del p
    assert not is_held(memory)


def test_what_was_made_of_a_pointer_keeps_the_memory():
    memory = bytearray(8)
    q = Pointer(Pointer(memory))  # nobody else has the first one
    gc.collect()
    assert is_held(memory) and int(q)
    del q
    assert not is_held(memory)


@pytest.mark.row("HIPPY-PTR-4")
def test_an_int_is_an_address():
    assert int(Pointer(0xdeadbeef)) == 0xdeadbeef and int(Pointer(2**64 - 1)) == 2**64 - 1
    for wrong in (2**64, -1, 1 << 100):
        with pytest.raises(OverflowError, match=str(wrong)):
            Pointer(wrong)


@pytest.mark.row("HIPPY-PTR-5")
def test_a_void_pointer_is_its_value():
    assert int(Pointer(ctypes.c_void_p(16))) == 16
    assert int(Pointer(ctypes.c_void_p())) == 0


@pytest.mark.row("HIPPY-PTR-6")
def test_an_interface_is_its_data():
    assert int(Pointer(Interface())) == 0x1000
    for interface, error in (({}, ValueError), ({"data": None}, ValueError), ({"data": (1,)}, ValueError), ({"data": ("x", False)}, TypeError),
                             ({"data": (2**64, False)}, OverflowError), (3, TypeError)):
        wrong = Interface()
        wrong.__cuda_array_interface__ = interface
        with pytest.raises(error):
            Pointer(wrong)


def test_what_an_interface_raises_comes_out():
    class Raises:
        @property
        def __cuda_array_interface__(self):
            raise ZeroDivisionError
    with pytest.raises(ZeroDivisionError):
        Pointer(Raises())


@pytest.mark.row("HIPPY-PTR-7")
def test_a_buffer_is_held_until_the_end():
    numbers = array.array("i", [1, 2, 3])
    assert int(Pointer(numbers)) == numbers.buffer_info()[0]
    memory = bytearray(8)
    p = Pointer(memory)
    assert p.nbytes == 8 and is_held(memory)
    del p
    assert not is_held(memory)


@pytest.mark.row("HIPPY-PTR-7")
@needs_numpy
def test_only_contiguous_memory_is_taken():
    for spread in (memoryview(np.arange(6)[::2]), np.arange(6)[::2], np.zeros((2, 3)).T):
        with pytest.raises((BufferError, ValueError)):
            Pointer(spread)
    assert int(Pointer(np.arange(6))) and int(Pointer(np.zeros(())))


def test_a_buffer_is_let_go_once_when_another_is_read():
    first, second = bytearray(8), bytearray(8)
    p = Pointer(first)
    p.__init__(second)
    assert not is_held(first) and is_held(second)
    with pytest.raises(TypeError):
        p.__init__("s")
    assert is_held(second) and int(p) == int(Pointer(second))  # as if nothing had been asked
    p.__init__(p)
    del p
    gc.collect()
    assert not is_held(second)


@pytest.mark.row("HIPPY-PTR-8")
def test_the_order_of_what_an_object_is():
    class Both(bytearray):
        __cuda_array_interface__ = {"data": (0x1000, False)}
    memory = Both(8)
    assert int(Pointer(memory)) == 0x1000
    p = Pointer(memory)
    assert not is_held(memory) and p

    class Number(int):
        __cuda_array_interface__ = {"data": (0x1000, False)}
    assert int(Pointer(Number(7))) == 7

    class Mine(Pointer):
        __cuda_array_interface__ = {"data": (0x1000, False)}
    assert int(Pointer(Mine(9))) == 9
    value = ctypes.c_void_p(16)
    assert int(Pointer(value)) == 16 != ctypes.addressof(value)


@needs_numpy
def test_tensors_of_the_host():
    """Of a library that has neither buffers nor the interface."""
    import producers
    for dtype in (np.float32, np.int64, np.complex64):
        tensor = producers.Producer(np.arange(6, dtype=dtype).reshape(2, 3), old=True)
        pointer = Pointer(tensor)
        assert int(pointer) == tensor.array.ctypes.data and pointer.nbytes == tensor.array.nbytes

    class Tensor:
        def __init__(self):
            self.array = np.arange(6.0)

        def __dlpack__(self):
            return self.array.__dlpack__()
    tensor = Tensor()
    before = sys.getrefcount(tensor.array)
    kept = Pointer(tensor)
    held = sys.getrefcount(tensor.array)
    del kept
    assert (held, sys.getrefcount(tensor.array)) == (before + 1, before)
    spread = producers.Producer(np.arange(6)[::2], old=True)
    with pytest.raises(ValueError, match="do not follow one another"):
        Pointer(spread)

    class Wrong:
        def __dlpack__(self):
            return 3
    with pytest.raises(TypeError, match="not a capsule"):
        Pointer(Wrong())


@pytest.mark.row("HIPPY-PTR-9")
def test_anything_else_is_a_type_error():
    for wrong in ("s", 1.5, 1j, [1], (1,), object(), {}, Pointer, lambda: 0):
        with pytest.raises(TypeError, match="is not an address"):
            Pointer(wrong)
    for more in ((1, 2), (1, 2, 3)):
        with pytest.raises(TypeError):
            Pointer(*more)
    with pytest.raises(TypeError, match="given by position"):
        Pointer(source=1)


def test_variables_that_hold_an_address_are_not_taken_for_it():
    number = ctypes.c_int(3)
    for wrong in (ctypes.pointer(number), ctypes.c_char_p(b"text"), ctypes.c_wchar_p("text"), CALLBACK(lambda a, b: 0), ctypes.py_object([])):
        with pytest.raises(TypeError, match="holds an address: ctypes.cast"):
            Pointer(wrong)
    assert int(Pointer(ctypes.cast(ctypes.pointer(number), ctypes.c_void_p))) == int(Pointer(number)) == ctypes.addressof(number)


@needs_numpy
def test_numpy_integers_are_ints_and_other_scalars_no_memory():
    assert int(Pointer(np.int64(0x1000))) == int(Pointer(np.uint8(0x10))) << 8
    for wrong in (np.float32(1), np.complex64(1), np.zeros(1, "i4,f4")[0]):
        with pytest.raises(TypeError):
            Pointer(wrong)


@pytest.mark.row("HIPPY-PTR-1")
def test_a_void_parameter_takes_all_that_a_pointer_does(lib):
    memory = bytearray(8)
    for given, address in ((None, 0), (Pointer(memory), int(Pointer(memory))), (0x1234, 0x1234), (ctypes.c_void_p(16), 16),
                           (Interface(), 0x1000), (memory, address_of(memory))):
        assert lib.address_of(given) == address
    with pytest.raises(ctypes.ArgumentError, match="is not an address"):
        lib.address_of("s")


@pytest.mark.row("HIPPY-PTR-10")
def test_a_number_that_c_changes(lib):
    number = ctypes.c_int(3)
    lib.increment(ctypes.addressof(number))
    lib.increment(number)
    assert number.value == 5


@pytest.mark.row("HIPPY-PTR-11")
def test_texts_have_an_adapter_of_their_own(lib):
    assert [lib.length(text) for text in ("abc", b"abcd", "é", "", None, ctypes.c_char_p(b"ab"), ctypes.c_char_p())] == [3, 4, 2, 0, 0, 2, 0]
    for wrong in ([97, 98], (1,), bytearray(b"abc"), 1.5):
        with pytest.raises(ctypes.ArgumentError):
            lib.length(wrong)
    with pytest.raises(ValueError, match="first NUL"):
        CStr("a\0b")
    with pytest.raises(TypeError):
        Pointer("abc")


@pytest.mark.row("HIPPY-PTR-12")
def test_pointers_to_what_nobody_knows_are_pointers(lib):
    assert types.adapter_of(ctypes.POINTER(Opaque)) is Pointer is types.adapter_of(ctypes.POINTER(ctypes.POINTER(Opaque)))
    memory = bytearray(8)
    assert lib.address_of_opaque(memory) == address_of(memory)
    assert lib.address_of_opaque(None) == 0


# ---- what all have

@pytest.mark.row("HIPPY-PROP-1")
def test_all_are_pointers():
    assert all(issubclass(adapter, Pointer) for adapter in ADAPTERS)
    assert all(issubclass(getattr(types, name), Pointer) for name in types.__all__ if isinstance(getattr(types, name), type))


@pytest.mark.row("HIPPY-PROP-2")
def test_any_is_taken_for_any(lib):
    numbers = array.array("i", [1, 2, 3])
    for given in (Pointer(numbers), DeviceArray(numbers), ListOfPointer(numbers), ListOfInt([1, 2, 3]), types.Record.from_object(numbers)):
        assert lib.sum_of_ints(given, 3) == 6
        assert lib.address_of(given) == int(given)
    assert lib.call(Pointer(ctypes.cast(lib.twice, ctypes.c_void_p)), 2) == 4


@pytest.mark.row("HIPPY-PROP-4")
@pytest.mark.row("HIPPY-PROP-7")
def test_adapters_of_ones_own(lib):
    class Squares(Pointer):
        """An array that it makes itself."""

        def __init__(self, count):
            self.made = (ctypes.c_int * count)(*(i * i for i in range(count)))
            super().__init__(self.made)
    assert lib.sum_of_ints(Squares(4), 4) == 14
    assert lib.address_of(Squares(4)) != 0
    kept = Pointer(Squares(1000))
    gc.collect()
    assert lib.sum_of_ints(kept, 1000) == sum(i * i for i in range(1000))

    class Silent(Pointer):
        def __init__(self, *anything, **more):
            pass
    assert int(Silent(1, 2, x=3)) == 0
    for adapter in ADAPTERS:
        mine = type("Mine", (adapter,), {"note": 7})
        made = mine.from_object(0x10) if issubclass(adapter, types.Record) else mine(0x10)
        assert int(made) == 0x10 and made.note == 7 and isinstance(made, adapter)
        assert lib.address_of(made) == 0x10


@pytest.mark.row("HIPPY-PROP-5")
@pytest.mark.row("HIPPY-PROP-6")
def test_int_is_the_address(lib):
    for adapter in ADAPTERS:
        made = adapter.from_object(0x1230) if issubclass(adapter, types.Record) else adapter(0x1230)
        assert int(made) == 0x1230 == lib.address_of(made) == lib.address_of(int(made)) and bool(made)
        assert made.as_c_void_p().value == 0x1230


def test_cycles_end():
    class Keeps(bytearray):
        pass
    memory = Keeps(8)
    ended = weakref.ref(memory)
    memory.pointer = Pointer(memory)
    memory.list = ListOfPointer([memory, Interface()])
    memory.pack = ArgumentPack([memory])
    del memory
    gc.collect()
    assert ended() is None


def test_many_threads_read_the_same(lib):
    memory, numbers, wrong = bytearray(64), list(range(50)), []

    def work():
        for _ in range(300):
            kept = Pointer(memory), ListOfInt(numbers), ListOfPointer([memory, None])
            if int(kept[0]) != int(DeviceArray(memory)) or lib.sum_of_ints(kept[1], 50) != 1225:
                wrong.append(kept)
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and not is_held(memory)


def test_nothing_grows():
    """What is made and ends leaves nothing behind."""
    resource = pytest.importorskip("resource", reason="no counts of memory on this system")

    def work():
        for _ in range(2000):
            for made in (Pointer(bytearray(64)), ListOfBytes([b"abc"] * 8), ListOfPointer([bytearray(8)] * 8), ArgumentPack([ctypes.c_int(1)]),
                         dim3(1, 2), CStr("text"), DeviceArray(bytearray(64)).configure(shape=64)[3:]):
                int(made)
            with pytest.raises(TypeError):
                ListOfPointer([bytearray(8), "s"])
    work()
    gc.collect()
    before = len(gc.get_objects()), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(3):
        work()
    gc.collect()
    after = len(gc.get_objects()), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert after[0] - before[0] < 50 and after[1] - before[1] < 4 << 10, (before, after)
