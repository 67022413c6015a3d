// Arguments of a launch: one pass that writes the parameter block and the key of the
// specialisation. The hot path: no allocation, no hashing of text, no Python call for NumPy arrays,
// our own arrays and numbers.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "abi/dlpack.h"
#include "abi/param_buffer.h"
#include "abi/signature.h"
#include "abi/type.h"
#include "python/ext/arguments/constants.h"
#include "python/ext/arguments/lenders.h"
#include "python/ext/arrays/loans.h"
#include "python/ext/arrays/stream_choice.h"
#include "python/ext/handles/handle.h"
#include "python/ext/watches/watches.h"
#include "runtime/device.h"

namespace hetjit::python {

struct State;

inline constexpr size_t kMostParameters = 64;
inline constexpr size_t kMostBlockBytes = 4096;  // what every CUDA driver takes

/// What a parameter's annotation asks of its argument.
struct Annotation {
  TypeId type;            // to be of this type; invalid: of any
  bool constant = false;  // to be known while compiling: ConstExpr
  bool asks() const { return type.valid() || constant; }
};

/// What a launch needs to know of a kernel's parameters. Lists are in the order of the code.
struct Parameters {
  std::string function;            // for messages
  std::vector<Kept> names;         // interned
  std::vector<std::string> texts;  // the same as text
  std::vector<Kept> defaults;      // empty: must be given
  std::vector<Annotation> annotations;
  std::vector<uint32_t> read_only;  // those annotated device.readonly
  std::shared_ptr<ConstantTable> objects = std::make_shared<ConstantTable>();  // constants passed
  Watches watches;  // what all this was read from
  uint32_t positional_only = 0;
  uint32_t positional = 0;  // parameters that may be given by position; the rest by keyword
  size_t count() const { return names.size(); }
};

/// One word per parameter, exact: two launches with equal words have equal signatures.
///   bits 32-63 TypeId of the value, or of an array's elements;  8-11 rank
///   bit 7 contiguous, 6 fits 32-bit indices, 5 writable, 0-1 Kind
struct Word {
  enum Kind : uint64_t { Value, WeakValue, Array, Constant };
  static constexpr uint64_t kContiguous = 1u << 7, kIndex32 = 1u << 6, kWritable = 1u << 5;
  static constexpr uint64_t kFacts = kContiguous | kIndex32 | kWritable;
  /// `number`: of the object in Parameters::constants.
  static constexpr uint64_t constant(uint32_t number) { return uint64_t{number} << 32 | Constant; }
  static constexpr uint64_t value(TypeId type) { return uint64_t{type.index} << 32 | Value; }
  static constexpr uint64_t weak(TypeId type) { return uint64_t{type.index} << 32 | WeakValue; }
  static constexpr uint64_t array(TypeId element, unsigned rank, uint64_t facts) {
    return uint64_t{element.index} << 32 | rank << 8 | facts | Array;
  }
};
Parameter parameter_of_word(uint64_t word);
/// The word of an array of such elements.
uint64_t array_word(const ArrayValue& value, TypeId element, bool writable);
/// Whether elements may lie at addresses that are no multiple of their alignment: not numbers that
/// several threads change, nor what the user asked an alignment for.
bool may_lie_anywhere(TypeId element);
constexpr bool is_constant_word(uint64_t word) { return (word & 3) == Word::Constant; }

/// The arguments, read. Members beyond `count` and `size` are not initialised.
struct Arguments {
  Arguments() {}  // no zeroing: 4 KB on every launch
  ~Arguments() { loaned.give_back(); }
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  const Parameters* parameters = nullptr;  // whose they are
  size_t count = 0;
  uint32_t size = 0;              // bytes of the parameter block
  int32_t array = -1;             // the first argument with memory, which decides the device
  DLDevice device{kDLCPU, 0};     // where that memory is
  StreamChoice stream;
  Loaned loaned;
  std::vector<runtime::Handle> after;  // streams whose work so far comes before the launch
  std::vector<Lent> lent;
  std::array<uint64_t, kMostParameters> words;
  alignas(16) std::array<std::byte, kMostBlockBytes> block;
};

/// Where a launch is to run, as far as somebody has said it.
struct LaunchPlace {
  runtime::Device* on = nullptr;  // null: the arrays decide
  bool anywhere = false;          // no memory is touched: nobody asks where arrays are
};

/// Reads one argument per parameter, in order. False: an exception is set.
bool read_arguments(State& state, const Parameters& parameters, PyObject* const* arguments,
                    const LaunchPlace& place, Arguments& to);

/// Nested lists or tuples of that shape to elements of a type, one behind the other. False: an
/// exception is set.
bool read_lists(State& state, Borrowed lists, std::span<const int64_t> shape, TypeId element,
                std::byte* to);

}  // namespace hetjit::python
