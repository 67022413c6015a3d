"""hetjit.types, given what nobody should: objects that raise, that lie about what they are, and that change or end what is being read."""

import array
import copy
import ctypes
import gc
import pickle
import random
import sys
import threading

import pytest

from adapted import Interface, LISTS, P, is_held, needs_numpy, np
from hetjit import _core, types
from hetjit.types import ArgumentPack, CStr, DeviceArray, ListOfInt, ListOfPointer, Pointer, dim3


class Needs(Exception):
    """Which a text alone does not make."""

    def __init__(self, first, second):
        super().__init__(first, second)


RAISED = [KeyError("k"), UnicodeDecodeError("utf-8", b"x", 0, 1, "why"), Needs(1, 2), KeyboardInterrupt(), SystemExit(3), OSError(2, "no"),
          StopIteration(4), ZeroDivisionError("z"), MemoryError(), RecursionError("deep"), ExceptionGroup("all", [ValueError(1)])]


class Raises:
    """Whatever is asked of it."""

    def __init__(self, error):
        self.error = error

    def __index__(self):
        raise self.error

    __int__ = __index__

    def __dlpack__(self, **_):
        raise self.error


class RaisesInterface(Raises):
    @property
    def __cuda_array_interface__(self):
        raise self.error


@pytest.mark.row("HIPPY-LST-8")
@pytest.mark.parametrize("error", RAISED, ids=lambda each: type(each).__name__)
def test_what_an_element_raises_comes_out_as_it_is(error):
    """With a note of where it was. Of the texts of our own errors the place is the beginning."""
    for make, place in ((lambda: ListOfInt([1, Raises(error)]), "ListOfInt: element 1"), (lambda: ListOfPointer([1, Raises(error)]), "ListOfPointer: element 1"),
                        (lambda: ArgumentPack([1, RaisesInterface(error)]), "argument 1"), (lambda: ListOfPointer([RaisesInterface(error)]), "element 0")):
        with pytest.raises(type(error)) as raised:
            make()
        assert raised.value is error and place in error.__notes__[-1]
    for one in (Raises, RaisesInterface):
        with pytest.raises(type(error)) as raised:
            Pointer(one(error))
        assert raised.value is error


def test_an_interface_that_lacks_something():
    """Or has something else in its place: as of `data`, a ValueError or a TypeError."""
    whole = {"data": (16, False), "shape": (3,), "typestr": "<f4"}
    assert DeviceArray(Interface()).shape == (3, 20)
    for change, error in (({"shape": ...}, ValueError), ({"typestr": ...}, ValueError), ({"shape": 3.5}, TypeError), ({"shape": (-1,)}, ValueError),
                          ({"shape": (1 << 40, 1 << 40)}, ValueError), ({"shape": (0, 1 << 70)}, ValueError), ({"typestr": 5}, TypeError),
                          ({"strides": 5}, TypeError), ({"stream": "x"}, TypeError), ({"stream": 0}, ValueError), ({"stream": 1.5}, TypeError)):
        wrong = type("Wrong", (), {})()
        wrong.__cuda_array_interface__ = {key: value for key, value in {**whole, **change}.items() if value is not ...}
        with pytest.raises(error):
            DeviceArray(wrong)


def test_elements_have_a_number_of_bytes():
    for wrong, error in ((-4, ValueError), (0, ValueError), (1.5, TypeError), ("4", TypeError), (1 << 70, ValueError)):
        for shape in (None, 10):
            d = DeviceArray(bytearray(240))
            with pytest.raises(error):
                d.configure(shape=shape, itemsize=wrong, _force=True)
            assert (d.itemsize, d.nbytes, d.shape) == (1, 240, None)


def test_configure_does_all_or_nothing():
    class NoBool:
        def __bool__(self):
            raise ZeroDivisionError
    d = DeviceArray(bytearray(240)).configure(shape=60, typestr="int32")
    for more, error in (({"read_only": NoBool()}, ZeroDivisionError), ({"stream": "x"}, TypeError)):
        with pytest.raises(error):
            d.configure(shape=7, _force=True, **more)
        assert (d.shape, d.nbytes, d.read_only, d.stream) == ((60,), 240, False, None)


