// Launches that are taken in once and done as often as one likes: by the driver's graphs on a GPU,
// one after the other elsewhere.
#pragma once

#include <memory>
#include <vector>

#include "python/ext/arrays/loans.h"
#include "python/ext/arrays/stream_choice.h"
#include "runtime/kernel.h"

namespace hetjit::python {

/// What was taken in, and what it needs for as long as it may be done. Guarded by the GIL.
class Taken {
 public:
  explicit Taken(runtime::Device& device) : device(device) {}
  ~Taken();
  Taken(const Taken&) = delete;
  Taken& operator=(const Taken&) = delete;

  /// Whether the driver takes launches in: others are done one after the other.
  bool by_driver() const { return device.info().kind == runtime::DeviceKind::Gpu; }
  /// Takes a launch in. `after`: streams whose work so far comes before it, whenever it is done.
  Status launch(const std::shared_ptr<runtime::Kernel>& kernel, const Geometry& geometry,
                runtime::Params params, runtime::Handle stream,
                const std::vector<runtime::Handle>& after);
  void keep(Loaned lent);

  /// One launch, where no driver takes it in.
  struct Step {
    std::shared_ptr<runtime::Kernel> kernel;
    Geometry geometry;
    std::vector<std::max_align_t> block;
    size_t bytes;
    runtime::Params params() const {
      return {reinterpret_cast<const std::byte*>(block.data()), bytes};
    }
  };

  runtime::Device& device;
  runtime::Graph graph;
  std::vector<Step> steps;
  std::vector<std::shared_ptr<runtime::Kernel>> kernels;  // each once
  std::vector<std::shared_ptr<runtime::Event>> after;
  Loaned loaned;
};

/// The graphs that launches are taken into just now. Guarded by the GIL.
class Graphs {
 public:
  bool empty() const { return open_.empty(); }
  void open(std::shared_ptr<Taken> into, const StreamChoice& stream);
  void close(const std::shared_ptr<Taken>& into);
  /// The stream that was asked for; else the one whose work this thread takes in.
  StreamChoice stream_for(const StreamChoice& asked) const;
  /// What work for a stream of the device is taken into; null: it is done.
  std::shared_ptr<Taken> taking(const runtime::Device& device, const StreamChoice& stream) const;

 private:
  struct Open {
    std::shared_ptr<Taken> into;
    StreamChoice stream;
    unsigned long thread;
  };
  std::vector<Open> open_;
};

}  // namespace hetjit::python
