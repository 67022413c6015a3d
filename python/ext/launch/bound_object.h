// kernel[grid, block, stream, shared, …]: a kernel with its launch configuration, ready to be
// called.
#pragma once

#include <string>

#include "abi/kernel_image.h"
#include "python/ext/arguments/read_arguments.h"
#include "python/ext/handles/handle.h"

namespace hetjit::python {

struct State;

struct LaunchConfig {
  Geometry geometry;
  StreamChoice stream;
  Kept owner;           // the stream as it was given: it stays for as long as launches may go there
  uint64_t number = 0;  // of all that were bound, from 1 on

  /// Whether it is so many blocks of so many threads along x, and nothing else was said.
  bool is_plain(int64_t blocks, int64_t threads) const {
    const bool no_stream = (!owner || owner.get() == Py_None) && stream == StreamChoice();
    return geometry.grid[0] == blocks && geometry.block[0] == threads && no_stream &&
           geometry ==
               Geometry{.grid = {geometry.grid[0], 1, 1}, .block = {geometry.block[0], 1, 1}};
  }
  bool operator==(const LaunchConfig& other) const {
    return geometry == other.geometry && stream == other.stream && owner.get() == other.owner.get();
  }
};

/// Reads what stands between the brackets. `function` is for messages. False: an exception is set.
bool read_config(State& state, const std::string& function, Borrowed key, LaunchConfig& to);

/// The type `Bound` of a module. Empty: an exception is set.
Handle make_bound_type(Borrowed module);
Handle new_bound(State& state, Borrowed kernel, LaunchConfig config);
const LaunchConfig& config_of_bound(Borrowed bound);
/// Calls it as Python would: arguments by position, then those that `names` names.
PyObject* launch_bound(Borrowed bound, PyObject* const* given, size_t positional, PyObject* names);

}  // namespace hetjit::python
