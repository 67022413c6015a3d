// What hetjit/debug.py asks of the ledger.
#include <map>

#include "python/ext/handles/handle.h"
#include "python/ext/handles/trace.h"

namespace hetjit::python {
namespace {

PyObject* is_noted(PyObject*, PyObject*) { return PyBool_FromLong(ledger::is_kept); }

PyObject* new_generation(PyObject*, PyObject*) {
  return PyLong_FromUnsignedLongLong(ledger::begin_generation());
}

// (id, object, whether it may outlive its call, what is told of it); None is the object of a closed
// one.
PyObject* tuple_of(const ledger::Entry& entry) {
  return Py_BuildValue("KONs", static_cast<unsigned long long>(entry.id),
                       entry.object ? entry.object : Py_None, PyBool_FromLong(entry.kept),
                       ledger::told(entry).c_str());
}

PyObject* list_of(const std::vector<ledger::Entry>& entries) {
  Handle made = Handle::own(PyList_New(0));
  for (const ledger::Entry& entry : entries) {
    Handle item = Handle::own(tuple_of(entry));
    if (!item || PyList_Append(made.get(), item.get()) < 0) return nullptr;
  }
  return made.release();
}

PyObject* open_handles(PyObject*, PyObject* generation) {
  const unsigned long long since = PyLong_AsUnsignedLongLong(generation);
  return PyErr_Occurred() ? nullptr : list_of(ledger::open_since(since));
}

PyObject* closed_handles(PyObject*, PyObject*) { return list_of(ledger::closed()); }

PyObject* most_closed(PyObject*, PyObject*) { return PyLong_FromSize_t(ledger::most_closed()); }

PyObject* set_most_closed(PyObject*, PyObject* count) {
  const size_t most = PyLong_AsSize_t(count);
  if (PyErr_Occurred()) return nullptr;
  ledger::set_most_closed(most);
  return new_none();
}

PyObject* set_trace_lines(PyObject*, PyObject* count) {
  const long lines = PyLong_AsLong(count);
  if (PyErr_Occurred()) return nullptr;
  if (lines < 0 || lines > 1000) {
    PyErr_Format(PyExc_ValueError, "a number of lines from 0 to 1000, not %ld", lines);
    return nullptr;
  }
  ledger::set_trace_lines(static_cast<int>(lines));
  return new_none();
}

PyObject* set_on_invalid(PyObject*, PyObject* callable) {
  if (callable != Py_None && !PyCallable_Check(callable)) {
    PyErr_SetString(PyExc_TypeError, "what is called must be callable, or None");
    return nullptr;
  }
  ledger::set_on_invalid(callable == Py_None ? nullptr : callable);
  return new_none();
}

PyObject* traced_calls(PyObject*, PyObject*) {
  std::map<std::string, std::pair<unsigned long long, double>> found;  // names are not unique
  for (const Traced* each = Traced::first(); each; each = each->next) {
    found[each->name].first += each->calls;
    found[each->name].second += static_cast<double>(each->nanoseconds) * 1e-9;
  }
  Handle made = Handle::own(PyDict_New());
  for (const auto& [name, counted] : found) {
    if (counted.first == 0) continue;
    Handle item = Handle::own(Py_BuildValue("Kd", counted.first, counted.second));
    if (!made || !item || PyDict_SetItemString(made.get(), name.c_str(), item.get()) < 0)
      return nullptr;
  }
  return made.release();
}

}  // namespace

PyMethodDef ledger_functions[] = {
    {"handles_noted", is_noted, METH_NOARGS, "Whether HETJIT_DEBUG has `handles`."},
    {"new_generation", new_generation, METH_NOARGS, "Begins one; its number."},
    {"open_handles", open_handles, METH_O,
     "Those opened since a generation began: (id, object, kept, what is told of it) of each."},
    {"closed_handles", closed_handles, METH_NOARGS, "Those closed last, in the same form."},
    {"most_closed_handles", most_closed, METH_NOARGS, "How many closed ones are remembered."},
    {"set_most_closed_handles", set_most_closed, METH_O, "How many are to be remembered."},
    {"set_trace_lines", set_trace_lines, METH_O, "Lines of Python noted of each handle."},
    {"set_on_invalid_handle", set_on_invalid, METH_O,
     "What is called in place of the end of the process; None: nothing."},
    {"traced_calls", traced_calls, METH_NOARGS,
     "With HETJIT_DEBUG=trace: (calls, seconds) of each function called from Python."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace hetjit::python