def test_buffers_of_any_shape():
    """More axes than a memoryview has; extents whose product no number holds, beside one of 0."""
    d = DeviceArray(bytearray(1)).configure(shape=(1,) * 70)
    with pytest.raises(ValueError, match="dimensions"):
        memoryview(d)
    assert d.configure(shape=1).shape == (1,)  # nobody has a buffer of it
    assert memoryview(DeviceArray(bytearray(240)).configure(shape=(0, 2**62, 2**62), _force=True)).nbytes == 0


@pytest.mark.row("HIPPY-DA-10")
def test_a_buffer_holds_all_that_it_is_made_of():
    """Whether or not they have a shape, and whatever they are made into meanwhile."""
    for kind in (Pointer, DeviceArray, ListOfInt, ArgumentPack):
        memory = bytearray(64)
        first = kind(memory)
        view = memoryview(DeviceArray(first).configure(shape=64, typestr="uint8"))
        with pytest.raises(RuntimeError, match="is in use"):
            first.__init__(None)
        if kind is DeviceArray:
            with pytest.raises(RuntimeError, match="is in use"):
                first.configure(shape=64)
        view[3] = 7
        assert memory[3] == 7 and is_held(memory)
        view.release()
        first.__init__(None)
        gc.collect()
        assert not is_held(memory) and int(first) == 0


def test_a_cycle_with_a_buffer_ends():
    memory = bytearray(64)

    class Mine(DeviceArray):
        pass
    outer = DeviceArray(memory)
    inner = Mine(outer)
    inner.configure(shape=64)
    inner.view = memoryview(inner)
    del inner
    gc.collect()
    outer.configure(shape=64)  # not in use any more
    del outer
    gc.collect()
    assert not is_held(memory)


def test_classes_that_make_something_else():
    """Where `__new__` gives no adapter, parts are adapters all the same: small ints of Python's are not written over."""
    class Evil(DeviceArray):
        def __new__(cls, *_):
            return 5
    array = DeviceArray.__new__(Evil)
    DeviceArray.__init__(array, bytearray(64))
    part = array.configure(shape=64)[3:]
    assert type(part) is Evil and int(part) - int(array) == 3 and part.shape == (61,)


@pytest.mark.row("HIPPY-GEN-3")
def test_a_record_of_any_pointer():
    """A Pointer is asked last, but what has a buffer only in principle is a Pointer still."""
    record, memory = types.record(P), bytearray(bytes(P(3, 4.5)))
    for kind in (Pointer, DeviceArray, ListOfInt, ArgumentPack):
        assert int(record.from_object(kind(0x1000))) == 0x1000 and record.from_object(kind(memory)).y == 4.5
    assert int(record.from_object(DeviceArray(Interface()))) == 0x1000 == int(record.from_object(DeviceArray(Interface(strides=None))))


def test_what_may_only_be_read_is_not_written():
    text = bytes(P(3, 4.5))
    for source in (text, Pointer(text), memoryview(text), DeviceArray(bytearray(text)).configure(shape=16, read_only=True)):
        there = types.record(P).from_object(source)
        assert (there.x, there.y) == (3, 4.5) and Pointer(source).read_only and there.read_only
        with pytest.raises(BufferError, match="may only be read"):
            there.x = 77
        assert there.x == 3
    assert text == bytes(P(3, 4.5))
    assert not Pointer(bytearray(8)).read_only and not Pointer(16).read_only and not dim3(1).read_only

    class Outer(ctypes.Structure):
        _fields_ = [("inner", P)]
    types.record(Outer).from_object(text).inner.x = 77  # of a copy
    assert text == bytes(P(3, 4.5))


