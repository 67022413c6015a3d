#include "compiler/cxx/printing.h"

#include <algorithm>
#include <cctype>

namespace hetjit::cxx {
namespace {

constexpr size_t kMostArguments = 32;  // CUDA's printf

/// Python's "+08.3f" as what stands between C's "%" and the letter, and the letter; 0: C has none.
struct Format {
  std::string flags;
  char letter = 0;
};

/// Floats without a format have as many digits as tell them apart.
Format format_of(const std::string& specification, Scalar scalar) {
  const bool is_whole = !is_floating(scalar);
  if (specification.empty())
    return is_whole                  ? Format{"", 'd'}
           : info(scalar).bits == 64 ? Format{".17", 'g'}
           : info(scalar).bits == 32 ? Format{".9", 'g'}
                                     : Format{".5", 'g'};
  size_t at = 0;
  auto take = [&](auto&& fits, size_t most) {
    const size_t from = at;
    while (at < specification.size() && at - from < most && fits(specification[at])) ++at;
    return specification.substr(from, at - from);
  };
  auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  Format format;
  const std::string align = take([](char c) { return c == '<' || c == '>'; }, 1);
  const std::string sign = take([](char c) { return c == '+' || c == ' ' || c == '-'; }, 1);
  if (!align.empty() && specification.substr(at).starts_with('0')) return {};  // filled with zeros
  format.flags = (align == "<" ? "-" : "") + (sign == "-" ? "" : sign) + take(is_digit, 9);
  if (at < specification.size() && specification[at] == '.')
    ++at, format.flags += "." + take(is_digit, 9);
  const std::string letters = is_whole ? info(scalar).is_signed ? "d" : "dxXo" : "fFeEgG";
  const bool has_letter = at + 1 == specification.size();
  if (has_letter && letters.find(specification[at]) != std::string::npos)
    format.letter = specification[at];
  if (is_whole && at == specification.size()) format.letter = 'd';
  if (is_whole && format.flags.find('.') != std::string::npos) format.letter = 0;
  return format;
}

/// A word of the record as the number that it holds.
std::string value_of(size_t word, Scalar scalar) {
  const std::string bits = "what->numbers[" + std::to_string(word) + "]";
  const std::string count = std::to_string(info(scalar).bits);
  if (scalar == Scalar::Bool) return "(" + bits + " ? \"True\" : \"False\")";
  if (is_floating(scalar)) {
    if (scalar == Scalar::BFloat16)
      return "double(__builtin_bit_cast(float, unsigned(" + bits + ") << 16))";
    const std::string type = info(scalar).bits == 64   ? "double"
                             : info(scalar).bits == 32 ? "float"
                                                       : "_Float16";
    return "double(__builtin_bit_cast(" + type + ", hetjit::uint" + count + "(" + bits + ")))";
  }
  return info(scalar).is_signed ? "(long long)(hetjit::int" + count + "(" + bits + "))"
                                : "(unsigned long long)" + bits;
}

std::string printed(const Format& format, Scalar scalar) {
  if (is_floating(scalar)) return "%" + format.flags + format.letter;
  const char letter = format.letter == 'd' && !info(scalar).is_signed ? 'u' : format.letter;
  return "%" + format.flags + "ll" + letter;
}

std::string named(const TextPiece& piece) {
  return "a number" +
         (piece.text.empty() ? std::string() : " with the format '" + piece.text + "'");
}

bool can_be_printed(const TextPiece& piece) {
  if (!piece.number) return piece.text.find('\0') == std::string::npos;
  if (piece.as_text && !piece.text.empty()) return false;
  const Scalar scalar = is_complex(*piece.number) ? part_of(*piece.number) : *piece.number;
  if (is_tiny_float(scalar)) return false;
  if (is_complex(*piece.number) || scalar == Scalar::Bool) return piece.text.empty();
  return format_of(piece.text, scalar).letter != 0;
}

}  // namespace

std::string literal(const std::string& text) {
  std::string made = "\"";
  for (unsigned char c : text) {
    if (std::isalnum(c) || c == ' ')
      made += static_cast<char>(c);
    else
      for (const char digit : {'\\', static_cast<char>('0' + c / 64),
                               static_cast<char>('0' + c / 8 % 8), static_cast<char>('0' + c % 8)})
        made += digit;
  }
  return made + "\"";
}

std::string cannot_be_printed(const TextPieces& text) {
  if (word_count(text) > kMostArguments)
    return "CUDA's printf, which prints it where C++ calls it, takes 32 numbers; print in parts";
  const auto bad = std::ranges::find_if_not(text, can_be_printed);
  if (bad == text.end()) return "";
  if (!bad->number)
    return "CUDA's printf, which prints it where C++ calls it, ends at a zero byte; leave it out";
  return "CUDA's printf, which prints it where C++ calls it, has no form for " + named(*bad) +
         " of " + std::string(info(*bad->number).python_name) +
         "; use one of C's formats, or device.float32(x) of a small float";
}

std::string printf_call(const TextPieces& text) {
  std::string format, values;
  size_t word = 0;
  for (const TextPiece& piece : text) {
    if (!piece.number) {
      for (char c : piece.text) format += std::string(c == '%' ? 2 : 1, c);
      continue;
    }
    const Scalar scalar = word_scalar(piece);
    const Format as = format_of(piece.text, scalar);
    if (is_complex(*piece.number))
      format += "(" + printed(as, scalar) + printed({"+" + as.flags, as.letter}, scalar) + "j)";
    else
      format += scalar == Scalar::Bool ? "%s" : printed(as, scalar);
    for (size_t part = 0; part < word_count(piece); ++part)
      values += ", " + value_of(word++, scalar);
  }
  return "(void)printf(" + literal(format) + values + ")";
}

}  // namespace hetjit::cxx
