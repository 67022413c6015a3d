// Between hetjit and a host library in C or C++: what travels in a call, and what the functions
// that hetjit writes for a library are made of. Stands alone: needs C++17 and nothing else of
// hetjit.
#ifndef HETJIT_LIBRARY_HPP
#define HETJIT_LIBRARY_HPP

#include <cxxabi.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#ifdef __cpp_exceptions
#include "hetjit/library_numbers.hpp"
#endif

namespace hetjit {
namespace library {

// ---- what travels

/// Who releases memory: `idtor` 0 is nobody, 1 free(), others are the library's own.
struct Capsule {
  void* addr;
  int idtor;
  int cmemflags;
};

/// Elements in C order. Rank 0: one of them. Of a text, elem_len is how long it is.
struct Array {
  void* base_addr;
  int type;  // of its elements: kUnknown, or the number of a scalar type in hetjit's table plus one
  std::size_t elem_len;
  std::size_t size;  // in elements
  int rank;
  std::int64_t shape[7];
};
inline constexpr int kUnknown = 0, kMostAxes = 7;

/// What a call gives that is more than a word.
struct Given {
  Array array;
  Capsule memory;
};

union Slot;

/// A function of Python's that a library calls during a call. False: it raised, and is not called
/// again.
struct Callback {
  bool (*call)(Callback* self, const Slot* arguments, Slot* result);
  bool failed;
};

/// One argument or result. What has more than eight bytes is an Array, as a result a Given.
union Slot {
  std::uint64_t word;
  void* pointer;
  const Array* array;
  Given* given;
  Callback* callback;
};

/// A function that hetjit wrote for a library's: null, or what went wrong: a letter, and a text
/// that lasts until the thread's next call.
using Call = const char* (*)(const Slot* in, const Slot* out);
/// Releases what a capsule has, once: afterwards it has nothing.
using Release = void (*)(Capsule*);

#ifdef __cpp_exceptions  // not in hetjit itself, which knows no more than the above

// ---- what goes wrong

inline char kind_of(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error)) return 'M';
  if (dynamic_cast<const std::out_of_range*>(&error)) return 'I';
  if (dynamic_cast<const std::overflow_error*>(&error)) return 'O';
  if (dynamic_cast<const std::invalid_argument*>(&error)) return 'V';
  if (dynamic_cast<const std::domain_error*>(&error)) return 'V';
  if (dynamic_cast<const std::length_error*>(&error)) return 'V';
  return 'R';
}

inline std::string name_of_current_exception() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  if (!type) return "an exception";
  int status = 0;
  char* name = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
  const std::string found = name ? name : type->name();
  std::free(name);
  return found;
}

inline const char* report(char kind, const std::string& text) {
  static thread_local std::string last;
  last = kind + text;
  return last.c_str();
}

/// Runs a call. No exception leaves it but those that are none of C++'s own: a thread's end.
template <class Body>
const char* guarded(Body body) {
  try {
    try {
      body();
      return nullptr;
    } catch (const Refused& refused) {
      return report(refused.kind, refused.text);
    } catch (const std::exception& error) {
      const std::string name = name_of_current_exception(), what = error.what();
      return report(kind_of(error), name == what ? name : name + ": " + what);
    } catch (const char* text) {
      return report('R', "const char*: " + std::string(text ? text : "null"));
    } catch (const std::string& text) {
      return report('R', "std::string: " + text);
    } catch (abi::__forced_unwind&) {
      throw;
    } catch (...) {
      return report('R', name_of_current_exception());
    }
  } catch (const std::bad_alloc&) {
    return "Mstd::bad_alloc";
  }
}

// ---- objects of classes without a constructor among their declarations

template <class T>
T* default_made() {
  if constexpr (std::is_default_constructible_v<T>) return new T();
  throw Refused{'T', "the class has no constructor among its declarations, and C++ gives it none"};
}

template <class T>
void end(void* object) {
  if constexpr (std::is_default_constructible_v<T>) delete static_cast<T*>(object);
}

// ---- arguments

template <class T>
T value(const Slot& slot) {
  T made;
  std::memcpy(&made, sizeof(T) <= sizeof(Slot) ? &slot : slot.array->base_addr, sizeof(T));
  return made;
}

