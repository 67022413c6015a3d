// What a target is made of. Private to lower/, host/ and target/: it shows LLVM.
#pragma once

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Triple.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "abi/fork_safe_mutex.h"
#include "abi/kernel_limits.h"
#include "compiler/ir/ops_arith.h"
#include "compiler/target/limits.h"
#include "compiler/target/target.h"

namespace hetjit::target {

/// Address spaces that differ between targets. Pointers in our values are generic (0); what is
/// known to be in another space is cast once, and LLVM infers the rest.
struct AddressSpaces {
  unsigned global = 0;    // device memory
  unsigned private_ = 0;  // a thread's own: LLVM's allocas
  unsigned constant = 0;  // a kernel's parameters, where they are memory
  unsigned shared = 0;    // a block's; 0: the target has none of its own
};

/// Base of the three targets (nvptx.cpp, amdgpu.cpp, host.cpp).
class Target {
 public:
  virtual ~Target() = default;

  const TargetName& name() const { return name_; }
  const llvm::Triple& triple() const { return triple_; }
  const llvm::DataLayout& data_layout() const { return data_layout_; }
  const AddressSpaces& spaces() const { return spaces_; }
  const std::string& cpu() const { return cpu_; }

  /// Triple, data layout and module flags; before any code is built.
  virtual void prepare(llvm::Module& module) const;
  /// Calling convention and attributes of a kernel.
  virtual void prepare_kernel(llvm::Function& kernel) const = 0;
  /// The same of functions whose kernel has limits, each function of the module.
  virtual void limit(llvm::Function& function, const KernelLimits& limits) const = 0;
  /// Attributes that every function of the module needs.
  virtual void prepare_function(llvm::Function& function) const;
  /// The library function behind a math function: libm's, libdevice's or OCML's name.
  virtual const char* library_name(const ir::MathInfo& function, bool is_f64) const = 0;
  /// The same of a faster one of f32 that is only near; "": there is none.
  virtual const char* approximate_name(const ir::MathInfo&) const { return ""; }
  virtual const PassChoices& pass_choices() const = 0;
  /// How many threads of a host kernel run as one vector; 1: none.
  virtual unsigned lanes() const { return 1; }
  /// Has it registers for masks of any number of lanes, and loads and stores of any elements, side
  /// by side or not, with such masks?
  virtual bool has_masks() const { return false; }
  /// Has a host a fused multiply-add of halves that is rounded once (AVX-512 FP16)?
  virtual bool fuses_halves() const { return false; }
  /// Are vectors of four- and eight-byte elements stored with a mask about as fast as without?
  virtual bool stores_with_masks() const { return true; }
  /// How many threads a GPU runs in step.
  unsigned warp_size() const { return hetjit::warp_size(name_); }
  /// Whether what takes its text makes line tables of directives in it.
  virtual bool assembles_line_tables() const { return false; }
  /// Adds the bodies of the device library functions that the module calls.
  virtual Status link_libraries(llvm::Module& module) const = 0;
  /// After optimisation: writes out what LLVM's back end would not do right.
  virtual void finish(llvm::Module&) const {}
  /// Optimised module, of which finish() has not been called, to the vendor's own form that its
  /// linker compiles to the end. Errors: Unsupported when there is none.
  virtual Result<std::string> generate_lto(llvm::Module& module,
                                           llvm::TargetMachine& machine) const;
  /// Optimised module to readable machine code.
  virtual std::string generate_text(llvm::Module& module, llvm::TargetMachine& machine) const;
  /// Optimised module to the image's bytes; sets the kind.
  virtual Status generate(llvm::Module& module, llvm::TargetMachine& machine,
                          const EmitOptions& options, KernelImage& image) const = 0;

  /// A TargetMachine is not thread-safe, so each compilation borrows one and, unless it failed,
  /// gives it back.
  std::unique_ptr<llvm::TargetMachine> borrow_machine();
  void give_back(std::unique_ptr<llvm::TargetMachine> machine);