def test_fields_that_are_called_as_what_adapters_have():
    class Sized(ctypes.Structure):
        _fields_ = [("nbytes", ctypes.c_int), ("read_only", ctypes.c_int), ("shape", ctypes.c_int)]
    sized = types.record(Sized)
    for there in (sized(1, 2, 3), sized.from_object(bytearray(bytes(Sized(1, 2, 3))))):
        assert (there.nbytes, there.read_only, there.shape) == (1, 2, 3)
        there.nbytes = 8
        assert there.nbytes == 8
    with pytest.raises(ValueError, match="has 12 bytes, and 4 are there"):
        sized.from_object(bytearray(4)).shape


def test_a_record_that_is_not_there_can_be_shown():
    """What nobody knows to be memory is not looked at."""
    record, memory = types.record(P), bytearray(bytes(P(3, 4.5)))
    assert repr(record.from_object(memory)) == "P(x=3, y=4.5)" == repr(record(3, 4.5)) == repr(record.from_object(Pointer(memory)))
    for there in (0x10, Interface(), Pointer(0x10), bytearray(8), ctypes.c_void_p(0x10)):
        assert repr(record.from_object(there)).startswith("<P 0x")
    assert repr(record.from_object(None)) == "<P NULL>"


def test_classes_without_fields_or_a_type():
    for wrong in (lambda: types.Record(), lambda: types.Record(1), lambda: types.Record(x=1)):
        with pytest.raises(TypeError, match="record"):
            wrong()
    assert repr(types.Record.from_object(0x10)) == "<Record 0x10>"
    with pytest.raises(TypeError, match="function_pointer"):
        types.FunctionPointer(lambda: 0)
    with pytest.raises(TypeError, match="function_pointer"):
        types.FunctionPointer(0x10)()


class Index:
    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


@needs_numpy
def test_numbers_of_any_kind_fit_their_field_or_are_refused():
    """ctypes takes what does not fit, and cuts it off."""
    assert [dim3(one).x for one in (3, np.int8(3), np.uint64(3), Index(3), True)] == [3, 3, 3, 3, 1]
    for wrong in (2**32, -1, np.int64(2**33), np.int32(-3), Index(2**40), Index(-1)):
        with pytest.raises(OverflowError, match="does not fit the field 'x'"):
            dim3(wrong)
        one = types.record(P)(1)
        if abs(int(wrong if not isinstance(wrong, Index) else wrong.value)) > 2**31:
            with pytest.raises(OverflowError, match="does not fit the field 'x'"):
                one.x = wrong
    for wrong in (1.5, "1", None):
        with pytest.raises(TypeError):
            dim3(wrong)


def test_nothing_is_copied_or_pickled_to_an_address_of_nothing():
    for one in (Pointer(bytearray(8)), DeviceArray(bytearray(8)), ListOfInt([1]), dim3(4), CStr("text"), ArgumentPack([1])):
        for make in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match="cannot pickle"):
                make(one)


def test_buffers_that_have_gone():
    view = memoryview(bytearray(8))
    view.release()
    for make in (Pointer, DeviceArray, lambda it: ListOfPointer([1, it]), lambda it: ArgumentPack([it]), types.record(P).from_object):
        with pytest.raises(ValueError, match="released"):
            make(view)


@pytest.mark.parametrize("kind", [*LISTS[1:], ArgumentPack])
def test_lists_that_change_while_they_are_read(kind):
    """By an element, which takes the others away or has the adapter read something else meanwhile."""
    class Clears:
        def __index__(self):
            given.clear()
            gc.collect()
            return 7
        __cuda_array_interface__ = property(lambda self: {"data": (self.__index__(), False)})
    given = [Clears(), *([1] * 5)]
    made = kind(given)
    assert made.nbytes >= 24 and ctypes.c_uint.from_address(int(made)).value == 7

    class Again(Clears):
        def __index__(self):
            made.__init__([9] * 100)
            return 5
    made.__init__([Again(), 2])
    assert ctypes.c_uint.from_address(int(made)).value == 5


