#include "python/ext/handles/ledger.h"

#include <sys/mman.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

#include "python/ext/handles/debug_words.h"

namespace hetjit::python::ledger {
namespace {

struct Book {
  std::mutex mutex;
  std::map<uint64_t, Entry> open;
  std::deque<Entry> closed;
  uint64_t last_id = 0, generation = 0;
  size_t most_closed = 1024;
  int trace_lines = 0;
  PyObject* on_invalid = nullptr;            // one for the process, as the book is
  std::map<PyObject*, const char*> structs;  // of types; those of interpreters that ended stay
};

// Never destroyed: handles of static objects end after it would be.
Book& book() {
  static Book* const made = new Book;
  return *made;
}

uint64_t id_of(const PyObject* held) { return reinterpret_cast<uintptr_t>(held) >> 1; }

int64_t interpreter() { return PyInterpreterState_GetID(PyInterpreterState_Get()); }

// An exception that is set stays set: this runs between any two lines.
std::string python_lines(int count) {
  if (count == 0) return "";
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  std::string made;
  PyObject* module = PyImport_ImportModule("traceback");
  PyObject* lines =
      module ? PyObject_CallMethod(module, "format_stack", "Oi", Py_None, count) : nullptr;
  for (Py_ssize_t i = 0; lines && i < PyList_Size(lines); ++i)
    if (const char* line = PyUnicode_AsUTF8AndSize(PyList_GetItem(lines, i), nullptr)) made += line;
  Py_DecRef(lines);
  Py_DecRef(module);
  PyErr_Restore(type, value, trace);
  return made;
}

int trace_lines() {
  std::lock_guard lock(book().mutex);
  return book().trace_lines;
}

std::string text_of(const Place& place) {
  return std::string(place.file_name()) + ":" + std::to_string(place.line()) + " in " +
         place.function_name();
}

void give_back_text(Entry& entry) {
  if (entry.text) munmap(std::exchange(entry.text, nullptr), entry.text_bytes);
}

// The oldest closed entries go when there are too many. The book is locked.
void forget_oldest(Book& in) {
  while (in.closed.size() > in.most_closed) {
    give_back_text(in.closed.front());
    in.closed.pop_front();
  }
}

// A copy of the entry, open or closed; one without an id when it was closed too long ago.
Entry find(uint64_t id) {
  std::lock_guard lock(book().mutex);
  if (auto found = book().open.find(id); found != book().open.end()) return found->second;
  for (const Entry& entry : book().closed)
    if (entry.id == id) return entry;
  return {};
}

// A mistake of ours: to the one who asked to hear of it, else it is the end.
void tell(const char* what, const std::string& how, const Place& where) {
  PyObject* callable = book().on_invalid;
  if (!callable) {
    const std::string lines = python_lines(trace_lines());
    std::fprintf(stderr, "%s\n  at %s\n%s%s", what, text_of(where).c_str(), lines.c_str(),
                 how.c_str());
    std::fflush(stderr);
    Py_FatalError(what);
  }
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  Py_DecRef(PyObject_CallNoArgs(callable));
  if (PyErr_Occurred()) PyErr_WriteUnraisable(callable);
  PyErr_Restore(type, value, trace);
}

// Takes the reference out of an open entry; null when it is closed already.
PyObject* take(uint64_t id, const Place& where, std::string lines) {
  Book& in = book();
  std::lock_guard lock(in.mutex);
  auto found = in.open.find(id);
  if (found == in.open.end()) return nullptr;
  Entry entry = std::move(found->second);
  in.open.erase(found);
  PyObject* object = std::exchange(entry.object, nullptr);
  entry.closed = where;
  entry.closed_by = std::move(lines);
  if (entry.text) mprotect(entry.text, entry.text_bytes, PROT_NONE);
  in.closed.push_back(std::move(entry));
  forget_oldest(in);
  return object;
}

}  // namespace

const bool is_kept = debug_asks_for("handles");

PyObject* open(PyObject* object, const Place& where) {
  Entry entry;
  entry.object = object;
  entry.interpreter = interpreter();
  entry.opened = where;
  if (const int lines = trace_lines()) entry.opened_by = python_lines(lines);
  std::lock_guard lock(book().mutex);
  entry.id = ++book().last_id;
  entry.generation = book().generation;
  const uintptr_t held = entry.id << 1 | 1;
  book().open.emplace(entry.id, std::move(entry));
  return reinterpret_cast<PyObject*>(held);
}

PyObject* object_of(const PyObject* held, const Place& where) {
  {
    std::lock_guard lock(book().mutex);
    if (auto found = book().open.find(id_of(held)); found != book().open.end())
      return found->second.object;
  }
  tell("Invalid usage of already closed handle", told(find(id_of(held))), where);
  return Py_None;
}

bool is_open(const PyObject* held) {
  std::lock_guard lock(book().mutex);
  return book().open.contains(id_of(held));
}

PyObject* close(const PyObject* held, const Place& where) {
  check_interpreter(held, where);
  PyObject* object = take(id_of(held), where, python_lines(trace_lines()));
  if (!object) tell("Closing of already closed handle", told(find(id_of(held))), where);
  return object;
}

PyObject* end(const PyObject* held) { return take(id_of(held), Place(), ""); }

void keep(const PyObject* held) {
  std::lock_guard lock(book().mutex);
  if (auto found = book().open.find(id_of(held)); found != book().open.end())
    found->second.kept = true;
}

void check_interpreter(const PyObject* held, const Place& where) {
  const Entry entry = find(id_of(held));
  if (entry.object && entry.interpreter != interpreter())
    tell("Usage of a handle of another interpreter", told(entry), where);
}

void misused(const char* what, const char* how, const Place& where) {
  if (is_kept) tell(what, "  " + std::string(how) + "\n", where);
}

void add_struct(PyObject* type, const char* tag) {
  std::lock_guard lock(book().mutex);
  book().structs[type] = tag;
}

void check_struct(PyObject* object, const char* tag, const Place& where) {
  PyTypeObject* type = Py_TYPE(object);
  for (; type; type = static_cast<PyTypeObject*>(PyType_GetSlot(type, Py_tp_base))) {
    std::lock_guard lock(book().mutex);
    auto found = book().structs.find(reinterpret_cast<PyObject*>(type));
    if (found != book().structs.end() && found->second == tag) return;
  }
  tell("Invalid usage of as_struct", "  the object is of another type\n", where);
}

const char* characters(const PyObject* held, const char* text, size_t size) {
  std::lock_guard lock(book().mutex);
  auto found = book().open.find(id_of(held));
  if (found == book().open.end()) return text;
  Entry& entry = found->second;
  if (entry.text) return entry.text;
  void* pages = mmap(nullptr, size + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return text;
  entry.text = static_cast<char*>(pages);
  entry.text_bytes = size + 1;
  return static_cast<char*>(std::memcpy(entry.text, text, size));
}

uint64_t begin_generation() {
  std::lock_guard lock(book().mutex);
  return ++book().generation;
}

std::vector<Entry> open_since(uint64_t generation) {
  std::lock_guard lock(book().mutex);
  std::vector<Entry> found;
  for (const auto& [id, entry] : book().open)
    if (entry.generation >= generation) found.push_back(entry);
  return found;
}

std::vector<Entry> closed() {
  std::lock_guard lock(book().mutex);
  return {book().closed.begin(), book().closed.end()};
}

size_t most_closed() {
  std::lock_guard lock(book().mutex);
  return book().most_closed;
}

void set_most_closed(size_t count) {
  std::lock_guard lock(book().mutex);
  book().most_closed = count;
  forget_oldest(book());
}

void set_trace_lines(int lines) {
  std::lock_guard lock(book().mutex);
  book().trace_lines = lines;
}

void set_on_invalid(PyObject* callable) {
  Py_IncRef(callable);
  Py_DecRef(std::exchange(book().on_invalid, callable));
}

std::string told(const Entry& entry) {
  if (entry.id == 0) return "  closed long ago\n";
  std::string text = "  opened at " + text_of(entry.opened) + "\n" + entry.opened_by;
  if (entry.object || entry.closed.line() == 0) return text;
  return text + "  closed at " + text_of(entry.closed) + "\n" + entry.closed_by;
}

}  // namespace hetjit::python::ledger
