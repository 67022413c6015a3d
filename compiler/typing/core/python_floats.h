// Python's floats of run time where they meet float64.
//
// A Python float is float32 in compiled code, and a literal that meets float64 the double that was
// written. What a program makes of literals, by choosing among them, passing them on or computing
// with them, is to be as exact. So in an instance where a Python float of run time meets float64
// (`exact`) such a number has two forms, a leaf each: the float32 that it is everywhere else, and
// the float64 that the same operations on float64 give. What it meets takes the form that it needs,
// and the other is dead code. Decisions and integers come of the float32 form alone, so that a
// kernel without float64 is what it would be if this file did not exist. Complex numbers are alike.
//
// What is float32 already when the program gets it, or by a rule of the language, has no other
// form: a float of the launch, the quotient of two integers. It carries a `Rounding`, and the user
// is warned where it meets float64.
#pragma once

#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

/// The type with a second form for each Python float that is no literal; tuples and functions
/// through and through, fields of structs not, which are float32 by declaration.
TypeValue with_exact_forms(const TypeValue& type);
/// The type as a callee knows it that is told nothing but the type.
TypeValue as_passed(const TypeValue& type);
/// Whether a Python float of run time is in it; `inexact`: one that has no second form.
bool has_python_float(const TypeValue& type, bool inexact = false);

/// The value with its Python floats, literals too, as float64.
Value in_float64(Evaluation& at, const Value& value);
/// A Python float of run time with its second form.
Value of_two_forms(Evaluation& at, Value narrow, const Value& wide);
/// What an instruction gave, with the second form of a number where that is wanted, and with what
/// was rounded on the way.
Value with_float64_form(Evaluation& at, const ssa::Inst& inst, Value value);

/// A number of run time that is float32 is about to become float64.
void meets_float64(Evaluation& at, const Value& value, Number to);
/// What a call has to know of numbers that the callee brings together with float64.
void passes_to_float64(Evaluation& at, const Instance& callee, const std::vector<Value>& values);
/// The type of a callee's result as its caller sees it.
TypeValue result_of_call(const TypeValue& result, const std::vector<Value>& values);

}  // namespace hetjit::typing
