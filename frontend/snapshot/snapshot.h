// A Python function, as plain data: the last time Python is seen before the answer. Copyable,
// comparable, printable (snapshot_text.h); everything behind it runs without Python, on any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "abi/signature.h"
#include "abi/type.h"
#include "frontend/diag/span.h"

namespace hetjit {

/// Which CPython compiled the bytecode.
enum class Python : uint8_t { v3_11, v3_12, v3_13, v3_14, v3_15 };
inline constexpr Python kFirstPython = Python::v3_11, kLastPython = Python::v3_15;
std::string_view to_text(Python version);  // "3.11"
std::optional<Python> find_python(std::string_view text);

struct Constant;

struct NoneConstant {
  friend bool operator==(const NoneConstant&, const NoneConstant&) = default;
};
struct EllipsisConstant {
  friend bool operator==(const EllipsisConstant&, const EllipsisConstant&) = default;
};
/// A Python int of 64 bits or fewer: magnitude and sign. Larger ones are HugeConstant.
struct IntConstant {
  bool negative = false;
  uint64_t magnitude = 0;
  bool mask = false;  // a device.WarpMask
  friend bool operator==(const IntConstant&, const IntConstant&) = default;
};
struct HugeConstant {
  std::string digits;  // decimal, with sign
  friend bool operator==(const HugeConstant&, const HugeConstant&) = default;
};
struct ComplexConstant {
  double real = 0, imag = 0;
  friend bool operator==(const ComplexConstant&, const ComplexConstant&);  // by bits
};
/// A number in a fixed format (a NumPy scalar, an ml_dtypes scalar): its bytes, little endian.
struct FixedConstant {
  Scalar scalar = Scalar::Int32;
  uint64_t bits[2] = {};
  friend bool operator==(const FixedConstant&, const FixedConstant&) = default;
};
struct TupleConstant {
  std::vector<Constant> items;
  friend bool operator==(const TupleConstant&, const TupleConstant&);
};
struct SliceConstant {
  std::vector<Constant> parts;  // start, stop, step
  friend bool operator==(const SliceConstant&, const SliceConstant&);
};
/// A vector or struct: its type, and one item per lane or field.
struct RecordConstant {
  TypeId type;
  std::vector<Constant> items;
  friend bool operator==(const RecordConstant&, const RecordConstant&);
};
/// The code object of a nested function or lambda: an index into Program::functions.
struct CodeConstant {
  uint32_t function = 0;
  friend bool operator==(const CodeConstant&, const CodeConstant&) = default;
};
// Functions and types are names' meanings, and items of constant tuples.

/// A Python function that may be compiled when called: index into Program::functions.
struct FunctionMeaning {
  uint32_t function = 0;
  friend bool operator==(const FunctionMeaning&, const FunctionMeaning&) = default;
};
/// Something the compiler knows by qualified name: "builtins.len", "math.sqrt", "numpy.sqrt",
/// "hetjit.device.thread_idx". NumPy ufuncs and aliases are normalised by capture.
struct BuiltinMeaning {
  std::string name;
  friend bool operator==(const BuiltinMeaning&, const BuiltinMeaning&) = default;
};
/// A type used as a value: numpy.float32, device.float32 (not weak); int, float, bool (weak).
struct TypeMeaning {
  Parameter type;
  friend bool operator==(const TypeMeaning&, const TypeMeaning&) = default;
};
/// A constant that no kernel can use (bytes, frozenset, …): its Python type's name.
struct OtherConstant {
  std::string python_type;
  friend bool operator==(const OtherConstant&, const OtherConstant&) = default;
};

struct Constant {
  std::variant<NoneConstant, bool, IntConstant, HugeConstant, double, ComplexConstant,
               FixedConstant, std::string, EllipsisConstant, TupleConstant, SliceConstant,
               RecordConstant, CodeConstant, FunctionMeaning, BuiltinMeaning, TypeMeaning,
               OtherConstant>
      value;
  friend bool operator==(const Constant&, const Constant&);  // floats by bits: NaN, -0.0
};

// ---- what a global, closure or attribute name meant when the function was captured

struct UnboundMeaning {  // no such name, or an empty cell
  friend bool operator==(const UnboundMeaning&, const UnboundMeaning&) = default;
};
struct ModuleMeaning {  // its attributes follow as names of their own: "math", "math.sqrt"
  std::string module;   // __name__
  friend bool operator==(const ModuleMeaning&, const ModuleMeaning&) = default;
};
/// Something that cannot be used in compiled code: a word about it for the message ("a list").
struct OpaqueMeaning {
  std::string description;
  friend bool operator==(const OpaqueMeaning&, const OpaqueMeaning&) = default;
};
/// Something that C++ declares: a library of Program::libraries and a name in it, as C++ writes it
/// ("app::norm<float, 4>"); "" is the library itself.
struct CxxMeaning {
  uint32_t library = 0;
  std::string name;
  friend bool operator==(const CxxMeaning&, const CxxMeaning&) = default;
};
using Meaning = std::variant<UnboundMeaning, Constant, ModuleMeaning, FunctionMeaning,
                             BuiltinMeaning, TypeMeaning, OpaqueMeaning, CxxMeaning>;

/// A name that is looked up outside the function. `path` is "G", "math", "math.sqrt",
/// "helpers.scale": a dotted path is recorded for each attribute of a module that the function's
/// names could ask for.
struct Name {
  std::string path;
  Meaning meaning;
  friend bool operator==(const Name&, const Name&) = default;
};

/// Line and column range of a code unit; line 0 when Python has none.
struct Position {
  uint32_t line = 0, end_line = 0, column = 0, end_column = 0;
  friend bool operator==(const Position&, const Position&) = default;
};

/// Exception table entry, in code units.
struct HandlerRange {
  uint32_t start = 0, end = 0, target = 0, depth = 0;
  bool lasti = false;
  friend bool operator==(const HandlerRange&, const HandlerRange&) = default;
};

/// A parameter of functions[0] that a launch passes as a constant: the same for all of a program.
struct BoundParameter {
  uint32_t parameter = 0;
  Meaning value;
  friend bool operator==(const BoundParameter&, const BoundParameter&) = default;
};

struct Snapshot {
  Python version = Python::v3_11;
  std::string name;                 // __qualname__'s last part; "<lambda>" for lambdas
  Source source;                    // path, first line, text
  std::vector<std::string> locals;  // co_varnames, then cell variables that are not among them
  std::vector<std::string> free_variables;  // co_freevars: index space continues after `locals`
  uint32_t parameter_count = 0;             // not keyword-only ones, * and **
  uint32_t positional_only_count = 0;
  uint32_t keyword_only_count = 0;  // they follow the positional ones in `locals`
  bool has_varargs = false, has_varkeywords = false, is_generator = false;
  std::vector<std::optional<Meaning>> defaults;  // per parameter (positional, then keyword-only)
  std::vector<std::optional<Parameter>> annotations;  // per parameter: `n: device.int64`
  std::vector<uint32_t> constant_parameters;          // `n: device.ConstExpr`, in order
  std::vector<BoundParameter> bound;
  std::vector<uint8_t> code;                 // co_code: specialisation already undone by CPython
  std::vector<Constant> constants;           // co_consts
  std::vector<std::string> attribute_names;  // co_names: globals and attributes, by index
  std::vector<Name> names;                   // what the outside names meant at capture
  std::vector<Position> positions;           // per code unit
  std::vector<HandlerRange> handlers;
  friend bool operator==(const Snapshot&, const Snapshot&) = default;

