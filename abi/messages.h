// What compiled code says to the host: exceptions that it raises and text that it prints. A place
// in a program that says something is a Site, which stays on the host; compiled code writes records
// that name a site, the thread and the run-time numbers, into two globals of its module.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "abi/scalar.h"

namespace hetjit {

/// A piece of a text: constant, or one run-time number: its bits in a 64-bit word of the record, a
/// complex number's parts in two.
struct TextPiece {
  std::string text;  // constant: the text; number: its format specification
  std::optional<Scalar> number;
  bool as_text = false;  // f"{x!s:>8}": the specification is of str(x)
  friend bool operator==(const TextPiece&, const TextPiece&) = default;
};
using TextPieces = std::vector<TextPiece>;

enum class SiteKind : uint8_t { Raise, Print };

struct Site {
  SiteKind kind = SiteKind::Raise;
  std::string exception;     // of Raise: a name of Python's builtins
  bool has_message = false;  // raise E("") and raise E differ
  TextPieces text;           // of the message; of what is printed, its end included
  std::string function;      // where it stands
  std::string file;
  uint32_t line = 0;  // 0: not known
  friend bool operator==(const Site&, const Site&) = default;
};
using Sites = std::vector<Site>;

/// Words that a piece, and all numbers of a text, fill.
inline size_t word_count(const TextPiece& piece) {
  return !piece.number ? 0 : is_complex(*piece.number) ? 2 : 1;
}
/// What each of a piece's words holds; it has some.
inline Scalar word_scalar(const TextPiece& piece) {
  return is_complex(*piece.number) ? part_of(*piece.number) : *piece.number;
}
inline size_t word_count(const TextPieces& text) {
  size_t count = 0;
  for (const TextPiece& piece : text) count += word_count(piece);
  return count;
}
inline constexpr size_t kMostWords = 64;

/// How compiled code and the runtime see the records; docs/abi.md.
struct MessageHeader {
  uint32_t site;
  uint32_t words;  // that follow
  uint32_t block[3], thread[3];
};
static_assert(sizeof(MessageHeader) == 32);

/// Global kErrorSymbol: the first thread that raises writes it. Zero when nobody has.
struct ErrorBox {
  uint64_t claimed;  // 1: somebody has
  MessageHeader header;
  uint64_t words[kMostWords];
};
/// Global kPrintSymbol: records one after another, each a header and its words. A record that would
/// not fit is counted and lost.
inline constexpr uint64_t kPrintBytes = (1 << 20) - 16;
struct PrintBox {
  uint64_t cursor;  // bytes asked for so far
  uint64_t lost;    // records
  std::byte records[kPrintBytes];
};
static_assert(offsetof(ErrorBox, header) == 8 && offsetof(ErrorBox, words) == 40);
static_assert(offsetof(PrintBox, records) == 16 && sizeof(PrintBox) == 1 << 20);

inline constexpr const char* kErrorSymbol = "hetjit_error";
inline constexpr const char* kPrintSymbol = "hetjit_print";

/// A record, read.
struct Message {
  uint32_t site = 0;
  uint32_t block[3] = {}, thread[3] = {};
  std::vector<uint64_t> words;
};

/// What one launch, or several up to a synchronisation, had to say.
struct Report {
  std::optional<Message> error;
  std::vector<Message> prints;  // in the order in which they were written
  uint64_t lost = 0;
  bool empty() const { return !error && prints.empty() && lost == 0; }
};

/// Reads the boxes. Records that name no site, or are cut short, are dropped: the memory is the
/// device's. `used` is how many of the print box's bytes are there.
void read_error(const ErrorBox& box, const Sites& sites, Report& report);
void read_prints(const PrintBox& box, uint64_t used, const Sites& sites, Report& report);

}  // namespace hetjit
