// PTX to machine code through nvJitLink, where it can be loaded; else the driver does the same.
#include <dlfcn.h>

#include <cstdlib>
#include <string>

#include "compiler/target/target_impl.h"

namespace hetjit::target {
namespace {

// The little of its interface that is used; results other than 0 are errors.
using Linker = struct LinkerState*;
constexpr int kInputPtx = 2;

struct Library {
  int (*create)(Linker*, uint32_t, const char**) = nullptr;
  int (*destroy)(Linker*) = nullptr;
  int (*add)(Linker, int, const void*, size_t, const char*) = nullptr;
  int (*complete)(Linker) = nullptr;
  int (*cubin_size)(Linker, size_t*) = nullptr;
  int (*cubin)(Linker, void*) = nullptr;
  int (*log_size)(Linker, size_t*) = nullptr;
  int (*log)(Linker, char*) = nullptr;
  std::string problem;  // why it is not there
};

void* open_library(std::string& problem) {
  std::vector<std::string> paths = {"libnvJitLink.so.13", "libnvJitLink.so.12"};
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* root = std::getenv(variable); root && *root)
      paths.push_back(std::string(root) + "/lib64/libnvJitLink.so");
  paths.push_back("/usr/local/cuda/lib64/libnvJitLink.so");
  for (const std::string& path : paths) {
    if (void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return handle;
    if (problem.empty()) problem = dlerror();
  }
  return nullptr;
}

Library load() {
  Library library;
  void* handle = open_library(library.problem);
  if (!handle) return library;
  library.problem.clear();
  auto bind = [&]<class Function>(Function*& member, const char* name) {
    member = reinterpret_cast<Function*>(dlsym(handle, name));
    if (!member) library.problem = std::string("libnvJitLink has no ") + name;
  };
  bind(library.create, "nvJitLinkCreate");
  bind(library.destroy, "nvJitLinkDestroy");
  bind(library.add, "nvJitLinkAddData");
  bind(library.complete, "nvJitLinkComplete");
  bind(library.cubin_size, "nvJitLinkGetLinkedCubinSize");
  bind(library.cubin, "nvJitLinkGetLinkedCubin");
  bind(library.log_size, "nvJitLinkGetErrorLogSize");
  bind(library.log, "nvJitLinkGetErrorLog");
  return library;
}

Error failed(const Library& library, Linker linker, const char* step) {
  size_t size = 0;
  std::string log;
  if (linker && library.log_size(linker, &size) == 0 && size > 0) {
    log.resize(size);
    if (library.log(linker, log.data()) != 0) log.clear();
    log.resize(std::char_traits<char>::length(log.c_str()));
  }
  return {ErrorCode::Internal, std::string("nvJitLink could not ") + step + ": " + log};
}

}  // namespace

Result<std::vector<std::byte>> assemble_ptx(std::string_view ptx, const std::string& arch) {
  static const Library& library = *new Library(load());
  if (!library.problem.empty()) return Error{ErrorCode::Unavailable, library.problem};
  std::string option = "-arch=" + arch;
  const char* options[] = {option.c_str()};
  Linker linker = nullptr;
  // An architecture it does not know: the driver may.
  if (library.create(&linker, 1, options) != 0)
    return Error{ErrorCode::Unavailable, "nvJitLink does not know " + arch};
  struct Destroy {
    Linker& linker;
    ~Destroy() { (void)library.destroy(&linker); }
  } destroy{linker};
  if (library.add(linker, kInputPtx, ptx.data(), ptx.size(), "kernel.ptx") != 0)
    return failed(library, linker, "read the PTX");
  if (library.complete(linker) != 0) return failed(library, linker, "assemble");
  size_t size = 0;
  if (library.cubin_size(linker, &size) != 0) return failed(library, linker, "give the size");
  std::vector<std::byte> cubin(size);
  if (library.cubin(linker, cubin.data()) != 0) return failed(library, linker, "give the code");
  return cubin;
}

}  // namespace hetjit::target
