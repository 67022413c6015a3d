// What stands behind `raise` and `print` of functions of ours that C++ calls (exports.cpp writes
// the rest). C++, compiled for every target.
#pragma once

#if defined(__CUDA__) || defined(__HIP__)
#include "hetjit/raised.hpp"
/// CUDA's, which clang knows; of AMD's GPUs only HIP's runtime reads what printf leaves.
extern "C" __attribute__((device)) int printf(const char* format, ...);
#else
#include "hetjit/raised_text.hpp"
extern "C" {
__attribute__((weak)) hetjit::raise_handler hetjit_on_raise = nullptr;
/// The calling thread's, until its functions of Python's have returned.
__attribute__((weak)) __thread hetjit::raised hetjit_raised_here;
}
#endif

namespace hetjit::says {

/// What compiled code passes: lower_messages.cpp. The numbers have no bounds here.
struct spoken {
  uint32 block[3], thread[3];
  uint64 numbers[1];
};

/// Writes a record. `text`: as in raised, but for the last zero.
inline HETJIT_HERE void fill(raised& to, const spoken& what, const char* text, unsigned size,
                             uint32 line, uint32 count) {
  for (int axis = 0; axis < 3; ++axis)
    to.block[axis] = what.block[axis], to.thread[axis] = what.thread[axis];
  to.line = line;
  to.count = count;
  for (uint32 i = 0; i < count; ++i) to.numbers[i] = what.numbers[i];
  for (unsigned i = 0; i < size; ++i) to.text[i] = text[i];
  to.text[size] = 0;
}

#if defined(__CUDA__) || defined(__HIP__)

inline HETJIT_HERE void raise(const spoken& what, const char* text, unsigned size, uint32 line,
                              uint32 count) {
  if (__atomic_exchange_n(&hetjit_raised.claimed, uint64(1), __ATOMIC_RELAXED)) return;
  fill(hetjit_raised, what, text, size, line, count);
}

[[noreturn]] inline HETJIT_HERE void end_thread() {
#if defined(__CUDA__)
  __nvvm_exit();
#else
  __builtin_amdgcn_endpgm();
#endif
  __builtin_unreachable();
}

#else

inline void raise(const spoken& what, const char* text, unsigned size, uint32 line, uint32 count) {
  hetjit_raised_here.claimed = 1;
  fill(hetjit_raised_here, what, text, size, line, count);
}

/// Nobody knows how long a text may become.
inline void print(const spoken& what, const char* text) {
  char few[512];
  raised_detail::writer to{few, sizeof few};
  raised_detail::add_text(to, text, what.numbers);
  if (to.size < sizeof few) return (void)std::fwrite(few, 1, to.size, stdout);
  char* many = static_cast<char*>(std::malloc(to.size + 1));
  if (!many) return;
  raised_detail::writer again{many, to.size + 1};
  raised_detail::add_text(again, text, what.numbers);
  std::fwrite(many, 1, again.size, stdout);
  std::free(many);
}

[[noreturn]] inline void end_thread() {
  const raised what = hetjit_raised_here;  // the handler may call functions that raise
  if (hetjit_on_raise) hetjit_on_raise(what);
  char text[2048];
  message(what, text, sizeof text);
  std::fprintf(stderr, "%s:%u: in %s: %s\n", file_of(what), what.line, function_of(what), text);
  std::abort();
}

#endif

}  // namespace hetjit::says
