// LLVM's IR to NVIDIA's LTO-IR, through libNVVM, where it can be loaded.
#include "compiler/target/target_impl.h"
#include "compiler/target/vendor_library.h"

namespace hetjit::target {
namespace {

// The little of its interface that is used; results other than 0 are errors.
using Program = struct ProgramState*;

struct Libnvvm {
  int (*create)(Program*) = nullptr;
  int (*destroy)(Program*) = nullptr;
  int (*add)(Program, const char*, size_t, const char*) = nullptr;
  int (*compile)(Program, int, const char* const*) = nullptr;
  int (*result_size)(Program, size_t*) = nullptr;
  int (*result)(Program, char*) = nullptr;
  int (*log_size)(Program, size_t*) = nullptr;
  int (*log)(Program, char*) = nullptr;
  std::string problem;  // why it is not there
};

Libnvvm load_nvvm() {
  static const VendorLibrary kCompiler{"libNVVM",
                                       "HETJIT_LIBNVVM",
                                       {"libnvvm.so.4"},
                                       {"/nvvm/lib64/libnvvm.so", "/lib64/libnvvm.so"}};
  VendorFunctions functions(kCompiler);
  Libnvvm library;
  functions.bind(library.create, "nvvmCreateProgram");
  functions.bind(library.destroy, "nvvmDestroyProgram");
  functions.bind(library.add, "nvvmAddModuleToProgram");
  functions.bind(library.compile, "nvvmCompileProgram");
  functions.bind(library.result_size, "nvvmGetCompiledResultSize");
  functions.bind(library.result, "nvvmGetCompiledResult");
  functions.bind(library.log_size, "nvvmGetProgramLogSize");
  functions.bind(library.log, "nvvmGetProgramLog");
  library.problem = functions.problem();
  return library;
}

/// One compilation. A program that failed is not used again.
class Compilation {
 public:
  explicit Compilation(const Libnvvm& library) : library_(library) {
    HETJIT_CHECK(library.create(&program_) == 0);
  }
  ~Compilation() { (void)library_.destroy(&program_); }
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;

  Result<std::string> run(const std::string& bitcode, std::vector<const char*> options) {
    if (library_.add(program_, bitcode.data(), bitcode.size(), "hetjit") != 0 ||
        library_.compile(program_, static_cast<int>(options.size()), options.data()) != 0)
      return Error{ErrorCode::Unsupported, "libNVVM does not take this function: " + log()};
    size_t size = 0;
    HETJIT_CHECK(library_.result_size(program_, &size) == 0);
    std::string made(size, '\0');
    HETJIT_CHECK(library_.result(program_, made.data()) == 0);
    return made;
  }

 private:
  std::string log() const {
    size_t size = 0;
    if (library_.log_size(program_, &size) != 0 || size == 0) return "";
    std::string text(size, '\0');
    if (library_.log(program_, text.data()) != 0) return "";
    text.resize(std::char_traits<char>::length(text.c_str()));
    return text;
  }

  const Libnvvm& library_;
  Program program_ = nullptr;
};

/// LTO-IR is written without a look at what it calls; what libNVVM takes for a function of the
/// user's, because its LLVM has no such intrinsic, shows in PTX.
Status takes_all(const Libnvvm& library, const std::string& bitcode, const char* arch) {
  Result<std::string> ptx = Compilation(library).run(bitcode, {arch});
  HETJIT_TRY(ptx);
  const size_t unknown = ptx->find("llvm.");
  if (unknown == std::string::npos) return ok();
  return Error{ErrorCode::Unsupported,
               "libNVVM does not know " +
                   ptx->substr(unknown, ptx->find_first_of(", (;\n", unknown) - unknown)};
}

}  // namespace

Result<std::string> lto_ir(const std::string& bitcode, const std::string& arch) {
  static const Libnvvm& library = *new Libnvvm(load_nvvm());
  if (!library.problem.empty())
    return Error{ErrorCode::Unavailable,
                 "LTO-IR is made by libNVVM, which cannot be loaded: " + library.problem +
                     "; it is in NVIDIA's toolkit, or pip install nvidia-nvvm and set "
                     "HETJIT_LIBNVVM to its path; kind='cubin' needs none"};
  HETJIT_CHECK(arch.starts_with("sm_"));
  const std::string option = "-arch=compute_" + arch.substr(3);
  HETJIT_TRY(takes_all(library, bitcode, option.c_str()));
  return Compilation(library).run(bitcode, {option.c_str(), "-gen-lto"});
}

}  // namespace hetjit::target
