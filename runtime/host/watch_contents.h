// Which bytes of a block's and its threads' own memory were written. Private to the watch.
#pragma once

#include <cstdint>

#include "abi/watch_kinds.h"

namespace hetjit::runtime {

struct WatchWorker;

/// Notes what is written; false where bytes are read that `block` has not written.
bool note_contents(WatchWorker& worker, AccessKind kind, uintptr_t address, uint64_t bytes,
                   uint32_t block);
/// The same for whole words side by side; false also where it is another case, with nothing noted.
bool note_contents_row(WatchWorker& worker, AccessKind kind, uintptr_t address, uint64_t bytes,
                       uint32_t block);

}  // namespace hetjit::runtime