  /// The meaning of a global or closure name or dotted path; UnboundMeaning when it was not found.
  const Meaning& meaning(const std::string& path) const;
};

/// What a name of a struct's class is in compiled code.
enum class MemberKind : uint8_t {
  Value,        // what it means: a constant, a static method
  Method,       // a function that gets the struct itself first
  ClassMethod,  // a function that gets the type first
  Property,     // a function of the struct that is called where the name is read
};
struct Member {
  std::string name;
  MemberKind kind = MemberKind::Value;
  Meaning meaning;
  friend bool operator==(const Member&, const Member&) = default;
};

/// What a struct type's TypeId does not say.
struct StructRecord {
  TypeId type;
  std::vector<std::optional<Meaning>> defaults;  // per field
  std::vector<Member> members;                   // methods and constants; fields are no members
  friend bool operator==(const StructRecord&, const StructRecord&) = default;
};

/// A type of ours that is a certain type of a C++ library's, and how C++ spells that.
struct CxxType {
  TypeId type;
  std::string spelling;
  friend bool operator==(const CxxType&, const CxxType&) = default;
};

/// C++ source whose functions compiled code may call (device.cxx).
struct CxxLibrary {
  std::string path;  // of the file; "" of a text
  std::string source;
  std::vector<std::string> options;  // of the C++ compiler: "-Iinclude", "-DN=4"
  std::vector<CxxType> types;
  friend bool operator==(const CxxLibrary&, const CxxLibrary&) = default;
};

/// A function and everything that it could call. functions[0] is where compilation begins.
struct Program {
  std::vector<Snapshot> functions;
  std::vector<StructRecord> structs;  // that the functions can come across, one per type
  std::vector<CxxLibrary> libraries;  // that names mean
  friend bool operator==(const Program&, const Program&) = default;
  std::vector<Source> sources() const;  // indexed by Span::source
  /// The record of a struct type, or null.
  const StructRecord* find_struct(TypeId type) const;
};

}  // namespace hetjit
