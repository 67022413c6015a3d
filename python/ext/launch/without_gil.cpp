#include "python/ext/launch/without_gil.h"

namespace hetjit::python {
namespace {

thread_local PyThreadState* waiting = nullptr;

}  // namespace

PyThreadState*& waiting_thread() { return waiting; }

bool signals_raised() {
  if (!waiting) return false;  // a launch that kept the GIL
  PyEval_RestoreThread(std::exchange(waiting, nullptr));
  const bool raised = PyErr_CheckSignals() != 0;
  waiting = PyEval_SaveThread();
  return raised;
}

}  // namespace hetjit::python
