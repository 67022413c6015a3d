// What inference knows of a value: the lattice. A TypeValue says what a value is, and how many
// run-time parts ("leaves") it has: a number one, a known literal or a function none, a tuple those
// of its items. A new kind of value is a struct here, an entry in the variant, and the overloads
// the compiler then asks for (type_value.cpp).
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "abi/messages.h"
#include "abi/signature.h"
#include "compiler/typing/known/literal.h"
#include "compiler/typing/known/promote.h"
#include "frontend/build/reading.h"

namespace hetjit::builtins {
struct Builtin;
}

namespace hetjit::typing {

struct TypeValue;
using TypeValues = std::vector<TypeValue>;

/// Something is wrong with it and the user is told elsewhere; silences whatever depends on it.
struct Erroneous {
  friend bool operator==(const Erroneous&, const Erroneous&) = default;
};
/// A local that no path, or (`sometimes`) only some path has assigned. Using it is an error.
struct Unassigned {
  bool sometimes = false;
  friend bool operator==(const Unassigned&, const Unassigned&) = default;
};
/// Paths that join here bring values that do not mix. Using it is an error.
struct Disagreement {
  std::string one, other;  // the types that met first, for the message
  friend bool operator==(const Disagreement&, const Disagreement&) { return true; }
};
struct NoneType {
  friend bool operator==(const NoneType&, const NoneType&) = default;
};
/// What was rounded to float32 on the way to a number, and would not have been in Python.
struct Rounding {
  uint8_t argument = 0;   // a Python float of the launch: 1 + which argument
  bool integers = false;  // what was computed of integers alone
  bool mixed = false;     // a Python float made of an integer of a fixed format
  bool passed = false;    // what the caller passed: the caller knows
  explicit operator bool() const { return argument || integers || mixed || passed; }
  friend bool operator==(const Rounding&, const Rounding&) = default;
};
Rounding operator|(const Rounding& a, const Rounding& b);

/// A number of any scalar type. With a literal its value is known and it has no leaf.
struct NumberType {
  Number number;
  std::optional<Literal> literal;
  bool nonnegative = false;  // a signed integer that is known to be >= 0
  bool mask = false;         // a WarpMask: an integer with a bit per lane, with bools as its items
  bool exact = false;        // a Python float that has a second leaf: in float64 (python_floats.h)
  Rounding rounding = {};
  friend bool operator==(const NumberType&, const NumberType&);  // literals bit by bit
};
struct ArrayType {
  TypeId type;
  friend bool operator==(const ArrayType&, const ArrayType&) = default;
};
/// A tuple, or a `list` that was made in compiled code: immutable there, and passed as a tuple.
struct TupleType {
  TypeValues items;
  bool list = false;
  friend bool operator==(const TupleType&, const TupleType&);
};
/// A vector of 1 to 4 numbers of a fixed format.
struct VectorType {
  Scalar element{};
  uint8_t lanes = 0;
  friend bool operator==(const VectorType&, const VectorType&) = default;
};
/// A value of a struct type (nominal: `type` names it); `items` has the formats of its fields.
struct StructType {
  TypeId type;
  TypeValues items;
  friend bool operator==(const StructType&, const StructType&);
};
/// What lives in memory only, a struct with an Atomic inside, where it lies. (AMB-17)
struct ReferenceType {
  TypeId type;
  friend bool operator==(const ReferenceType&, const ReferenceType&) = default;
};
/// A number in memory that atomic operations act on: an Atomic, or AtomicRef(a, i).
struct AtomicType {
  Number number;
  friend bool operator==(const AtomicType&, const AtomicType&) = default;
};
/// A method, as `v.replace` or `body.pull` names it before it is called: on one value, `self`.
struct MethodType {
  std::string name;
  TypeValues self;
  friend bool operator==(const MethodType&, const MethodType&);
};
/// range(start, stop, step): numbers of one type; the step of unsigned ones may be a builtin int.
struct RangeType {
  TypeValues parts;
  friend bool operator==(const RangeType&, const RangeType&);
};
/// What `iter` makes of an iterable: the iterable and the number of its elements.
struct IteratorType {
  TypeValues parts;
  friend bool operator==(const IteratorType&, const IteratorType&);
};
/// enumerate(…), zip(…), reversed(…), map(…) and the call of a generator expression: elements are
/// made when a loop asks for them.
struct IterableType {
  enum class Kind : uint8_t {
    Enumerate,  // iterable, start
    Zip,        // iterables
    Reversed,   // iterable
    Map,        // function, iterables
    Generator,  // function, iterator
  };
  Kind kind = Kind::Zip;
  TypeValues parts;
  friend bool operator==(const IterableType&, const IterableType&);
};
/// A Python function with its captured variables (`captured` parallel to `captures`) and, where it
/// was made inside a compiled function, the values of its positional defaults.
struct FunctionType {
  uint32_t function = 0;  // index into the Program
  std::vector<std::string> captures;
  TypeValues captured;
  TypeValues defaults;
  std::string self;               // the name by which it calls itself, "" when it does not
  Yields yields = Yields::Tuple;  // of a generator expression: what becomes of what it yields
  friend bool operator==(const FunctionType&, const FunctionType&);
};
struct BuiltinType {
  const builtins::Builtin* builtin = nullptr;
  friend bool operator==(const BuiltinType&, const BuiltinType&) = default;
};
struct ModuleType {
  std::string path;    // as the function names it: "np.random"
  std::string module;  // its __name__
  friend bool operator==(const ModuleType&, const ModuleType&) = default;
};
/// A type used as a value: int, numpy.float32, a.dtype.
struct TypeObject {
  Parameter type;
  friend bool operator==(const TypeObject&, const TypeObject&) = default;
};
/// A set of targets, of which only matters whether the code is compiled for one of them; or with a
/// name an architecture: sm_90.
struct TargetType {
  std::string selector;
  bool matches = false;
  friend bool operator==(const TargetType&, const TargetType&) = default;
};
struct StringType {
  std::string text;
  friend bool operator==(const StringType&, const StringType&) = default;
};
/// A text with run-time numbers in it, a leaf each (texts.h).
struct TextType {
  TextPieces pieces;
  friend bool operator==(const TextType&, const TextType&) = default;
};
/// An exception that was made; the numbers of its message are its leaves.
struct ExceptionType {
  std::string name;
  bool has_message = false;
  TextPieces text;
  friend bool operator==(const ExceptionType&, const ExceptionType&) = default;
};
struct EllipsisType {
  friend bool operator==(const EllipsisType&, const EllipsisType&) = default;
};
struct SliceType {
  TypeValues parts;  // start, stop, step
  friend bool operator==(const SliceType&, const SliceType&);
};
/// What a C++ library declares under a name, "" the library itself: a namespace, class, function or
/// template, which is found out where it is called.
struct ExternalType {
  uint32_t library = 0;            // of the Program's
  std::string name;                // as C++ writes it
  std::vector<TypeId> types = {};  // that it names, as arguments of templates
  friend bool operator==(const ExternalType&, const ExternalType&) = default;
};
/// Something that compiled code may name but not use.
struct OpaqueType {
  std::string description;  // "a list"
  std::string name;         // by which the function knows it; "" when by none
  friend bool operator==(const OpaqueType&, const OpaqueType&) = default;
};

using KindsOfValues =
    std::variant<Erroneous, Unassigned, Disagreement, NoneType, NumberType, ArrayType, TupleType,
                 VectorType, StructType, ReferenceType, AtomicType, MethodType, RangeType,
                 IteratorType, IterableType, FunctionType, BuiltinType, ModuleType, TypeObject,
                 TargetType, StringType, TextType, ExceptionType, EllipsisType, SliceType,
                 ExternalType, OpaqueType>;

/// One of them. Copied, compared and destroyed by code that is compiled once, as ir::Op is.
class KindOfValue : public KindsOfValues {
 public:
  template <class Kind>
  requires(!std::is_same_v<Kind, KindOfValue>) KindOfValue(Kind kind)
      : variant(std::in_place_type<Kind>, std::move(kind)) {}
  KindOfValue();
  KindOfValue(const KindOfValue&);
  KindOfValue(KindOfValue&&) noexcept;
  KindOfValue& operator=(const KindOfValue&);
  KindOfValue& operator=(KindOfValue&&) noexcept;
  ~KindOfValue();
  friend bool operator==(const KindOfValue&, const KindOfValue&);
};

struct TypeValue {
  KindOfValue is;

