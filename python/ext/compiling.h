// How Python's threads compile.
#pragma once

#include "abi/fork_hold.h"
#include "abi/memory_limit.h"
#include "python/ext/errors.h"

namespace hetjit::python {

/// Runs work that may end for lack of memory, with the GIL. False: MemoryError is set.
template <class Work>
bool with_memory(Work&& work) {
  if (within_memory(work)) return true;
  PyErr_NoMemory();
  return false;
}

/// Runs a compilation: without the GIL, and no other thread forks meanwhile. False: MemoryError is
/// set.
template <class Work>
bool compiling(Work&& work) {
  bool enough = false;
  Py_BEGIN_ALLOW_THREADS;
  {
    const ForkHold hold;
    enough = within_memory(work);
  }
  Py_END_ALLOW_THREADS;
  if (!enough) PyErr_NoMemory();
  return enough;
}

}  // namespace hetjit::python
