#include "compiler/target/nvrtc.h"

#include <dlfcn.h>

#include "compiler/target/vendor_library.h"

namespace hetjit::target {
namespace {

// The little of its interface that is used; results other than 0 are errors.
using Program = struct ProgramState*;

struct Nvrtc {
  int (*create)(Program*, const char*, const char*, int, const char* const*,
                const char* const*) = nullptr;
  int (*destroy)(Program*) = nullptr;
  int (*compile)(Program, int, const char* const*) = nullptr;
  int (*ptx_size)(Program, size_t*) = nullptr;
  int (*ptx)(Program, char*) = nullptr;
  int (*log_size)(Program, size_t*) = nullptr;
  int (*log)(Program, char*) = nullptr;
  std::string path;
  std::string problem;  // why it is not there
};

Nvrtc load_nvrtc() {
  static const VendorLibrary kCompiler{
      "NVRTC",
      "HETJIT_NVRTC",
      {"libnvrtc.so.13", "libnvrtc.so.12"},
      {"/lib64/libnvrtc.so"},
      {"/nvidia/cu13/lib/libnvrtc.so.13", "/nvidia/cuda_nvrtc/lib/libnvrtc.so.12"}};
  VendorFunctions functions(kCompiler);
  Nvrtc library;
  functions.bind(library.create, "nvrtcCreateProgram");
  functions.bind(library.destroy, "nvrtcDestroyProgram");
  functions.bind(library.compile, "nvrtcCompileProgram");
  functions.bind(library.ptx_size, "nvrtcGetPTXSize");
  functions.bind(library.ptx, "nvrtcGetPTX");
  functions.bind(library.log_size, "nvrtcGetProgramLogSize");
  functions.bind(library.log, "nvrtcGetProgramLog");
  library.problem = functions.problem();
  Dl_info found{};
  if (library.problem.empty() && dladdr(reinterpret_cast<void*>(library.create), &found))
    library.path = found.dli_fname;
  return library;
}

Result<const Nvrtc*> loaded() {
  static const Nvrtc& library = *new Nvrtc(load_nvrtc());
  if (library.problem.empty()) return &library;
  return Error{ErrorCode::Unavailable, "NVRTC cannot be loaded: " + library.problem};
}

using Words = std::vector<const char*>;

class Compilation {
 public:
  Compilation(const Nvrtc& library, const CudaSource& source) : library_(library) {
    Words names, texts;
    for (const auto& [name, text] : source.headers)
      names.push_back(name.c_str()), texts.push_back(text.c_str());
    HETJIT_CHECK(library.create(&program_, source.text.c_str(), source.name.c_str(),
                                static_cast<int>(names.size()), texts.data(), names.data()) == 0);
  }
  ~Compilation() { (void)library_.destroy(&program_); }
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;

  CudaAnswer run(const Words& options) {
    CudaAnswer answer;
    answer.accepted =
        library_.compile(program_, static_cast<int>(options.size()), options.data()) == 0;
    answer.messages = text(library_.log_size, library_.log);
    if (answer.accepted) answer.ptx = text(library_.ptx_size, library_.ptx);
    return answer;
  }

 private:
  /// What is written into memory of a size that is asked for before.
  std::string text(int (*size_of)(Program, size_t*), int (*read)(Program, char*)) const {
    size_t size = 0;
    if (size_of(program_, &size) != 0) return "";
    std::string found(size, '\0');
    if (read(program_, found.data()) != 0) return "";
    return found.c_str();
  }

  const Nvrtc& library_;
  Program program_ = nullptr;
};

}  // namespace

Result<std::string> find_nvrtc() {
  Result<const Nvrtc*> library = loaded();
  HETJIT_TRY(library);
  return (*library)->path;
}

Result<CudaAnswer> compile_cuda(const CudaSource& source, const std::string& arch) {
  Result<const Nvrtc*> library = loaded();
  HETJIT_TRY(library);
  const std::string architecture = "-arch=compute_" + arch.substr(arch.find('_') + 1);
  Words options{architecture.c_str(), "-rdc=true"};
  for (const std::string& option : source.options) options.push_back(option.c_str());
  return Compilation(**library, source).run(options);
}

}  // namespace hetjit::target
