// What a shim is made of (shim.cpp writes the rest): how Python's arrays appear to C++, and which
// type of ours a result is. C++, compiled by the user's compiler for every target; needs nothing of
// hetjit but interop.hpp.
#pragma once

#define HETJIT_INTEROP_LEAN 1
#include "hetjit/interop.hpp"

#include <concepts>
#include <type_traits>

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
template <class T, uint64 N, bool contiguous>
struct array : interoperable_array_descriptor<T, N> {
  HETJIT_INTEROP_HD constexpr operator T*() const requires contiguous { return this->data; }
  HETJIT_INTEROP_HD constexpr operator const T*() const
      requires(contiguous && !std::is_const_v<T>) {
    return this->data;
  }
  template <std::same_as<T> V>
  requires(N < 2) HETJIT_INTEROP_HD constexpr operator V&() const { return *this->data; }
  template <class V>
  requires std::is_arithmetic_v<V>
  operator V() const = delete;
};

/// A type of ours: kind and bytes, by shim.cpp's count. Negative: none.
template <class T>
constexpr int number_of() {
  if constexpr (std::is_enum_v<T>)
    return number_of<std::underlying_type_t<T>>();
  else if constexpr (std::is_same_v<T, bool>)
    return 1;
  else if constexpr (std::is_integral_v<T> && sizeof(T) <= 8)
    return (std::is_signed_v<T> ? 10 : 20) + sizeof(T);
  else
    return -1;
}
template <class T>
inline constexpr int number = number_of<T>();
template <>
inline constexpr int number<void> = 0;
template <>
inline constexpr int number<decltype(nullptr)> = 0;

/// Stands for a type, where nothing is computed.
template <class T>
struct type_tag {};

template <class Call>
struct result_of;
template <class Result, class... Arguments>
struct result_of<Result(Arguments...)> {
  using type = std::remove_cv_t<std::remove_reference_t<Result>>;
};
template <class T, class... Arguments>
struct result_of<type_tag<T>(Arguments...)> {
  using type = std::remove_cv_t<T>;
};

/// What a type of ours is not is an object: bytes, of which C++ knows what they are.
template <class T>
inline constexpr bool can_be_an_object =
    std::is_object_v<T> && std::is_trivially_destructible_v<T> && !std::is_array_v<T>;
template <class Result>
inline constexpr bool has_a_type_in_python = number<Result> >= 0 || can_be_an_object<Result>;

/// A type's name, as C++ writes it.
template <class T>
constexpr auto signature_of() {
  struct text {
    char data[sizeof __PRETTY_FUNCTION__];
  } made{};
  for (unsigned i = 0; i < sizeof __PRETTY_FUNCTION__; ++i) made.data[i] = __PRETTY_FUNCTION__[i];
  return made;
}
/// Bytes and alignment of an object.
template <class T>
constexpr uint64 size_of() {
  if constexpr (std::is_void_v<T>)
    return 0;
  else
    return sizeof(T);
}
template <class T>
constexpr uint64 align_of() {
  if constexpr (std::is_void_v<T>)
    return 1;
  else
    return alignof(T);
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

/// The element of an array of one.
template <class T, uint64 N, bool contiguous>
requires(N < 2) HETJIT_SHIM inline T& element(const array<T, N, contiguous>& of) {
  return *of.data;
}
/// A copy with a part changed.
template <class T, class Change>
HETJIT_SHIM inline T changed(const T& of, Change change) {
  T copy = of;
  change(copy);
  return copy;
}

}  // namespace hetjit::shim