 protected:
  Target(TargetName name, std::string triple, std::string cpu, std::string features);
  AddressSpaces spaces_;

 private:
  TargetName name_;
  llvm::Triple triple_;
  std::string cpu_, features_;
  llvm::DataLayout data_layout_;
  ForkSafeMutex mutex_;
  std::vector<std::unique_ptr<llvm::TargetMachine>> idle_;
};

/// Unsupported, with the archs there are, for an unknown one.
Result<std::unique_ptr<Target>> make_nvptx(const TargetName& name);
Result<std::unique_ptr<Target>> make_amdgpu(const TargetName& name);
Result<std::unique_ptr<Target>> make_host(const TargetName& name);

/// CPU names LLVM knows for a triple, in its order.
std::vector<std::string> known_cpus(const llvm::Triple& triple);
/// Unsupported: "… is not a known NVIDIA architecture; known are …".
Error unknown_arch(const TargetName& name, const std::string& vendor,
                   const std::vector<std::string>& known);

/// external_code.cpp: makes a module of others as if we had made it: for this target, with nothing
/// said of another CPU and of how a whole program is compiled.
void adopt(llvm::Module& module, const Target& target);
/// The same file: takes in what the module calls of C++.
Status link_externals(LlvmModule& module, const Target& target);
/// The same file: takes in the C++ that calls the module; all else becomes the module's own.
Status link_entry(LlvmModule& module, const Target& target, const CxxEntry& entry);
/// The same: an optimised module as bitcode.
std::string bitcode_of(const llvm::Module& module);

/// optimize.cpp: the LLVM pass pipeline.
void optimize(llvm::Module& module, llvm::TargetMachine& machine, const Target& target);
/// The same file: as clang does with a module of its own, before it is known which CPU it is for.
/// Loops stay loops.
void optimize_apart(llvm::Module& module);

/// The same file: atomic operations as those that the target has.
void expand_atomics(llvm::Module& module, llvm::TargetMachine& machine);

/// codegen.cpp: machine code or its text.
enum class CodeForm : uint8_t { Object, Text };
std::string generate_code(llvm::Module& module, llvm::TargetMachine& machine, CodeForm form);

/// codegen.cpp: calls work(context); LLVM's fatal errors and error diagnostics come back as
/// ErrorCode::Internal instead of ending the process. After such an error nothing that the work
/// touched may be used again: leak it.
Status guarded(llvm::LLVMContext& context, Status (*work)(void*), void* argument);
template <class Work>
Status guarded(llvm::LLVMContext& context, Work&& work) {
  return guarded(
      context, [](void* argument) -> Status { return (*static_cast<Work*>(argument))(); }, &work);
}

/// elf_link.cpp: one relocatable object to a shared object (AMD code objects).
Result<std::vector<std::byte>> link_shared(const std::string& object);

/// nvptx_own_atomics.cpp: plain operations in place of atomic ones on a thread's own memory.
void lower_own_atomics(llvm::Module& module);
/// nvptx_atomics.cpp: the other read-modify-write operations, and what has 16 bytes, as PTX.
void write_ptx_atomics(llvm::Module& module);
/// The same file: all of them, for who has no better back end.
void write_all_ptx_atomics(llvm::Module& module, llvm::TargetMachine& machine);
/// The version of PTX that what has 16 bytes needs; LLVM writes the lowest that knows the GPU.
void raise_ptx_version(std::string& ptx);

/// nvjitlink.cpp: PTX (with its NUL), and files of code that it calls, to a cubin. Unavailable when
/// libnvJitLink cannot be loaded; Invalid when the files do not fit.
Result<std::vector<std::byte>> assemble_ptx(std::string_view ptx, const std::string& arch,
                                            const std::vector<std::string>& files);

/// libnvvm.cpp: bitcode of a module as it reads it (rewrites.h) to LTO-IR. Unavailable when libNVVM
/// cannot be loaded; Unsupported when it does not take the module.
Result<std::string> lto_ir(const std::string& bitcode, const std::string& arch);

}  // namespace hetjit::target
