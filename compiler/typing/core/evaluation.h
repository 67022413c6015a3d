// One instruction of the untyped graph at a time: what its result is, and the code for it when
// there is an Emitter to write to. Three runs use the same functions: inference (types only, into a
// diagnostics scratch pad), the report (types only, but the user hears) and translation (code).
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "compiler/typing/core/emitter.h"
#include "compiler/typing/known/value.h"
#include "frontend/diag/diagnostic.h"
#include "frontend/ssa/function.h"

namespace hetjit::typing {

class Specializer;
struct Instance;

class Evaluation {
 public:
  Evaluation(Specializer& whole, Instance& instance, Diagnostics& diags, ir::Builder* build,
             bool reporting = false)
      : whole_(whole), instance_(instance), diags_(diags), code_(build), reporting_(reporting) {}

  Specializer& whole() { return whole_; }
  Instance& instance() { return instance_; }
  const ssa::Function& function() const;
  Diagnostics& diags() { return diags_; }
  Emitter& code() { return code_; }
  bool reporting() const { return reporting_; }

  /// The result of one instruction that is no terminator.
  Value evaluated(const ssa::Inst& inst);
  /// The same computed on its operands as float64 (python_floats.h); again, for numbers only.
  Value evaluated_in_float64(const ssa::Inst& inst);
  /// The same, remembered for `operand`.
  void run(const ssa::Inst& inst);
  /// Moves to the function's first instruction that has a place in the source.
  void enter_function();
  /// Moves to an instruction: errors and code from now on belong to it.
  void enter(const ssa::Inst& inst);
  const ssa::Inst& inst() const { return *inst_; }
  Span where() const;

  /// A value as an operation may use it: an unassigned or disagreeing one is reported here; what
  /// C++ declares is its value, unless the operation goes on with the name.
  Value operand(ValueId id);
  /// The same for operations that only pass a value on: it may be of a kind that nothing can use.
  Value operand_of_any_kind(ValueId id);
  /// The same unreported: for edges, which may carry what nobody uses.
  Value carried(ValueId id);
  void define(ValueId id, Value value);
  /// The captured variable of that position in the instance's closure.
  Value captured(size_t index);

  /// The elements of `id`, if an instruction right before this one has taken it apart.
  std::optional<Value> unpacked(ValueId id);
  void set_unpacked(ValueId id, Value items) { unpacked_ = {id, inst_, std::move(items)}; }

  // ---- numbers

  Value number(Number type, Leaf leaf, bool nonnegative = false);
  Value literal(Number type, const Literal& literal);
  /// A type without literals, as values of run time have it in this function.
  TypeValue at_run_time(const TypeValue& type) const;
  /// False, and reported, when `value` is a literal that `to` cannot hold.
  bool fits(const Value& value, Number to);
  /// The leaf of number `value` in the format of `to`; it fits.
  Leaf convert(const Value& value, Number to);
  /// The leaves of `value` as those of `target`, which it joins (edges, arguments, results).
  std::vector<Leaf> coerce(const Value& value, const TypeValue& target);

  // ---- errors

  /// Starts an error at this instruction. With one marked value the error stands at that operand,
  /// with more at the operator; each gets a label that says its type and where it comes from.
  Diagnostics::Builder error(Code code, std::initializer_list<std::string_view> arguments = {},
                             std::initializer_list<const Value*> marks = {});
  /// Adds a label that says what a value is and where it comes from.
  void mark(Diagnostics::Builder& error, const Value& value);
  /// While reporting: whether no error about this value was given before.
  bool first_time(const Value& value);
  /// Where an operand of this instruction is written; unknown when it stands nowhere.
  Span place_of(const Value& value);
  /// Where the operator of this instruction is written, else the whole of it.
  Span place_of_operator();
  /// The variable that an operand is written as, "" when it is another expression.
  std::string variable_text(const Value& value);
  /// Starts an error that stands at a value, without a label.
  Diagnostics::Builder error_for(const Value& value, Code code,
                                 std::initializer_list<std::string_view> arguments = {});
  /// Starts one at a place that has no instruction.
  Diagnostics::Builder error_at(Span place, Code code,
                                std::initializer_list<std::string_view> arguments = {}) {
    return diags_.error(code, place, arguments);
  }

