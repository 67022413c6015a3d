#include "frontend/diag/display.h"

#include <algorithm>

namespace hetjit {
namespace {

constexpr uint32_t kTabStop = 4;
constexpr uint32_t kReplacement = 0xFFFD;
constexpr std::string_view kReplacementText = "\xEF\xBF\xBD";

struct Character {
  uint32_t code = kReplacement;
  uint32_t bytes = 1;
};

/// The character at the front of `text` (not empty). Malformed UTF-8: one replacement per byte.
Character first_character(std::string_view text) {
  const auto lead = static_cast<uint8_t>(text[0]);
  if (lead < 0x80) return {lead, 1};
  const uint32_t length = lead >= 0xF0 && lead < 0xF8 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead >= 0xF8 || text.size() < length) return {};
  uint32_t code = lead & (0x7Fu >> length);
  for (uint32_t i = 1; i < length; ++i) {
    const auto byte = static_cast<uint8_t>(text[i]);
    if ((byte & 0xC0) != 0x80) return {};
    code = (code << 6) | (byte & 0x3Fu);
  }
  return {code, length};
}

struct Range {
  uint32_t first, last;
};

constexpr Range kCombining[] = {{0x0300, 0x036F}, {0x0483, 0x0489},  {0x0591, 0x05BD},
                                {0x064B, 0x065F}, {0x1AB0, 0x1AFF},  {0x1DC0, 0x1DFF},
                                {0x200B, 0x200F}, {0x20D0, 0x20FF},  {0xFE00, 0xFE0F},
                                {0xFE20, 0xFE2F}, {0xE0100, 0xE01EF}};
constexpr Range kWide[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0x33FF},
                           {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},
                           {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},
                           {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},   {0x1F300, 0x1F64F},
                           {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};

template <size_t N>
bool in(const Range (&ranges)[N], uint32_t code) {
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [&](Range range) { return range.first <= code && code <= range.last; });
}

uint32_t width(uint32_t code, uint32_t column) {
  if (code == '\t') return kTabStop - column % kTabStop;
  if (code < 0x0300) return 1;
  if (in(kCombining, code)) return 0;
  return in(kWide, code) ? 2 : 1;
}

bool is_control(uint32_t code) { return code < 0x20 || (code >= 0x7F && code < 0xA0); }

}  // namespace

std::string printable(std::string_view line) {
  std::string text;
  uint32_t column = 0;
  while (!line.empty()) {
    const Character character = first_character(line);
    const uint32_t columns = width(character.code, column);
    if (character.code == '\t')
      text.append(columns, ' ');
    else if (is_control(character.code) || character.code == kReplacement)
      text += kReplacementText;
    else
      text += line.substr(0, character.bytes);
    column += columns;
    line.remove_prefix(character.bytes);
  }
  return text;
}

uint32_t display_column(std::string_view line, uint32_t bytes) {
  line = line.substr(0, bytes);
  uint32_t column = 0;
  while (!line.empty()) {
    const Character character = first_character(line);
    column += width(character.code, column);
    line.remove_prefix(character.bytes);
  }
  return column;
}

uint32_t character_column(std::string_view line, uint32_t bytes) {
  line = line.substr(0, bytes);
  uint32_t count = 0;
  for (; !line.empty(); ++count) line.remove_prefix(first_character(line).bytes);
  return count;
}

}  // namespace hetjit
