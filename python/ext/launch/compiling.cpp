#include "python/ext/launch/compiling.h"

#include <atomic>

namespace hetjit::python {
namespace {

// Four times what kernels of some hundred lines take.
constexpr size_t kPlenty = size_t{128} << 20;

std::atomic<uint32_t> done{0};  // a bit for each work and target

uint32_t bit_of(LlvmWork work, TargetKind target) {
  return 1u << (static_cast<unsigned>(target) * 8 + static_cast<unsigned>(work));
}

}  // namespace

std::optional<Checks> checks_of(const std::string& text) {
  std::optional<Checks> found = parse_checks(text);
  if (!found)
    fail(PyExc_ValueError, "check='" + text +
                               "': known are bounds, race, init, arith, warp, assert and all");
  return found;
}

bool may_begin(LlvmWork work, TargetKind target) {
  if ((done.load() & bit_of(work, target)) || has_memory(kPlenty)) return true;
  PyErr_SetString(PyExc_MemoryError,
                  "the first compilation of a process begins with 128 MiB or more to be had");
  return false;
}

void has_done(LlvmWork work, TargetKind target) { done.fetch_or(bit_of(work, target)); }

}  // namespace hetjit::python
