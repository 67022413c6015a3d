#include "runtime/kernel.h"

#include <algorithm>
#include <mutex>

namespace hetjit::runtime {
namespace {

KernelImage without_code(KernelImage image) {
  image.code = {};
  return image;
}

}  // namespace

Result<std::unique_ptr<Kernel>> Kernel::load(Device& device, const KernelImage& image) {
  std::unique_ptr<Kernel> kernel(new Kernel(device, image));
  Result<Copy> first = kernel->load_copy(image);
  if (!first) return first.error();
  kernel->copies_.push_back(std::move(*first));
  kernel->idle_.push_back(&kernel->copies_.front());
  return kernel;
}

Kernel::Kernel(Device& device, const KernelImage& image)
    : device_(device), image_(image.sites.empty() ? without_code(image) : image) {}

Result<Kernel::Copy> Kernel::load_copy(const KernelImage& image) const {
  Result<Module> module = Module::load(device_, image);
  if (!module) return module.error();
  Copy copy{.module = std::move(*module)};
  Result<Handle> function = copy.module.find(image.entry);
  if (!function) return function.error();
  copy.function = *function;
  for (const Site& site : image.sites) {
    const bool raises = site.kind == SiteKind::Raise;
    Address& box = raises ? copy.error_box : copy.print_box;
    if (box) continue;
    Result<Address> found = device_.global(copy.module.get(), raises ? kErrorSymbol : kPrintSymbol);
    if (!found) return found.error();
    box = *found;
  }
  return copy;
}

Status Kernel::launch(const Geometry& geometry, Params params, Handle stream) {
  return launch(copies_.front(), geometry, params, stream);
}

Status Kernel::check(const Geometry& geometry) const {
  HETJIT_TRY(check_geometry(geometry, device_.info()));
  const uint64_t threads =
      uint64_t{geometry.block[0]} * geometry.block[1] * geometry.block[2];  // are few enough
  if (!image_.most_threads || threads <= image_.most_threads) return ok();
  return Error{ErrorCode::Invalid,
               "block of " + std::to_string(threads) + " threads is more than the " +
                   std::to_string(image_.most_threads) + " that '" + image_.entry +
                   "' was compiled for: launch smaller blocks, or let launch_bounds= say more"};
}

Status Kernel::check_launch(const Geometry& geometry, Params params) const {
  HETJIT_TRY(check(geometry));
  if (image_.grid_barrier && !geometry.cooperative)
    return Error{ErrorCode::Invalid,
                 "'" + image_.entry +
                     "' has a barrier of the whole grid, device.syncgrid(): launch it with "
                     "cooperative=True, as device.launch(kernel, x, grid=4, block=2, "
                     "cooperative=True) does, or kernel[4, 2, 0, 0, True](x)"};
  if (geometry.schedule.programmatic && !image_.grid_dependency)
    return Error{ErrorCode::Invalid,
                 "'" + image_.entry +
                     "' is launched with programmatic=True, so that it may begin before the launch "
                     "before it is done, and does not wait for that: it must call "
                     "device.grid_dependency_synchronize() before it reads what that one writes"};
  if (geometry.shared_bytes < image_.least_shared)
    return Error{ErrorCode::Invalid,
                 "'" + image_.entry + "' has a dynamic_shared_array() of elements of " +
                     std::to_string(image_.least_shared) + " bytes, and the launch asks for " +
                     std::to_string(geometry.shared_bytes) +
                     " bytes of it: say how many, as in kernel[grid, block, None, bytes](…)"};
  if (params.bytes != image_.parameter_bytes)
    return Error{ErrorCode::Invalid, "a parameter block of " + std::to_string(params.bytes) +
                                         " bytes was given to a kernel that takes " +
                                         std::to_string(image_.parameter_bytes)};
  return ok();
}

Status Kernel::launch(const Copy& copy, const Geometry& geometry, Params params, Handle stream) {
  HETJIT_TRY(check_launch(geometry, params));
  return device_.launch(copy.function, geometry, params, stream);
}

Result<uint32_t> Kernel::registers() { return device_.registers(copies_.front().function); }

Result<uint32_t> Kernel::occupancy(const uint32_t (&block)[3], uint32_t shared_bytes) {
  Geometry geometry{.shared_bytes = shared_bytes};
  std::copy_n(block, 3, geometry.block);
  HETJIT_TRY(check(geometry));
  return device_.occupancy(copies_.front().function, block[0] * block[1] * block[2], shared_bytes);
}

Result<Kernel::Copy*> Kernel::take() {
  {
    std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      Copy* copy = idle_.back();
      idle_.pop_back();
      return copy;
    }
  }
  Result<Copy> made = load_copy(image_);
  if (!made) return made.error();
  std::lock_guard lock(mutex_);
  return &copies_.emplace_back(std::move(*made));
}

Status Kernel::launch_and_listen(const Geometry& geometry, Params params, Handle stream,
                                 Report& report) {
  Result<Copy*> copy = take();
  if (!copy) return copy.error();
  Status done = launch(**copy, geometry, params, stream);
  Result<Report> said = listen(**copy, stream);
  if (said) report = std::move(*said);
  std::lock_guard lock(mutex_);
  idle_.push_back(*copy);
  return !done.ok() || said ? done : Status(said.error());
}

Result<Report> Kernel::listen(Handle stream) { return listen(copies_.front(), stream); }

Result<Report> Kernel::listen(const Copy& copy, Handle stream) {
  Report report;
  if (copy.error_box) HETJIT_TRY(read_error_box(copy, stream, report));
  if (copy.print_box) HETJIT_TRY(read_print_box(copy, stream, report));
  return report;
}

Status Kernel::read_error_box(const Copy& copy, Handle stream, Report& report) {
  ErrorBox box;
  HETJIT_TRY(device_.copy_out(&box, copy.error_box, sizeof box, stream));
  HETJIT_TRY(device_.wait(stream));
  if (!box.claimed) return ok();
  read_error(box, image_.sites, report);
  const uint64_t nobody = 0;
  HETJIT_TRY(device_.copy_in(copy.error_box, &nobody, sizeof nobody, stream));
  return device_.wait(stream);
}

Status Kernel::read_print_box(const Copy& copy, Handle stream, Report& report) {
  auto box = std::make_unique_for_overwrite<PrintBox>();
  constexpr size_t kHead = offsetof(PrintBox, records);
  HETJIT_TRY(device_.copy_out(box.get(), copy.print_box, kHead, stream));
  HETJIT_TRY(device_.wait(stream));
  if (!box->cursor) return ok();
  const uint64_t used = std::min(box->cursor, kPrintBytes);
  HETJIT_TRY(device_.copy_out(box->records, copy.print_box + kHead, used, stream));
  const std::byte nothing[kHead] = {};
  HETJIT_TRY(device_.copy_in(copy.print_box, nothing, kHead, stream));
  HETJIT_TRY(device_.wait(stream));
  read_prints(*box, used, image_.sites, report);
  return ok();
}

}  // namespace hetjit::runtime
