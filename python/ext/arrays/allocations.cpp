#include "python/ext/arrays/allocations.h"

#include <algorithm>
#include <utility>

#include "python/ext/handles/errors.h"
#include "python/ext/handles/set_aside.h"
#include "runtime/registry.h"

namespace hetjit::python {
namespace {

constexpr size_t kGranule = 512;  // bytes; drivers align no less

// A block may be used for an array that needs so much less.
constexpr size_t most_for(size_t bytes) { return bytes + bytes / 8; }

// Where a machine stands in for a GPU, memory that is gone shall be seen to be gone.
bool keeps_memory(const runtime::Device& device) {
  return device.info().kind == runtime::DeviceKind::Gpu && !runtime::is_emulated(device);
}

}  // namespace

Pool::Pool(runtime::Device& device) : device_(device), keeps_(keeps_memory(device)) {}

void Pool::ask(Handle allocate, Handle release) {
  allocate_ = std::move(allocate);
  release_ = std::move(release);
}

Result<Pool::Given> Pool::take_foreign(size_t bytes) {
  const Handle asked = allocate_.dup();  // it may be changed meanwhile
  Given given{.bytes = bytes, .release = release_.dup(), .foreign = true};
  const auto count = static_cast<Py_ssize_t>(bytes);
  given.owner = Handle::own(PyObject_CallFunction(asked.get(), "n", count));
  Handle address = given.owner.dup();
  if (address && !PyLong_Check(address.get()))
    address = Handle::own(PyObject_GetAttrString(given.owner.get(), "ptr"));
  given.address = address ? PyLong_AsUnsignedLongLong(address.get()) : 0;
  if (PyErr_Occurred()) return Error{ErrorCode::Invalid, "an allocator of the program's raised"};
  if (given.address) return given;
  given.release = Kept();  // for nothing was had: many allocators have 0 for 0 bytes, too
  if (!bytes) return given;
  return Error{ErrorCode::OutOfMemory, "the program's allocator gave no memory for " +
                                           std::to_string(bytes) + " bytes: an address of 0"};
}

Result<Pool::Given> Pool::take(size_t bytes) {
  if (allocate_) return take_foreign(bytes);
  if (!keeps_) {
    Result<runtime::Address> address = device_.allocate(bytes);
    if (!address) return address.error();
    return Given{.address = *address, .bytes = bytes};
  }
  bytes = (std::max<size_t>(bytes, 1) + kGranule - 1) / kGranule * kGranule;
  if (auto found = kept_.lower_bound(bytes);
      found != kept_.end() && found->first <= most_for(bytes)) {
    Given given{.address = found->second, .bytes = found->first};
    use_.kept -= given.bytes;
    kept_.erase(found);
    return given;
  }
  Result<runtime::Address> address = device_.allocate(bytes);
  if (!address) return address.error();
  return Given{.address = *address, .bytes = bytes};
}

void Pool::give_back(Given given, bool shared) {
  --use_.arrays;
  use_.held -= given.bytes;
  if (given.foreign) {
    const SetAside raised;
    if (given.release)
      Handle::own(PyObject_CallFunctionObjArgs(given.release.get(), given.owner.get(), nullptr));
  } else if (keeps_ && !shared) {
    kept_.emplace(given.bytes, given.address);
    use_.kept += given.bytes;
  } else {
    (void)device_.release(given.address);
  }
}

Status Pool::trim(uint64_t most) {
  Status done;
  while (use_.kept > most) {
    const auto largest = std::prev(kept_.end());
    const runtime::Address address = largest->second;
    use_.kept -= largest->first;
    kept_.erase(largest);
    const Status released = device_.release(address);
    if (!released.ok()) done = released;
  }
  return done;
}

Result<ArrayMemory> ArrayMemory::make(std::shared_ptr<Pool> pool, size_t bytes) {
  Result<Pool::Given> given = pool->take(bytes);
  if (!given) return given.error();
  MemoryUse& use = pool->use_;
  ++use.arrays;
  use.held += given->bytes;
  use.most = std::max(use.most, use.held);
  ArrayMemory made;
  made.pool_ = std::move(pool);
  made.given_ = std::move(*given);
  return made;
}

}  // namespace hetjit::python
