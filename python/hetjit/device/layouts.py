"""How values lie in memory: `device.abi(T)`, `device.align(T, n)`, `device.numpy_dtype(T)`, `device.as_array(x, dtype=T)`."""

import operator

from hetjit import _core
from hetjit.device import types

__all__ = ["Aligned", "Layout", "abi", "align", "as_array", "numpy_dtype"]


class Layout(tuple):
    """(size, align, fields, cxx): bytes and alignment of a value, (name, offset, type) of its parts, and its spelling in
    C++ over `abi/interop.hpp`."""

    __slots__ = ()
    size = property(operator.itemgetter(0), doc="Bytes of a value, and from one in an array to the next.")
    align = property(operator.itemgetter(1), doc="Its address is a multiple of so many bytes.")
    fields = property(operator.itemgetter(2), doc="(name, offset in bytes, type) of each part, in their order; () of a number.")
    cxx = property(operator.itemgetter(3), doc="How C++ spells the type, over `abi/interop.hpp`.")

    def __repr__(self):
        return f"Layout(size={self.size}, align={self.align}, fields={self.fields})"


class _Aligned(_core.Type):
    """What align() gives: a type that makes what the plain one makes. HET-ALN-1"""

    __slots__ = ("plain",)

    def __call__(self, *args, **kwargs):
        return self.plain(*args, **kwargs)

    def __getitem__(self, axes):
        return types.array_type(self, axes)

    def __repr__(self):
        return f"device.{self.name}"

    def __reduce__(self):
        return align, (self.plain, self.align)


def align(t, n):
    """A type equivalent to `t` whose values in memory lie at multiples of `n` bytes, at least. Raises ValueError unless n is a power
    of two up to 4096. HET-ALN-1 to 3"""
    found = _Aligned(_core.aligned_type(_core.Type(t), n))
    found.plain = t
    return found


class Aligned:
    """`device.Aligned[T, n]` is `device.align(T, n)` where a type checker is to read it: a hint is no call to them."""

    def __class_getitem__(cls, key):
        return align(*key)


def abi(t):
    """The Layout of a type of device code, the same on every target: CUDA C++'s. Raises TypeError for what is none. HET-STR-14"""
    found = t if isinstance(t, _core.Type) else _core.Type(t)
    fields = tuple((name or str(i), offset, part) for i, (name, offset, part, _) in enumerate(found.fields))
    return Layout((found.size, found.align, fields, _cxx(found)))


_CXX_BUILTIN = {"bool": "bool"}


def _cxx(found):
    """The type in C++: a name, and for records the definition with a static_assert for each offset."""
    if found.kind in ("struct", "tuple") or found.kind == "aligned" and found.element.kind in ("struct", "tuple"):
        definitions = {}
        _define(found, definitions)
        return "\n\n".join(definitions.values())
    return spelling(found, {})


def spelling(found, definitions):
    """The type in C++; the definitions that its name needs are added, after those of their parts."""
    if found.kind == "none":
        return "void*"
    if found.kind == "scalar":
        return _CXX_BUILTIN.get(found.scalar, f"hetjit::{found.scalar}")
    if found.kind == "vector":
        return f"hetjit::{found.name}"
    if found.kind == "aligned":
        return spelling(found.element, definitions)
    if found.kind == "array":
        return f"hetjit::interoperable_array_descriptor<{spelling(found.element, definitions)}, {found.rank}>"
    return _define(found, definitions)


def _define(found, definitions):
    """Adds the definition of a tuple or struct, after those of its parts; its name."""
    if found.kind == "aligned":
        found = found.element
    parts = [(name or f"m{i}", offset, spelling(part, definitions), least)
             for i, (name, offset, part, least) in enumerate(found.fields)]
    name = found.name.replace("#", "_")  # of the second class of that name and those fields: Body#2
    name = name if found.kind == "struct" and name.isidentifier() else f"tuple{len(definitions)}"
    natural = max([1, *(max(part.align, least) for _, _, part, least in found.fields)])
    head = f"struct {f'alignas({found.align}) ' if found.align > natural else ''}{name} {{"
    lines = [head] + [f"  {f'alignas({least}) ' if least else ''}{type_} {part};" for part, _, type_, least in parts] + ["};"]
    lines.append(f'static_assert(sizeof({name}) == {found.size} && alignof({name}) == {found.align}, "");')
    lines += [f'static_assert(offsetof({name}, {part}) == {offset}, "");' for part, offset, _, _ in parts]
    definitions[found.text] = "\n".join(lines)
    return name


def numpy_dtype(t):
    """The NumPy dtype of arrays with elements of type `t`: `numpy.zeros(n, device.numpy_dtype(device.float32x3))`.

    Numbers have their own (of ml_dtypes where NumPy has none); vectors have fields x y z w, tuples f0 f1 …, structs theirs,
    placed as device code places them. A launch knows such arrays again. Raises TypeError for what is no type of device code, and for
    the type of an array. HET-ARR-12, HET-ARR-13
    """
    import numpy
    if isinstance(t, numpy.dtype):
        return t
    return _dtype(t if isinstance(t, _core.Type) else _core.Type(t))


def _dtype(found):
    import numpy
    if found.kind == "scalar":
        return numpy.dtype(types.scalar_type(found.scalar))
    if found.kind in ("none", "array", "pointer"):
        raise TypeError(f"NumPy has no arrays of {found.name}")
    if found.kind == "aligned" and found.element.kind == "scalar":
        parts = [("value", 0, found.element, 0)]
    else:
        parts = [(name or f"f{i}", *rest) for i, (name, *rest) in enumerate(found.fields)]
    return numpy.dtype({"names": [part[0] for part in parts], "formats": [_dtype(part[2]) for part in parts],
                        "offsets": [part[1] for part in parts], "itemsize": found.stride},
                       metadata={"hetjit": _core.Type(found)})


def why_unreadable(dtype):
    """Why device code has no type for elements of a NumPy dtype: the first part of it that is to blame."""
    return _unreadable_part(dtype, "") or "it has too many parts, or is nested too deeply"


def _unreadable_part(dtype, path):
    if dtype.subdtype:
        return _unreadable_part(dtype.subdtype[0], path)
    where = f"field '{path}'" if path else "an element"
    if dtype.names is None:
        return None if _core.element_of_dtype(dtype) else f"{where} is {dtype.name}" + ("" if dtype.isnative else ", not in native byte order")
    if not dtype.names:
        return f"{where} has no fields"
    end = 0
    for name in dtype.names:
        part, offset = dtype.fields[name][:2]
        inner = f"{path}.{name}" if path else name
        if blamed := _unreadable_part(part, inner):
            return blamed
        if offset < end:
            return f"field '{inner}' begins at byte {offset}, before the end of the one that is named before it"
        end = offset + part.itemsize
    return None


def as_array(x, dtype):
    """A view of an array of the CPU with elements of type `dtype`: of bytes, or of a structured dtype of the same size.
    The last axis is counted anew. HET-ARR-13, AMB-20"""
    import numpy
    wanted = numpy_dtype(dtype)
    array = numpy.asarray(x)
    if array.dtype.itemsize != wanted.itemsize and array.dtype.itemsize != 1:
        raise ValueError(f"elements of {array.dtype.itemsize} bytes cannot be seen as {wanted.itemsize}-byte elements: pass "
                         "an array of bytes, or of elements of that size")
    if array.dtype.hasobject:
        raise TypeError("an array of Python objects has no layout that device code could read")
    return array.view(wanted)
