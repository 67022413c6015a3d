// Tensors that producers lent to launches which have not finished yet.
#pragma once

#include <vector>

#include "python/ext/read_arguments.h"
#include "python/ext/set_aside.h"
#include "runtime/device.h"

namespace hetjit::python {

class Loans {
 public:
  /// Keeps what an asynchronous launch reads until its stream has been waited for: at the next
  /// synchronisation, or here when many have come together. Takes the list.
  Status keep(runtime::Device& device, runtime::Handle stream, std::vector<Loan>& loans) {
    for (Loan& loan : loans) open_.push_back({&device, stream, loan});
    loans.clear();
    return open_.size() < kMost ? ok() : settle(device, stream);
  }
  /// Waits for the stream, then gives back all that was lent to launches on it so far. Without the
  /// GIL: what is in the stream may be a callback that needs it.
  Status settle(runtime::Device& device, runtime::Handle stream) {
    std::vector<Open> rest, done;
    for (Open& open : open_)
      (open.device == &device && open.stream == stream ? done : rest).push_back(open);
    open_ = std::move(rest);  // first: other threads and deleters may come here meanwhile
    Status waited;
    Py_BEGIN_ALLOW_THREADS;
    waited = device.wait(stream);
    Py_END_ALLOW_THREADS;
    for (Open& open : done) open.loan.give_back();
    return waited;
  }
  ~Loans() {
    const SetAside raised;
    while (!open_.empty()) (void)settle(*open_.front().device, open_.front().stream);
  }

 private:
  static constexpr size_t kMost = 256;
  struct Open {
    runtime::Device* device;
    runtime::Handle stream;
    Loan loan;
  };
  std::vector<Open> open_;
};

}  // namespace hetjit::python
