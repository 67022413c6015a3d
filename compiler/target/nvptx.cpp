// NVIDIA: PTX, and through nvJitLink machine code.
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CallingConv.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>

#include "compiler/target/device_library.h"
#include "compiler/target/foreign_code.h"
#include "compiler/target/rewrites.h"
#include "compiler/target/stack.h"
#include "compiler/target/target_impl.h"

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace hetjit::target {
namespace {

constexpr const char* kTriple = "nvptx64-nvidia-cuda";
constexpr uint32_t kRegisterNames = 255;  // that an instruction has room for
constexpr int kOldest = 70;               // independent thread scheduling, scoped atomics
constexpr int kFirstWithLto = 100;        // for which libNVVM reads LLVM IR like ours

/// LLVM writes the oldest version of PTX that knows the GPU; before 6.3 it had no nanosleep, and
/// before 7.0 no hyperbolic tangent, which libdevice takes sm_75 to have.
const char* features(const std::string& arch) {
  if (arch == "sm_70" || arch == "sm_72") return "+ptx63";
  return arch == "sm_75" ? "+ptx70" : "";
}

std::vector<std::string> libdevice_folders() {
  std::vector<std::string> folders;
  add_folder(folders, "CUDA_HOME", "/nvvm/libdevice");
  add_folder(folders, "CUDA_PATH", "/nvvm/libdevice");
  for (const char* root : {"/usr/local/cuda", "/opt/cuda", "/usr/lib/cuda"})
    folders.push_back(std::string(root) + "/nvvm/libdevice");
  folders.push_back("/usr/lib/nvidia-cuda-toolkit/libdevice");
  return folders;
}

constexpr DeviceLibrary kLibdevice{"__nv_", "libdevice.10.bc", "HETJIT_LIBDEVICE",
                                   libdevice_folders};

/// What nvcc's -use_fast_math takes in place of functions of f32.
constexpr ApproximateName kApproximate[] = {
    {"Sin", "__nv_fast_sinf"},   {"Cos", "__nv_fast_cosf"},     {"Tan", "__nv_fast_tanf"},
    {"Tanh", "__nv_fast_tanhf"}, {"Exp", "__nv_fast_expf"},     {"Log", "__nv_fast_logf"},
    {"Log2", "__nv_fast_log2f"}, {"Log10", "__nv_fast_log10f"}, {"Pow", "__nv_fast_powf"},
};

/// What libdevice asks at compile time, as nvcc answers it: denormals are kept, square roots exact.
/// LLVM's own pass answers the last with no, and, in a pipeline like ours, that every GPU is the
/// oldest.
void answer_library(llvm::Module& module, int arch) {
  llvm::Function* asked = module.getFunction("__nvvm_reflect");
  if (!asked) return;
  const std::map<llvm::StringRef, int> answers{
      {"__CUDA_FTZ", 0}, {"__CUDA_PREC_SQRT", 1}, {"__CUDA_ARCH", arch * 10}};
  for (llvm::User* user : llvm::make_early_inc_range(asked->users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    llvm::StringRef question;
    HETJIT_CHECK(llvm::getConstantStringInfo(call->getArgOperand(0), question));
    auto answer = answers.find(question);
    const int value = answer == answers.end() ? 0 : answer->second;
    call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), value));
    call->eraseFromParent();
  }
  asked->eraseFromParent();
}

/// What nvcc leaves in a register above a result of 8 bits is nobody's; LLVM's back end would take
/// a declaration's word for it that it was extended. (tests/interop/test_upper_bits.py)
void extend_results(llvm::Module& module) {
  auto forget = [](auto& called) {
    called.removeRetAttr(llvm::Attribute::SExt);
    called.removeRetAttr(llvm::Attribute::ZExt);
  };
  for (llvm::Function& function : module) {
    if (!function.isDeclaration() || function.isIntrinsic()) continue;
    forget(function);
    for (llvm::User* user : function.users())
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(user)) forget(*call);
  }
}

class NvptxTarget : public Target {
 public:
  explicit NvptxTarget(const TargetName& name)
      : Target(name, kTriple, name.arch, features(name.arch)) {
    spaces_.global = 1;
    spaces_.shared = 3;
  }

  void prepare_kernel(llvm::Function& kernel) const override {
    prepare_function(kernel);
    kernel.setCallingConv(llvm::CallingConv::PTX_Kernel);
  }

