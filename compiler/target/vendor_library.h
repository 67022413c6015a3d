// Libraries of NVIDIA's toolkit that are loaded when something needs them.
#pragma once

#include <string>
#include <vector>

namespace hetjit::target {

/// One library: what it is called, and where in a toolkit it lies.
struct VendorLibrary {
  const char* name;         // in sentences: "libnvJitLink"
  const char* environment;  // names the file; then it is looked for nowhere else. Null: none does
  std::vector<std::string> names;        // that the system's loader may find
  std::vector<std::string> folders;      // in a toolkit: "/lib64/libnvJitLink.so"
  std::vector<std::string> wheels = {};  // beside us in site-packages, where pip puts them
};

/// One that was opened, for good, and its functions.
class VendorFunctions {
 public:
  explicit VendorFunctions(const VendorLibrary& library);

  /// Null when there is none of that name.
  template <class Function>
  void bind(Function*& function, const char* name) {
    function = reinterpret_cast<Function*>(find(name));
  }
  /// Why the library, or a function that was asked for, is not there. Empty: all are.
  const std::string& problem() const { return problem_; }

 private:
  void* find(const char* name);

  const VendorLibrary& library_;
  void* handle_ = nullptr;  // of dlopen
  std::string problem_;
};

}  // namespace hetjit::target
