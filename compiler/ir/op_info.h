// What is known of each op, said once, where the op is declared.
//
// An op names its kind (namespace kind), which fixes most facts and asks for the others. No fact
// has a default, so an op of no kind answers all of them, and a new fact asks every kind.
#pragma once

#include <cstdint>
#include <string_view>

namespace hetjit::ir {

enum Effects : uint8_t {
  Pure = 0,
  Reads = 1,   // memory
  Writes = 2,  // memory, or something else that must not vanish
  Ends = 4,    // a terminator: the last instruction of a block, and only there
  Calls = 8,   // whatever the callee does
};

enum class Cost : uint8_t {
  Index,  // what indices are made of: no more than taking one number out of a vector
  Plain,
  Dear,  // a division, a math function: kept rather than done twice, and not done for nobody
};

/// Whether there is a result, and which threads of a block have the same one.
enum class Gives : uint8_t {
  Nothing,
  Follows,    // those whose operands are the same
  PerBlock,   // all
  PerWarp,    // those of a warp
  PerThread,  // each has its own
  ByRule,     // host/facts/shape.cpp has a rule
};

/// What there must be beside the thread by itself. Each of the last three is done together: it
/// stays where its control is, not copied, not behind a branch.
enum class Needs : uint8_t {
  Nothing,
  Memory,  // that the block keeps for it
  Lanes,   // threads as lanes of a warp
  Turn,    // the others, which go first
  Warp,    // the lanes of its warp, which do it too
  Block,   // all threads of its block
  Grid,    // all threads of the launch
};

/// Where an address, or an array, that the op gives lies.
enum class Points : uint8_t {
  Along,     // where those lie that it was given; without any, nowhere
  Shared,    // in a variable of the block's
  Dynamic,   // in the shared memory that the launch asked for
  Local,     // in memory of the thread's own
  Anywhere,  // where those lie that were stored
};

/// What it does to the memory at address in[0].
enum Access : uint8_t {
  NoAccess = 0,
  Loads = 1,
  Stores = 2,
  Atomic = 4,
  IfExpected = 8,  // stores only where it finds what it expects
};

/// What else than its type says something of the result, so that there is a rule for the op.
enum Knowledge : uint8_t {
  TypeOnly = 0,
  Ranged = 1,   // passes/value_ranges.cpp: between which numbers it lies
  Stepped = 2,  // host/facts/likely_step.cpp: how far it is from one lane to the next
  LowBits = 4,  // passes/simplify_convert.cpp: its low bits come of the operands' low bits alone
  Divided = 8,  // host/facts/shape.cpp: which power of two divides it
};

/// Is there a form of it for the lanes of a vector, in a kernel that waits for nobody?
enum class Vectors : uint8_t { No, Yes };

/// A fact: there is none without an answer.
template <class T>
struct Fact {
  T value;
  constexpr Fact(T value) : value(value) {}
  constexpr operator T() const { return value; }
};

struct OpInfo {
  Fact<std::string_view> text;  // the mnemonic in dumps
  Fact<uint8_t> effects;
  Fact<Gives> gives;
  Fact<Needs> needs;
  Fact<Points> points;
  Fact<uint8_t> access;
  Fact<uint8_t> knowledge;
  Fact<Cost> cost;
  Fact<Vectors> vectors;
  Fact<bool> scalar;     // one scalar from scalars: ir/interpret_arith.h has its meaning
  Fact<bool> raises;     // may end its thread with an exception
  Fact<bool> host_only;  // compiler/host makes it, and nobody else
  Fact<bool> commutes;   // in[0] and in[1] may change places

  constexpr bool gives_result() const { return gives != Gives::Nothing; }
  constexpr bool together() const { return needs >= Needs::Warp; }
  /// A check raises where it fails; Raise, a terminator, always does.
  constexpr bool is_check() const { return raises && !(effects & Ends); }
  /// Finds at its address what another thread may have written while this one ran.
  constexpr bool looks() const { return (access & Atomic) && (access & Loads); }

  constexpr OpInfo commuting() const {
    OpInfo made = *this;
    made.commutes = true;
    return made;
  }
};

namespace kind {

/// Computes its result from its operands and nothing else.
constexpr OpInfo value(std::string_view text, Cost cost, int knowledge) {
  return {.text = text,
          .effects = Pure,
          .gives = Gives::Follows,
          .needs = Needs::Nothing,
          .points = Points::Along,
          .access = NoAccess,
          .knowledge = static_cast<uint8_t>(knowledge),
          .cost = cost,
          .vectors = Vectors::Yes,
          .scalar = false,
          .raises = false,
          .host_only = false,
          .commutes = false};
}

/// The same, and all of them are scalars.
constexpr OpInfo scalar(std::string_view text, Cost cost, int knowledge) {
  OpInfo made = value(text, cost, knowledge);
  made.scalar = true;
  return made;
}

/// Says where in the launch the thread is, or how large it is.
constexpr OpInfo place(std::string_view text, Needs needs, Gives gives, int knowledge) {
  OpInfo made = value(text, Cost::Plain, knowledge);
  made.needs = needs;
  made.gives = gives;
  return made;
}

/// The address of memory that the block keeps.
constexpr OpInfo memory(std::string_view text, Points points, Gives gives) {
  OpInfo made = place(text, Needs::Memory, gives, TypeOnly);
  made.points = points;
  return made;
}

/// Something that happens in the program's order among what reads and writes.
constexpr OpInfo event(std::string_view text, int effects, Needs needs, Gives gives,
                       Vectors vectors) {
  OpInfo made = value(text, Cost::Plain, TypeOnly);
  made.effects = static_cast<uint8_t>(effects);
  made.needs = needs;
  made.gives = gives;
  made.points = Points::Anywhere;
  made.vectors = vectors;
  return made;
}

/// Reads or writes at address in[0]. What is atomic has its place among all that reads and writes.
constexpr OpInfo access(std::string_view text, int access, Gives gives) {
  const int plain = (access & Loads ? Reads : Pure) | (access & Stores ? Writes : Pure);
  const int effects = access & Atomic ? Reads | Writes : plain;
  OpInfo made = event(text, effects, Needs::Nothing, gives, Vectors::Yes);
  made.access = static_cast<uint8_t>(access);
  made.cost = access & Atomic ? Cost::Plain : Cost::Index;
  return made;
}

/// Done by several threads together.
constexpr OpInfo together(std::string_view text, Needs needs, Gives gives) {
  return event(text, Reads | Writes, needs, gives, Vectors::No);
}

/// Ends a block.
constexpr OpInfo control(std::string_view text) {
  return event(text, Ends, Needs::Nothing, Gives::Nothing, Vectors::Yes);
}

/// May end its thread with an exception; as a terminator (Ends) or where a check fails (Writes).
constexpr OpInfo raising(std::string_view text, Effects effect) {
  OpInfo made = event(text, effect, Needs::Nothing, Gives::Nothing, Vectors::Yes);
  made.raises = true;
  return made;
}

/// What compiler/host makes for itself. Nothing that a user wrote waits for a vector form of it.
constexpr OpInfo of_host(std::string_view text, Effects effect, Gives gives) {
  OpInfo made = event(text, effect, Needs::Nothing, gives, Vectors::Yes);
  made.host_only = true;
  return made;
}

}  // namespace kind

}  // namespace hetjit::ir
