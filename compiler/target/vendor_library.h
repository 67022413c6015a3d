// Libraries of NVIDIA's toolkit that are loaded when something needs them.
#pragma once

#include <string>
#include <vector>

#include "abi/status.h"

namespace hetjit::target {

/// One library: what it is called, and where in a toolkit it lies.
struct VendorLibrary {
  const char* name;         // in sentences: "libnvJitLink"
  const char* environment;  // names the file; then it is looked for nowhere else. Null: none does
  std::vector<std::string> names;    // that the system's loader may find
  std::vector<std::string> folders;  // in a toolkit: "/lib64/libnvJitLink.so"
};

/// Handle of dlopen, for good; Unavailable when it cannot be loaded, with the loader's reason.
Result<void*> open_library(const VendorLibrary& library);

/// Address of a function in it; null: the library has none, and `problem` says so.
void* find_in_library(void* handle, const VendorLibrary& library, const char* function,
                      std::string& problem);

}  // namespace hetjit::target
