// Whoever calls holds the words (RaceWatch::Held), but for those that all may look at.
#include "runtime/host/watch_rows.h"

#include <algorithm>

#include "runtime/host/race_record.h"

#if defined(__x86_64__) && defined(__ELF__) && !defined(__SANITIZE_THREAD__)
#define HETJIT_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define HETJIT_WIDE
#endif

namespace hetjit::runtime {
namespace {

typedef uint64_t Four __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t Mask __attribute__((vector_size(32)));
static_assert(sizeof(Four) == GranuleRow::kStep * sizeof(uint64_t));

}  // namespace

// As macros, for functions of vectors are not cloned with their callers.
#define LOAD(from) (*reinterpret_cast<const Four*>(from))
#define STORE(to, value) (*reinterpret_cast<Four*>(to) = reinterpret_cast<Four>(value))
#define ANY(mask) (((mask)[0] | (mask)[1] | (mask)[2] | (mask)[3]) != 0)
// The records of who uses the first four granules.
#define LANES(row) (Four{0, 1 / (row).each, 2 / (row).each, 3 / (row).each} + (row).first)
// Of a state and the record of who comes now: `fresh`, nobody is on record; `before`, all who are
// come before (is_ordered but for barriers of warps).
#define COMPARE(state, me)                                                                \
  const Four x = (state) ^ (me);                                                          \
  const Mask other_block = (x >> Record::kBlockAt) != 0;                                  \
  const Mask fresh = ((state) == 0) | (other_block & owned);                              \
  const Mask same_thread = ((x & Record::kThreadBits) | ((state) & Record::kSeveral)) == 0; \
  const Mask passed = (x >> Record::kBarriersAt) != 0;                                    \
  const Mask one_block = ~other_block & (((state) & Record::kSeveral) != Record::kBlocks); \
  const Mask before = fresh | (one_block & (same_thread | passed));

HETJIT_WIDE bool write_row(const GranuleRow& row) {
  const int64_t owned = row.of_block ? -1 : 0;
  const Four lanes = LANES(row);
  Mask others{};
  for (size_t i = 0; i < row.count; i += GranuleRow::kStep) {
    const Four state = LOAD(row.states + i), me = lanes + i / row.each;
    COMPARE(state, me)
    others |= ~before;
  }
  if (ANY(others)) return false;
  for (size_t i = 0; i < row.count; i += GranuleRow::kStep)
    STORE(row.states + i, lanes + i / row.each);
  if (row.now) std::fill_n(row.stamps, row.count, uint64_t{row.now} << 32);
  return true;
}

HETJIT_WIDE bool read_row(const GranuleRow& row) {
  const int64_t owned = row.of_block ? -1 : 0;
  const Four lanes = LANES(row);
  Mask others{}, moves{};
  for (size_t i = 0; i < row.count; i += GranuleRow::kStep) {
    const Four state = LOAD(row.states + i), me = lanes + i / row.each;
    COMPARE(state, me)
    // What is on record says as much as this access would, and is as new.
    Mask still = ~Mask{};
    if (row.now) still = (LOAD(row.stamps + i) >> 32) == row.now;
    const Mask reads = (state & Record::kKind) == Record::kRead;
    const Mask mine = same_thread & ((x >> Record::kEpochAt) == 0) & still &
                      ((state & Record::kKind) != Record::kAtomic);
    const Mask all_blocks = (state & (Record::kSeveral | Record::kWritten)) == Record::kBlocks;
    const Mask all_warps = ((state & (Record::kSeveral | Record::kWritten)) == Record::kWarps) &
                           ((x >> Record::kEpochAt) == 0);
    const Mask covered = ~fresh & (mine | (reads & still & (all_blocks | all_warps)));
    others |= ~(before | covered);
    moves |= before & ~covered;
  }
  if (ANY(others)) return false;
  if (!ANY(moves)) return true;
  for (size_t i = 0; i < row.count; i += GranuleRow::kStep) {
    const Four state = LOAD(row.states + i), me = lanes + i / row.each;
    COMPARE(state, me)
    const Mask reads = (state & Record::kKind) == Record::kRead;
    Mask still = ~Mask{};
    if (row.now) still = (LOAD(row.stamps + i) >> 32) == row.now;
    const Mask stays = ~fresh & (~before | (same_thread & ((x >> Record::kEpochAt) == 0) & still &
                                            ((state & Record::kKind) != Record::kAtomic)));
    const Mask wrote = ~stays & ~fresh & ~reads;
    const Four keeps = state & Record::kWritten & reinterpret_cast<Four>(~fresh & reads);
    const Four marks = keeps | (reinterpret_cast<Four>(wrote) & Record::kWritten);
    if (ANY(wrote)) {  // memory that is not needed is not touched
      const Four writer = LOAD(row.writers + i);
      STORE(row.writers + i, (state & reinterpret_cast<Four>(wrote)) |
                                 (writer & reinterpret_cast<Four>(~wrote)));
    }
    STORE(row.states + i, (state & reinterpret_cast<Four>(stays)) |
                              ((me | marks) & reinterpret_cast<Four>(~stays)));
    if (!row.now) continue;
    const Four when = LOAD(row.stamps + i);
    const Four written = (reinterpret_cast<Four>(wrote) & (when >> 32)) |
                         (reinterpret_cast<Four>(~wrote) & (when & UINT32_MAX));
    STORE(row.stamps + i, written | uint64_t{row.now} << 32);
  }
  return true;
}

HETJIT_WIDE bool all_are(const uint32_t* words, size_t count, uint32_t value) {
  uint32_t others = 0;
  for (size_t i = 0; i < count; ++i) others |= words[i] ^ value;
  return others == 0;
}

HETJIT_WIDE bool all_are(const uint16_t* epochs, size_t count, uint16_t value) {
  uint16_t others = 0;
  for (size_t i = 0; i < count; ++i) others |= static_cast<uint16_t>(epochs[i] ^ value);
  return others == 0;
}

HETJIT_WIDE bool pass_barrier(uint16_t* epochs, size_t count, uint16_t from, uint16_t to) {
  if (!all_are(epochs, count, from)) return false;
  std::fill_n(epochs, count, to);
  return true;
}

}  // namespace hetjit::runtime
