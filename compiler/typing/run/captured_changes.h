// A function made inside another has the values of the variables it captured, in Python the
// variables themselves. One that may be used after such a variable got another value, or `v.x = e`
// a part of it, is refused, so that nobody can see the difference. So is what it may be part of:
// a generator expression, map(…), another function. One that is made anew before its next use, as
// in a loop, is not. Types tell: a number that a function returned knows nothing of the function,
// and of an array `v[i] = e` changes no variable.
#pragma once

#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

/// Reports such functions of an instance whose types are final. True: there were some.
bool report_captured_changes(Evaluation& at);

}  // namespace hetjit::typing
