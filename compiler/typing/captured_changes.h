// A function made inside another has the values of the variables it captured, in Python the
// variables themselves. `v.x = e` gives `v` another value: a function that captured it and is used
// afterwards is refused, as after `v = e`. Of an array the same changes no variable; hence after
// typing.
#pragma once

#include "compiler/typing/evaluation.h"

namespace hetjit::typing {

/// Reports such functions of an instance whose types are final. True: there were some.
bool report_captured_changes(Evaluation& at);

}  // namespace hetjit::typing