  template <class T>
  const T* as() const {
    return std::get_if<T>(&is);
  }
  template <class T>
  bool holds() const {
    return std::holds_alternative<T>(is);
  }
  bool erroneous() const { return holds<Erroneous>(); }
  friend bool operator==(const TypeValue&, const TypeValue&);
};

TypeValue number_value(Number number, bool nonnegative = false);
TypeValue literal_value(Number number, Literal literal);
inline constexpr Number kInt{Scalar::Int32, true};
inline constexpr Number kLong{Scalar::Int64, true};  // extents, len: a builtin int of 64 bits
inline constexpr Number kFloat{Scalar::Float32, true};
inline constexpr Number kComplex{Scalar::Complex64, true};
inline constexpr Number kBool{Scalar::Bool, true};
TypeValue int_value(int64_t value);  // a builtin int literal
TypeValue bool_value(bool value);

/// The type of a parameter that a caller passes: weak or fixed number, array, tuple, vector,
/// struct, none; anything else is opaque.
TypeValue parameter_value(const Parameter& parameter);

/// The items of a tuple, the lanes of a vector, the fields of a struct; nullopt: it has none.
std::optional<TypeValues> items_of(const TypeValue& value);
/// The values that one value is made of, in the order of their leaves: items, bounds of a range,
/// what a function captured. Empty for what is one thing.
TypeValues parts_in(const TypeValue& value);

/// float64 or complex128, for a float or a complex number.
Scalar in_float64(Scalar scalar);
/// A Python float or complex of run time.
bool is_python_float(const TypeValue& value);
/// An integer of a fixed format, of run time, that a float32 may not hold.
bool outgrows_float32(const NumberType& number);

/// The integer that a literal integer (or bool) holds.
std::optional<Integer> integer_literal(const TypeValue& value);
/// True or false when that is known.
std::optional<bool> known_truth(const TypeValue& value);
/// Whether a number is certainly >= 0 when read as an integer.
bool is_nonnegative(const NumberType& number);

/// IR types of the run-time parts, in order.
void append_leaves(const TypeValue& value, std::vector<TypeId>& leaves);
size_t leaf_count(const TypeValue& value);

/// Values that one value is made of, run-time or not, itself included. One that has more than
/// kMaxParts is refused: `t = (t, t)` in a few lines, or in a recursion, would fill the memory.
size_t part_count(const TypeValue& value);
inline constexpr size_t kMaxParts = 4096;

/// Where two paths join. Erroneous is neutral.
TypeValue join(const TypeValue& a, const TypeValue& b);
/// Where any number of paths join; their order does not matter. Fixed formats must be one and the
/// same; builtin numbers then join it by AMB-7. Nothing joined: Erroneous.
TypeValue join(TypeValues values);

/// Whether all of a value is known while compiling.
bool is_constant(const TypeValue& value);

/// Without literals: what an argument or result is specialised for.
TypeValue without_literals(const TypeValue& value);

/// The type in the user's words: `float32`, `int`, `tuple[int, float32]`, `function 'f'`.
std::string name_of(const TypeValue& value);
/// Two that differ, for one message: structs of one name with their fields.
std::pair<std::string, std::string> names_apart(const TypeValue& a, const TypeValue& b);
std::string name_of(Number number);

}  // namespace hetjit::typing
