// Memory about memory: pieces full of zeros, found by key, made where one is first asked for.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

namespace hetjit::runtime {

/// May be used by many threads at once. All pieces have one size.
class Shadow {
 public:
  /// The first `dense` bytes of a piece are likely to be used whole.
  explicit Shadow(size_t piece, size_t dense = 0) : piece_(piece), dense_(dense) {}
  ~Shadow();
  Shadow(const Shadow&) = delete;
  Shadow& operator=(const Shadow&) = delete;

  /// Null: there is no memory for it.
  std::byte* find(uint64_t key);

 private:
  struct Entry {
    std::atomic<uint64_t> key{0};  // plus 1; 0: free
    std::atomic<std::byte*> piece{nullptr};
  };
  static constexpr size_t kEntries = size_t{1} << 16;
  std::byte* make();

  const size_t piece_, dense_;
  std::unique_ptr<Entry[]> entries_;  // null until the first piece
  std::atomic<Entry*> ready_{nullptr};
  std::mutex growing_;
};

}  // namespace hetjit::runtime
