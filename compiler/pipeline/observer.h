// Dumps of the phases, on stderr and in a folder.
#pragma once

#include <string_view>

#include "compiler/pipeline/options.h"

namespace hetjit {

/// `show`: phases to print on stderr, `typed,llvm` or `all`; `time` adds what each phase took.
/// `keep`: a folder for one file per compilation and phase, made when it is not there. Both may be
/// empty. What cannot be written is said on stderr once, and compilation goes on.
Observer make_observer(std::string_view show, std::string_view keep);

}  // namespace hetjit
