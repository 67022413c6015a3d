#include "compiler/target/vendor_library.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

namespace hetjit::target {
namespace {

/// The folder above the package that this code is in.
std::string site_packages() {
  Dl_info us{};
  if (!dladdr(reinterpret_cast<void*>(&site_packages), &us) || !us.dli_fname) return "";
  const std::filesystem::path file = us.dli_fname;
  return file.parent_path().parent_path().string();
}

std::vector<std::string> paths_of(const VendorLibrary& library) {
  if (library.environment)
    if (const char* file = std::getenv(library.environment); file && *file) return {file};
  std::vector<std::string> paths = library.names;
  auto add = [&](const std::string& root) {
    for (const std::string& folder : library.folders) paths.push_back(root + folder);
  };
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* root = std::getenv(variable); root && *root) add(root);
  for (const std::string& wheel : library.wheels) paths.push_back(site_packages() + wheel);
  add("/usr/local/cuda");
  return paths;
}

}  // namespace

VendorFunctions::VendorFunctions(const VendorLibrary& library) : library_(library) {
  for (const std::string& path : paths_of(library)) {
    handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_) {
      problem_.clear();
      return;
    }
    if (problem_.empty()) problem_ = dlerror();
  }
}

void* VendorFunctions::find(const char* name) {
  void* found = handle_ ? dlsym(handle_, name) : nullptr;
  if (handle_ && !found) problem_ = std::string(library_.name) + " has no " + name;
  return found;
}

}  // namespace hetjit::target
