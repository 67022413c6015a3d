#include "compiler/target/target.h"

#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/CodeGen.h>
#include <llvm/Target/TargetOptions.h>

#include <map>

#include "abi/fork_safe_mutex.h"
#include "compiler/target/device_library.h"
#include "compiler/target/target_impl.h"

namespace hetjit::target {
namespace {

const llvm::Target& backend(const llvm::Triple& triple) {
  std::string error;
  const llvm::Target* found = llvm::TargetRegistry::lookupTarget(triple, error);
  HETJIT_CHECK(found != nullptr);
  return *found;
}

std::unique_ptr<llvm::TargetMachine> make_machine(const llvm::Triple& triple,
                                                  const std::string& cpu,
                                                  const std::string& features) {
  llvm::TargetOptions options;
  // Fusing multiply and add is decided in our own IR (compiler/passes/contract.cpp), never here.
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(
      backend(triple).createTargetMachine(triple, cpu, features, options, llvm::Reloc::PIC_,
                                          std::nullopt, llvm::CodeGenOptLevel::Default));
}

/// A row for each kind of target.
struct Kind {
  Result<std::unique_ptr<Target>> (*make)(const TargetName& name);
  const DeviceLibrary* math;
  /// LLVM takes the alignment of what a function returns in NVIDIA's parameter space from LLVM's
  /// type and not from C++'s; nvlink does not notice, and reads other registers.
  bool aligns_results = false;
};

Kind kind_of(const TargetName& name) {
  switch (name.kind) {
    case TargetKind::Nvidia:
      return {make_nvptx, &libdevice(), true};
    case TargetKind::Amd:
      return {make_amdgpu, &ocml()};
    case TargetKind::Host:
      return {make_host, nullptr};
  }
  fail_check("a kind of target that nobody makes", __FILE__, __LINE__);
}

}  // namespace

Target::Target(TargetName name, std::string triple, std::string cpu, std::string features)
    : name_(std::move(name)),
      triple_(std::move(triple)),
      cpu_(std::move(cpu)),
      features_(std::move(features)),
      data_layout_("") {
  idle_.push_back(make_machine(triple_, cpu_, features_));
  data_layout_ = idle_.back()->createDataLayout();
}

void Target::prepare(llvm::Module& module) const {
  module.setTargetTriple(triple_);
  module.setDataLayout(data_layout_);
  module.addModuleFlag(llvm::Module::Min, "PIC Level", 2);  // as device libraries have it
}

void Target::prepare_function(llvm::Function& function) const {
  function.addFnAttr(llvm::Attribute::NoUnwind);
}

Result<std::string> Target::generate_lto(llvm::Module&, llvm::TargetMachine&) const {
  return Error{ErrorCode::Unsupported, to_text(name_) + " has no form for such a linker"};
}

std::string Target::generate_text(llvm::Module& module, llvm::TargetMachine& machine) const {
  return generate_code(module, machine, CodeForm::Text);
}

std::unique_ptr<llvm::TargetMachine> Target::borrow_machine() {
  {
    std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto machine = std::move(idle_.back());
      idle_.pop_back();
      return machine;
    }
  }
  return make_machine(triple_, cpu_, features_);
}

void Target::give_back(std::unique_ptr<llvm::TargetMachine> machine) {
  std::lock_guard lock(mutex_);
  idle_.push_back(std::move(machine));
}

std::vector<std::string> known_cpus(const llvm::Triple& triple) {
  std::unique_ptr<llvm::MCSubtargetInfo> info(
      backend(triple).createMCSubtargetInfo(triple, "", ""));
  std::vector<std::string> names;
  for (const auto& row : info->getAllProcessorDescriptions()) names.emplace_back(row.Key);
  return names;
}

Error unknown_arch(const TargetName& name, const std::string& vendor,
                   const std::vector<std::string>& known) {
  std::string text = "'" + name.arch + "' is not a known " + vendor + " architecture; known are";
  for (const std::string& arch : known) text += (&arch == &known.front() ? " " : ", ") + arch;
  return {ErrorCode::Unsupported, text};
}

