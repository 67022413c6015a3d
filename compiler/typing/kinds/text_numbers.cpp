#include "compiler/typing/kinds/text_numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

namespace hetjit::typing {
namespace {

constexpr std::string_view kBlanks = " \t\n\v\f\r";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string_view stripped(std::string_view text) {
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// In lower case, without blanks around it and single underscores between digits.
template <class IsDigit>
std::optional<std::string> plain(std::string_view text, IsDigit digit) {
  std::string made;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      made += lower(text[i]);
      continue;
    }
    if (i == 0 || i + 1 == text.size() || !digit(text[i - 1]) || !digit(text[i + 1]))
      return std::nullopt;
  }
  return made;
}

bool take_sign(std::string_view& text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  return negative;
}

// Whether a number that no double holds is too large, not too small.
bool is_large(std::string_view text) {
  const size_t end = std::min(text.find('e'), text.size());
  const size_t point = std::min(text.substr(0, end).find('.'), end);
  const size_t first = text.find_first_not_of("0.");
  int64_t power = first < point ? static_cast<int64_t>(point - first)
                                : -static_cast<int64_t>(first - point) + 1;
  if (end == text.size()) return power > 0;
  std::string_view digits = text.substr(end + 1);
  const bool negative = take_sign(digits);
  int64_t exponent = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  if (read.ec != std::errc()) return !negative;
  return power + (negative ? -exponent : exponent) > 0;
}

// Without a sign, in lower case.
std::optional<double> read_magnitude(std::string_view text) {
  if (text == "inf" || text == "infinity") return std::numeric_limits<double>::infinity();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text.empty() || (!is_digit(text[0]) && text[0] != '.')) return std::nullopt;
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ptr != text.data() + text.size() || read.ec == std::errc::invalid_argument)
    return std::nullopt;
  if (read.ec == std::errc()) return value;
  return is_large(text) ? std::numeric_limits<double>::infinity() : 0.0;
}

std::optional<double> read_part(std::string_view text) {
  const bool negative = take_sign(text);
  const std::optional<double> value = read_magnitude(text);
  return value && negative ? -*value : value;
}

// Where the imaginary part begins: at the last sign that belongs to no exponent.
size_t imaginary_part(std::string_view text) {
  for (size_t at = text.size(); at-- > 1;)
    if ((text[at] == '+' || text[at] == '-') && text[at - 1] != 'e') return at;
  return 0;
}

unsigned digit_of(char c) {
  return is_digit(c) ? static_cast<unsigned>(c - '0') : static_cast<unsigned>(c - 'a') + 10;
}

bool is_word(char c) { return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z'); }

// Takes "0x" and its kin where the base has that prefix; the base 0 becomes what the prefix says.
// False: what is left is no number of that base.
bool take_prefix(std::string_view& text, unsigned& base) {
  constexpr std::pair<char, unsigned> kPrefixes[] = {{'x', 16}, {'o', 8}, {'b', 2}};
  const bool asked = base == 0;
  for (auto [letter, prefixed] : kPrefixes) {
    if (text.size() < 2 || text[0] != '0' || lower(text[1]) != letter) continue;
    if (!asked && base != prefixed) continue;
    base = prefixed;
    text.remove_prefix(2);
    if (text.starts_with('_')) text.remove_prefix(1);
    return true;
  }
  if (asked) base = 10;
  const bool zero = text.find_first_not_of("0_") == std::string_view::npos;
  return !asked || zero || !text.starts_with('0');
}

}  // namespace

std::optional<double> read_float(std::string_view text) {
  const std::optional<std::string> digits = plain(stripped(text), is_digit);
  return digits ? read_part(*digits) : std::nullopt;
}

std::optional<ComplexLiteral> read_complex(std::string_view text) {
  text = stripped(text);
  if (text.size() > 1 && text.front() == '(' && text.back() == ')')
    text = stripped(text.substr(1, text.size() - 2));
  std::optional<std::string> whole = plain(text, is_digit);
  if (!whole) return std::nullopt;
  if (!whole->ends_with('j')) {
    std::optional<double> real = read_part(*whole);
    return real ? std::optional<ComplexLiteral>({*real, 0}) : std::nullopt;
  }
  whole->pop_back();
  const size_t split = imaginary_part(*whole);
  std::string imaginary = whole->substr(split);
  if (imaginary.empty() || imaginary == "+" || imaginary == "-") imaginary += '1';
  std::optional<double> real = split ? read_part(whole->substr(0, split)) : 0.0;
  std::optional<double> imag = read_part(imaginary);
  if (!real || !imag) return std::nullopt;
  return ComplexLiteral{*real, *imag};
}

std::optional<Integer> read_integer(std::string_view text, unsigned base, bool& huge) {
  text = stripped(text);
  const bool negative = take_sign(text);
  if (!take_prefix(text, base)) return std::nullopt;
  const std::optional<std::string> digits = plain(text, is_word);
  if (!digits || digits->empty()) return std::nullopt;
  Integer value = 0;
  for (char c : *digits) {
    if (!is_word(c) || digit_of(c) >= base) return std::nullopt;
    huge = huge || value >> 64;
    if (!huge) value = value * base + digit_of(c);
  }
  value = negative ? -value : value;
  huge = huge || value > greatest(Scalar::UInt64) || value < least(Scalar::Int64);
  return value;
}

}  // namespace hetjit::typing
