// What a shim is made of (shim.cpp writes the rest): how Python's arrays appear to C++, and which
// type of ours a result is. C++, compiled by the user's compiler for every target; needs nothing of
// hetjit but interop.hpp.
#pragma once

#define HETJIT_INTEROP_LEAN 1
#include "hetjit/interop.hpp"

#if !defined(__CUDACC_RTC__)  // there nvrtc.hpp has them
#include <concepts>
#include <type_traits>
#endif

#if defined(__CUDA__) || defined(__HIP__)
#define HETJIT_SHIM __attribute__((device))
#else
#define HETJIT_SHIM
#endif

namespace hetjit::shim {
/// Where an object is made.
struct here {
  void* at;
};
}  // namespace hetjit::shim
// Not <new>'s, which is for the host only where HIP's headers are not there.
HETJIT_SHIM inline void* operator new(__SIZE_TYPE__, hetjit::shim::here to) { return to.at; }

namespace hetjit::shim {

/// An array: a descriptor; to who asks for it, the address of its first element, where the others
/// follow it, or that element itself. Never the element's value: no array is a number.
template <class Type, uint64 Rank, bool contiguous>
struct array : interoperable_array_descriptor<Type, Rank> {
  HETJIT_INTEROP_HD constexpr operator Type*() const requires contiguous { return this->data; }
  HETJIT_INTEROP_HD constexpr operator const Type*() const
      requires(contiguous && !std::is_const_v<Type>) {
    return this->data;
  }
  template <std::same_as<Type> Value>
  requires(Rank < 2) HETJIT_INTEROP_HD constexpr operator Value&() const { return *this->data; }
  template <class Value>
  requires std::is_arithmetic_v<Value>
  operator Value() const = delete;
};

/// A type of ours: kind and bytes, by shim.cpp's count. Negative: none.
template <class Type>
constexpr int number_of() {
  if constexpr (std::is_enum_v<Type>)
    return 40 + number_of<std::underlying_type_t<Type>>();
  else if constexpr (std::is_same_v<Type, bool>)
    return 1;
  else if constexpr (std::is_integral_v<Type> && sizeof(Type) <= 8)
    return (std::is_signed_v<Type> ? 10 : 20) + sizeof(Type);
  else
    return -1;
}
template <class Type>
inline constexpr int number = number_of<Type>();
template <>
inline constexpr int number<void> = 0;
template <>
inline constexpr int number<decltype(nullptr)> = 0;

/// Stands for a type, where nothing is computed.
template <class Type>
struct type_tag {};

template <class Call>
struct result_of;
template <class Result, class... Arguments>
struct result_of<Result(Arguments...)> {
  using type = std::remove_cv_t<std::remove_reference_t<Result>>;
};
template <class Type, class... Arguments>
struct result_of<type_tag<Type>(Arguments...)> {
  using type = std::remove_cv_t<Type>;
};

/// What a type of ours is not is an object: bytes, of which C++ knows what they are.
template <class Type>
inline constexpr bool can_be_an_object =
    std::is_object_v<Type>&& std::is_trivially_destructible_v<Type> && !std::is_array_v<Type>;
template <class Result>
inline constexpr bool has_a_type_in_python = number<Result> >= 0 || can_be_an_object<Result>;

/// A type's name, as C++ writes it.
template <class Type>
constexpr auto signature_of() {
  constexpr unsigned size = sizeof __PRETTY_FUNCTION__;  // in a class it means nothing to NVRTC
  struct text {
    char data[size];
  } made{};
  for (unsigned i = 0; i < size; ++i) made.data[i] = __PRETTY_FUNCTION__[i];
  return made;
}
/// Bytes and alignment of an object.
template <class Type>
constexpr uint64 size_of() {
  if constexpr (std::is_void_v<Type>)
    return 0;
  else
    return sizeof(Type);
}
template <class Type>
constexpr uint64 align_of() {
  if constexpr (std::is_void_v<Type>)
    return 1;
  else
    return alignof(Type);
}

/// Calls it with what lies at these addresses; the result's bytes go to the first one. An object is
/// made there, so that it shows whether it keeps its own address.
template <auto& call, class Returned, class... Arguments>
HETJIT_SHIM inline void deliver(void* to, Arguments*... at) {
  using Result = typename result_of<std::remove_reference_t<decltype(call)>>::type;
  static_assert(has_a_type_in_python<Result>);
  if constexpr (std::is_same_v<Returned, type_tag<Result>>) {
  } else if constexpr (number<Result> == 0) {
    call(*at...);
  } else if constexpr (number<Result> < 0) {
    ::new (here{to}) Result(call(*at...));
  } else {
    Result made(call(*at...));
    __builtin_memcpy(to, &made, sizeof made);
  }
}

/// An array of C++'s as an object, since no array goes by value.
template <class Type, uint64 size>
struct elements {
  Type data[size];
  HETJIT_INTEROP_HD constexpr const Type& operator[](int64 index) const { return data[index]; }
  HETJIT_INTEROP_HD constexpr Type& operator[](int64 index) { return data[index]; }
};
/// Are a member's bytes an item's? Of two numbers that is known: an int is neither a float nor an
/// unsigned. A char may be signed or not.
template <class Member, class Item>
constexpr bool is_same_number() {
  using Plain = std::remove_cv_t<std::remove_reference_t<Member>>;
  if constexpr (sizeof(Plain) != sizeof(Item))
    return false;
  else if constexpr (!std::is_arithmetic_v<Plain> || !std::is_arithmetic_v<Item>)
    return true;
  else if constexpr (std::is_same_v<Plain, char>)
    return number_of<Item>() > 1;
  else
    return number_of<Plain>() == number_of<Item>();
}
/// Does an item lie where Python has it? Known of what has get<>(), as tuples of C++'s libraries,
/// of which some begin with their last item; yes of all others.
#if defined(__clang__)
template <class Type>
struct nobody {
  static const Type one;  // for its address
};
template <class Type, unsigned index>
inline constexpr int64 place_of_item =
    __builtin_constant_p((const char*)&get<index>(nobody<Type>::one) -
                         (const char*)&nobody<Type>::one)
        ? (const char*)&get<index>(nobody<Type>::one) - (const char*)&nobody<Type>::one
        : -1;
template <class Type, unsigned index>
constexpr bool lies_at(int64 place) {
  if constexpr (requires { &get<index>(nobody<Type>::one); })
    return place_of_item<Type, index> == place || place_of_item<Type, index> < 0;
  else
    return true;
}
/// Where a part lies in nobody's object: -1: nobody knows.
#define HETJIT_PLACE_IN(Type, part)                                                           \
  (__builtin_constant_p((const char*)&(part) - (const char*)&hetjit::shim::nobody<Type>::one) \
       ? (const char*)&(part) - (const char*)&hetjit::shim::nobody<Type>::one                 \
       : -1)
template <class Member, class Item>
constexpr bool is_item(int64 lies, int64 place) {
  return is_same_number<Member, Item>() && (lies < 0 || lies == place);
}
#else
template <class Type, unsigned index>
constexpr bool lies_at(int64) {
  return true;
}
#endif

/// The value of a variable, or of a part of something.
template <class Type>
HETJIT_SHIM inline Type part(const Type& of) {
  return of;
}
template <class Type, decltype(sizeof 0) size>
HETJIT_SHIM inline elements<Type, size> part(const Type (&of)[size]) {
  elements<Type, size> copy;
  __builtin_memcpy(&copy, &of, sizeof copy);
  return copy;
}
/// The element of an array of one.
template <class Type, uint64 Rank, bool contiguous>
requires(Rank < 2) HETJIT_SHIM inline Type& element(const array<Type, Rank, contiguous>& of) {
  return *of.data;
}
/// Elements back into the array that they are of.
template <class Type, decltype(sizeof 0) size>
HETJIT_SHIM inline void put_back(Type (&to)[size], const elements<Type, size>& from) {
  __builtin_memcpy(&to, &from, sizeof to);
}
/// A copy with a part changed.
template <class Type, class Change>
HETJIT_SHIM inline Type changed(const Type& of, Change change) {
  Type copy = of;
  change(copy);
  return copy;
}

}  // namespace hetjit::shim