template <class T>
T* elements(const Slot& slot) {
  return static_cast<T*>(slot.array->base_addr);
}

/// An array in a device's memory: what is passed is its address and its extents.
inline Array on_device(const Slot& slot) {
  const std::int64_t* numbers = elements<const std::int64_t>(slot);
  Array made{reinterpret_cast<void*>(numbers[0]), kUnknown, 0, 1, 0, {}};
  for (std::size_t i = 1; i < slot.array->size; ++i) {
    made.shape[made.rank++] = numbers[i];
    made.size *= static_cast<std::size_t>(numbers[i]);
  }
  return made;
}

inline std::string text(const Slot& slot) {
  return {static_cast<const char*>(slot.array->base_addr), slot.array->size};
}

/// How long a text is without the blanks at its end.
inline std::size_t trimmed(const Array& text) {
  const char* data = static_cast<const char*>(text.base_addr);
  std::size_t length = text.size;
  while (length && data[length - 1] == ' ') --length;
  return length;
}

template <class T>
std::vector<T> vector(const Slot& slot) {
  const T* data = elements<const T>(slot);
  return std::vector<T>(data, data + slot.array->size);
}

/// Texts in one piece: how many, how long each, and all of them.
inline std::vector<std::string> texts(const Slot& slot) {
  const char* data = static_cast<const char*>(slot.array->base_addr);
  std::int64_t count = 0;
  std::memcpy(&count, data, sizeof count);
  std::vector<std::string> made;
  const char* at = data + sizeof count * (static_cast<std::size_t>(count) + 1);
  for (std::int64_t i = 0, length = 0; i < count; ++i, at += length) {
    std::memcpy(&length, data + sizeof count * (static_cast<std::size_t>(i) + 1), sizeof length);
    made.emplace_back(at, static_cast<std::size_t>(length));
  }
  return made;
}

/// The same as C has them: pointers, and a null behind the last.
inline std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> made;
  for (std::string& text : texts) made.push_back(text.data());
  made.push_back(nullptr);
  return made;
}

/// A number as a word, zeros behind it.
template <class T>
Slot slot_of(T value) {
  static_assert(sizeof(T) <= sizeof(Slot), "a callback's arguments are words");
  Slot slot{};
  std::memcpy(&slot, &value, sizeof value);
  return slot;
}

/// Says that a thread is within a call.
struct Within {
  Within() { ++depth; }
  Within(const Within&) = delete;
  Within& operator=(const Within&) = delete;
  ~Within() { --depth; }
  static inline thread_local int depth = 0;
};

/// Whether a thread that is within no call has called a function of Python's: it gets zeros, since
/// nobody there would catch what is thrown, and the call that lasts says so.
inline std::atomic<bool> called_elsewhere{false};

/// What a thread's function of that place is, for as long as a call lasts.
class Called {
 public:
  Called(Callback*& place, Callback* now) : place_(place), had_(std::exchange(place, now)) {
    called_elsewhere = false;
  }
  Called(const Called&) = delete;
  Called& operator=(const Called&) = delete;
  ~Called() { place_ = had_; }
  /// What it raised ends the call.
  void check() const {
    if (place_ && place_->failed) throw Refused{'E', ""};
    if (called_elsewhere.exchange(false))
      throw Refused{'R', "it called a function of Python's on another thread than its own"};
  }

 private:
  Callback*& place_;
  Callback* had_;
};

template <class Result, class... Arguments>
Result call_back(Callback* callback, Arguments... arguments) {
  if (!callback && Within::depth)
    throw Refused{'R', "it calls a function of Python's outside of its call"};
  if (!callback) return called_elsewhere = true, Result();
  const Slot slots[] = {slot_of(arguments)..., Slot{}};
  Slot result{};
  const bool done = !callback->failed && callback->call(callback, slots, &result);
  if constexpr (!std::is_void_v<Result>) return done ? value<Result>(result) : Result();
}

// ---- checks of arguments

/// The extents that a declaration asks of an argument; more elements are allowed.
inline void require(const Array& array, std::initializer_list<std::int64_t> extents,
                    const char* name) {
  Checked wanted(1);
  for (std::int64_t extent : extents) wanted = wanted * extent;
  if (wanted <= array.size) return;
  throw Refused{'V', "'" + std::string(name) + "' has " + std::to_string(array.size) +
                         " elements, and its declaration asks for " + wanted.text()};
}

