// Python's header, once and with the settings that make one binary serve CPython 3.11 and all that
// follow: the limited API of 3.11. What that API lacks in 3.11's header but has at run time in all
// of them stands here by number.
#pragma once

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <structmember.h>

#include <cstddef>

namespace hetjit::python {

/// Py_TPFLAGS_HAVE_VECTORCALL; its vtable slot is the member `__vectorcalloffset__`.
inline constexpr unsigned kHasVectorcall = 1u << 11;

/// Signature of a vectorcall, and the number of positional arguments in its third parameter, whose
/// top bit says that args[-1] may be overwritten.
using Vectorcall = PyObject* (*)(PyObject* self, PyObject* const* args, size_t nargsf,
                                 PyObject* keywords);
constexpr size_t positional_count(size_t nargsf) { return nargsf & ~(size_t{1} << 63); }

}  // namespace hetjit::python
