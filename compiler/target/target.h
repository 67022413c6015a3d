// LLVM IR to bytes: what is particular to each target. One object per target name, made once and
// reused (a TargetMachine costs 0.1-2 ms).
#pragma once

#include <memory>
#include <string>

#include "abi/kernel_image.h"
#include "abi/status.h"
#include "compiler/target/llvm_module.h"

namespace hetjit::target {

struct EmitOptions {
  bool cubin = false;  // NVIDIA: assemble through nvJitLink when it can be loaded, else PTX
};

class Target;  // compiler/target/target_impl.h, for lower/ and target/ only

/// The target of that name; the same object for the life of the process, safe from any thread.
/// Errors: Unsupported for an unknown arch.
Result<Target*> find_target(const TargetName& name);

const TargetName& name(const Target& target);

/// How many threads of a host kernel run as one vector; 1: none. GPUs: 1.
unsigned lanes(const Target& target);

/// Whether a host's vectors of any elements are read and written with masks of registers of their
/// own (AVX-512).
bool has_masks(const Target& target);

/// Whether the vendor's math functions are not here; false where the language's own always are.
bool lacks_math_library(const TargetName& target);

/// Host CPU as LLVM calls it, "znver4".
std::string host_cpu();

/// Library calls optimises, and generates code. Errors: Unavailable with the missing library's file
/// in the text; Internal when LLVM fails (our bug, but the process goes on).
Result<KernelImage> emit(LlvmModule module, Target& target, const EmitOptions& options = {});

/// A function as C++ calls it: bitcode of the C++ that calls `inner`, which a module has.
struct CxxEntry {
  std::string symbol, inner, bitcode;
  uint32_t result_align = 1;  // bytes
};
/// What a linker is given. Object: not NVIDIA's, whose assembler is its own; Lto: NVIDIA's.
enum class ExportForm : uint8_t { Assembly, Object, Bitcode, Llvm, Lto };

/// Thread, block, block dimension, grid dimension, x y z each: of a host's thread, as C++ knows it.
inline constexpr const char* kThreadPlace = "hetjit_place";

/// Code of which nothing is seen but the function. Errors as emit's.
Result<std::string> export_code(LlvmModule module, Target& target, const CxxEntry& entry,
                                ExportForm form);

/// Readable machine code of the same: PTX, AMDGPU or host assembly. For `./dev show`.
Result<std::string> assembly(LlvmModule module, Target& target);

}  // namespace hetjit::target