 private:
  Value evaluated_once(const ssa::Inst& inst);
  bool goes_on_with_names(ValueId id) const;
  Value report_unassigned(Span span, ValueId id, bool sometimes);
  Value report_disagreement(Span span, ValueId id);
  Value report_opaque(Span span, const OpaqueType& opaque);

  Specializer& whole_;
  Instance& instance_;
  Diagnostics& diags_;
  Emitter code_;
  bool reporting_;
  bool in_float64_ = false;
  const ssa::Inst* inst_ = nullptr;
  struct {
    ValueId of;
    const ssa::Inst* by = nullptr;
    Value items;
  } unpacked_;
};

// ---- one overload per operation of the untyped graph (evaluate_*.cpp)

Value evaluate(Evaluation& at, const ssa::Const& op);
Value evaluate(Evaluation& at, const ssa::LoadName& op);
Value evaluate(Evaluation& at, const ssa::Undefined& op);
Value evaluate(Evaluation& at, const ssa::MakeFunction& op);
Value evaluate(Evaluation& at, const ssa::StoreCell& op);
Value evaluate(Evaluation& at, const ssa::Ignore& op);
Value evaluate(Evaluation& at, const ssa::Unary& op);
Value evaluate(Evaluation& at, const ssa::Binary& op);
Value evaluate(Evaluation& at, const ssa::Compare& op);
Value evaluate(Evaluation& at, const ssa::Is& op);
Value evaluate(Evaluation& at, const ssa::Contains& op);
Value evaluate(Evaluation& at, const ssa::ToBool& op);
Value evaluate(Evaluation& at, const ssa::GetAttribute& op);
Value evaluate(Evaluation& at, const ssa::SetAttribute& op);
Value evaluate(Evaluation& at, const ssa::GetItem& op);
Value evaluate(Evaluation& at, const ssa::SetItem& op);
Value evaluate(Evaluation& at, const ssa::BuildSlice& op);
Value evaluate(Evaluation& at, const ssa::BuildTuple& op);
Value evaluate(Evaluation& at, const ssa::AsList& op);
Value evaluate(Evaluation& at, const ssa::UnpackItem& op);
Value evaluate(Evaluation& at, const ssa::UnpackStar& op);
Value evaluate(Evaluation& at, const ssa::Call& op);
Value evaluate(Evaluation& at, const ssa::Iter& op);
Value evaluate(Evaluation& at, const ssa::IterStart& op);
Value evaluate(Evaluation& at, const ssa::IterHas& op);
Value evaluate(Evaluation& at, const ssa::IterItem& op);
Value evaluate(Evaluation& at, const ssa::IterNext& op);

// ---- what they and the builtins are made of

/// What C++ declares under a name, where a value is wanted: a constant, an enumerator, a variable.
Value external_value(Evaluation& at, const Value& named);
Value binary(Evaluation& at, ssa::BinaryKind kind, const Value& a, const Value& b,
             bool in_place = false);
Value unary(Evaluation& at, ssa::UnaryKind kind, const Value& a);
Value compare(Evaluation& at, ssa::CompareKind kind, const Value& a, const Value& b);
/// Whether these values are few enough parts for one value; reported when not.
bool few_parts(Evaluation& at, const std::vector<Value>& values);
/// Truth value, a builtin bool. Reported when the value has none.
Value truth(Evaluation& at, const Value& value);
/// The bool leaf of a truth value, literal or not.
Leaf condition(Evaluation& at, const Value& truth);
/// A math function of numbers; they are brought to one floating type first.
Value math(Evaluation& at, ir::MathFunction function, const std::vector<Value>& arguments);
/// Explicit conversion to a scalar type, as `float32(x)` or `int(x)`.
Value cast(Evaluation& at, const Value& value, Number to);
/// The number that a constant text reads as; the base is that of an integer's digits.
Value cast_text(Evaluation& at, const Value& text, Number to, unsigned base = 10);
/// condition ? yes : no of one number type, which both are converted to.
Value choose(Evaluation& at, const Value& condition, const Value& yes, const Value& no);
Value call(Evaluation& at, const Value& callee, const Arguments& arguments);
/// What a name or constant from outside means here; `path` is how the function names it.
Value meaning_value(Evaluation& at, const Meaning& meaning, const std::string& path);
Value constant_value(Evaluation& at, const Constant& constant);
/// The floating type that math on these numbers happens in; nullopt: reported.
std::optional<Number> floating_number(Evaluation& at, std::string_view function,
                                      const std::vector<Value>& arguments);

}  // namespace hetjit::typing
