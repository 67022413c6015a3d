// Helps, each with the change of the source that carries it out, where its place is known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

/// "convert it: int(x)": the value goes through `function` where it is written.
void convert(Diagnostics::Builder& error, Evaluation& at, const Value& value,
             const std::string& function);

/// Where the value is a quotient of integers, '//' makes it an integer. False: it is none.
bool divide_whole(Diagnostics::Builder& error, Evaluation& at, const Value& value);

/// To an integer: by divide_whole(), else by convert().
void convert_to_integer(Diagnostics::Builder& error, Evaluation& at, const Value& value,
                        const std::string& function);

/// The value goes through `function`, with no help of its own; several are one change.
void enclose(Diagnostics::Builder& error, Evaluation& at, const Value& value,
             const std::string& function);

/// `&` and `|` between comparisons bind tighter than those: `and`, `or`. False: it is no such.
bool say_and(Diagnostics::Builder& error, Evaluation& at, ssa::BinaryKind kind);

/// The change that leaves out the `()` that the instruction ends with, if it does.
void leave_out_call(Diagnostics::Builder& error, Evaluation& at, const std::string& instead = "");

/// `value.name()` becomes `function(value)`.
void call_function(Diagnostics::Builder& error, Evaluation& at, const Value& value,
                   const std::string& function);

/// A function of numbers was given an array: each thread passes one element.
void pass_element(Diagnostics::Builder& error, Evaluation& at, std::string_view function,
                  const Value& array);

/// Whether a value is a parameter of the function, as it was passed.
bool is_argument(Evaluation& at, const Value& value);

/// Whether a value is `….name`.
bool is_attribute(Evaluation& at, const Value& value, std::string_view name);

/// The text of the expression that made a value; "" when it is not at hand.
std::string made_by(Evaluation& at, const Value& value);

/// "did you mean 'prefix' + near?", of the known name that is nearest. `name` ends what the
/// instruction covers, or names an argument in it. False: no name is near.
bool propose(Diagnostics::Builder& error, Evaluation& at, std::string_view name,
             const std::vector<std::string_view>& known, const std::string& prefix = "");

/// What hints.def has for the last part of `path`, else propose().
void advise(Diagnostics::Builder& error, Evaluation& at, const std::string& path,
            std::string_view name, const std::vector<std::string_view>& known);

/// `element = element.replace(argument)` in place of an assignment to a part of it.
void replace_part(Diagnostics::Builder& error, Evaluation& at, const Value& element,
                  const Value& value, const std::string& argument);

/// A parameter of the function gets an annotation in its `def`, if it has none.
void annotate(Diagnostics::Builder& error, Evaluation& at, const std::string& parameter,
              const std::string& annotation);

/// "what of whom must be a constant". A value that is a parameter becomes a device.ConstExpr, of
/// others there is only what the help says: `write`.
Failed not_constant(Evaluation& at, const Value& value, std::string_view what,
                    std::string_view whom, const std::string& write);

}  // namespace hetjit::typing
