// Between Fortran and a host library: what the functions that hetjit writes for callers in Fortran
// are made of. They hand over to the same functions as Python's calls (library.hpp). C++17, and a
// Fortran compiler's ISO_Fortran_binding.h.
#ifndef HETJIT_LIBRARY_FORTRAN_HPP
#define HETJIT_LIBRARY_FORTRAN_HPP

#include <ISO_Fortran_binding.h>

#include <cstdio>

#include "hetjit/library.hpp"

namespace hetjit {
namespace library {
namespace fortran {

/// What went wrong in the thread's last call.
inline std::string& message() {
  static thread_local std::string last;
  return last;
}

/// Zero, or that something went wrong; who does not ask for it is stopped, as ALLOCATE does.
inline void report_to(int* stat, const char* function, const char* wrong) {
  if (stat) *stat = wrong ? 1 : 0;
  if (!wrong) return;
  message() = std::string(function) + ": " + (wrong + 1);
  if (stat) return;
  std::fprintf(stderr, "%s\n", message().c_str());
  std::exit(1);
}

/// How long a text is without the blanks at its end.
inline std::size_t trimmed(const CFI_cdesc_t* text) {
  Array all{text->base_addr, kUnknown, 1, text->elem_len, 0, {}};
  return library::trimmed(all);
}

/// A text into one of Fortran's, with blanks behind it.
inline void pad(void* to, std::size_t room, const void* from, std::size_t length) {
  if (length > room)
    throw Refused{'V', "a text of " + std::to_string(length) + " characters does not fit into " +
                           std::to_string(room)};
  if (length) std::memcpy(to, from, length);
  std::memset(static_cast<char*>(to) + length, ' ', room - length);
}

/// A function of Fortran's, for a library to call.
template <class Result, class... Arguments>
class Function : public Callback {
 public:
  explicit Function(void* function)
      : Callback{call_it, false}, function_(reinterpret_cast<Result (*)(Arguments...)>(function)) {}

 private:
  template <std::size_t... I>
  void run(const Slot* slots, Slot* result, std::index_sequence<I...>) const {
    if constexpr (std::is_void_v<Result>)
      function_(value<Arguments>(slots[I])...);
    else
      *result = slot_of(function_(value<Arguments>(slots[I])...));
  }
  static bool call_it(Callback* self, const Slot* slots, Slot* result) {
    (void)slots;
    static_cast<Function*>(self)->run(slots, result, std::index_sequence_for<Arguments...>());
    return true;
  }
  Result (*function_)(Arguments...);
};

/// The slots of one call, and what has to last as long.
template <int In, int Out>
class Slots {
 public:
  Slots() {
    for (int i = 0; i <= Out; ++i) out_[i].given = &given_[i];
  }
  template <class T>
  void number(int i, const T& value) {
    if constexpr (sizeof(T) <= sizeof(Slot))
      std::memcpy(&in_[i], &value, sizeof value);
    else
      memory(i, &value, sizeof value);
  }
  void pointer(int i, void* address) { in_[i].pointer = address; }
  void callback(int i, Callback* callback) { in_[i].callback = callback; }
  /// One value where it lies.
  void memory(int i, const void* address, std::size_t size) {
    arrays_[i] = {const_cast<void*>(address), kUnknown, size, 1, 0, {}};
    in_[i].array = &arrays_[i];
  }
  /// An array with its extents in Fortran's order.
  void array(int i, const CFI_cdesc_t* from, const char* name) {
    if (!CFI_is_contiguous(from) && from->base_addr)
      wrong_ = "V'" + std::string(name) + "' does not lie in one piece";
    Array& made = arrays_[i] = {from->base_addr, kUnknown, from->elem_len, 1, from->rank, {}};
    for (int axis = 0; axis < from->rank; ++axis) {
      made.shape[axis] = from->dim[axis].extent;
      made.size *= static_cast<std::size_t>(from->dim[axis].extent);
    }
    in_[i].array = &made;
  }
  void text(int i, const CFI_cdesc_t* from) {
    texts_[i].assign(static_cast<const char*>(from->base_addr), trimmed(from));
    arrays_[i] = {texts_[i].data(), kUnknown, 1, texts_[i].size(), 1, {}};
    in_[i].array = &arrays_[i];
  }
  void buffer(int i, const CFI_cdesc_t* to) {
    arrays_[i] = {to->base_addr, kUnknown, 1, to->elem_len, 1, {}};
    in_[i].array = &arrays_[i];
  }
  void texts(int i, const CFI_cdesc_t* from) {
    std::vector<std::string> made;
    const char* at = static_cast<const char*>(from->base_addr);
    for (CFI_index_t k = 0; k < from->dim[0].extent; ++k, at += from->dim[0].sm) {
      const Array one{const_cast<char*>(at), kUnknown, 1, from->elem_len, 0, {}};
      made.emplace_back(at, library::trimmed(one));
    }
    texts_[i] = packed(made);
    memory(i, texts_[i].data(), texts_[i].size());
  }
  template <class T>
  void gives(int i, T* to) {
    if constexpr (sizeof(T) <= sizeof(Slot)) out_[i].pointer = to;
  }

