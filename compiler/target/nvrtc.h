// NVIDIA's compiler of C++ as a library, NVRTC, where it can be loaded.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "abi/status.h"

namespace hetjit::target {

/// What NVRTC is given: C++, options, and headers that it may include, as (name, text). `name`: of
/// the file that the text is as if in, beside which quoted includes are looked for first.
struct CudaSource {
  std::string name;
  std::string text;
  std::vector<std::string> options;
  std::vector<std::pair<std::string, std::string>> headers;
};

struct CudaAnswer {
  bool accepted = false;
  std::string messages;
  std::string ptx;  // where it was accepted: relocatable code
};

/// Its file. Errors: Unavailable, with why it cannot be loaded.
Result<std::string> find_nvrtc();

/// Compiles for "sm_90". Errors: Unavailable.
Result<CudaAnswer> compile_cuda(const CudaSource& source, const std::string& arch);

}  // namespace hetjit::target
