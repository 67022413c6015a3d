// The C++ of each kind of target: host C++, CUDA C++, HIP C++. Private to this folder.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "abi/status.h"
#include "abi/target_name.h"

namespace hetjit::cxx {

/// Which headers there are: None: the C++ library's and ours, nothing of a vendor's.
enum class Headers : uint8_t { Vendors, None };

struct Dialect {
  /// Its functions are the host's unless they say that they are for GPUs.
  bool has_two_sides;
  /// A division of integers by zero, or one that overflows, ends the process.
  bool division_traps;
  /// NVRTC compiles it where there is no clang.
  bool is_nvrtcs;
  /// What is printed goes through printf, as its run time has it.
  bool prints_by_printf;
  /// What clang is told beside what all targets have in common. Errors: Unavailable without CUDA's
  /// headers where they are asked for.
  Result<std::vector<std::string>> (*options)(const std::string& arch, Headers headers);
  /// Whether what is only declared is there when it is linked, by its symbol.
  bool (*provides)(const std::string& symbol);
};

const Dialect& dialect(TargetKind kind);

/// The folder of CUDA's toolkit, with its headers. Errors: Unavailable.
Result<std::string> find_cuda();

}  // namespace hetjit::cxx
