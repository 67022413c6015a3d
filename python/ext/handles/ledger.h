// What HETJIT_DEBUG=handles knows of each handle: who opened it and where, who closed it. A handle
// then holds the number of its entry in the place of the object, told apart by the lowest bit,
// which no object's address has. So a handle that was closed is recognised however often it is
// used.
//
// Off, a handle asks for that bit and no more.
#pragma once

#include <cstdint>
#include <deque>
#include <source_location>
#include <string>
#include <vector>

#include "python/ext/handles/python.h"

namespace hetjit::python {

/// A line of ours, for what is told of a handle.
using Place = std::source_location;

namespace ledger {

/// HETJIT_DEBUG has `handles`: read once, when the extension is loaded.
extern const bool is_kept;

inline bool is_entry(const PyObject* held) { return reinterpret_cast<uintptr_t>(held) & 1; }

/// A new entry, which owns the reference.
PyObject* open(PyObject* object, const Place& where);
/// The object of an entry. Of a closed one it is None, after an invalid use was told.
PyObject* object_of(const PyObject* held, const Place& where);
bool is_open(const PyObject* held);
/// The reference of an entry that is now closed; null when it was before, which is told.
PyObject* close(const PyObject* held, const Place& where);
/// The end of a Handle: the reference that it still had, or null.
PyObject* end(const PyObject* held);
/// The handle may outlive the call that made it.
void keep(const PyObject* held);
/// Tells it when the handle is another interpreter's.
void check_interpreter(const PyObject* held, const Place& where);

/// A use that no entry is to blame for: `what`, then how. Told only where handles are noted.
void misused(const char* what, const char* how, const Place& where);

/// Which struct the objects of a type are, by the address of its tag; checked for an object.
template <class Struct>
inline constexpr char struct_tag = 0;
void add_struct(PyObject* type, const char* tag);
void check_struct(PyObject* object, const char* tag, const Place& where);

/// The text of a str, for as long as the handle is open: afterwards its memory is out of bounds.
const char* characters(const PyObject* held, const char* text, size_t size);

/// For those who ask (ledger_functions.cpp).
struct Entry {
  uint64_t id = 0, generation = 0;
  PyObject* object = nullptr;  // the handle's reference; null: closed
  bool kept = false;           // it may outlive its call
  int64_t interpreter = 0;
  Place opened, closed;
  std::string opened_by, closed_by;  // the lines of Python, when traces are asked for
  char* text = nullptr;              // pages with the characters of a str
  size_t text_bytes = 0;
};

uint64_t begin_generation();
/// Entries that are open since a generation began, the oldest first.
std::vector<Entry> open_since(uint64_t generation);
/// The entries that were closed last, the oldest first; at most most_closed() of them.
std::vector<Entry> closed();
size_t most_closed();
void set_most_closed(size_t count);
/// How many lines of Python are noted; 0: none.
void set_trace_lines(int lines);
/// Called in place of the end of the process when a handle is used that must not be.
void set_on_invalid(PyObject* callable);
/// "opened at python/ext/….cpp:12 in f(…)", and the lines of Python.
std::string told(const Entry& entry);

}  // namespace ledger
}  // namespace hetjit::python
