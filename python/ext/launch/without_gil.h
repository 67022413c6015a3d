// Launches that wait, or take long, on the thread that has called us.
#pragma once

#include <utility>

#include "python/ext/handles/python.h"

namespace hetjit::python {

/// This thread's state while it waits in a launch without the GIL. Null whenever Python runs, so
/// also in a signal handler, a finaliser or another greenlet, whose launches are their own affair.
PyThreadState*& waiting_thread();

/// What a launch gives that nothing of Python's is run in.
template <class Launch>
auto without_gil(Launch launch) {
  waiting_thread() = PyEval_SaveThread();
  auto done = launch();
  PyEval_RestoreThread(std::exchange(waiting_thread(), nullptr));
  return done;
}

/// For runtime/interrupt.h: runs the Python handlers of signals that came while this thread waits
/// in a launch. True: one raised (KeyboardInterrupt), and the exception is set.
bool signals_raised();

}  // namespace hetjit::python
