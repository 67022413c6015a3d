// Streams and events of ours as Python objects. The Python classes (hetjit/streams.py) add what can
// be said in Python.
#pragma once

#include "python/ext/handles/handle.h"
#include "runtime/handles.h"

namespace hetjit::python {

struct State;
struct StreamChoice;

/// The types `Stream` and `Event` of a module. Empty: an exception is set.
Handle make_stream_type(Borrowed module);
Handle make_event_type(Borrowed module);

/// Of an instance of Stream, or of a subclass; empty when it has been closed.
runtime::Stream& stream_of(Borrowed object);

/// check_stream() of stream_choice.h, whose message tells of the graph that takes the stream's work
/// in, if one does.
Status check_stream(const State& state, const StreamChoice& stream, const runtime::Device& device);

/// Waits for all that was launched on a stream, gives back what that was lent, and raises what its
/// kernels have to say. False: an exception is set.
bool finish_stream(State& state, runtime::Device& device, runtime::Handle stream);
/// The same for all streams of a device, whoever made them.
bool finish_device(State& state, runtime::Device& device);

/// The same after a launch, if HETJIT_LAUNCH_BLOCKING asks for it and no graph has taken it in.
bool wait_if_blocking(State& state, runtime::Device& device, runtime::Handle stream);

}  // namespace hetjit::python