  /// Calls, and hands results over; what was given is released whatever goes wrong.
  template <class HandOver>
  void run(Call function, Release release, const char* name, int* stat, HandOver hand_over) {
    const char* wrong = wrong_.empty() ? function(in_, out_) : wrong_.c_str();
    if (!wrong) wrong = guarded([&] { hand_over(given_); });
    for (Given& each : given_) release(&each.memory);
    report_to(stat, name, wrong);
  }

 private:
  Slot in_[In + 1] = {}, out_[Out + 1] = {};
  Array arrays_[In + 1] = {};
  Given given_[Out + 1] = {};
  std::string texts_[In + 1], wrong_;
};

// ---- results

inline void require_done(int status) {
  if (status != CFI_SUCCESS) throw Refused{'M', "Fortran has not allocated a result"};
}

/// Memory for an array of Fortran's, with a copy.
inline void allocate(CFI_cdesc_t* to, const Given& from) {
  CFI_index_t lower[7], upper[7];
  for (int axis = 0; axis < from.array.rank; ++axis) {
    lower[axis] = 1;
    upper[axis] = from.array.shape[axis];
  }
  if (to->base_addr) require_done(CFI_deallocate(to));
  require_done(CFI_allocate(to, lower, upper, from.array.elem_len));
  const std::size_t bytes = from.array.elem_len * from.array.size;
  if (bytes) std::memcpy(to->base_addr, from.array.base_addr, bytes);
}

/// A pointer of Fortran's to what a library has.
inline void point(CFI_cdesc_t* to, const Given& from) {
  CFI_index_t extents[7], lower[7];
  for (int axis = 0; axis < from.array.rank; ++axis) {
    extents[axis] = from.array.shape[axis];
    lower[axis] = 1;
  }
  CFI_CDESC_T(7) there;
  auto* made = reinterpret_cast<CFI_cdesc_t*>(&there);
  require_done(CFI_establish(made, from.array.base_addr, CFI_attribute_pointer, to->type,
                             from.array.elem_len, static_cast<CFI_rank_t>(from.array.rank),
                             extents));
  require_done(CFI_setpointer(to, made, lower));
}

/// A text of the length that it has; none where a library gives NULL.
inline void allocate_text(CFI_cdesc_t* to, const Given& from) {
  if (to->base_addr) require_done(CFI_deallocate(to));
  if (!from.array.base_addr) return;
  const std::size_t length = from.array.elem_len * from.array.size;
  require_done(CFI_allocate(to, nullptr, nullptr, length));
  if (length) std::memcpy(to->base_addr, from.array.base_addr, length);
}

inline void fill_text(CFI_cdesc_t* to, const Given& from) {
  pad(to->base_addr, to->elem_len, from.array.base_addr, from.array.elem_len * from.array.size);
}

/// Texts as an array of texts, each as long as the longest.
inline void allocate_texts(CFI_cdesc_t* to, const Given& from) {
  Slot slot{};
  slot.array = &from.array;
  const std::vector<std::string> found = texts(slot);
  std::size_t longest = 0;
  for (const std::string& each : found) longest = each.size() > longest ? each.size() : longest;
  const CFI_index_t lower = 1, upper = static_cast<CFI_index_t>(found.size());
  if (to->base_addr) require_done(CFI_deallocate(to));
  require_done(CFI_allocate(to, &lower, &upper, longest));
  char* at = static_cast<char*>(to->base_addr);
  for (const std::string& each : found) {
    pad(at, longest, each.data(), each.size());
    at += longest;
  }
}

/// Blanks in place of the nulls behind a text.
inline void blank(CFI_cdesc_t* text) {
  char* data = static_cast<char*>(text->base_addr);
  const std::size_t length = strnlen(data, text->elem_len);
  std::memset(data + length, ' ', text->elem_len - length);
}

template <class T>
void copy(T* to, const Given& from) {
  std::memcpy(to, from.array.base_addr, sizeof(T));
}

/// What is released by the capsule from now on.
inline void hand_over(Capsule* to, Given& from) {
  *to = std::exchange(from.memory, {nullptr, 0, 0});
}

}  // namespace fortran
}  // namespace library
}  // namespace hetjit

#endif  // HETJIT_LIBRARY_FORTRAN_HPP
