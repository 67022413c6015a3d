// Sleeping on a 32-bit word. std::atomic::wait would do, but its own spinning comes on top of ours
// and it cannot wake just a few of many sleepers.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

namespace hetjit::runtime {

/// Sleeps while the word holds `value`. May return for no reason: look again.
inline void futex_wait(std::atomic<uint32_t>& word, uint32_t value) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}

/// The same, for `milliseconds` at most.
inline void futex_wait_for(std::atomic<uint32_t>& word, uint32_t value, long milliseconds) {
  const timespec limit{milliseconds / 1000, milliseconds % 1000 * 1'000'000};
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, &limit, nullptr, 0);
}

/// Wakes at most `count` of the threads that sleep on the word.
inline void futex_wake(std::atomic<uint32_t>& word, uint32_t count) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

/// Tells the core that this thread spins.
inline void pause_spinning() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield" ::: "memory");
#endif
}

}  // namespace hetjit::runtime
