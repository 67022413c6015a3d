// SHA-256 (FIPS 180-4): cache keys must not collide, whatever users write.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace hetjit {

class Sha256 {
 public:
  void add(std::span<const uint8_t> bytes);
  /// The digest as eight 32-bit words, first word first. Ends the use of this object.
  std::array<uint32_t, 8> finish();

 private:
  static constexpr size_t kBlock = 64;
  void compress();

  std::array<uint32_t, 8> state_ = {0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A,
                                    0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19};
  std::array<uint8_t, kBlock> block_{};
  size_t filled_ = 0;
  uint64_t total_ = 0;  // bytes
};

}  // namespace hetjit
