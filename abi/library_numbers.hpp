// Numbers in the functions that hetjit writes for a host library (library.hpp): none becomes
// another one silently. C++17.
#ifndef HETJIT_LIBRARY_NUMBERS_HPP
#define HETJIT_LIBRARY_NUMBERS_HPP

#include <limits>
#include <string>
#include <type_traits>

namespace hetjit {
namespace library {

/// Why a call was not made, or has no result. V: ValueError, O: OverflowError.
struct Refused {
  char kind;
  std::string text;
};

/// An integer that is never another one for want of bits: who computes with it gets the number that
/// is written, or a refusal.
class Checked {
 public:
  template <class T, class = std::enable_if_t<std::is_integral_v<T> || std::is_enum_v<T>>>
  explicit Checked(T number) : value_(static_cast<__int128>(number)) {}
  explicit Checked(__int128 number) : value_(number) {}

  template <class T>
  bool fits() const {
    return value_ >= static_cast<__int128>(std::numeric_limits<T>::min()) &&
           value_ <= static_cast<__int128>(std::numeric_limits<T>::max());
  }
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  operator T() const {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
      if (!fits<T>()) throw none();
    return static_cast<T>(value_);
  }
  __int128 value() const { return value_; }
  std::string text() const {
    std::string made;
    for (__int128 left = value_; left || made.empty(); left /= 10)
      made.insert(made.begin(), static_cast<char>('0' + (left < 0 ? -(left % 10) : left % 10)));
    return value_ < 0 ? "-" + made : made;
  }
  static Refused none() {
    return {'O', "an expression of its declaration overflows, or divides by zero"};
  }

 private:
  __int128 value_;
};

template <class T>
auto wide(T number) {
  if constexpr (std::is_floating_point_v<T>)
    return number;
  else
    return Checked(number).value();
}
inline bool quotient(__int128 a, __int128 b, __int128* to) {
  return b == 0 || (*to = a / b, false);
}
inline bool remainder(__int128 a, __int128 b, __int128* to) {
  return b == 0 || (*to = a % b, false);
}
inline bool shifted(__int128 a, __int128 by, __int128* to) {
  return by < 0 || by > 126 || __builtin_mul_overflow(a, __int128{1} << by, to);
}

template <class A, class B>
using IfChecked = std::enable_if_t<std::is_same_v<A, Checked> || std::is_same_v<B, Checked>>;
#define HETJIT_EXACT(sign, computed)                                              \
  template <class A, class B, class = IfChecked<A, B>>                            \
  auto operator sign(A a, B b) {                                                  \
    if constexpr (std::is_floating_point_v<A> || std::is_floating_point_v<B>) {   \
      return wide(a) sign wide(b);                                                \
    } else {                                                                      \
      __int128 made = 0;                                                          \
      if (computed(wide(a), wide(b), &made)) throw Checked::none();               \
      return Checked(made);                                                       \
    }                                                                             \
  }
#define HETJIT_PLAIN(sign)                             \
  template <class A, class B, class = IfChecked<A, B>> \
  auto operator sign(A a, B b) {                       \
    return wide(a) sign wide(b);                       \
  }
HETJIT_EXACT(+, __builtin_add_overflow)
HETJIT_EXACT(-, __builtin_sub_overflow)
HETJIT_EXACT(*, __builtin_mul_overflow)
HETJIT_EXACT(/, quotient)
HETJIT_EXACT(%, remainder)
HETJIT_EXACT(<<, shifted)
HETJIT_PLAIN(==)
HETJIT_PLAIN(!=)
HETJIT_PLAIN(<)
HETJIT_PLAIN(<=)
HETJIT_PLAIN(>)
HETJIT_PLAIN(>=)
#undef HETJIT_EXACT
#undef HETJIT_PLAIN
inline Checked operator-(Checked a) { return Checked(0) - a; }

/// What an expression has come to, as the library's type has it.
template <class T, class From>
T fitting(From number, const char* name) {
  if constexpr (std::is_integral_v<T> && !std::is_floating_point_v<From>) {
    const Checked checked(number);
    if (!checked.template fits<T>())
      throw Refused{'O', "'" + std::string(name) + "' would be " + checked.text() +
                             ", which its type does not have"};
  }
  return static_cast<T>(number);
}

}  // namespace library
}  // namespace hetjit

#endif  // HETJIT_LIBRARY_NUMBERS_HPP
