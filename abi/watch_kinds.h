// What a program that watches itself tells the host's runtime (abi/watch.h), as kinds.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hetjit {

/// An atomic operation is reported before it and after it.
enum class AccessKind : uint8_t { Read, Write, Atomic, AtomicStore, AfterAtomic };
/// What is asked of an access: whether something orders it and those of other threads, and whether
/// what it reads of shared or local memory was written.
enum class WatchFor : uint8_t { Order = 1, Contents = 2, Both = 3 };
/// Of the block; of the lanes of a warp, before and after; for the whole grid, before and after.
enum class WaitKind : uint8_t { Block, Warp, WarpAfter, GridBefore, GridAfter };

/// What a finding says of the other thread: line, block x y z, thread x y z.
inline constexpr size_t kOtherWords = 7;

constexpr bool has(WatchFor all, WatchFor one) {
  return static_cast<uint8_t>(all) & static_cast<uint8_t>(one);
}

}  // namespace hetjit
