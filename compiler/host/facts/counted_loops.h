// Loops that end whatever they do.
#pragma once

#include "compiler/host/facts/structure.h"
#include "compiler/ir/uses.h"

namespace hetjit::host {

/// Does a loop count up to a number that stays as it is? So that it ends even where LLVM cannot
/// see it: where lanes leave apart, or count by steps of which it knows nothing.
bool counts(const ir::Function& function, const Structure& structure,
            const ir::Definitions& definitions, const Loop& loop);

/// What all ways back hand over for a parameter of the loop's header; nullopt: not one value.
std::optional<ValueId> next_turn(const ir::Function& function, const Loop& loop, size_t param);

/// How many turns a loop has that counts from a constant to another one, at most kMostTurns;
/// nullopt: it is another one.
std::optional<int64_t> known_turns(const ir::Function& function, const ir::Definitions& definitions,
                                   const Loop& loop);
/// The same; of others, kUsualTurns.
int64_t usual_turns(const ir::Function& function, const ir::Definitions& definitions,
                    const Loop& loop);

}  // namespace hetjit::host
