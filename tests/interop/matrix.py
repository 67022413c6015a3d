"""Types that travel between Python and C++, as hetjit has them, with C++ that takes them apart leaf by leaf: every byte of every leaf
is looked at, so one that is swapped, shifted or left behind shows."""

import random

import numpy as np

from hetjit import device

NUMBERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"]
SMALL_FLOATS = ["float16", "bfloat16", "float8e4m3", "float8e5m2"]
SCALARS = [bool] + [getattr(device, name) for name in [*NUMBERS, "complex64", "complex128", *SMALL_FLOATS]]
VECTORS = [getattr(device, f"{name}x{n}") for name in [*NUMBERS, *SMALL_FLOATS] for n in (1, 2, 3, 4)]


def _struct(number, parts):
    return device.struct(type(f"Record{number}", (), {"__annotations__": dict(parts), "__module__": __name__}))


def records(count, seed):
    """Structs and tuples of one to five parts, that may be records themselves."""
    draw, made = random.Random(seed), []
    for number in range(count):
        parts = [draw.choice(SCALARS + VECTORS + made[-4:]) for _ in range(draw.randint(1, 5))]
        made.append(tuple[tuple(parts)] if number % 3 == 0 else _struct(number, [(f"f{i}", part) for i, part in enumerate(parts)]))
    return made


SOURCE = """
#include "hetjit/interop.hpp"

struct reader {
  unsigned long long hash = 0xCBF29CE484222325ull;
  void leaf(const void* at, int bytes) {
    for (int i = 0; i < bytes; ++i) hash = (hash ^ ((const unsigned char*)at)[i]) * 0x100000001B3ull;
  }
};
struct writer {
  unsigned long long state;
  void leaf(void* at, int bytes) {
    for (int i = 0; i < bytes; ++i) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      ((unsigned char*)at)[i] = (unsigned char)(state >> 56) & 0x3F;
    }
  }
  void leaf(bool* at, int) { unsigned char one; leaf((void*)&one, 1); *at = one & 1; }
};

// Leaves of a type, by what it has: vectors x y z w, tuples m0 m1 ..., structs f0 f1 ..., arrays data, shape and strides.
#define PART(name) if constexpr (requires { v.name; }) each(to, v.name);
template <class To, class T, hetjit::uint64 N>
void last(To& to, const hetjit::interoperable_array_descriptor<T, N>& a);
template <class To, class V> void each(To& to, V& v) {
  if constexpr (requires { v.x; }) { PART(x) PART(y) PART(z) PART(w) }
  else if constexpr (requires { v.m0; }) { PART(m0) PART(m1) PART(m2) PART(m3) PART(m4) }
  else if constexpr (requires { v.f0; }) { PART(f0) PART(f1) PART(f2) PART(f3) PART(f4) }
  else if constexpr (requires { v.data; }) last(to, v);
  else to.leaf(&v, sizeof v);
}
template <class To, class T, hetjit::uint64 N>
void last(To& to, const hetjit::interoperable_array_descriptor<T, N>& a) {
  const T* at = a.data;
  if constexpr (N > 0)
    for (hetjit::uint64 i = 0; i < N; ++i) {
      to.leaf(&a.shape[i], 8), to.leaf(&a.strides[i], 8);
      at += (a.shape[i] - 1) * a.strides[i];
    }
  to.leaf(at, sizeof(T));
}
template <class... V> unsigned long long hash(const V&... v) {
  reader to;
  (each(to, v), ...);
  return to.hash;
}
template <class V> V made_like(const V&, unsigned long long seed) {
  V v;
  writer to{seed};
  each(to, v);
  return v;
}
"""


def leaves(dtype, offset=0):
    """(offset, bytes, whether a bool) of the leaves of a NumPy dtype, in order."""
    if dtype.subdtype:
        base, shape = dtype.subdtype
        for i in range(int(np.prod(shape))):
            yield from leaves(base, offset + i * base.itemsize)
    elif dtype.names is None:
        yield offset, dtype.itemsize, dtype == np.bool_
    else:
        for name in dtype.names:
            part, at = dtype.fields[name][:2]
            yield from leaves(part, offset + at)


def fnv(data, hash=0xCBF29CE484222325):
    for byte in data:
        hash = (hash ^ byte) * 0x100000001B3 % 2**64
    return hash


def written(dtype, seed):
    """What `made_like` fills the leaves with: (offset, bytes) of each."""
    state, made = seed, []
    for offset, size, is_bool in leaves(dtype):
        data = bytearray()
        for _ in range(size):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            data.append(state >> 56 & 0x3F)
        made.append((offset, bytes([data[0] & 1]) if is_bool else bytes(data)))
    return made


def filled(dtype, seed):
    """An array of one element whose leaves are that."""
    memory = bytearray(dtype.itemsize)
    for offset, data in written(dtype, seed):
        memory[offset:offset + len(data)] = data
    return np.frombuffer(memory, dtype)


def read(array):
    """The bytes of an element's leaves, in order."""
    memory = array.tobytes()
    return b"".join(memory[offset:offset + size] for offset, size, _ in leaves(array.dtype))
