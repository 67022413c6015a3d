// Names of what other libraries' arrays are asked, made once: a name that is made for each question
// costs as much as some answers.
#pragma once

#include "abi/dlpack.h"
#include "python/ext/handles/handle.h"

namespace hetjit::python {

struct Protocols {
  Kept dlpack, dlpack_device, cuda_interface;
  Kept field_names;         // of NumPy's dtypes
  Kept version;             // the newest that we read
  Kept stream_and_version;  // the keywords of __dlpack__,
  Kept stream_alone;        // and before DLPack 1.0

  /// False: an exception is set.
  bool make() {
    dlpack = Handle::own(PyUnicode_InternFromString("__dlpack__"));
    dlpack_device = Handle::own(PyUnicode_InternFromString("__dlpack_device__"));
    cuda_interface = Handle::own(PyUnicode_InternFromString("__cuda_array_interface__"));
    field_names = Handle::own(PyUnicode_InternFromString("names"));
    version = Handle::own(Py_BuildValue("(ii)", DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION));
    const Handle stream = Handle::own(PyUnicode_InternFromString("stream")),
                 most = Handle::own(PyUnicode_InternFromString("max_version"));
    if (!stream || !most) return false;
    stream_and_version = Handle::own(PyTuple_Pack(2, stream.get(), most.get()));
    stream_alone = Handle::own(PyTuple_Pack(1, stream.get()));
    return dlpack && dlpack_device && cuda_interface && field_names && version &&
           stream_and_version && stream_alone;
  }
};

}  // namespace hetjit::python
