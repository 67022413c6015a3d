// The floating-point control word while a kernel runs. Kernels compute the same whoever calls them:
// round to nearest, subnormals kept, no traps; libraries of the caller may have set another mode.
#pragma once

#include <cstdint>

namespace hetjit::runtime {

class KernelFloatMode {
 public:
  KernelFloatMode() : before_(read()) {
    if (control(before_) != kControl) write(kControl | (before_ & ~kControlBits));
  }
  ~KernelFloatMode() {
    // Status flags that the kernel raised are not the caller's business.
    if (read() != before_) write(before_);
  }
  KernelFloatMode(const KernelFloatMode&) = delete;
  KernelFloatMode& operator=(const KernelFloatMode&) = delete;

 private:
#if defined(__x86_64__)
  using Word = uint32_t;                        // MXCSR
  static constexpr Word kControlBits = 0xFFC0;  // all but the six status flags
  static constexpr Word kControl = 0x1F80;      // all exceptions masked
  static Word read() { return __builtin_ia32_stmxcsr(); }
  static void write(Word word) { __builtin_ia32_ldmxcsr(word); }
#elif defined(__aarch64__)
  using Word = uint64_t;  // FPCR
  static constexpr Word kControlBits = ~Word{0};
  static constexpr Word kControl = 0;
  static Word read() { return __builtin_aarch64_get_fpcr64(); }
  static void write(Word word) { __builtin_aarch64_set_fpcr64(word); }
#else
  using Word = uint32_t;
  static constexpr Word kControlBits = 0, kControl = 0;
  static Word read() { return 0; }
  static void write(Word) {}
#endif
  static Word control(Word word) { return word & kControlBits; }
  const Word before_;
};

}  // namespace hetjit::runtime
