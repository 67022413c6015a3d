// What asynchronous launches use and others own: kept until the stream has passed the launch.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "abi/dlpack.h"
#include "python/ext/handles/handle.h"
#include "runtime/handles.h"

namespace hetjit::python {

/// A tensor that a producer lent us, or an object whose memory a launch uses; given back when the
/// launch that uses it has finished.
struct Loan {
  DLManagedTensor* tensor = nullptr;
  DLManagedTensorVersioned* versioned = nullptr;
  PyObject* object = nullptr;   // owned
  Py_buffer* buffer = nullptr;  // owned
  void give_back();
};

/// Gives all back; none is left. An exception that is set stays set.
void give_back(std::vector<Loan>& loans);

/// What one launch was lent.
struct Loaned {
  std::vector<Loan> loans;
  uint64_t bytes = 0;  // of the arrays behind them

  void give_back() {
    python::give_back(loans);
    bytes = 0;
  }
};

/// The loans of each stream in the order of its launches, cut into batches. A batch has an event
/// behind its last launch and is given back once that has been passed: one event for many launches,
/// since recording it costs about as much as a launch.
///
/// Guarded by the GIL. A driver's call or a deleter may let other threads in, or launch: none is
/// made while something here is in the middle of a change, and no reference is kept across one.
class Loans {
 public:
  /// After a launch; leaves nothing in `lent`. `lasting`: the stream can be asked later, so the
  /// event may come behind more launches.
  Status keep(runtime::Device& device, runtime::Handle stream, bool lasting, Loaned& lent);
  /// Launches that were lent something and are not known to be done.
  uint64_t outstanding() const { return outstanding_; }
  /// Gives back what launches have used that are done. Waits for nothing.
  void collect();
  /// Lets `stream` wait for the launches on other streams that use the object; those streams.
  Result<std::vector<runtime::Handle>> order(runtime::Device& device, runtime::Handle stream,
                                             PyObject* used);
  /// When a stream may end: who asks later asks the event behind its launches.
  Status leave(runtime::Device& device, runtime::Handle stream);
  /// Waits for the stream, then gives back all that was lent to launches on it so far. Without the
  /// GIL: what is in the stream may be a callback that needs it.
  Status settle(runtime::Device& device, runtime::Handle stream);
  /// The same for all streams of a device.
  Status settle(runtime::Device& device);
  /// Waits for all launches that were lent something.
  void settle_all();
  ~Loans();

 private:
  // So few launches, of arrays so small, may keep what they were lent until there are more.
  static constexpr uint32_t kMostLaunches = 32;
  static constexpr uint64_t kMostBytes = 16 << 20;

  struct Batch {
    runtime::Event end;  // empty: not recorded
    bool passed = false;
    uint32_t launches = 0;
    std::vector<Loan> loans;
  };
  using Batches = std::vector<std::shared_ptr<Batch>>;
  struct Row {
    runtime::Device* device;
    runtime::Handle stream;
    uint32_t launches = 0;   // those that have no event behind them yet,
    uint64_t bytes = 0;      // what they use,
    std::vector<Loan> open;  // and what they were lent
    std::deque<std::shared_ptr<Batch>> closed;

    bool empty() const { return open.empty() && closed.empty(); }
    bool uses(PyObject* object) const;
    /// Whether there is an event behind all of it.
    bool ended() const { return open.empty() && !closed.empty() && closed.back()->end; }
  };

  Row* find(runtime::Device& device, runtime::Handle stream);
  Row& row_of(runtime::Device& device, runtime::Handle stream);
  static std::shared_ptr<Batch> cut(Row& row);
  static Result<std::shared_ptr<Batch>> close(Row& row);
  Batches oldest() const;
  bool give_back_passed();
  Status finish(runtime::Device& device, runtime::Handle stream);
  template <class Wait>
  Status settle(const Batches& lent, Wait&& wait);

  std::vector<Row> rows_;  // of streams that have loans
  uint64_t outstanding_ = 0;
};

}  // namespace hetjit::python
