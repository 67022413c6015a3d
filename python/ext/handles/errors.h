// Failures as Python exceptions. All of these set the exception and return null or false, so that
// a function can end with `return fail(…)`.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "abi/status.h"
#include "frontend/diag/diagnostic.h"
#include "frontend/snapshot/snapshot.h"
#include "python/ext/handles/handle.h"
#include "python/ext/handles/trace.h"

namespace hetjit::python {

/// Converts to what a failing function of this room returns: null, false, an empty Handle.
struct Raised {
  template <class T>
  operator T*() const {
    return nullptr;
  }
  operator bool() const { return false; }
  operator Handle() const { return Handle(); }
};

Raised fail(PyObject* exception, const std::string& text);

/// The machine's condition: Invalid is a ValueError, the rest device.DeviceError.
Raised fail(const Error& error);

/// The user's mistakes: device.CompileError with the rendered text. A store to a read-only array is
/// a BufferError as well.
Raised fail(const Diagnostics& diagnostics, const Program& program);

/// What failed says where that was: "ListOfInt: element 1". Of a TypeError, ValueError,
/// OverflowError or BufferError it is the beginning of the text; any other exception may be the
/// user's, and gets a note.
Raised fail_at(const std::string& place);

/// What was wrong with files of the cache on disk, each as a device.CacheWarning, once. False: a
/// filter made an exception of one.
bool warn_of_cache(const std::vector<std::string>& faults);

/// The exception that is set, with its traceback, and no longer set; empty: none is.
Handle take_exception();

/// Takes the exception that is set. One that is raised while this lives has it as its cause.
class Cause {
 public:
  Cause();
  ~Cause();
  Cause(const Cause&) = delete;
  Cause& operator=(const Cause&) = delete;

 private:
  Handle met_;
};

/// Clears an exception that means no more than "there is no such thing". What is no Exception
/// (KeyboardInterrupt, SystemExit) must not get lost: it is kept until the next fail(),
/// interrupted() or at_end(), which raise it.
void forget();
/// Keeps the exception that is set, of whatever kind, for the same.
void keep();
/// Whether something was kept; then it is raised now.
bool interrupted();
/// How many threads have kept something: looked at by each call, and zero nearly always.
extern std::atomic<uint32_t> interruptions;
PyObject* raised_at_end(PyObject* result);
/// Ends what Python called: what was kept is raised in place of the result, for it belongs to this
/// call and to no later one.
inline PyObject* at_end(PyObject* result) {
  return interruptions.load(std::memory_order_relaxed) ? raised_at_end(result) : result;
}

template <auto function>
struct EndedFunction;
template <class... Given, PyObject* (*function)(Given...)>
struct EndedFunction<function> {
  static const char* name() { return __PRETTY_FUNCTION__; }
  static PyObject* call(Given... given) {
    TracedCall traced(traced_function);
    return at_end(function(given...));
  }
  inline static Traced traced_function{name()};
};
/// The same function with at_end(), and traced: for the tables of what Python calls.
template <auto function>
inline constexpr auto ended = EndedFunction<function>::call;

/// Whether the exception that is set says that a value is not what it should be.
bool is_about_a_value();

/// An attribute of the user's object; empty where there is none. False: asking for it raised.
bool look_up(Borrowed object, const char* name, Handle& to);

/// Warnings of a program that compiles, by way of Python's `warnings`. False: an exception is set,
/// for a filter may turn one into an error.
bool warn(const Diagnostics& diagnostics, const Program& program);

/// What hetjit.errors has under a name, a class as a rule; empty when an exception is set instead.
Handle error_class(const char* name);

/// "a list", "an int", "a numpy.matrix": an object of this type, for messages.
std::string describe(Borrowed object);

/// The text of a Python str, or of what str() makes of the object; "?" when that fails.
std::string text_of(Borrowed object);

}  // namespace hetjit::python
