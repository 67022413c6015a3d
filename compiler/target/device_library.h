// Finding, linking and internalising libdevice (NVIDIA) and OCML (AMD). Private to target/.
#pragma once

#include <llvm/IR/Module.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "abi/status.h"
#include "abi/target_name.h"
#include "compiler/ir/ops_arith.h"

namespace hetjit::target {

/// One library: its file and where it may be.
struct DeviceLibrary {
  const char* prefix;       // of its functions: "__nv_"
  const char* file;         // "libdevice.10.bc"
  const char* environment;  // names the file or its folder; then it is looked for only there
  std::vector<std::string> (*folders)();
};

const DeviceLibrary& libdevice();  // nvptx.cpp
const DeviceLibrary& ocml();       // amdgpu.cpp
/// The one of a target; null: the process's own functions.
const DeviceLibrary* math_library(const TargetName& target);  // target.cpp

/// A function of f32 that is only near, and faster: which row of math.def it stands for.
struct ApproximateName {
  std::string_view function;
  const char* symbol;
};
/// The symbol in such a table; "": the function is not there.
const char* approximate_in(std::span<const ApproximateName> names, const ir::MathInfo& function);

/// "$NAME" + rest, or nothing when the variable is not set. For lists of folders.
void add_folder(std::vector<std::string>& to, const char* variable, const char* rest);

/// No file in any of the folders. A file that the environment names is never missing: when it is
/// not there, linking says so.
bool is_missing(const DeviceLibrary& library);

/// A digest of the file's content, in hexadecimal digits; "none": it is missing.
std::string library_digest(const DeviceLibrary& library);

/// Links what the module calls of the library, as internal functions. Does nothing when it calls
/// none. Unavailable: the file is not there, the text says what needs it and where we looked.
Status link_device_library(llvm::Module& module, const DeviceLibrary& library);

}  // namespace hetjit::target
