// Where memory runs out. Our code is compiled without exceptions, so nothing on the way is cleaned
// up: what was being made is lost, and what it had locked is unlocked here.
#pragma once

#include <type_traits>

namespace hetjit {

/// Calls work(argument). False: memory ran out in it, on this thread. May be nested.
bool within_memory(void (*work)(void*), void* argument);

template <class Work>
bool within_memory(Work&& work) {
  using Plain = std::remove_reference_t<Work>;
  return within_memory([](void* plain) { (*static_cast<Plain*>(plain))(); }, &work);
}

}  // namespace hetjit
