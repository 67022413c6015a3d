// Functions of ours that C++ calls: how C++ declares them, and the C++ that takes such a call. So
// the convention is clang's own, and written down nowhere.
#pragma once

#include <string>
#include <vector>

#include "abi/messages.h"
#include "abi/signature.h"
#include "abi/status.h"
#include "abi/target_name.h"

namespace hetjit::cxx {

struct Exported {
  std::string symbol;
  std::vector<std::string> names;  // of the parameters
  std::vector<TypeId> parameters;
  TypeId result;
  bool kernel = false;
  Sites sites;          // what it may raise or print
  bool raises = false;  // the first of these
  bool debug = false;   // line tables
};

/// What stands behind it: `void symbol_python(void* result, const void* argument…)`; of one that
/// raises `int`, whether it has.
std::string inner_symbol(const Exported& function);

/// A header that declares it, for CUDA, HIP and hosts alike: the types it needs, each with what
/// must be so for both sides to mean the same bytes.
std::string header(const Exported& function);

/// Bitcode of `symbol`, which calls the inner one, and of what records and prints; of a kernel the
/// latter alone. Errors: clang.h's; Internal when clang refuses
/// it.
Result<std::string> entry_bitcode(const Exported& function, const TargetName& target);

/// "interop.hpp", which such a header includes as "hetjit/interop.hpp"; "raised.hpp" and
/// "raised_text.hpp", which that of a function that raises includes; "library.hpp" and
/// "library_numbers.hpp", which it includes, "library_fields.hpp" and
/// "library_fortran.hpp", which include it.
std::string header_text(const std::string& name);

}  // namespace hetjit::cxx
