#include "frontend/snapshot/sha256.h"

#include <algorithm>
#include <bit>

namespace hetjit {
namespace {

constexpr bool is_prime(uint32_t n) {
  for (uint32_t d = 2; d * d <= n; ++d)
    if (n % d == 0) return false;
  return true;
}

// The round constants are defined as the first 32 bits of the fractional parts of the cube roots of
// the first 64 primes: floor(cbrt(p) * 2^32) without its integer part.
consteval std::array<uint32_t, 64> round_constants() {
  std::array<uint32_t, 64> constants{};
  uint32_t prime = 1;
  for (uint32_t& constant : constants) {
    do ++prime;
    while (!is_prime(prime));
    const auto wanted = static_cast<unsigned __int128>(prime) << 96;
    uint64_t root = 0;
    for (int bit = 35; bit >= 0; --bit) {
      const uint64_t next = root | (uint64_t{1} << bit);
      if (static_cast<unsigned __int128>(next) * next * next <= wanted) root = next;
    }
    constant = static_cast<uint32_t>(root);
  }
  return constants;
}

constexpr std::array<uint32_t, 64> kRounds = round_constants();
static_assert(kRounds[0] == 0x428A2F98 && kRounds[63] == 0xC67178F2);

}  // namespace

void Sha256::add(std::span<const uint8_t> bytes) {
  total_ += bytes.size();
  while (!bytes.empty()) {
    const size_t taken = std::min(bytes.size(), kBlock - filled_);
    std::copy_n(bytes.begin(), taken, block_.begin() + static_cast<ptrdiff_t>(filled_));
    bytes = bytes.subspan(taken);
    filled_ += taken;
    if (filled_ == kBlock) compress();
  }
}

std::array<uint32_t, 8> Sha256::finish() {
  const uint64_t bits = total_ * 8;
  const uint8_t end = 0x80, zero = 0;
  add({&end, 1});
  while (filled_ != kBlock - 8) add({&zero, 1});
  for (int shift = 56; shift >= 0; shift -= 8) {
    const auto byte = static_cast<uint8_t>(bits >> shift);
    add({&byte, 1});
  }
  return state_;
}

void Sha256::compress() {
  std::array<uint32_t, 64> w{};
  for (size_t i = 0; i < 16; ++i)
    w[i] = static_cast<uint32_t>(block_[4 * i]) << 24 | block_[4 * i + 1] << 16 |
           block_[4 * i + 2] << 8 | block_[4 * i + 3];
  for (size_t i = 16; i < 64; ++i) {
    const uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + w[i - 7] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3)) +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10));
  }
  auto [a, b, c, d, e, f, g, h] = state_;
  for (size_t i = 0; i < 64; ++i) {
    const uint32_t choice = (e & f) ^ (~e & g), majority = (a & b) ^ (a & c) ^ (b & c);
    const uint32_t mixed =
        h + choice + kRounds[i] + w[i] + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25));
    h = g, g = f, f = e, e = d + mixed, d = c, c = b, b = a;
    a = mixed + majority + (std::rotr(b, 2) ^ std::rotr(b, 13) ^ std::rotr(b, 22));
  }
  const std::array<uint32_t, 8> added = {a, b, c, d, e, f, g, h};
  for (size_t i = 0; i < added.size(); ++i) state_[i] += added[i];
  filled_ = 0;
}

}  // namespace hetjit
