// What is known of the first thread of a launch, which every launch has: its indices are 0. So
// where it comes to `range(thread_idx.x - 2, n)` it certainly takes 0 - 2.
#pragma once

#include <optional>
#include <vector>

#include "compiler/typing/core/instance.h"

namespace hetjit::typing {

/// Values of one instance, as Python's integers, and the blocks that its first thread comes to.
class FirstThread {
 public:
  explicit FirstThread(const Instance& instance);

  /// As Python computes it: negative where an unsigned number wraps round. nullopt: not known.
  std::optional<Integer> value(ValueId id) const;
  /// Whether all threads have the same here, and it is not known what.
  bool is_common(ValueId id) const {
    return values_[id.index].what == Known::Any && !values_[id.index].own && !value(id);
  }
  /// Whether it comes there for some arguments, and nothing that is not known keeps threads with
  /// small indices away: it may be that `if i >= radius` does.
  bool comes_to(uint32_t block) const { return reached_[block] == Reach::Open; }

 private:
  enum class Reach : uint8_t { Never, Guarded, Open };
  struct Known {
    enum { Nothing, One, Any } what = Nothing;  // so far: no value, this one, any
    Integer value = 0;
    bool own = false;  // may differ from thread to thread
    friend bool operator==(const Known&, const Known&) = default;
  };

  void run();
  void visit(uint32_t block);
  void leave(uint32_t block);
  void take(const FlowEdge& edge, Reach reach);
  Reach behind(const ssa::Branch& op, bool taken) const;
  bool lets_small_indices_pass(const ssa::Branch& op, bool taken) const;
  void set(ValueId id, const Known& known);
  Known made_by(const ssa::Inst& inst) const;
  Known computed(const ssa::Inst& inst) const;
  Known parameter(uint32_t block, size_t index) const;
  std::optional<Integer> operand(ValueId id) const;
  std::optional<Integer> as_it_runs(ValueId id) const;
  std::optional<bool> truth_of(ValueId id) const;
  const ssa::Compare* comparison(ValueId id) const;

  const Instance& instance_;
  std::vector<Known> values_;       // by ValueId
  std::vector<Reach> reached_;      // by block
  std::vector<bool> edges_;         // taken
  std::vector<bool> loop_headers_;  // by block
  std::vector<uint32_t> waiting_;   // blocks
};

}  // namespace hetjit::typing