/// An extent that an expression of the declaration has come to.
template <class Number>
std::int64_t extent(Number number, const char* name) {
  static_assert(!std::is_floating_point_v<Number>, "the extents of an array are integers");
  const auto made = fitting<std::int64_t>(number, name);
  if (made >= 0) return made;
  throw Refused{'V',
                "the dimension of '" + std::string(name) + "' comes to " + std::to_string(made)};
}

// ---- results

/// A number: a word, or what is more than that as an Array of no axes.
template <class T>
void give_number(const Slot& slot, const T& value);

/// What ends with the call: a piece of memory of an argument, in which a result may lie.
struct Passing {
  const volatile void* begin;
  std::size_t size;
  const char* name;
};
using AllPassing = std::initializer_list<Passing>;

inline const Passing* within(const AllPassing& all, const volatile void* at) {
  for (const Passing& each : all)
    if (std::uintptr_t(at) - std::uintptr_t(each.begin) < each.size) return &each;
  return nullptr;
}

/// That a result will be there after the call.
inline void require_lasting(const AllPassing& passing, const volatile void* at, const char* what) {
  if (const Passing* in = within(passing, at))
    throw Refused{'V', "it returned a pointer into its argument '" + std::string(in->name) +
                           "', which ends with the call: " + what};
}

/// Memory that is the caller's from now on, whatever else goes wrong.
inline void claim(const Slot& slot, const volatile void* owner, int idtor,
                  const AllPassing& passing) {
  require_lasting(passing, owner, "leave owner(caller) out");
  slot.given->memory = {const_cast<void*>(owner), idtor, 0};
}

/// The caller's memory that Python does not get: released when the call ends.
class Released {
 public:
  Released(const volatile void* owner, int idtor, Release release)
      : capsule_{const_cast<void*>(owner), idtor, 0}, release_(release) {}
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;
  ~Released() { release_(&capsule_); }

 private:
  Capsule capsule_;
  Release release_;
};

/// Memory as it is, and who releases it.
inline void give(const Slot& slot, const volatile void* data, std::size_t element,
                 std::initializer_list<std::int64_t> extents, const volatile void* owner = nullptr,
                 int idtor = 0) {
  Given& given = *slot.given;
  given.array = {const_cast<void*>(data), kUnknown, element, 1, 0, {}};
  for (std::int64_t extent : extents) {
    given.array.shape[given.array.rank++] = extent;
    if (__builtin_mul_overflow(given.array.size, static_cast<std::size_t>(extent),
                               &given.array.size))
      throw Refused{'O', "its result would have more than 2**64 elements"};
  }
  if (static_cast<unsigned __int128>(given.array.size) * element > PTRDIFF_MAX)
    throw Refused{'O', "its result would have more than 2**63 bytes"};
  given.memory = {const_cast<void*>(owner ? owner : data), idtor, 0};
}

/// Memory for a result that hetjit provides, of zeros.
class Room {
 public:
  Room(std::size_t element, std::initializer_list<std::int64_t> extents) {
    std::size_t bytes = element;
    for (std::int64_t extent : extents)
      if (__builtin_mul_overflow(bytes, static_cast<std::size_t>(extent), &bytes))
        throw Refused{'O', "a result would have more than 2**64 bytes"};
    size_ = bytes;
    data_ = std::calloc(bytes ? bytes : 1, 1);
    if (!data_) throw std::bad_alloc();
  }
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;
  ~Room() { std::free(data_); }

  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }
  std::size_t size() const { return size_; }
  void give_to(const Slot& slot, std::size_t element, std::initializer_list<std::int64_t> extents) {
    give(slot, data_, element, extents, data_, 1);
    data_ = nullptr;
  }

 private:
  void* data_;
  std::size_t size_ = 0;
};

/// A copy: of a value, and of a text, whose data may be null.
inline void give_copy(const Slot& slot, const void* data, std::size_t bytes) {
  if (!data) return give(slot, nullptr, bytes, {});
  Room room(bytes + 1, {});
  std::memcpy(room.as<char>(), data, bytes);
  room.give_to(slot, bytes, {});
}
inline void give_text(const Slot& slot, const char* text) {
  give_copy(slot, text, text ? std::strlen(text) : 0);
}

