// How a host kernel that was compiled with check="race" or "init" tells the runtime what its
// threads do with memory, and hears that two of them do it in no order, or that one reads what
// nobody wrote.
#pragma once

#include "abi/watch_kinds.h"

namespace hetjit {

/// A place in the program that uses memory, or waits: a constant of the compiled module.
struct WatchedSite {
  uint32_t line;   // in the source
  uint32_t bytes;  // that one thread uses
  AccessKind access;
  WatchFor watch;
  WaitKind wait;
};
static_assert(sizeof(WatchedSite) == 12 && offsetof(WatchedSite, wait) == 10);

/// At a barrier that all threads of a block have come to, in place of the first one's number.
constexpr uint32_t kAllThreads = UINT32_MAX;

/// Threads that come to a place together: those of `lanes`, bit i standing for thread + i.
struct WatchedThreads {
  uint64_t lanes;
  uint32_t thread, block;  // linear, x fastest; of the first
  // Memory of the block, and of the threads themselves, with undefined contents when they begin;
  // all 0 where there is none.
  uint64_t shared_begin, shared_end, own_begin, own_end;
};
static_assert(sizeof(WatchedThreads) == 48 && offsetof(WatchedThreads, own_end) == 40);

/// What was found.
struct Finding {
  uint64_t other[kOtherWords];  // of the other thread
  uint32_t lane;                // of the thread that has found it
  uint32_t unwritten;           // 1: there is no other; it reads what was not written
};
static_assert(sizeof(Finding) == 64 && offsetof(Finding, lane) == 56);

/// Null: nothing was found.
struct WatchCalls {
  /// Lane i uses address first + i * step.
  const Finding* (*access)(const WatchedSite* at, const WatchedThreads* who, const void* first,
                           int64_t step);
  /// `addresses`: one for each bit up to the highest of `lanes`.
  const Finding* (*gather)(const WatchedSite* at, const WatchedThreads* who,
                           const void* const* addresses);
  const Finding* (*barrier)(const WatchedSite* at, const WatchedThreads* who);
};

/// Global of the module, a const WatchCalls*: the runtime sets it before the first launch.
inline constexpr const char* kWatchSymbol = "hetjit_watch";

}  // namespace hetjit
