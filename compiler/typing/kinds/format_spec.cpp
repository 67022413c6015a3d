#include "compiler/typing/kinds/format_spec.h"

#include <algorithm>
#include <optional>

namespace hetjit::typing {
namespace {

// What a user writes is far below; what is above would fill the memory.
constexpr size_t kMostWidth = 1000;

size_t character_bytes(std::string_view text) {
  size_t bytes = text.empty() ? 0 : 1;
  while (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) ++bytes;
  return bytes;
}

struct Spec {
  std::string fill;  // empty: a blank
  char align = 0, sign = 0, grouping = 0, type = 0;
  bool no_negative_zero = false, alternate = false, zeros = false;
  std::optional<size_t> width, precision;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::optional<Spec> read() {
    Spec spec;
    size_t fill = character_bytes(text_);
    if (fill < text_.size() && is_align(text_[fill])) {
      spec.fill = text_.substr(0, fill);
      text_.remove_prefix(fill);
    }
    spec.align = one_of("<>=^");
    spec.sign = one_of("+- ");
    spec.no_negative_zero = one_of("z");
    spec.alternate = one_of("#");
    spec.zeros = one_of("0");
    spec.width = number();
    spec.grouping = one_of(",_");
    if (one_of(".") && !(spec.precision = number())) return std::nullopt;
    spec.type = one_of("bcdeEfFgGnosxX%");
    bool large = spec.width.value_or(0) > kMostWidth || spec.precision.value_or(0) > kMostWidth;
    return text_.empty() && !large ? std::optional(spec) : std::nullopt;
  }

 private:
  static bool is_align(char c) { return c == '<' || c == '>' || c == '=' || c == '^'; }
  char one_of(std::string_view letters) {
    if (text_.empty() || letters.find(text_[0]) == std::string_view::npos) return 0;
    char found = text_[0];
    text_.remove_prefix(1);
    return found;
  }
  std::optional<size_t> number() {
    std::optional<size_t> value;
    for (; !text_.empty() && text_[0] >= '0' && text_[0] <= '9'; text_.remove_prefix(1))
      value = std::min<size_t>(value.value_or(0) * 10 + size_t(text_[0] - '0'), kMostWidth + 1);
    return value;
  }
  std::string_view text_;
};

bool has(std::string_view letters, char c) { return letters.find(c) != std::string_view::npos; }

}  // namespace

bool fits_number(std::string_view specification, Scalar number) {
  std::optional<Spec> spec = Reader(specification).read();
  if (!spec || spec->type == 's' || (spec->grouping && spec->type == 'n')) return false;
  const char type = spec->type;
  const bool floating = is_floating(number);
  if (is_complex(number))
    return (type == 0 || has("eEfFgGn", type)) && !spec->zeros && spec->align != '=';
  bool as_float = floating ? type == 0 || has("eEfFgGn%", type) : type && has("eEfFgG%", type);
  if (as_float) return !(spec->grouping && type == 'n');
  if (floating || spec->precision || spec->no_negative_zero) return false;
  if (type == 'c') return false;  // not every number is a character
  return spec->grouping != ',' || type == 0 || type == 'd';
}

bool fits_text(std::string_view specification) {
  std::optional<Spec> spec = Reader(specification).read();
  return spec && (spec->type == 0 || spec->type == 's') && spec->align != '=' && !spec->sign &&
         !spec->no_negative_zero && !spec->alternate && !spec->grouping;
}

std::string pad_text(const std::string& text, std::string_view specification) {
  Spec spec = *Reader(specification).read();
  std::string shown;
  size_t characters = 0;
  for (std::string_view rest = text;
       !rest.empty() && characters < spec.precision.value_or(SIZE_MAX); ++characters) {
    size_t bytes = character_bytes(rest);
    shown += rest.substr(0, bytes);
    rest.remove_prefix(bytes);
  }
  size_t missing = spec.width.value_or(0) - std::min(characters, spec.width.value_or(0));
  size_t before = spec.align == '>' ? missing : spec.align == '^' ? missing / 2 : 0;
  std::string fill = !spec.fill.empty() ? spec.fill : spec.zeros ? "0" : " ", out;
  for (size_t i = 0; i < before; ++i) out += fill;
  out += shown;
  for (size_t i = before; i < missing; ++i) out += fill;
  return out;
}

}  // namespace hetjit::typing
