// Where memory runs out. Our code is compiled without exceptions, so nothing on the way is cleaned
// up: what was being made is lost, and what it had locked is unlocked here.
#pragma once

#include <cstddef>
#include <type_traits>

namespace hetjit {

/// Calls work(argument). False: memory ran out in it, on this thread. May be nested.
bool within_memory(void (*work)(void*), void* argument);

template <class Work>
bool within_memory(Work&& work) {
  using Plain = std::remove_reference_t<Work>;
  return within_memory([](void* plain) { (*static_cast<Plain*>(plain))(); }, &work);
}

/// Memory has run out: ends the within_memory() that this thread is in.
[[noreturn]] void end_for_memory();

/// Could this process have so much more memory now (RLIMIT_AS, RLIMIT_DATA)? For what cannot be
/// ended in the middle. Takes some microseconds.
bool has_memory(size_t bytes);

/// Said of the kernel that this thread runs, by what runs its blocks: some were not run.
inline thread_local bool blocks_lacked_memory = false;

}  // namespace hetjit
