// Atomic operations. One thread at a time runs, so they are plain ones; but what a thread reads in
// a loop may be for another to write, so after some operations the others have their turn.
#include "compiler/ir/interpret_values.h"
#include "compiler/ir/number_types.h"

namespace hetjit::ir {
namespace {

std::byte* address(uint64_t bits) { return reinterpret_cast<std::byte*>(bits); }

template <Scalar S>
struct Exchange {
  static uint64_t apply(uint64_t, uint64_t operand, uint64_t) { return operand; }
};

/// A comparison with NaN is false: so each says which operand a NaN gives way to.
template <Scalar S, bool kLargest, bool kMissing>
uint64_t choose(uint64_t old, uint64_t operand) {
  const auto a = decode<S>(old), b = decode<S>(operand);
  if constexpr (is_floating(S)) {
    if (std::isnan(a)) return kMissing ? operand : old;
    if (std::isnan(b)) return kMissing ? old : operand;
  }
  return (kLargest ? b > a : b < a) ? operand : old;
}
template <Scalar S>
struct Max {
  static uint64_t apply(uint64_t a, uint64_t b, uint64_t) { return choose<S, true, false>(a, b); }
};
template <Scalar S>
struct Min {
  static uint64_t apply(uint64_t a, uint64_t b, uint64_t) { return choose<S, false, false>(a, b); }
};
template <Scalar S>
struct NanMax {
  static uint64_t apply(uint64_t a, uint64_t b, uint64_t) { return choose<S, true, true>(a, b); }
};
template <Scalar S>
struct NanMin {
  static uint64_t apply(uint64_t a, uint64_t b, uint64_t) { return choose<S, false, true>(a, b); }
};

}  // namespace

ScalarFunction meaning(AtomicOperation operation, Scalar scalar) {
  using Pick = ScalarFunction (*)(Scalar);
  // By AtomicOperation.
  constexpr Pick kMeanings[] = {
      [](Scalar s) { return pick<Exchange>(s, kReal); },
      [](Scalar s) { return meaning(Add{}, s, s); },
      [](Scalar s) { return meaning(Sub{}, s, s); },
      [](Scalar s) { return meaning(BitAnd{}, s, s); },
      [](Scalar s) { return meaning(BitOr{}, s, s); },
      [](Scalar s) { return meaning(BitXor{}, s, s); },
      [](Scalar s) { return pick<Max>(s, kNumbers); },
      [](Scalar s) { return pick<Min>(s, kNumbers); },
      [](Scalar s) { return pick<NanMax>(s, kNumbers); },
      [](Scalar s) { return pick<NanMin>(s, kNumbers); },
  };
  return kMeanings[static_cast<size_t>(operation)](scalar);
}

const Step* run_atomic_load(Machine& machine, const Step& step) {
  run_load(machine, step);
  return machine.after_atomic(step);
}

const Step* run_atomic_store(Machine& machine, const Step& step) {
  run_store(machine, step);
  return machine.after_atomic(step);
}

const Step* run_atomic_update(Machine& machine, const Step& step) {
  std::byte* place = address(machine.slots[step.a]);
  const Leaf leaf = step.detail->leaves[0];
  const uint64_t operand = machine.slots[step.b];
  const uint64_t old = read_leaf(place, leaf);
  write_leaf(place, leaf, step.compute(old, operand, 0));
  machine.slots[step.result] = old;
  return machine.after_atomic(step);
}

const Step* run_compare_exchange(Machine& machine, const Step& step) {
  std::byte* place = address(machine.slots[step.a]);
  const Leaf leaf = step.detail->leaves[0];
  const uint64_t expected = machine.slots[step.b], wanted = machine.slots[step.c];
  const uint64_t old = read_leaf(place, leaf);
  if (old == expected) write_leaf(place, leaf, wanted);
  machine.slots[step.result] = old;
  return machine.after_atomic(step);
}

const Step* run_pause(Machine& machine, const Step& step) {
  return machine.wait(step, Wait::Others);
}

}  // namespace hetjit::ir
