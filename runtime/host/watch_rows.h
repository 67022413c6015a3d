// The common cases of granule.h for granules side by side, each used by a thread of its own: nobody
// has used them, or all who have are before. Private to the watch.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hetjit::runtime {

struct GranuleRow {
  static constexpr size_t kStep = 4;

  uint64_t *states, *writers, *stamps;
  uint64_t first;  // the record of who uses the first; the next thread's is one more
  size_t each;     // granules that a thread uses: 1, 2 or 4
  size_t count;    // a multiple of kStep
  bool of_block;   // the memory is a block's
  uint32_t now;
};

/// False: nothing was done, as it is another case.
bool write_row(const GranuleRow& row);
bool read_row(const GranuleRow& row);
/// Are all the words `value`?
bool all_are(const uint32_t* words, size_t count, uint32_t value);

bool all_are(const uint16_t* epochs, size_t count, uint16_t value);

/// The epochs of threads that come to a barrier together and all have the same one, moved on; false
/// where they do not have it.
bool pass_barrier(uint16_t* epochs, size_t count, uint16_t from, uint16_t to);

}  // namespace hetjit::runtime
