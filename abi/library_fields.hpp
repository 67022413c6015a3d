// Fields of a host library's objects: what the functions that hetjit writes for them read and write
// them by (library.hpp). C++17.
#ifndef HETJIT_LIBRARY_FIELDS_HPP
#define HETJIT_LIBRARY_FIELDS_HPP

#include <algorithm>
#include <iterator>
#include <memory>

#include "hetjit/library.hpp"

namespace hetjit {
namespace library {

using Extents = std::initializer_list<std::int64_t>;

/// A field where it lies, in elements of that size.
template <class Field>
void give_field(const Slot& slot, Field& field, std::size_t element, Extents extents) {
  give(slot, std::addressof(field), element, extents);
}

/// What a field points to, of extents that the declaration says. A null is none.
inline void give_pointee(const Slot& slot, const volatile void* data, std::size_t element) {
  give(slot, data, element, {});
}

/// Characters up to the first null, or all of them.
template <std::size_t N>
void give_characters(const Slot& slot, const char (&field)[N]) {
  give_copy(slot, field, strnlen(field, N));
}

/// An array of texts, or a std::vector of them.
template <class Texts>
void give_strings(const Slot& slot, const Texts& field) {
  give_texts(slot, {std::begin(field), std::end(field)});
}

// ---- what is written

inline Refused unlike_field(const char* name, std::size_t given, std::size_t wanted,
                            const char* what) {
  return {'V', "'" + std::string(name) + "' has " + std::to_string(wanted) + " " + what + ", not " +
                   std::to_string(given)};
}

/// An array of exactly these extents.
template <class Field>
void set_elements(Field& field, const Array& from, Extents extents, const char* name) {
  int axis = 0;
  for (std::int64_t extent : extents) {
    if (axis >= from.rank) throw Refused{'V', "'" + std::string(name) + "' has more axes"};
    const auto wanted = static_cast<std::size_t>(extent);
    const auto given = static_cast<std::size_t>(from.shape[axis++]);
    if (given != wanted) throw unlike_field(name, given, wanted, "elements along an axis");
  }
  // What is written may be a part of the field itself.
  if (from.size) std::memmove(std::addressof(field), from.base_addr, sizeof(Field));
}

/// A text with the null behind it; the rest becomes zeros.
template <std::size_t N>
void set_characters(char (&field)[N], const Array& text, const char* name) {
  require_room(text, static_cast<std::int64_t>(N), name);
  std::memset(field, 0, N);
  std::memcpy(field, text.base_addr, text.size);
}

template <class Texts>
void set_strings(Texts& field, std::vector<std::string> texts, const char* name) {
  if constexpr (std::is_array_v<Texts>) {
    if (texts.size() != std::size(field))
      throw unlike_field(name, texts.size(), std::size(field), "texts");
    std::move(texts.begin(), texts.end(), std::begin(field));
  } else {
    field = std::move(texts);
  }
}

/// An object as a copy of another.
template <class Field, class From>
void set_object(Field& field, const From& from) {
  if constexpr (std::is_assignable_v<Field&, const From&>)
    field = from;
  else
    throw Refused{'T', "C++ does not copy objects of the class of this field"};
}

/// That a field of some bits has become what was asked for.
inline void require_bits(bool same, const char* name) {
  if (!same) throw Refused{'O', "'" + std::string(name) + "' has too few bits for this number"};
}

}  // namespace library
}  // namespace hetjit

#endif  // HETJIT_LIBRARY_FIELDS_HPP
