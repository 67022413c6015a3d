#include "runtime/kernel.h"

#include <algorithm>

#include "runtime/handles.h"

namespace hetjit::runtime {

Result<std::unique_ptr<Kernel>> Kernel::load(Device& device, const KernelImage& image) {
  Result<Module> module = Module::load(device, image);
  if (!module) return module.error();
  Result<Handle> function = device.find(module->get(), image.entry);
  if (!function) return function.error();
  std::unique_ptr<Kernel> kernel(new Kernel(device, module->let_go(), *function, image));
  HETJIT_TRY(kernel->find_boxes());
  return kernel;
}

Status Kernel::find_boxes() {
  for (const Site& site : sites_) {
    Address& box = site.kind == SiteKind::Raise ? error_box_ : print_box_;
    if (box) continue;
    Result<Address> found =
        device_.global(module_, site.kind == SiteKind::Raise ? kErrorSymbol : kPrintSymbol);
    if (!found) return found.error();
    box = *found;
  }
  return ok();
}

Kernel::~Kernel() {
  // At the end of the process the driver may be gone already, and nobody is left to tell.
  (void)device_.unload(module_);
}

Status Kernel::launch(const Geometry& geometry, Params params, Handle stream) {
  HETJIT_TRY(check_geometry(geometry, device_.info()));
  if (grid_barrier_ && !geometry.cooperative)
    return Error{ErrorCode::Invalid,
                 "'" + entry_ +
                     "' has a barrier of the whole grid, device.syncgrid(): launch it with "
                     "cooperative=True"};
  if (params.bytes != parameter_bytes_)
    return Error{ErrorCode::Invalid, "a parameter block of " + std::to_string(params.bytes) +
                                         " bytes was given to a kernel that takes " +
                                         std::to_string(parameter_bytes_)};
  return device_.launch(function_, geometry, params, stream);
}

std::mutex& Kernel::speaking() {
  std::lock_guard lock(choosing_);
  if (speaker_ != getpid()) {
    (void)speaking_.release();  // perhaps locked for good: never destroyed
    speaking_ = std::make_unique<std::mutex>();
    speaker_ = getpid();
  }
  return *speaking_;
}

Status Kernel::launch_and_listen(const Geometry& geometry, Params params, Handle stream,
                                 Report& report) {
  std::lock_guard lock(speaking());
  Status done = launch(geometry, params, stream);
  Result<Report> said = listen(stream);
  if (said) report = std::move(*said);
  return !done.ok() || said ? done : Status(said.error());
}

Result<Report> Kernel::listen(Handle stream) {
  Report report;
  if (error_box_) HETJIT_TRY(read_error_box(stream, report));
  if (print_box_) HETJIT_TRY(read_print_box(stream, report));
  return report;
}

Status Kernel::read_error_box(Handle stream, Report& report) {
  ErrorBox box;
  HETJIT_TRY(device_.copy_out(&box, error_box_, sizeof box, stream));
  HETJIT_TRY(device_.wait(stream));
  if (!box.claimed) return ok();
  read_error(box, sites_, report);
  const uint64_t nobody = 0;
  HETJIT_TRY(device_.copy_in(error_box_, &nobody, sizeof nobody, stream));
  return device_.wait(stream);
}

Status Kernel::read_print_box(Handle stream, Report& report) {
  auto box = std::make_unique_for_overwrite<PrintBox>();
  constexpr size_t kHead = offsetof(PrintBox, records);
  HETJIT_TRY(device_.copy_out(box.get(), print_box_, kHead, stream));
  HETJIT_TRY(device_.wait(stream));
  if (!box->cursor) return ok();
  const uint64_t used = std::min(box->cursor, kPrintBytes);
  HETJIT_TRY(device_.copy_out(box->records, print_box_ + kHead, used, stream));
  const std::byte nothing[kHead] = {};
  HETJIT_TRY(device_.copy_in(print_box_, nothing, kHead, stream));
  HETJIT_TRY(device_.wait(stream));
  read_prints(*box, used, sites_, report);
  return ok();
}

}  // namespace hetjit::runtime
