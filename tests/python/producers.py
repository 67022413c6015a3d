"""Array producers for tests, made with ctypes: DLPack capsules of both kinds, the C exchange API, and the CUDA Array
Interface. Each counts what the consumer must do exactly once."""

import collections
import ctypes
import sys
import types

CPU, CUDA, CUDA_HOST = 1, 2, 3
INT, UINT, FLOAT, BFLOAT, COMPLEX, BOOL = 0, 1, 2, 4, 5, 6


class Device(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int32), ("number", ctypes.c_int32)]


class Dtype(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", Device), ("ndim", ctypes.c_int32), ("dtype", Dtype),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


class Version(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32)]


class Managed(ctypes.Structure):
    pass


class Versioned(ctypes.Structure):
    pass


DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
Managed._fields_ = [("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", DELETER)]
Versioned._fields_ = [("version", Version), ("context", ctypes.c_void_p), ("deleter", DELETER),
                      ("flags", ctypes.c_uint64), ("tensor", Tensor)]

new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
capsule_name = ctypes.pythonapi.PyCapsule_GetName
capsule_name.restype, capsule_name.argtypes = ctypes.c_char_p, [ctypes.py_object]


class Producer:
    """An array of NumPy's under another library's name."""

    def __init__(self, array, *, device=(CPU, 0), strides=True, byte_offset=0, flags=0, version=(1, 0), dtype=None,
                 old=False):
        self.array, self.device, self.old = array, device, old
        self.deleted = 0
        self.asked = []
        kinds = {"i": INT, "u": UINT, "f": FLOAT, "c": COMPLEX, "b": BOOL}
        code = dtype or (kinds[array.dtype.kind], 8 * array.itemsize, 1)
        self.shape = (ctypes.c_int64 * array.ndim)(*array.shape)
        self.strides = (ctypes.c_int64 * array.ndim)(*(s // array.itemsize for s in array.strides))
        self.tensor = Tensor(array.ctypes.data - byte_offset, Device(*device), array.ndim, Dtype(*code), self.shape,
                             self.strides if strides else None, byte_offset)
        self.deleter = DELETER(self.delete)
        self.managed = (Managed(self.tensor, None, self.deleter) if old else
                        Versioned(Version(*version), None, self.deleter, flags, self.tensor))
        self.capsule = None

    def delete(self, pointer):
        assert pointer == ctypes.addressof(self.managed)
        self.deleted += 1

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **options):
        if self.old and "max_version" in options:
            raise TypeError("unexpected keyword argument 'max_version'")
        self.asked.append(options)
        name = b"dltensor" if self.old else b"dltensor_versioned"
        self.capsule = new_capsule(ctypes.addressof(self.managed), name, None)
        return self.capsule


FROM_OBJECT = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(ctypes.c_void_p))
BORROW = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(Tensor))
STREAM = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))


class Table(ctypes.Structure):
    _fields_ = [("version", Version), ("previous", ctypes.c_void_p), ("allocate", ctypes.c_void_p),
                ("from_object", FROM_OBJECT), ("to_object", ctypes.c_void_p), ("borrow", BORROW), ("stream", STREAM)]


def exchange_class(*, borrows=True, version=(1, 3), refuses=None):
    """A Producer class that offers the C functions; `calls` lists which were called. `refuses`: they fail, with this
    exception, or without one where it is `...`."""
    calls = []

    def raises(producer):
        raise refuses

    def from_object(producer, out):
        calls.append("from_object")
        if refuses:
            return -1
        out[0] = ctypes.addressof(producer.managed)
        return 0

    def borrow(producer, out):
        calls.append("borrow")
        if refuses:
            return -1
        out[0] = producer.tensor
        return 0

    def stream(kind, number, out):
        calls.append("stream")
        out[0] = None
        return 0

    # A callback of ctypes cannot leave an exception; bool() of an object can.
    fails = isinstance(refuses, BaseException)
    lends = BORROW(("PyObject_IsTrue", ctypes.pythonapi)) if fails else BORROW(borrow) if borrows else BORROW()
    table = Table(Version(*version), None, None, FROM_OBJECT(from_object), None, lends, STREAM(stream))
    capsule = new_capsule(ctypes.addressof(table), b"dlpack_exchange_api", None)
    return type("Exchange", (Producer,), {"__dlpack_c_exchange_api__": capsule, "table": table, "calls": calls,
                                          **({"__bool__": raises} if fails else {})})


class CudaArray:
    """Says that the array's memory is a GPU's. For the null device, which touches nothing."""

    def __init__(self, array, **changes):
        self.array = array
        self.__cuda_array_interface__ = {"shape": array.shape, "typestr": array.dtype.str,
                                         "data": (array.ctypes.data, False), "strides": None, "version": 3, **changes}


class Lending(types.ModuleType):
    """A library of tensors with gradients, as PyTorch is one: lending.autograd.graph.increment_version, is_grad_enabled()."""

    def __init__(self):
        super().__init__("lending")
        self.autograd, self.graph = types.ModuleType("lending.autograd"), types.ModuleType("lending.autograd.graph")
        self.autograd.graph = self.graph
        self.graph.increment_version = self.increment_version
        self.grad_enabled = True
        self.asked = collections.Counter()
        sys.modules.update({"lending": self, "lending.autograd": self.autograd, "lending.autograd.graph": self.graph})

    def is_grad_enabled(self):
        return self.grad_enabled

    def increment_version(self, tensors):
        self.asked["increment_version"] += 1
        for tensor in tensors:
            tensor.version += 1

    def tensor_class(self, base):
        """Tensors over `base`: exchange_class() or Producer."""
        asked = self.asked

        class Tensor(base):
            __module__ = "lending"
            requires_grad = False  # defined here, as PyTorch's TensorBase defines it

            def __init__(self, array, *, conj=False, neg=False, requires_grad=False, is_leaf=True, base=None, **options):
                super().__init__(array, **options)
                self.conj, self.neg, self.requires_grad, self.is_leaf, self._base = conj, neg, requires_grad, is_leaf, base
                self.version = 0

            def is_conj(self):
                asked["is_conj"] += 1
                return self.conj

            def is_neg(self):
                asked["is_neg"] += 1
                return self.neg
        return Tensor


lending = Lending()
