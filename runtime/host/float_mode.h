// The floating-point control word while a kernel runs. Kernels compute the same whoever calls them:
// round to nearest, subnormals kept, no traps; libraries of the caller may have set another mode.
#pragma once

#include <cstdint>

namespace hetjit::runtime {

/// The control word of this thread.
struct FloatMode {
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
};

/// Sets a mode, and puts back what was there before.
class FloatModeScope {
 public:
  explicit FloatModeScope(FloatMode::Word mode) : before_(FloatMode::read()) {
    if (mode != before_) FloatMode::write(mode);
  }
  ~FloatModeScope() {
    // Status flags that were raised inside are nobody's business outside.
    if (FloatMode::read() != before_) FloatMode::write(before_);
  }
  FloatModeScope(const FloatModeScope&) = delete;
  FloatModeScope& operator=(const FloatModeScope&) = delete;

 private:
  const FloatMode::Word before_;
};

class KernelFloatMode : FloatModeScope {
 public:
  KernelFloatMode()
      : FloatModeScope(FloatMode::kControl | (FloatMode::read() & ~FloatMode::kControlBits)) {}
};

}  // namespace hetjit::runtime
