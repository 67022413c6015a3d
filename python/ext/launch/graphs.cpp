#include "python/ext/launch/graphs.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

namespace hetjit::python {
namespace {

// The system gives the number of a thread that has ended to another one; this one it does not.
unsigned long this_thread() {
  static std::atomic<unsigned long> known{0};
  thread_local const unsigned long number = ++known;
  return number;
}

}  // namespace

Taken::~Taken() { loaned.give_back(); }

Status Taken::launch(const std::shared_ptr<runtime::Kernel>& kernel, const Geometry& geometry,
                     runtime::Params params, runtime::Handle stream,
                     const std::vector<runtime::Handle>& others) {
  if (!by_driver()) {
    HETJIT_TRY(kernel->check_launch(geometry, params));
    Step step{kernel, geometry, {}, params.bytes};
    step.block.resize((params.bytes + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t));
    if (params.bytes) std::memcpy(step.block.data(), params.data, params.bytes);
    steps.push_back(std::move(step));
    return ok();
  }
  for (runtime::Handle other : others) {
    if (other == stream) continue;
    Result<runtime::Event> work = runtime::Event::of(device, other);
    if (!work) return work.error();
    after.push_back(std::make_shared<runtime::Event>(std::move(*work)));
  }
  if (std::find(kernels.begin(), kernels.end(), kernel) == kernels.end()) kernels.push_back(kernel);
  return kernel->launch(geometry, params, stream);
}

void Taken::keep(Loaned lent) {
  loaned.loans.insert(loaned.loans.end(), lent.loans.begin(), lent.loans.end());
  loaned.bytes += lent.bytes;
}

void Graphs::open(std::shared_ptr<Taken> into, const StreamChoice& stream) {
  open_.push_back({std::move(into), stream, this_thread()});
}

void Graphs::close(const std::shared_ptr<Taken>& into) {
  std::erase_if(open_, [&](const Open& one) { return one.into == into; });
}

StreamChoice Graphs::stream_for(const StreamChoice& asked) const {
  if (asked.given) return asked;
  const unsigned long thread = this_thread();
  const auto last = std::find_if(open_.rbegin(), open_.rend(),
                                 [&](const Open& one) { return one.thread == thread; });
  return last == open_.rend() ? asked : last->stream;
}

std::shared_ptr<Taken> Graphs::taking(const runtime::Device& device,
                                      const StreamChoice& stream) const {
  for (const Open& one : open_)
    if (&one.into->device == &device && one.stream.handle == stream.handle) return one.into;
  return nullptr;
}

}  // namespace hetjit::python
