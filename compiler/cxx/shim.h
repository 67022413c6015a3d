// The C++ that stands between a kernel and a function of C++: it takes the addresses of result and
// arguments as they lie in memory, and calls the function as C++ would. Private to this folder.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/target/external_code.h"
#include "compiler/typing/known/external_functions.h"

namespace hetjit::cxx {

/// The name of a text that is no file's: absolute, or clang would put its own folder before it.
inline constexpr std::string_view kTextFile = "/C++";

/// The library's options, but for the user's macros: its source defines those, after what the
/// compiler includes first.
std::vector<std::string> options_of(const CxxLibrary& library);

/// Whose C++ it is, where compilers differ.
enum class Compiler : uint8_t { Clang, Nvrtc };

/// What the calls of a library for a kind of target have in common: its text, and what ours needs.
std::string library_source(const CxxLibrary& library, TargetKind kind, Compiler compiler);

/// What the user writes is for host and device, as in Python: a text in which all but headers that
/// it includes by brackets is so, where the text around it is. Those know which of their functions
/// are for GPUs.
std::string for_both(const std::string& source);

/// How C++ sees arrays: by a class that is also a descriptor; those whose elements follow one
/// another as the address of the first, which is the only thing that a template's `T*` is deduced
/// from.
enum class Arrays : uint8_t { Descriptors, Pointers };

/// What follows it for a call: it defines `symbol`, the function, and what prepare_external reads
/// of its result.
std::string call_source(const typing::ExternalCall& call, const std::string& symbol, Arrays arrays,
                        Compiler compiler);

/// The function alone, which others of the library may follow.
std::string bare_call_source(const typing::ExternalCall& call, const std::string& symbol,
                             Arrays arrays, Compiler compiler);

/// The type of a result. Invalid: it is an object of a type without a name.
TypeId result_of(const typing::ExternalCall& call, const target::ExternalResult& result);

}  // namespace hetjit::cxx
