// Values of C++ types that have no counterpart here: a struct of words that nobody looks at but
// C++, named as C++ writes the type.
#pragma once

#include <optional>
#include <string>

#include "frontend/snapshot/snapshot.h"

namespace hetjit::typing {

/// An object of a library's type, which takes so many bytes.
TypeId object_type(const CxxLibrary& library, const std::string& spelling, uint32_t size,
                   uint32_t align);
bool is_object(TypeId id);
/// How C++ writes the type of an object.
std::string spelling_of_object(TypeId id);
/// The library of the program's that the type is from.
std::optional<uint32_t> library_of_object(const Program& program, TypeId id);

/// A library as text: the same source with other macros is another one.
std::string key_of(const CxxLibrary& library);

}  // namespace hetjit::typing
