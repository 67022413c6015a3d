// Where a value comes from and where it is written: what makes a message point at an operand.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/typing/core/instance.h"
#include "frontend/diag/diagnostic.h"

namespace hetjit::typing {

/// The name outside of the function, as "SCALE", whose value this is; "": it is no such value.
std::string name_of_global(const Instance& instance, ValueId value);

/// ", from the argument 'n'" and the like, as seen from a place; empty when there is nothing to
/// add.
std::string origin_text(const Instance& instance, ValueId value, const Span& where);

/// The local variable or parameter that a value stands for, or "".
std::string local_name(const Instance& instance, ValueId value);

/// The same through block parameters that stand for no local: the first name on a path that leaves
/// it unassigned.
std::string unassigned_name(const Instance& instance, ValueId value);

/// Where a value was made; unknown for parameters.
Span definition_span(const Instance& instance, ValueId value);

/// Where operand `value` of an instruction is written: the expression itself when it stands inside
/// the instruction's text, else found in the source text. Unknown when neither helps.
Span operand_span(const Instance& instance, const Source& source, const ssa::Inst& inst,
                  ValueId value);

/// The operator's place in the instruction's text, or the whole instruction.
Span operator_span(const Instance& instance, const Source& source, const ssa::Inst& inst);

/// Whether CPython has written the instruction more than once, as it does with a loop's test, and
/// the copies have different values for this operand: no one of them is what the user wrote.
bool varies_between_copies(const Instance& instance, const ssa::Inst& inst, ValueId operand);

/// One label for each of the paths that bring values to a block parameter.
void label_paths(Diagnostics::Builder& error, const Instance& instance, ValueId parameter);

/// Two types that disagree among those that reach a block parameter.
std::pair<std::string, std::string> types_on_paths(const Instance& instance, ValueId parameter);

/// A label where a value was made, or a note when it is an argument; `name` is the variable that
/// holds it, "" for an expression.
void label_value(Diagnostics::Builder& error, const Instance& instance, ValueId value,
                 const std::string& name);

/// What to write instead of a name that compiled code does not have; `ours`: the name that does the
/// same in its place, if there is one.
struct Hint {
  std::string_view name, text, ours;
};
/// Null: there is no advice (hints.def).
const Hint* name_hint(std::string_view name);
/// The same for a kind of value; "" when there is no advice.
std::string_view kind_hint(std::string_view description);

/// The candidate nearest to a misspelt name, or "".
std::string nearest(std::string_view name, const std::vector<std::string_view>& candidates);

}  // namespace hetjit::typing
