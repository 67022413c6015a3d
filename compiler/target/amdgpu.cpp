// AMD: code objects of version 5, linked in process by lld.
#include <llvm/IR/CallingConv.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/TargetParser/TargetParser.h>

#include <algorithm>

#include "compiler/target/device_library.h"
#include "compiler/target/foreign_code.h"
#include "compiler/target/rewrites.h"
#include "compiler/target/stack.h"
#include "compiler/target/target_impl.h"

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTarget();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUAsmPrinter();
}

namespace hetjit::target {
namespace {

constexpr const char* kTriple = "amdgcn-amd-amdhsa";
constexpr unsigned kConstantSpace = 4;
// Of a compute unit, and of the pair of them that RDNA runs a block on.
constexpr uint32_t kSimds = 4;

std::vector<std::string> ocml_folders() {
  std::vector<std::string> folders;
  add_folder(folders, "ROCM_PATH", "/amdgcn/bitcode");
  add_folder(folders, "HIP_PATH", "/amdgcn/bitcode");
  for (const char* root : {"/opt/rocm", "/usr/lib/x86_64-linux-gnu", "/usr", "/usr/lib"})
    folders.push_back(std::string(root) + "/amdgcn/bitcode");
  return folders;
}

constexpr DeviceLibrary kOcml{"__ocml_", "ocml.bc", "HETJIT_OCML", ocml_folders};

/// What HIP's -ffast-math takes in place of functions of f32.
constexpr ApproximateName kApproximate[] = {
    {"Sin", "__ocml_native_sin_f32"},     {"Cos", "__ocml_native_cos_f32"},
    {"Exp", "__ocml_native_exp_f32"},     {"Exp2", "__ocml_native_exp2_f32"},
    {"Log", "__ocml_native_log_f32"},     {"Log2", "__ocml_native_log2_f32"},
    {"Log10", "__ocml_native_log10_f32"},
};

bool is_generic(const std::string& cpu) { return cpu.ends_with("-generic"); }

class AmdTarget : public Target {
 public:
  explicit AmdTarget(const TargetName& name) : Target(name, kTriple, name.arch, "") {
    spaces_ = {.global = 1, .private_ = 5, .constant = kConstantSpace, .shared = 3};
    auto machine = borrow_machine();
    if (machine->getMCSubtargetInfo()->checkFeatures("+gfx90a-insts")) register_files_ = 2;
    give_back(std::move(machine));
  }

  void prepare(llvm::Module& module) const override {
    Target::prepare(module);
    // 6 only adds the generic targets, and older loaders refuse it.
    module.addModuleFlag(llvm::Module::Error, "amdhsa_code_object_version", object_version());
  }

  void prepare_kernel(llvm::Function& kernel) const override {
    prepare_function(kernel);
    kernel.setCallingConv(llvm::CallingConv::AMDGPU_KERNEL);
    kernel.addFnAttr("uniform-work-group-size", "true");  // whole blocks: as CUDA launches them
  }

  void prepare_function(llvm::Function& function) const override {
    Target::prepare_function(function);
    function.addFnAttr("amdgpu-flat-work-group-size", "1,1024");
  }

  // What a kernel calls takes registers, too.
  void limit(llvm::Function& function, const KernelLimits& limits) const override {
    if (limits.threads)
      function.addFnAttr("amdgpu-flat-work-group-size", "1," + std::to_string(limits.threads));
    if (limits.blocks)
      function.addFnAttr("amdgpu-waves-per-eu", std::to_string(waves_per_simd(limits)));
    if (limits.registers)
      function.addFnAttr("amdgpu-num-vgpr", std::to_string(limits.registers / register_files_));
  }

  const char* library_name(const ir::MathInfo& function, bool is_f64) const override {
    return function.ocml[is_f64];
  }

  const char* approximate_name(const ir::MathInfo& function) const override {
    return approximate_in(kApproximate, function);
  }

