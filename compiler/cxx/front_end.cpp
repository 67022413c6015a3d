#include "compiler/cxx/front_end.h"

#include "compiler/cxx/clang.h"
#include "compiler/cxx/dialect.h"

namespace hetjit::cxx {
namespace {

/// Who names a clang that cannot be run wants no other compiler.
bool may_take_nvrtc() { return !is_clang_named() && kNvrtc.find().ok(); }

}  // namespace

Result<const FrontEnd*> front_end(TargetKind kind) {
  Result<std::string> clang = kClang.find();
  if (clang.ok()) return &kClang;
  if (!dialect(kind).is_nvrtcs || is_clang_named()) return clang.error();
  Result<std::string> nvrtc = kNvrtc.find();
  if (nvrtc.ok()) return &kNvrtc;
  return Error{ErrorCode::Unavailable, clang.error().text + "; for NVIDIA's GPUs NVRTC would do, " +
                                           "but " + nvrtc.error().text};
}

Result<std::string> find_compiler() {
  Result<std::string> clang = kClang.find();
  return clang.ok() || !may_take_nvrtc() ? clang : kNvrtc.find();
}

}  // namespace hetjit::cxx
