#include "runtime/host/shadow.h"

#include <sys/mman.h>

namespace hetjit::runtime {
namespace {

constexpr size_t kHugePage = size_t{1} << 21;

size_t mapped_bytes(size_t piece) { return (piece + kHugePage - 1) / kHugePage * kHugePage; }

}  // namespace

// Open addressing; an entry's piece is there before its key is.
std::byte* Shadow::find(uint64_t key) {
  Entry* entries = ready_.load(std::memory_order_acquire);
  if (!entries) {
    std::lock_guard lock(growing_);
    if (!entries_) entries_.reset(new Entry[kEntries]);
    ready_.store(entries = entries_.get(), std::memory_order_release);
  }
  uint64_t place = key * 0x9e3779b97f4a7c15u >> 48;
  for (size_t tries = 0; tries < kEntries; ++tries, place = (place + 1) % kEntries) {
    Entry& entry = entries[place];
    uint64_t found = entry.key.load(std::memory_order_acquire);
    if (!found) {
      std::lock_guard lock(growing_);
      found = entry.key.load(std::memory_order_relaxed);
      if (!found) {
        std::byte* piece = make();
        if (!piece) return nullptr;
        entry.piece.store(piece, std::memory_order_relaxed);
        entry.key.store(found = key + 1, std::memory_order_release);
      }
    }
    if (found == key + 1) return entry.piece.load(std::memory_order_relaxed);
  }
  return nullptr;
}

// Pages that fill at once are large ones, for which they must lie at a multiple of their size.
std::byte* Shadow::make() {
  size_t bytes = mapped_bytes(piece_);
  void* memory = mmap(nullptr, bytes + kHugePage, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* begin = static_cast<std::byte*>(memory);
  size_t over = reinterpret_cast<uintptr_t>(begin) % kHugePage;
  size_t front = over ? kHugePage - over : 0, back = kHugePage - front;
  if (front) munmap(begin, front);
  if (back) munmap(begin + front + bytes, back);
  if (dense_) madvise(begin + front, dense_, MADV_HUGEPAGE);
  return begin + front;
}

Shadow::~Shadow() {
  for (size_t i = 0; entries_ && i < kEntries; ++i)
    if (std::byte* piece = entries_[i].piece.load(std::memory_order_relaxed))
      munmap(piece, mapped_bytes(piece_));
}

}  // namespace hetjit::runtime
