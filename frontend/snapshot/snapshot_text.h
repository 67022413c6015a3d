// The `.snap` text form of a Program: what tests, recordings and bug reports use. Round-trips.
#pragma once

#include <string>
#include <string_view>

#include "abi/status.h"
#include "frontend/snapshot/snapshot.h"

namespace hetjit {

std::string to_text(const Program& program);
std::string to_text(const Constant& constant);  // also used by dumps of ssa and ir
std::string to_text(const Meaning& meaning);

/// What a launch bound this parameter of the first function to, for people: a function by its name,
/// another value as the text form has it. "": nothing.
std::string bound_text(const Program& program, uint32_t parameter);

/// The inverse of to_text for the two parts that dumps of graphs contain. The whole of `text` must
/// be one constant or meaning. Errors: ErrorCode::Invalid.
Result<Constant> parse_constant(std::string_view text);
Result<Meaning> parse_meaning(std::string_view text);

/// Errors: ErrorCode::Invalid, with the line that could not be read.
Result<Program> parse_program(std::string_view text);

}  // namespace hetjit
