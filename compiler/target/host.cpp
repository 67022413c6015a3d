// The host CPU: x86-64 objects for JITLink.
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/SubtargetFeature.h>

#include <algorithm>
#include <cstring>

#include "compiler/target/host_attention.h"
#include "compiler/target/identity.h"
#include "compiler/target/rewrites.h"
#include "compiler/target/target_impl.h"

extern "C" {
void LLVMInitializeX86TargetInfo();
void LLVMInitializeX86Target();
void LLVMInitializeX86TargetMC();
void LLVMInitializeX86AsmPrinter();
}

namespace hetjit::target {
namespace {

constexpr const char* kTriple = "x86_64-pc-linux-gnu";

class HostTarget : public Target {
 public:
  HostTarget(const TargetName& name, const std::string& cpu, const std::string& features)
      : Target(name, kTriple, cpu, features), features_text_(features) {
    auto machine = borrow_machine();
    has_vectors_ = machine->getMCSubtargetInfo()->checkFeatures("+avx2,+fma");
    has_masks_ = machine->getMCSubtargetInfo()->checkFeatures("+avx512bw,+avx512vl");
    fuses_halves_ = machine->getMCSubtargetInfo()->checkFeatures("+avx512fp16,+avx512vl");
    // AMD's take some 16 cycles for each of AVX2's (measured on znver3).
    stores_with_masks_ = has_masks_ || !llvm::StringRef(this->cpu()).starts_with("znver");
    give_back(std::move(machine));
  }

  void prepare_kernel(llvm::Function& kernel) const override { prepare_function(kernel); }

  void limit(llvm::Function&, const KernelLimits&) const override {}

  // The loop vectoriser and the inliner look at these, not at the TargetMachine.
  void prepare_function(llvm::Function& function) const override {
    Target::prepare_function(function);
    function.addFnAttr("target-cpu", cpu());
    if (!features_text_.empty()) function.addFnAttr("target-features", features_text_);
    function.addFnAttr("prefer-vector-width", kLoopVectorBits);
    // With fastmath too: of 0 and infinity, what is made of an estimate is NaN.
    function.addFnAttr("reciprocal-estimates", "none");
  }

  const char* library_name(const ir::MathInfo& function, bool is_f64) const override {
    return function.libm[is_f64];
  }

  // Without fused multiply-add in hardware a vector of them would be as many calls.
  unsigned lanes() const override { return has_vectors_ ? kLanes : 1; }
  bool has_masks() const override { return has_masks_; }
  bool fuses_halves() const override { return fuses_halves_; }
  bool stores_with_masks() const override { return stores_with_masks_; }

  const PassChoices& pass_choices() const override { return kHostPasses; }

  void finish(llvm::Module& module) const override {
    divide_vectors_as_floats(module);
    store_in_order(module, has_masks_ ? 64 : 32, has_masks_);
    attend_in_endless_loops(module);
  }

  Status link_libraries(llvm::Module&) const override { return ok(); }  // JITLink resolves libm

  Status generate(llvm::Module& module, llvm::TargetMachine& machine, const EmitOptions&,
                  KernelImage& image) const override {
    std::string object = generate_code(module, machine, CodeForm::Object);
    image.kind = ImageKind::HostObject;
    image.code.resize(object.size());
    std::memcpy(image.code.data(), object.data(), object.size());
    return ok();
  }

 private:
  std::string features_text_;
  bool has_vectors_ = false, has_masks_ = false, fuses_halves_ = false, stores_with_masks_ = true;
};

void initialize() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
  });
}

std::string host_features() {
  llvm::SubtargetFeatures features;
  auto found = llvm::sys::getHostCPUFeatures();
  std::vector<std::string> names;
  for (const auto& feature : found) names.push_back(feature.first().str());
  std::sort(names.begin(), names.end());  // a hash map's order would differ between processes
  for (const std::string& name : names) features.AddFeature(name, found.lookup(name));
  return features.getString();
}

}  // namespace

std::string host_cpu() { return llvm::sys::getHostCPUName().str(); }

std::string native_cpu() { return host_cpu() + " " + host_features(); }

Result<std::unique_ptr<Target>> make_host(const TargetName& name) {
  initialize();
  if (name.arch == "native")
    return std::unique_ptr<Target>(new HostTarget(name, host_cpu(), host_features()));
  auto known = known_cpus(llvm::Triple(kTriple));
  if (std::find(known.begin(), known.end(), name.arch) == known.end())
    return unknown_arch(name, "x86-64 CPU",
                        {"native", "x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4", host_cpu()});
  return std::unique_ptr<Target>(new HostTarget(name, name.arch, ""));
}

}  // namespace hetjit::target
