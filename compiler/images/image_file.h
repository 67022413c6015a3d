// What was compiled, as a file that another process can use.
#pragma once

#include <span>
#include <string>

#include "abi/status.h"
#include "compiler/images/image_table.h"
#include "compiler/pipeline/options.h"

namespace hetjit {

/// What a file was made of and for, for people: a line each, `function scale 1f3a…`, so that the
/// difference of two files says why the second was made. Nothing is found by it.
std::string ingredients(const Program& program, const Options& options,
                        const std::string& identity);

/// `name`: what it is kept under, which a copy under another name does not answer to.
std::vector<std::byte> save_compiled(const Compiled& compiled, std::string_view name,
                                     std::string_view ingredients);

/// Invalid: it is torn, rotten, of another version, or not of that name.
Result<Compiled> load_compiled(std::span<const std::byte> file, std::string_view name);
Result<std::string> load_ingredients(std::span<const std::byte> file);

}  // namespace hetjit
