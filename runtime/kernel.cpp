#include "runtime/kernel.h"

#include "runtime/handles.h"

namespace hetjit::runtime {

Result<std::unique_ptr<Kernel>> Kernel::load(Device& device, const KernelImage& image) {
  Result<Module> module = Module::load(device, image);
  if (!module) return module.error();
  Result<Handle> function = device.find(module->get(), image.entry);
  if (!function) return function.error();
  return std::unique_ptr<Kernel>(
      new Kernel(device, module->let_go(), *function, image.parameter_bytes));
}

Kernel::~Kernel() {
  // At the end of the process the driver may be gone already, and nobody is left to tell.
  (void)device_.unload(module_);
}

Status Kernel::launch(const Geometry& geometry, Params params, Handle stream) {
  HETJIT_TRY(check_geometry(geometry, device_.info()));
  if (params.bytes != parameter_bytes_)
    return Error{ErrorCode::Invalid, "a parameter block of " + std::to_string(params.bytes) +
                                         " bytes was given to a kernel that takes " +
                                         std::to_string(parameter_bytes_)};
  return device_.launch(function_, geometry, params, stream);
}

}  // namespace hetjit::runtime
