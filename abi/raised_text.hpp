// What a function of Python's raised, as a text: `hetjit::message(record, text, sizeof text)`.
// Numbers look as Python prints them. C++17 and the C library, on the host.
#ifndef HETJIT_RAISED_TEXT_HPP
#define HETJIT_RAISED_TEXT_HPP

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "hetjit/raised.hpp"

namespace hetjit {
namespace raised_detail {

/// Where a text goes; what there is no room for is counted.
struct writer {
  char* to;
  decltype(sizeof 0) room, size = 0;

  void add(char c) {
    if (size + 1 < room) to[size] = c;
    ++size;
  }
  void add(const char* text) {
    while (*text) add(*text++);
  }
  void add(char c, int times) {
    while (times-- > 0) add(c);
  }
  void end() {
    if (room) to[size < room ? size : room - 1] = 0;
  }
};

/// A format of floats.
struct format {
  const char* name;
  int bits, exponent, mantissa, bias;
  char specials;  // i: infinities and NaNs, n: one NaN, all ones; z: one NaN, minus zero
};
inline const format* find_format(const char* name, decltype(sizeof 0) size) {
  static constexpr format formats[] = {
      {"float64", 64, 11, 52, 1023, 'i'},    {"float32", 32, 8, 23, 127, 'i'},
      {"float16", 16, 5, 10, 15, 'i'},       {"bfloat16", 16, 8, 7, 127, 'i'},
      {"float8e4m3", 8, 4, 3, 7, 'n'},       {"float8e5m2", 8, 5, 2, 15, 'i'},
      {"float8e4m3fnuz", 8, 4, 3, 8, 'z'},   {"float8e5m2fnuz", 8, 5, 2, 16, 'z'}};
  for (const format& each : formats)
    if (std::strlen(each.name) == size && std::memcmp(each.name, name, size) == 0) return &each;
  return nullptr;
}

struct number {
  double value;
  double below, above;  // half way to its neighbours in its format; 0: of float64
};

inline number decoded(const format& in, uint64 bits) {
  const uint64 one = 1, most = (one << in.exponent) - 1;
  const uint64 fraction = bits & ((one << in.mantissa) - 1), power = bits >> in.mantissa & most;
  const bool negative = bits >> (in.bits - 1) & 1;
  const double nan = std::strtod("nan", nullptr), infinity = HUGE_VAL;
  const uint64 plain = bits & ((one << (in.bits - 1)) - 1);
  if (in.specials == 'i' && power == most)
    return {fraction ? nan : negative ? -infinity : infinity, 0, 0};
  if (in.specials == 'n' && plain == (one << (in.bits - 1)) - 1) return {nan, 0, 0};
  if (in.specials == 'z' && negative && plain == 0) return {nan, 0, 0};
  const int scale = (power ? static_cast<int>(power) : 1) - in.bias - in.mantissa;
  const uint64 whole = fraction | (power ? one << in.mantissa : 0);
  const double size = std::ldexp(static_cast<double>(whole), scale);
  if (in.bits == 64) return {negative ? -size : size, 0, 0};
  const double half = std::ldexp(fraction % 2 ? 0.5 : 0.5000000000000001, scale);  // ties to even
  return {negative ? -size : size, fraction == 0 && power > 1 ? half / 2 : half, half};
}

/// Whether a text is read as that number.
inline bool is_read_as(const char* text, number of) {
  const double off = std::strtod(text, nullptr) - of.value;
  return off == 0 || (off < 0 ? -off < of.below : off < of.above);
}

/// The fewest digits that only this number of its format has, as repr() writes them. Not negative.
inline void shortest(writer& to, number of) {
  if (of.value != of.value) return to.add("nan");
  if (of.value == HUGE_VAL) return to.add("inf");
  char text[40];
  int digits = 0;
  for (; digits < 17; ++digits) {
    std::snprintf(text, sizeof text, "%.*e", digits, of.value);
    if (is_read_as(text, of)) break;
    // Half way between two texts C takes the even one, which may be another number's.
    char* last = std::strchr(text, 'e') - 1;
    if (of.above != 0 || *last == '9') continue;
    ++*last;
    if (is_read_as(text, of)) break;
  }
  const int power = std::atoi(std::strchr(text, 'e') + 1);
  if (-4 <= power && power < 16) {
    const int behind = digits - power;
    std::snprintf(text, sizeof text, "%.*f", behind > 1 ? behind : 1, std::strtod(text, nullptr));
  }
  to.add(text);
}

/// Python's "format specification", taken apart.
struct specification {
  char fill = ' ', align = 0, sign = '-', group = 0, type = 0;
  bool none = true, other = false, zeros = false;
  int width = 0, precision = -1;

