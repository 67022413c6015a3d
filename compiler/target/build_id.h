// Which build of a library this is.
#pragma once

#include <string>

namespace hetjit::target {

/// The linker's digest of the library or program that has something at that address, in hexadecimal
/// digits; "": it has none.
std::string build_id(const void* address);

}  // namespace hetjit::target
