#include "runtime/host/shadow.h"

#include <sys/mman.h>

#include <cstring>

#include "abi/fork_safe_mutex.h"

namespace hetjit::runtime {
namespace {

constexpr size_t kHugePage = size_t{1} << 21;

size_t mapped_bytes(size_t piece) { return (piece + kHugePage - 1) / kHugePage * kHugePage; }

/// Pieces that no launch uses. The system may take their memory if it has to; what is kept is
/// bounded all the same, for those who look at how much a process has.
class Spare {
 public:
  static Spare& all() {
    static Spare& one = *new Spare;  // launches may end after static variables have
    return one;
  }

  std::byte* take(size_t bytes) {
    std::lock_guard lock(mutex_);
    if (pieces_.empty() || bytes != bytes_) return nullptr;
    std::byte* piece = pieces_.back();
    pieces_.pop_back();
    return piece;
  }

  /// False: there are enough.
  bool keep(std::byte* piece, size_t bytes) {
    std::lock_guard lock(mutex_);
    if (pieces_.size() == kMost || (!pieces_.empty() && bytes != bytes_)) return false;
    bytes_ = bytes;
    pieces_.push_back(piece);
    return true;
  }

 private:
  static constexpr size_t kMost = 96;
  ForkSafeMutex mutex_;
  std::vector<std::byte*> pieces_;
  size_t bytes_ = 0;  // of each
};

}  // namespace

// Open addressing; an entry's piece is there before its key is. The table is a mapping, of which
// most is never touched.
std::byte* Shadow::find(uint64_t key) {
  Entry* entries = entries_.load(std::memory_order_acquire);
  if (!entries) {
    std::lock_guard lock(growing_);
    if (!(entries = entries_.load(std::memory_order_relaxed))) {
      void* memory = mmap(nullptr, kEntries * sizeof(Entry), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (memory == MAP_FAILED) return nullptr;
      entries_.store(entries = static_cast<Entry*>(memory), std::memory_order_release);
    }
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

std::byte* Shadow::make() {
  std::byte* piece = piece_.cleared_from ? Spare::all().take(piece_.bytes) : nullptr;
  if (piece)
    std::memset(piece + piece_.cleared_from, 0, piece_.bytes - piece_.cleared_from);
  else
    piece = map();
  if (piece) made_.push_back(piece);
  return piece;
}

// Pages that fill at once are large ones, for which they must lie at a multiple of their size.
std::byte* Shadow::map() const {
  size_t bytes = mapped_bytes(piece_.bytes);
  void* memory = mmap(nullptr, bytes + kHugePage, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* begin = static_cast<std::byte*>(memory);
  size_t over = reinterpret_cast<uintptr_t>(begin) % kHugePage;
  size_t front = over ? kHugePage - over : 0, back = kHugePage - front;
  if (front) munmap(begin, front);
  if (back) munmap(begin + front + bytes, back);
  if (piece_.dense) madvise(begin + front, piece_.dense, MADV_HUGEPAGE);
  return begin + front;
}

Shadow::~Shadow() {
  if (Entry* entries = entries_.load(std::memory_order_relaxed))
    munmap(entries, kEntries * sizeof(Entry));
  for (std::byte* piece : made_) {
    // In a process whose memory is locked no page is given back: then nothing is kept.
    if (piece_.cleared_from &&
        madvise(piece + piece_.dense, piece_.cleared_from - piece_.dense, MADV_DONTNEED) == 0) {
      madvise(piece, piece_.dense, MADV_FREE);
      if (Spare::all().keep(piece, piece_.bytes)) continue;
    }
    munmap(piece, mapped_bytes(piece_.bytes));
  }
}

}  // namespace hetjit::runtime