  explicit specification(const char* at) : none(!*at) {
    auto is_align = [](char c) { return c && std::strchr("<>=^", c); };
    if (*at && is_align(at[1])) fill = *at++;
    if (is_align(*at)) align = *at++;
    if (*at && std::strchr("+- ", *at)) sign = *at++;
    if (*at == 'z') ++at;
    if (*at == '#') other = true, ++at;
    if (*at == '0') zeros = true, ++at;
    while (*at >= '0' && *at <= '9') width = width * 10 + (*at++ - '0');
    if (*at == ',' || *at == '_') group = *at++;
    if (*at == '.') {
      precision = 0;
      for (++at; *at >= '0' && *at <= '9'; ++at) precision = precision * 10 + (*at - '0');
    }
    type = *at;
    if (zeros && fill == ' ') fill = '0';
    if (zeros && !align) align = '=';
  }
};

/// Digits with their groups marked, and zeros before them up to a width; what follows the whole
/// part stays as it is.
inline void add_grouped(writer& to, const char* digits, const specification& as, int width) {
  const int each = as.type && std::strchr("boxX", as.type) ? 4 : 3;
  const int whole = static_cast<int>(
      std::strspn(digits, each == 4 ? "0123456789abcdefABCDEF" : "0123456789"));
  const int rest = static_cast<int>(std::strlen(digits)) - whole;
  int places = whole;
  while (as.group && places + (places - 1) / each + rest < width) ++places;
  for (int i = 0; i < places; ++i) {
    if (as.group && i && (places - i) % each == 0) to.add(as.group);
    to.add(i < places - whole ? '0' : digits[i - (places - whole)]);
  }
  to.add(digits + whole);
}

/// Sign, prefix and digits within the width.
inline void padded(writer& to, bool negative, const char* prefix, const char* digits,
                   const specification& as, char align) {
  char text[512];
  writer whole{text, sizeof text};
  char before[4] = {};
  if (negative || as.sign != '-') before[0] = negative ? '-' : as.sign;
  std::strcat(before, prefix);
  const char how = as.align ? as.align : align;
  const int room = as.width - static_cast<int>(std::strlen(before));
  const bool fills_groups = as.group && how == '=' && as.fill == '0';
  add_grouped(whole, digits, as, fills_groups ? room : 0);
  whole.end();
  const int used = static_cast<int>(std::strlen(before) + std::strlen(text));
  const int left = as.width > used ? as.width - used : 0;
  const int front = how == '>' ? left : how == '^' ? left / 2 : 0;
  to.add(as.fill, front);
  to.add(before);
  to.add(as.fill, how == '=' ? left : 0);
  to.add(text);
  to.add(as.fill, how == '=' ? 0 : left - front);
}

/// Digits as C writes them; without a type as %g does, but so that they show a float.
inline void add_digits(writer& to, double size, const specification& as) {
  const char type = as.type == '%' ? 'f' : as.type == 'n' || !as.type ? 'g' : as.type;
  const int precision = as.precision < 0 ? 6 : as.precision;
  const char with_point[] = {'%', '#', '.', '*', type, 0}, plain[] = {'%', '.', '*', type, 0};
  char text[400];
  std::snprintf(text, sizeof text, as.other ? with_point : plain, precision, size);
  if (as.type || std::strpbrk(text, ".en")) return to.add(text);
  const int most = precision > 1 ? precision : 1;
  if (static_cast<int>(std::strlen(text)) < most) return to.add(text), to.add(".0");
  std::snprintf(text, sizeof text, "%.*e", most - 1, size);
  const char* exponent = std::strchr(text, 'e');
  const char* end = exponent;
  while (most > 1 && end[-1] == '0') --end;
  if (end[-1] == '.') --end;
  for (const char* at = text; at != end; ++at) to.add(*at);
  to.add(exponent);
}

inline void as_float(writer& to, number of, const specification& as) {
  const double value = as.type == '%' ? of.value * 100 : of.value, size = std::fabs(value);
  char digits[400];
  writer plain{digits, sizeof digits};
  if (size != size)
    plain.add(as.type >= 'A' && as.type <= 'Z' ? "NAN" : "nan");
  else if (!as.type && as.precision < 0)
    shortest(plain, as.none ? number{size, of.below, of.above} : number{size, 0, 0});
  else
    add_digits(plain, size, as);
  if (as.type == '%') plain.add('%');
  plain.end();
  padded(to, std::signbit(value) && size == size, "", digits, as, '>');
}

inline void as_integer(writer& to, bool negative, uint64 size, const specification& as) {
  if (as.type && std::strchr("eEfFgG%", as.type)) {
    const double value = static_cast<double>(size);
    return as_float(to, {negative ? -value : value, 0, 0}, as);
  }
  const bool hexadecimal = as.type == 'x' || as.type == 'X';
  const unsigned base = as.type == 'b' ? 2 : as.type == 'o' ? 8 : hexadecimal ? 16 : 10;
  const char* all = as.type == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
  char digits[72];
  char* at = digits + sizeof digits - 1;
  *at = 0;
  do *--at = all[size % base];
  while (size /= base);
  const char prefix[3] = {'0', as.type, 0};
  padded(to, negative, as.other && base != 10 ? prefix : "", at, as, '>');
}

/// A word of a type other than complex, alone.
inline void add_word(writer& to, const char* name, decltype(sizeof 0) size, uint64 word,
                     const specification& as) {
  if (const format* in = find_format(name, size)) return as_float(to, decoded(*in, word), as);
  if (*name == 'b' && as.none) return padded(to, false, "", word ? "True" : "False", as, '<');
  if (*name == 'b' || *name == 'u') return as_integer(to, false, word, as);
  const int bits = std::atoi(name + 3);
  const uint64 top = uint64(1) << (bits - 1), value = (word ^ top) - top;  // its sign, carried up
  const bool negative = value >> 63;
  as_integer(to, negative, negative ? 0 - value : value, as);
}

/// A part of a complex number.
inline void add_part(writer& to, number part, bool always_signed) {
  char text[48];
  writer plain{text, sizeof text};
  const bool negative = std::signbit(part.value) && part.value == part.value;
  shortest(plain, {negative ? -part.value : part.value, part.below, part.above});
  plain.end();
  if (plain.size > 2 && std::strcmp(text + plain.size - 2, ".0") == 0) text[plain.size - 2] = 0;
  if (negative || always_signed) to.add(negative ? '-' : '+');
  to.add(text);
}

/// As Python does: (1+2j), 2j.
inline void add_complex(writer& to, const format& in, const uint64* words) {
  const number real = decoded(in, words[0]), imaginary = decoded(in, words[1]);
  const bool alone = real.value == 0 && !std::signbit(real.value);
  if (!alone) to.add('('), add_part(to, real, false);
  add_part(to, imaginary, !alone);
  to.add(alone ? "j" : "j)");
}

/// What stands between braces: a type, "!s" and a specification; the words that it takes.
inline unsigned add_number(writer& to, const char* inside, const uint64* words) {
  const auto size = std::strcspn(inside, "!:");
  const bool as_text = inside[size] == '!';
  const char* colon = std::strchr(inside + size, ':');
  const specification as(colon ? colon + 1 : "");
  const bool is_complex = *inside == 'c';
  const format* part = is_complex ? find_format(size == 9 ? "float32" : "float64", 7) : nullptr;
  if (!as_text && !part) return add_word(to, inside, size, *words, as), 1;
  char text[128];
  writer plain{text, sizeof text};
  if (part)
    add_complex(plain, *part, words);
  else
    add_word(plain, inside, size, *words, specification(""));
  plain.end();
  padded(to, false, "", text, as, as_text ? '<' : '>');
  return part ? 2 : 1;
}

/// A text with numbers in braces.
inline void add_text(writer& to, const char* text, const uint64* words) {
  for (; *text; ++text) {
    if ((*text == '{' || *text == '}') && text[1] == *text) {
      to.add(*text++);
    } else if (*text == '{') {
      char inside[96] = {};
      const auto size = std::strcspn(text, "}");
      if (text[size] && size < sizeof inside) std::memcpy(inside, text + 1, size - 1);
      words += add_number(to, inside, words);
      if (!text[size]) return;
      text += size;
    } else {
      to.add(*text);
    }
  }
}

}  // namespace raised_detail

/// The parts of a record's text.
inline const char* exception_of(const raised& what) { return what.text; }
inline const char* function_of(const raised& what) {
  return what.text + std::strlen(what.text) + 1;
}
inline const char* file_of(const raised& what) {
  const char* function = function_of(what);
  return function + std::strlen(function) + 1;
}

/// Writes "ValueError: negative -3", at most `room` bytes with the zero behind them; the length of
/// the whole.
inline decltype(sizeof 0) message(const raised& what, char* to, decltype(sizeof 0) room) {
  raised_detail::writer out{to, room};
  const char* file = file_of(what);
  const char* text = file + std::strlen(file) + 1;
  out.add(exception_of(what));
  if (*text) out.add(": ");
  raised_detail::add_text(out, text, what.numbers);
  out.end();
  return out.size;
}

}  // namespace hetjit

#endif  // HETJIT_RAISED_TEXT_HPP
