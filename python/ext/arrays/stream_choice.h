// Which stream a launch goes to, as the user says it.
#pragma once

#include <string>

#include "python/ext/handles/handle.h"
#include "runtime/handles.h"

namespace hetjit::python {

struct State;

/// Where a launch is enqueued.
struct StreamChoice {
  runtime::Handle handle = nullptr;
  bool given = false;    // by the user, who then answers for the order of work
  bool settled = false;  // some producer has ordered itself before it: no other may replace it
  bool lasting = true;   // it will be there later
  const runtime::Stream* own = nullptr;  // one of ours; who keeps the choice keeps it, too

  bool operator==(const StreamChoice&) const = default;
};

/// None, an int, a Stream, an object with `__cuda_stream__`, or with what other libraries call the
/// driver's handle. False: an exception is set.
bool read_stream(State& state, Borrowed stream, StreamChoice& to);

/// Whether a device can take work for it: a stream of ours must be open, and of that device.
Status check_stream(const StreamChoice& stream, const runtime::Device& device);

}  // namespace hetjit::python
