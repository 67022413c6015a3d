#include "python/ext/handles/call_method.h"

#include <dlfcn.h>

#include "abi/status.h"

namespace hetjit::python {

// The stable ABI has it from 3.12 on, 3.11 under the same name.
Handle call_method(Borrowed name, PyObject* const* given, size_t positional, PyObject* keywords) {
  using Call = PyObject* (*)(PyObject*, PyObject* const*, size_t, PyObject*);
  static const Call call =
      reinterpret_cast<Call>(dlsym(RTLD_DEFAULT, "PyObject_VectorcallMethod"));
  HETJIT_CHECK(call);
  return Handle::own(call(name.get(), given, positional, keywords));
}

}  // namespace hetjit::python
