// Where NVRTC compiles a shim: what its C++ has not that ours needs. It knows no standard header.
#pragma once

#define __CUDA__ 1  // as clang says of CUDA's C++
#define __SIZE_TYPE__ decltype(sizeof 0)
#define __builtin_memcpy memcpy
#define __builtin_offsetof(record, member) __INTADDR__(&(((record*)0)->member))
#define offsetof(record, member) __builtin_offsetof(record, member)

namespace std {

using size_t = decltype(sizeof 0);
using ptrdiff_t = long;
using nullptr_t = decltype(nullptr);
using int8_t = signed char;
using int16_t = short;
using int32_t = int;
using int64_t = long;
using uint8_t = unsigned char;
using uint16_t = unsigned short;
using uint32_t = unsigned int;
using uint64_t = unsigned long;

template <class Type, Type what>
struct integral_constant {
  static constexpr Type value = what;
};
template <bool what>
using bool_constant = integral_constant<bool, what>;
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;

template <class...>
using void_t = void;
template <bool, class Type = void>
struct enable_if {};
template <class Type>
struct enable_if<true, Type> {
  using type = Type;
};
template <bool is, class Type = void>
using enable_if_t = typename enable_if<is, Type>::type;

template <class Type>
struct remove_reference {
  using type = Type;
};
template <class Type>
struct remove_reference<Type&> {
  using type = Type;
};
template <class Type>
struct remove_reference<Type&&> {
  using type = Type;
};
template <class Type>
using remove_reference_t = typename remove_reference<Type>::type;
template <class Type>
struct remove_cv {
  using type = Type;
};
template <class Type>
struct remove_cv<const Type> {
  using type = Type;
};
template <class Type>
struct remove_cv<volatile Type> {
  using type = Type;
};
template <class Type>
struct remove_cv<const volatile Type> {
  using type = Type;
};
template <class Type>
using remove_cv_t = typename remove_cv<Type>::type;
template <class Type>
using underlying_type_t = __underlying_type(Type);
template <class Type>
Type&& declval() noexcept;

template <class One, class Other>
inline constexpr bool is_same_v = false;
template <class Type>
inline constexpr bool is_same_v<Type, Type> = true;
template <class One, class Other>
concept same_as = is_same_v<One, Other>;
template <class Type, class... Others>
inline constexpr bool is_one_of_v = (is_same_v<remove_cv_t<Type>, Others> || ...);

template <class Type>
inline constexpr bool is_const_v = false;
template <class Type>
inline constexpr bool is_const_v<const Type> = true;
template <class Type>
inline constexpr bool is_void_v = is_same_v<remove_cv_t<Type>, void>;
template <class Type>
inline constexpr bool is_enum_v = __is_enum(Type);
template <class Type>
inline constexpr bool is_integral_v =
    is_one_of_v<Type, bool, char, signed char, unsigned char, wchar_t, char8_t, char16_t, char32_t,
                short, unsigned short, int, unsigned, long, unsigned long, long long,
                unsigned long long>;
template <class Type>
inline constexpr bool is_arithmetic_v =
    is_integral_v<Type> || is_one_of_v<Type, float, double, long double>;
template <class Type, bool = is_arithmetic_v<Type>>
inline constexpr bool is_signed_v = false;
template <class Type>
inline constexpr bool is_signed_v<Type, true> = Type(-1) < Type(0);
template <class Type>
inline constexpr bool is_array_v = false;
template <class Type>
inline constexpr bool is_array_v<Type[]> = true;
template <class Type, size_t size>
inline constexpr bool is_array_v<Type[size]> = true;
template <class Type>
inline constexpr bool is_reference_v = false;
template <class Type>
inline constexpr bool is_reference_v<Type&> = true;
template <class Type>
inline constexpr bool is_reference_v<Type&&> = true;
/// Only a function and a reference cannot be const.
template <class Type>
inline constexpr bool is_object_v =
    !is_void_v<Type> && !is_reference_v<Type> && is_const_v<const Type>;
template <class Type>
inline constexpr bool is_trivially_destructible_v = __is_trivially_destructible(Type);

template <class From, class To>
struct is_convertible : bool_constant<__is_convertible_to(From, To)> {};
template <class Type>
struct is_standard_layout : bool_constant<__is_standard_layout(Type)> {};
template <class Type>
struct is_trivially_copyable : bool_constant<__is_trivially_copyable(Type)> {};

}  // namespace std
