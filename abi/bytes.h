// Values as bytes and back, for forms on disk: numbers little endian, texts and blocks with their
// length (u64) in front.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "abi/status.h"

namespace hetjit {

/// FNV-1a: finds torn and rotten files, not malice.
inline uint64_t checksum(std::span<const std::byte> bytes) {
  uint64_t hash = 0xCBF29CE484222325ull;
  for (std::byte byte : bytes) hash = (hash ^ static_cast<uint64_t>(byte)) * 0x100000001B3ull;
  return hash;
}
/// The same in every process, for names that are made of a text.
inline uint64_t checksum(std::string_view text) { return checksum(std::as_bytes(std::span(text))); }

class ByteWriter {
 public:
  template <class T>
  void number(T value) {
    raw(&value, sizeof value);
  }
  void block(std::span<const std::byte> data) {
    number<uint64_t>(data.size());
    raw(data.data(), data.size());
  }
  void text(std::string_view text) { block(std::as_bytes(std::span(text))); }
  void raw(const void* data, size_t size) {
    auto first = static_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), first, first + size);
  }
  std::vector<std::byte> bytes;
};

/// Reads what ByteWriter wrote. After the first read past the end, `ok` is false and all reads are
/// zero.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : left_(bytes) {}

  template <class T>
  T number() {
    T value{};
    auto from = take(sizeof value);
    if (!from.empty()) std::memcpy(&value, from.data(), sizeof value);
    return value;
  }
  std::span<const std::byte> block() { return take(number<uint64_t>()); }
  std::string text() {
    auto bytes = block();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  std::span<const std::byte> take(uint64_t size) {
    if (size > left_.size()) ok = false;
    if (!ok) return {};
    auto taken = left_.first(size);
    left_ = left_.subspan(size);
    return taken;
  }
  std::span<const std::byte> rest() const { return left_; }
  bool at_end() const { return left_.empty(); }

  bool ok = true;

 private:
  std::span<const std::byte> left_;
};

/// What stands in front of a part of a file, by which it is known to be whole:
///
///     magic[8]  version u32  bytes u64  checksum u64  part
struct Heading {
  std::string_view magic;  // eight letters
  uint32_t version;

  void write(ByteWriter& to, std::span<const std::byte> part) const {
    to.raw(magic.data(), magic.size());
    to.number(version);
    to.number<uint64_t>(part.size());
    to.number(checksum(part));
    to.raw(part.data(), part.size());
  }

  /// The part; what follows it is left. Errors: Invalid, with what is wrong.
  Result<std::span<const std::byte>> read(ByteReader& from) const {
    if (!std::ranges::equal(from.take(magic.size()), std::as_bytes(std::span(magic))))
      return wrong("it is not a file of hetjit's");
    const auto found = from.number<uint32_t>();
    if (from.ok && found != version)
      return wrong("it has version " + std::to_string(found) + ", this library reads " +
                   std::to_string(version));
    const auto size = from.number<uint64_t>(), sum = from.number<uint64_t>();
    const auto part = from.take(size);
    if (!from.ok) return wrong("it is too short");
    if (checksum(part) != sum) return wrong("its checksum is wrong");
    return part;
  }

 private:
  static Error wrong(std::string what) { return {ErrorCode::Invalid, std::move(what)}; }
};

}  // namespace hetjit
