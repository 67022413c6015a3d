// Copies of loop bodies, made of basic blocks before they become values. Private to frontend/build.
#pragma once

#include "frontend/build/blocks.h"
#include "frontend/build/reading.h"

namespace hetjit::reader {

/// Puts the copies that `reading` asks for before their loops. False: there would be too many
/// blocks.
bool copy_loops(std::vector<CodeBlock>& blocks, const bytecode::Decoded& decoded,
                const Reading& reading);

}  // namespace hetjit::reader