  Status link_libraries(llvm::Module& module) const override {
    HETJIT_TRY(link_device_library(module, kOcml));
    define_controls(module);
    return ok();
  }

  const PassChoices& pass_choices() const override { return kGpuPasses; }

  // LLVM cannot place a fence round a uniform float that was computed in a vector register.
  void finish(llvm::Module& module) const override {
    use_saturating_instructions(module, HideSource::Cannot);
    let_waiting_threads_yield(module);
    keep_differences_from_zero(module);
    keep_choices_of_zero(module);
  }

  Status generate(llvm::Module& module, llvm::TargetMachine& machine, const EmitOptions&,
                  KernelImage& image) const override {
    for (const std::string& path : files_needed(module))
      return Error{ErrorCode::Unsupported,
                   path + " cannot be linked for AMD's GPUs, which takes bitcode (.bc)"};
    const bool recursive = is_recursive(module);
    FrameSizes frames;
    auto linked = link_shared(recursive ? generate_code(module, machine, CodeForm::Object, frames)
                                        : generate_code(module, machine, CodeForm::Object));
    if (!linked.ok()) return linked.error();
    if (recursive) image.stack_bytes = stack_bytes(module, frames);
    image.kind = ImageKind::CodeObject;
    image.code = std::move(*linked);
    return ok();
  }

 private:
  uint32_t register_files_ = 1;  // in which LLVM counts what a thread has: 2 where they are one

  /// Least number that a SIMD holds when a multiprocessor holds the blocks that are asked for.
  uint32_t waves_per_simd(const KernelLimits& limits) const {
    const uint32_t waves = limits.blocks * ((limits.threads + warp_size() - 1) / warp_size());
    return (waves + kSimds - 1) / kSimds;
  }

  uint32_t object_version() const { return is_generic(cpu()) ? 600 : 500; }

  /// The constants that OCML's code branches on. ROCm keeps them in files per architecture; here
  /// they are defined as needed, so that no file has to know an architecture.
  void define_controls(llvm::Module& module) const {
    auto version = llvm::AMDGPU::getIsaVersion(cpu());
    uint32_t isa = version.Major * 1000 + version.Minor * 100 + version.Stepping;
    auto define = [&](const char* name, unsigned bits, uint32_t value) {
      llvm::GlobalVariable* global = module.getGlobalVariable(name, /*AllowInternal=*/true);
      if (!global || !global->isDeclaration()) return;
      global->setInitializer(llvm::ConstantInt::get(global->getValueType(), value));
      global->setConstant(true);
      global->setLinkage(llvm::GlobalValue::InternalLinkage);
      HETJIT_CHECK(global->getValueType()->isIntegerTy(bits));
    };
    define("__oclc_ISA_version", 32, isa);
    define("__oclc_ABI_version", 32, object_version());
    define("__oclc_wavefrontsize64", 8, warp_size() == 64);
    define("__oclc_daz_opt", 8, 0);
    define("__oclc_finite_only_opt", 8, 0);
    define("__oclc_unsafe_math_opt", 8, 0);
    define("__oclc_correctly_rounded_sqrt32", 8, 1);
  }
};

void initialize() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
  });
}

std::vector<std::string> known_archs() {
  std::vector<std::string> archs = known_cpus(llvm::Triple(kTriple));
  std::erase_if(archs, [](const std::string& arch) {
    return !arch.starts_with("gfx") || llvm::AMDGPU::getIsaVersion(arch).Major < 9;
  });
  return archs;
}

}  // namespace

const DeviceLibrary& ocml() { return kOcml; }

Result<std::unique_ptr<Target>> make_amdgpu(const TargetName& name) {
  initialize();
  std::vector<std::string> known = known_archs();
  if (std::find(known.begin(), known.end(), name.arch) == known.end())
    return unknown_arch(name, "AMD", known);
  return std::unique_ptr<Target>(new AmdTarget(name));
}

}  // namespace hetjit::target