template <class T>
void give_number(const Slot& slot, const T& value) {
  if (sizeof(T) > sizeof(Slot)) return give_copy(slot, &value, sizeof value);
  std::memcpy(slot.pointer, &value, sizeof value);
}

/// An array of the library's. One with elements has to be somewhere; one that lies in an argument
/// is copied.
inline void give_array(const Slot& slot, const volatile void* data, std::size_t element,
                       std::initializer_list<std::int64_t> extents, int idtor,
                       const AllPassing& passing) {
  give(slot, data, element, extents, data, idtor);
  const std::size_t bytes = element * slot.given->array.size;
  if (!data && bytes) throw Refused{'V', "it returned NULL in place of an array"};
  const Passing* in = within(passing, data);
  if (!in) return;
  if (bytes > in->size - (std::uintptr_t(data) - std::uintptr_t(in->begin)))
    throw Refused{'V', "its result would reach beyond its argument '" + std::string(in->name) +
                           "', which it lies in"};
  Room room(element, extents);
  std::memcpy(room.as<void>(), const_cast<const void*>(data), bytes);
  room.give_to(slot, element, extents);
}

/// A std::vector or std::string, which may be null.
template <class Owner>
void give_contiguous(const Slot& slot, Owner* owner, std::size_t element, int idtor) {
  if (!owner) return give(slot, nullptr, element, {0}, nullptr, 0);
  give(slot, owner->data(), element, {static_cast<std::int64_t>(owner->size())}, owner, idtor);
}

template <class T>
void give_elements(const Slot& slot, const std::vector<T>& elements) {
  const auto size = static_cast<std::int64_t>(elements.size());
  Room room(sizeof(T), {size});
  if (size) std::memcpy(room.as<void>(), elements.data(), sizeof(T) * elements.size());
  room.give_to(slot, sizeof(T), {size});
}

/// A text into a buffer of the caller's, as far as there is room.
inline void fill(const Array& buffer, const char* text) {
  const std::size_t length = text ? std::strlen(text) : 0, room = buffer.size * buffer.elem_len;
  char* to = static_cast<char*>(buffer.base_addr);
  if (room) std::memcpy(to, text, length < room ? length : room);
  if (length < room) std::memset(to + length, 0, room - length);
}

/// That a text fits a buffer, with the null behind it.
inline void require_room(const Array& text, std::int64_t room, const char* name) {
  if (static_cast<std::int64_t>(text.size) < room) return;
  throw Refused{'V', "'" + std::string(name) + "' has " + std::to_string(text.size) +
                         " bytes, and its declaration allows for " + std::to_string(room - 1)};
}

/// A buffer in which a library writes a text, behind what it had.
class TextRoom {
 public:
  TextRoom(std::int64_t room, const Array* had, const char* name) {
    if (had) require_room(*had, room, name);
    bytes_.resize(static_cast<std::size_t>(room) + 1);
    if (had) std::memcpy(bytes_.data(), had->base_addr, had->size);
  }
  char* data() { return bytes_.data(); }
  std::size_t size() const { return bytes_.size(); }
  void give_to(const Slot& slot) const {
    give_copy(slot, bytes_.data(), strnlen(bytes_.data(), bytes_.size() - 1));
  }

 private:
  std::vector<char> bytes_;
};

/// Texts in one piece, as texts() reads them.
inline std::string packed(const std::vector<std::string>& texts) {
  std::string made;
  auto add = [&](std::size_t number) {
    const auto word = static_cast<std::int64_t>(number);
    made.append(reinterpret_cast<const char*>(&word), sizeof word);
  };
  add(texts.size());
  for (const std::string& text : texts) add(text.size());
  for (const std::string& text : texts) made += text;
  return made;
}
inline void give_texts(const Slot& slot, const std::vector<std::string>& texts) {
  const std::string made = packed(texts);
  give_copy(slot, made.data(), made.size());
}

#endif
}  // namespace library
}  // namespace hetjit

#endif  // HETJIT_LIBRARY_HPP
