#include "compiler/target/vendor_library.h"

#include <dlfcn.h>

#include <cstdlib>

namespace hetjit::target {
namespace {

std::vector<std::string> paths_of(const VendorLibrary& library) {
  if (library.environment)
    if (const char* file = std::getenv(library.environment); file && *file) return {file};
  std::vector<std::string> paths = library.names;
  auto add = [&](const std::string& root) {
    for (const std::string& folder : library.folders) paths.push_back(root + folder);
  };
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* root = std::getenv(variable); root && *root) add(root);
  add("/usr/local/cuda");
  return paths;
}

}  // namespace

Result<void*> open_library(const VendorLibrary& library) {
  std::string problem;
  for (const std::string& path : paths_of(library)) {
    if (void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return handle;
    if (problem.empty()) problem = dlerror();
  }
  return Error{ErrorCode::Unavailable, problem};
}

void* find_in_library(void* handle, const VendorLibrary& library, const char* function,
                      std::string& problem) {
  void* found = dlsym(handle, function);
  if (!found) problem = std::string(library.name) + " has no " + function;
  return found;
}

}  // namespace hetjit::target