def test_lists_in_lists():
    itself = []
    itself.append(itself)
    for kind in (*LISTS, ArgumentPack):
        for wrong in ([[1]], [(1,)], itself, [[]]):
            with pytest.raises(TypeError, match="0"):
                kind(wrong)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="classes with __buffer__ are there from 3.12 on")
def test_buffers_made_in_python(monkeypatch):
    told = []
    monkeypatch.setattr(sys, "unraisablehook", lambda one: told.append(one.exc_type))

    class Made:
        def __buffer__(self, _):
            return memoryview(bytearray(8))

        def __release_buffer__(self, _):
            told.append(sys.exc_info()[0])
            raise ZeroDivisionError
    assert int(Pointer(Made()))
    with pytest.raises(TypeError, match="element 1: a str"):
        ListOfPointer([Made(), "s"])
    assert told == [None, ZeroDivisionError] * 2
    for wrong, error in ((lambda self, _: 5, TypeError), (lambda self, _: 1 / 0, ZeroDivisionError)):
        with pytest.raises(error):
            Pointer(type("Wrong", (), {"__buffer__": wrong})())


def anything(draw):
    """An object that is memory, an address, neither, or pretends."""
    numbers = [0, 1, -1, 2**31, 2**32, 2**63, 2**64 - 1, 2**64, -2**70, True, 1.5, 1j, None, "text", b"bytes", bytearray(9), array.array("i", [1, 2]), [], (),
               {}, object(), type, ..., memoryview(b"abc")[::-1], ctypes.c_int(3), ctypes.c_void_p(7), ctypes.c_char_p(b"x"), ctypes.c_float(1), P(1, 2),
               ctypes.py_object([]), (ctypes.c_int * 3)(), Interface(), Raises(KeyError(1)), RaisesInterface(ValueError(1)), Pointer(bytearray(4)),
               DeviceArray(bytearray(4)), dim3(2), CStr("t"), ListOfInt([1])]
    if np is not None:
        numbers += [np.int8(-1), np.uint64(2**64 - 1), np.float32(1), np.True_, np.str_("s"), np.datetime64(1, "s"), np.zeros(3), np.zeros((2, 3)).T,
                    np.array([None]), np.ma.masked, np.longdouble(1), np.empty((0, 3))[:, ::2]]
    one = draw.choice(numbers)
    return [anything(draw) for _ in range(draw.randrange(4))] if isinstance(one, list) and draw.random() < 0.9 else one


def test_whatever_is_given_is_taken_or_refused():
    """Nothing crashes, and what is refused is so with an exception that says something about the value."""
    draw = random.Random(19)
    refused, kinds = 0, (Pointer, DeviceArray, *LISTS, ArgumentPack, CStr, dim3, types.record(P), types.record(P).from_object, _core.RecordPointer, _core.CodePointer)
    for _ in range(6000):
        kind, given = draw.choice(kinds), anything(draw)
        given = [given, anything(draw)] if kind in (*LISTS, ArgumentPack) and draw.random() < 0.5 else given
        try:
            made = kind(given)
        except (TypeError, ValueError, OverflowError, BufferError, KeyError) as error:
            assert str(error), (kind, given)
            refused += 1
        else:
            assert isinstance(made, Pointer) and 0 <= int(made) < 2**64 and (made.nbytes is None or made.nbytes >= 0) and repr(made)
    assert 1000 < refused < 5500


def test_one_adapter_read_by_many_threads():
    """Each sees the old memory or the new one, whole."""
    memories, wrong = [bytearray(64) for _ in range(4)], []
    addresses = {int(Pointer(memory)) for memory in memories}
    shared = DeviceArray(memories[0])

    def work(number):
        for turn in range(2000):
            shared.__init__(memories[(number + turn) % 4])
            if int(shared) not in addresses or Pointer(shared).nbytes != 64:
                wrong.append(int(shared))
    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    shared.__init__(None)
    gc.collect()
    assert not wrong and not any(map(is_held, memories))
