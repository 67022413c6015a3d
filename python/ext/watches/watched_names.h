// Dictionaries that a kernel's names are looked up in, watched by the interpreter, so that a launch
// asks one number in place of every name. CPython has watchers from 3.12 on, outside the limited
// API, so they are found by name at run time; without them names are looked up at each launch.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "python/ext/handles/handle.h"

namespace hetjit::python {

/// Grows before a watched name is bound to another object, in whichever interpreter, and when a
/// function ends that kernels look at. It may grow at other times, too.
inline std::atomic<uint64_t> rebindings{1};

/// Of one interpreter.
class NameWatcher {
 public:
  NameWatcher() = default;
  NameWatcher(const NameWatcher&) = delete;
  ~NameWatcher();
  /// Finds out what the interpreter offers.
  void start();

  /// Whether it will be heard of when the name is bound anew, for as often as it was watched.
  bool watch(Borrowed dict, size_t place);
  void forget(Borrowed dict, size_t place);
  /// Where names of a dict are counted, some together.
  static size_t place_of(PyObject* dict, PyObject* name);

  /// A number in a dict that each change of it makes another; null: there is none.
  const uint64_t* version_of(Borrowed dict) const;

 private:
  int id_ = -1;                                    // the interpreter's for us; -1: no watchers
  size_t version_offset_ = 0;                      // 0: no versions
  std::unordered_map<PyObject*, uint32_t> dicts_;  // how many names of each are watched
};

/// A name of a dict, watched for as long as this and the dict live.
class WatchedName {
 public:
  WatchedName() = default;
  WatchedName(NameWatcher& watcher, Borrowed dict, Borrowed name)
      : dict_(dict.get()), place_(NameWatcher::place_of(dict.get(), name.get())) {
    if (watcher.watch(dict, place_)) watcher_ = &watcher;
  }
  WatchedName(WatchedName&& other) noexcept { *this = std::move(other); }
  WatchedName& operator=(WatchedName&& other) noexcept {
    std::swap(watcher_, other.watcher_);
    std::swap(dict_, other.dict_);
    std::swap(place_, other.place_);
    return *this;
  }
  ~WatchedName() {
    if (watcher_) watcher_->forget(dict_, place_);
  }
  bool is_heard_of() const { return watcher_ != nullptr; }

 private:
  NameWatcher* watcher_ = nullptr;
  PyObject* dict_ = nullptr;
  size_t place_ = 0;
};

}  // namespace hetjit::python
