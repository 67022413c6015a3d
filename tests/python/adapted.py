"""What the tests of hetjit.types share: functions of C (adapted.cpp) by way of ctypes, whose `argtypes` the adapters are, and objects
that have an address."""

import ctypes
import pathlib
import shutil
import subprocess

import pytest

from hetjit import types
from hetjit.types import (ArgumentPack, CStr, DeviceArray, ListOfBytes, ListOfInt, ListOfPointer, ListOfUnsigned, ListOfUnsignedLong,
                          Pointer, dim3)

try:
    import numpy as np
except ImportError:
    np = None

needs_numpy = pytest.mark.skipif(np is None, reason="NumPy is not installed for this Python")
LISTS = (ListOfBytes, ListOfPointer, ListOfInt, ListOfUnsigned, ListOfUnsignedLong)
ADAPTERS = (Pointer, DeviceArray, *LISTS, ArgumentPack, CStr, dim3, types.Record, types.FunctionPointer)


class Interface:
    """An array of another library: of 3 × 20 float32 at an address."""

    def __init__(self, address=0x1000, **more):
        self.__cuda_array_interface__ = {"data": (address, False), "shape": (3, 20), "typestr": "<f4", "version": 3, **more}


class P(ctypes.Structure):
    _fields_ = [("x", ctypes.c_int), ("y", ctypes.c_double)]


class Opaque(ctypes.Structure):
    pass


CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_void_p)
FUNCTIONS = {
    "address_of": (ctypes.c_size_t, ctypes.c_void_p), "increment": (None, ctypes.POINTER(ctypes.c_int)),
    "length": (ctypes.c_size_t, ctypes.c_char_p), "join": (None, ctypes.POINTER(ctypes.c_char_p), ctypes.c_int, ctypes.c_void_p),
    "sum_of_ints": (ctypes.c_long, ctypes.POINTER(ctypes.c_int), ctypes.c_int), "address_of_opaque": (ctypes.c_size_t, ctypes.POINTER(Opaque)),
    "value_of": (ctypes.c_double, ctypes.POINTER(P)), "move": (None, ctypes.POINTER(P), ctypes.c_double),
    "call": (ctypes.c_int, CALLBACK, ctypes.c_int), "twice": (ctypes.c_int, ctypes.c_int, ctypes.c_void_p)}


@pytest.fixture(scope="module")
def lib(tmp_path_factory):
    """The functions of adapted.cpp, with adapters as their `argtypes`."""
    compiler = next(filter(None, map(shutil.which, ("c++", "g++", "clang++"))), None)
    if compiler is None:
        pytest.skip("no C++ compiler is here")
    made = tmp_path_factory.mktemp("adapted") / "adapted.so"
    source = pathlib.Path(__file__).with_name("adapted.cpp")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", made, source], check=True)
    library = ctypes.CDLL(str(made))
    for name, (result, *arguments) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
        types.adapted(function)
    return library


def address_of(buffer):
    return ctypes.addressof(ctypes.c_char.from_buffer(buffer))


def ints(adapter, kind, count):
    return (kind * count).from_address(int(adapter))[:]


def is_held(memory):
    """Whether somebody has the buffer of a bytearray, which then cannot grow."""
    try:
        memory.append(0)
    except BufferError:
        return True
    memory.pop()
    return False
