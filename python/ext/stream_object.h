// Streams and events of ours as Python objects. The Python classes (hetjit/streams.py) add what can
// be said in Python.
#pragma once

#include "python/ext/handle.h"
#include "runtime/handles.h"

namespace hetjit::python {

struct State;

/// The types `Stream` and `Event` of a module. Empty: an exception is set.
Handle make_stream_type(Borrowed module);
Handle make_event_type(Borrowed module);

/// Of an instance of Stream, or of a subclass; empty when it has been closed.
runtime::Stream& stream_of(Borrowed object);

/// Waits for all that was launched on a stream, gives back what that was lent, and raises what its
/// kernels have to say. False: an exception is set.
bool finish_stream(State& state, runtime::Device& device, runtime::Handle stream);

}  // namespace hetjit::python