  // .maxntid is the product of its numbers, whatever shape a block has.
  void limit(llvm::Function& function, const KernelLimits& limits) const override {
    if (function.getCallingConv() != llvm::CallingConv::PTX_Kernel) return;
    auto direct = [&](const char* directive, uint32_t number) {
      if (number) function.addFnAttr(directive, std::to_string(number));
    };
    direct("nvvm.maxntid", limits.threads);
    direct("nvvm.minctasm", limits.blocks);
    direct("nvvm.maxnreg", std::min(limits.registers, kRegisterNames));
  }

  const char* library_name(const ir::MathInfo& function, bool is_f64) const override {
    return function.libdevice[is_f64];
  }

  const char* approximate_name(const ir::MathInfo& function) const override {
    return approximate_in(kApproximate, function);
  }

  bool assembles_line_tables() const override { return true; }

  Status link_libraries(llvm::Module& module) const override {
    HETJIT_TRY(link_device_library(module, kLibdevice));
    answer_library(module, number());
    return compile_cuda_texts(module, *this);
  }

  const PassChoices& pass_choices() const override { return kGpuPasses; }

  void finish(llvm::Module& module) const override {
    extend_results(module);
    use_saturating_instructions(module, HideSource::ByFence);
    keep_choices_of_zero(module);
    lower_own_atomics(module);
    write_ptx_atomics(module);
    write_ptx_shifts(module);
  }

  Result<std::string> generate_lto(llvm::Module& module,
                                   llvm::TargetMachine& machine) const override {
    if (number() < kFirstWithLto)
      return Error{ErrorCode::Unsupported,
                   "LTO-IR is made from sm_100 on: for older GPUs libNVVM reads the IR of LLVM 7, "
                   "which has no pointers like ours; link 'cubin' or 'ptx'"};
    extend_results(module);
    keep_choices_of_zero(module);
    lower_own_atomics(module);
    write_all_ptx_atomics(module, machine);
    write_ptx_shifts(module);
    write_nvcc_signatures(module);
    write_nvvm_dialect(module);
    return lto_ir(bitcode_of(module), name().arch);
  }

  std::string generate_text(llvm::Module& module, llvm::TargetMachine& machine) const override {
    std::string ptx = Target::generate_text(module, machine);
    raise_ptx_version(ptx);
    return with_cuda_texts(module, std::move(ptx));
  }

  Status generate(llvm::Module& module, llvm::TargetMachine& machine, const EmitOptions& options,
                  KernelImage& image) const override {
    std::string ptx = generate_text(module, machine);
    if (is_recursive(module)) image.stack_bytes = stack_bytes(module, ptx_frames(ptx));
    ptx.push_back('\0');  // the driver and nvJitLink want it inside
    const std::vector<std::string> files = files_needed(module);
    if (options.cubin || !files.empty()) {
      auto cubin = assemble_ptx(ptx, name().arch, files);
      if (cubin.ok()) {
        image.kind = ImageKind::Cubin;
        image.code = std::move(*cubin);
        return ok();
      }
      if (cubin.error().code != ErrorCode::Unavailable || !files.empty()) return cubin.error();
    }
    image.kind = ImageKind::Ptx;
    image.code.resize(ptx.size());
    std::memcpy(image.code.data(), ptx.data(), ptx.size());
    return ok();
  }

 private:
  /// 90 of "sm_90a".
  int number() const { return std::atoi(cpu().c_str() + 3); }
};

void initialize() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

std::vector<std::string> known_archs() {
  std::vector<std::string> archs = known_cpus(llvm::Triple(kTriple));
  std::erase_if(archs, [](const std::string& arch) {
    return !arch.starts_with("sm_") || std::atoi(arch.c_str() + 3) < kOldest;
  });
  std::sort(archs.begin(), archs.end(), [](const std::string& a, const std::string& b) {
    int x = std::atoi(a.c_str() + 3), y = std::atoi(b.c_str() + 3);
    return x != y ? x < y : a < b;
  });
  return archs;
}

}  // namespace

const DeviceLibrary& libdevice() { return kLibdevice; }

Result<std::unique_ptr<Target>> make_nvptx(const TargetName& name) {
  initialize();
  std::vector<std::string> known = known_archs();
  if (std::find(known.begin(), known.end(), name.arch) == known.end())
    return unknown_arch(name, "NVIDIA", known);
  return std::unique_ptr<Target>(new NvptxTarget(name));
}

}  // namespace hetjit::target