Result<Target*> find_target(const TargetName& name) {
  static ForkSafeMutex mutex;
  static auto* targets = new std::map<std::string, std::unique_ptr<Target>>;  // for good
  std::lock_guard lock(mutex);
  auto found = targets->find(to_text(name));
  if (found != targets->end()) return found->second.get();
  auto made = kind_of(name).make(name);
  if (!made.ok()) return made.error();
  return ((*targets)[to_text(name)] = std::move(*made)).get();
}

namespace {

/// Links, optimises, then calls `use(machine)`; on failure the module and machine are leaked.
template <class Use>
Status optimized(LlvmModule& module, Target& target, Use&& use) {
  auto machine = target.borrow_machine();
  bool survived = false;
  Status linked;
  Status status = guarded(module.context(), [&]() -> Status {
    linked = link_externals(module, target);
    if (linked.ok()) linked = target.link_libraries(module.module());
    if (linked.ok()) {
      optimize(module.module(), *machine, target);
      linked = use(*machine);
    }
    survived = true;
    return ok();
  });
  if (!survived || !status.ok()) {
    module.abandon();
    (void)machine.release();
    return status;
  }
  target.give_back(std::move(machine));
  return linked;
}

/// The same with what LLVM's back end takes.
template <class Use>
Status compile(LlvmModule& module, Target& target, Use&& use) {
  return optimized(module, target, [&](llvm::TargetMachine& machine) -> Status {
    target.finish(module.module());
    return use(machine);
  });
}

}  // namespace

Result<KernelImage> emit(LlvmModule module, Target& target, const EmitOptions& options) {
  KernelImage image;
  image.target = target.name();
  image.entry = module.entry;
  image.parameter_bytes = module.parameter_bytes;
  HETJIT_TRY(compile(module, target, [&](llvm::TargetMachine& machine) {
    return target.generate(module.module(), machine, options, image);
  }));
  return image;
}

namespace {

void align_result(llvm::Function& function, uint32_t bytes) {
  if (function.getReturnType()->isAggregateType())
    function.addRetAttr(
        llvm::Attribute::getWithStackAlignment(function.getContext(), llvm::Align(bytes)));
}

std::string exported(LlvmModule& module, llvm::TargetMachine& machine, const Target& target,
                     ExportForm form) {
  switch (form) {
    case ExportForm::Assembly:
      return target.generate_text(module.module(), machine);
    case ExportForm::Object:
      return generate_code(module.module(), machine, CodeForm::Object);
    case ExportForm::Bitcode:
      return bitcode_of(module.module());
    case ExportForm::Llvm:
      return module.to_text();
    case ExportForm::Lto:
      break;  // what is compiled for another back end
  }
  fail_check("a form of code", __FILE__, __LINE__);
}

}  // namespace

Result<std::string> export_code(LlvmModule module, Target& target, const CxxEntry& entry,
                                ExportForm form) {
  HETJIT_TRY(link_entry(module, target, entry));
  if (kind_of(target.name()).aligns_results)
    align_result(*module.module().getFunction(entry.symbol), entry.result_align);
  std::string code;
  if (form == ExportForm::Lto) {
    Result<std::string> made = std::string();
    HETJIT_TRY(optimized(module, target, [&](llvm::TargetMachine& machine) -> Status {
      made = target.generate_lto(module.module(), machine);
      return ok();
    }));
    return made;
  }
  HETJIT_TRY(compile(module, target, [&](llvm::TargetMachine& machine) -> Status {
    code = exported(module, machine, target, form);
    return ok();
  }));
  return code;
}

const DeviceLibrary* math_library(const TargetName& target) { return kind_of(target).math; }

bool lacks_math_library(const TargetName& target) {
  const DeviceLibrary* math = math_library(target);
  return math && is_missing(*math);
}

const TargetName& name(const Target& target) { return target.name(); }

unsigned lanes(const Target& target) { return target.lanes(); }
bool has_masks(const Target& target) { return target.has_masks(); }

Result<std::string> assembly(LlvmModule module, Target& target) {
  std::string text;
  HETJIT_TRY(compile(module, target, [&](llvm::TargetMachine& machine) -> Status {
    text = target.generate_text(module.module(), machine);
    return ok();
  }));
  return text;
}

}  // namespace hetjit::target
