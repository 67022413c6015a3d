// Memory about memory: pieces found by key, made where one is first asked for. Pieces of one kind
// are kept for the next launch, as new memory costs more than what is done with it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace hetjit::runtime {

/// What a piece looks like; all of a Shadow look alike.
struct ShadowPiece {
  size_t bytes;
  size_t dense = 0;  // at the beginning: likely to be used whole
  /// Pieces are kept: what stands before `dense` may be full of anything then. What stands between
  /// `dense` and here is given back to the system meanwhile, and what follows is cleared. 0: they
  /// are not kept.
  size_t cleared_from = 0;
};

/// May be used by many threads at once. Pieces are full of zeros, but for what ShadowPiece says.
class Shadow {
 public:
  explicit Shadow(const ShadowPiece& piece) : piece_(piece) {}
  ~Shadow();
  Shadow(const Shadow&) = delete;
  Shadow& operator=(const Shadow&) = delete;

  /// Null: there is no memory for it.
  std::byte* find(uint64_t key);

 private:
  struct Entry {
    std::atomic<uint64_t> key;  // plus 1; 0: free
    std::atomic<std::byte*> piece;
  };
  static constexpr size_t kEntries = size_t{1} << 16;
  std::byte* make();
  std::byte* map() const;

  const ShadowPiece piece_;
  std::atomic<Entry*> entries_{nullptr};  // null until the first piece
  std::vector<std::byte*> made_;
  std::mutex growing_;  // made_, and what entries_ gains
};

}  // namespace hetjit::runtime
