// Memory of our own arrays: what they hold, what is kept for the next ones, and whom the program
// wants to be asked for it.
//
// An array ends when the last launch that uses it has been passed (loans.h), so what it leaves can
// be another's at once, on any stream. Guarded by the GIL.
#pragma once

#include <map>
#include <memory>

#include "python/ext/handles/handle.h"
#include "runtime/device.h"

namespace hetjit::python {

/// In bytes, but for the first.
struct MemoryUse {
  uint64_t arrays = 0, held = 0, most = 0, kept = 0;
};

/// The memory of one device.
class Pool {
 public:
  explicit Pool(runtime::Device& device);
  ~Pool() { (void)trim(0); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  const MemoryUse& use() const { return use_; }
  /// Gives what is kept back to the driver, largest first, until no more than that is left.
  Status trim(uint64_t most);
  /// From now on these are asked: allocate(bytes), an address or an object with `ptr`, which is
  /// kept; release(address), or nothing. Empty: the driver.
  void ask(Handle allocate, Handle release);

 private:
  friend class ArrayMemory;
  struct Given {
    runtime::Address address = 0;
    size_t bytes = 0;
    Kept owner, release;  // of memory that the program's own function gave
    bool foreign = false;
  };
  Result<Given> take(size_t bytes);
  Result<Given> take_foreign(size_t bytes);  // Errors: an exception is set, too
  void give_back(Given given, bool shared);

  runtime::Device& device_;
  const bool keeps_;
  MemoryUse use_;
  std::multimap<size_t, runtime::Address> kept_;
  Kept allocate_, release_;
};

/// One array's memory: moved, given back when it goes.
class ArrayMemory {
 public:
  /// Errors: those of Device::allocate, and none that is of use with an exception set.
  static Result<ArrayMemory> make(std::shared_ptr<Pool> pool, size_t bytes);
  ArrayMemory() = default;
  ArrayMemory(ArrayMemory&&) = default;
  ArrayMemory& operator=(ArrayMemory&& other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(given_, other.given_);
    std::swap(shared_, other.shared_);
    return *this;
  }
  ~ArrayMemory() {
    if (pool_) pool_->give_back(std::move(given_), shared_);
  }

  runtime::Address address() const { return given_.address; }
  /// Others know where it is, and may use it in ways that we do not hear of: the driver takes it
  /// back, who waits for them.
  void share() { shared_ = true; }

 private:
  std::shared_ptr<Pool> pool_;
  Pool::Given given_;
  bool shared_ = false;
};

/// The pools by device.
class Allocations {
 public:
  std::shared_ptr<Pool> of(runtime::Device& device) {
    std::shared_ptr<Pool>& pool = pools_[&device];
    return pool ? pool : pool = std::make_shared<Pool>(device);
  }

 private:
  std::map<runtime::Device*, std::shared_ptr<Pool>> pools_;
};

}  // namespace hetjit::python
