// PTX to machine code through nvJitLink, where it can be loaded; else the driver does the same. And
// other code with it.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/target/target_impl.h"
#include "compiler/target/vendor_library.h"

namespace hetjit::target {
namespace {

// The little of its interface that is used; results other than 0 are errors.
using Linker = struct LinkerState*;
constexpr int kInputPtx = 2;
constexpr std::pair<std::string_view, int> kInputs[] = {
    {".cubin", 1}, {".ptx", kInputPtx}, {".ltoir", 3}, {".fatbin", 4}, {".o", 5}, {".a", 6}};

struct NvJitLink {
  int (*create)(Linker*, uint32_t, const char**) = nullptr;
  int (*destroy)(Linker*) = nullptr;
  int (*add)(Linker, int, const void*, size_t, const char*) = nullptr;
  int (*add_file)(Linker, int, const char*) = nullptr;
  int (*complete)(Linker) = nullptr;
  int (*cubin_size)(Linker, size_t*) = nullptr;
  int (*cubin)(Linker, void*) = nullptr;
  int (*log_size)(Linker, size_t*) = nullptr;
  int (*log)(Linker, char*) = nullptr;
  std::string problem;  // why it is not there
};

NvJitLink load_nvjitlink() {
  static const VendorLibrary kLinker{"libnvJitLink",
                                     nullptr,
                                     {"libnvJitLink.so.13", "libnvJitLink.so.12"},
                                     {"/lib64/libnvJitLink.so"}};
  VendorFunctions functions(kLinker);
  NvJitLink library;
  functions.bind(library.create, "nvJitLinkCreate");
  functions.bind(library.destroy, "nvJitLinkDestroy");
  functions.bind(library.add, "nvJitLinkAddData");
  functions.bind(library.add_file, "nvJitLinkAddFile");
  functions.bind(library.complete, "nvJitLinkComplete");
  functions.bind(library.cubin_size, "nvJitLinkGetLinkedCubinSize");
  functions.bind(library.cubin, "nvJitLinkGetLinkedCubin");
  functions.bind(library.log_size, "nvJitLinkGetErrorLogSize");
  functions.bind(library.log, "nvJitLinkGetErrorLog");
  library.problem = functions.problem();
  return library;
}

Error failed(const NvJitLink& library, Linker linker, const std::string& step) {
  size_t size = 0;
  std::string log;
  if (linker && library.log_size(linker, &size) == 0 && size > 0) {
    log.resize(size);
    if (library.log(linker, log.data()) != 0) log.clear();
    log.resize(std::char_traits<char>::length(log.c_str()));
  }
  return {ErrorCode::Internal, "nvJitLink could not " + step + ": " + log};
}

/// What others compiled to something that only the linker compiles to the end.
bool is_lto(const std::string& path) { return path.ends_with(".ltoir"); }

Status add_files(const NvJitLink& library, Linker linker, const std::vector<std::string>& files) {
  for (const std::string& path : files) {
    auto kind = std::ranges::find_if(
        kInputs, [&](const auto& input) { return path.ends_with(input.first); });
    if (kind == std::end(kInputs))
      return Error{ErrorCode::Invalid, path + " is nothing that nvJitLink links"};
    if (library.add_file(linker, kind->second, path.c_str()) == 0) continue;
    return Error{ErrorCode::Invalid, failed(library, linker, "read " + path).text};
  }
  return ok();
}

}  // namespace

Result<std::vector<std::byte>> assemble_ptx(std::string_view ptx, const std::string& arch,
                                            const std::vector<std::string>& files) {
  static const NvJitLink& library = *new NvJitLink(load_nvjitlink());
  if (!library.problem.empty()) return Error{ErrorCode::Unavailable, library.problem};
  const std::string option = "-arch=" + arch;
  const char* options[] = {option.c_str(), "-lto"};
  const uint32_t count = std::ranges::any_of(files, is_lto) ? 2 : 1;
  Linker linker = nullptr;
  // An architecture it does not know: the driver may.
  if (library.create(&linker, count, options) != 0)
    return Error{ErrorCode::Unavailable, "nvJitLink does not know " + arch};
  struct Destroy {
    Linker& linker;
    ~Destroy() { (void)library.destroy(&linker); }
  } destroy{linker};
  if (library.add(linker, kInputPtx, ptx.data(), ptx.size(), "kernel.ptx") != 0)
    return failed(library, linker, "read the PTX");
  HETJIT_TRY(add_files(library, linker, files));
  if (library.complete(linker) != 0) {
    Error error = failed(library, linker, "assemble");
    if (!files.empty()) error.code = ErrorCode::Invalid;  // a symbol that none of them has
    return error;
  }
  size_t size = 0;
  if (library.cubin_size(linker, &size) != 0) return failed(library, linker, "give the size");
  std::vector<std::byte> cubin(size);
  if (library.cubin(linker, cubin.data()) != 0) return failed(library, linker, "give the code");
  return cubin;
}

}  // namespace hetjit::target
