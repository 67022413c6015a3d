#include "runtime/host/watch_contents.h"

#include <algorithm>

#include "runtime/host/watch_rows.h"
#include "runtime/host/watch_worker.h"

namespace hetjit::runtime {
namespace {

using Contents = RaceWatch::Contents;

constexpr uint32_t kAllBytes = 15;

// Blocks whose numbers are 2^28 apart are taken for one.
uint32_t tag_of(uint32_t block) { return (block + 1) << 4; }

bool writes(AccessKind kind) {
  return kind == AccessKind::Write || kind == AccessKind::AtomicStore;
}

}  // namespace

bool note_contents(WatchWorker& worker, AccessKind kind, uintptr_t address, uint64_t bytes,
                   uint32_t block) {
  const uintptr_t end = address + bytes;
  for (uintptr_t word = address / 4; word * 4 < end; ++word) {
    Contents* contents = worker.contents_piece(word >> Contents::kBits);
    if (!contents) return true;
    uint32_t& kept = contents->words[word % Contents::kWords];
    const uintptr_t from = std::max(address, word * 4), to = std::min(end, word * 4 + 4);
    const uint32_t used = ((1u << (to - from)) - 1) << (from % 4);
    const uint32_t written = (kept & ~kAllBytes) == tag_of(block) ? kept & kAllBytes : 0;
    if (writes(kind))
      kept = tag_of(block) | written | used;
    else if ((written & used) != used)
      return false;
  }
  return true;
}

bool note_contents_row(WatchWorker& worker, AccessKind kind, uintptr_t address, uint64_t bytes,
                       uint32_t block) {
  const uintptr_t word = address / 4, at = word % Contents::kWords;
  if (address % 4 || bytes % 4 || at + bytes / 4 > Contents::kWords) return false;
  Contents* contents = worker.contents_piece(word >> Contents::kBits);
  if (!contents) return true;
  const uint32_t whole = tag_of(block) | kAllBytes;
  if (!writes(kind)) return all_are(contents->words + at, bytes / 4, whole);
  std::fill_n(contents->words + at, bytes / 4, whole);
  return true;
}

}  // namespace hetjit::runtime
