// Names of what other libraries' arrays are asked, made once: a name that is made for each question
// costs as much as some answers.
#pragma once

#include "abi/dlpack.h"
#include "python/ext/handles/handle.h"

namespace hetjit::python {

struct Protocols {
  Kept dlpack, dlpack_device, cuda_interface;
  Kept for_host;  // the keywords of __dlpack__ for a consumer on the host; to be copied

  /// False: an exception is set.
  bool make() {
    dlpack = Handle::own(PyUnicode_InternFromString("__dlpack__"));
    dlpack_device = Handle::own(PyUnicode_InternFromString("__dlpack_device__"));
    cuda_interface = Handle::own(PyUnicode_InternFromString("__cuda_array_interface__"));
    for_host = Handle::own(Py_BuildValue("{s:O,s:(ii)}", "stream", Py_None, "max_version",
                                         DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION));
    return dlpack && dlpack_device && cuda_interface && for_host;
  }
};

}  // namespace hetjit::python
