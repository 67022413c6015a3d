// Memory of our own arrays, for hetjit/device/memory.py.
#include "python/ext/handles/errors.h"
#include "python/ext/state.h"
#include "python/ext/tools.h"

namespace hetjit::python {
namespace {

// The pool of a device by its name. Null: an exception is set.
std::shared_ptr<Pool> pool_of(Borrowed module, Borrowed name) {
  State* state = state_of_module(module);
  runtime::Device* device = state ? Devices::named(name) : nullptr;
  if (!device) return nullptr;
  state->loans.collect();
  return state->allocations.of(*device);
}

PyObject* memory_info(PyObject* module, PyObject* name) {
  const std::shared_ptr<Pool> pool = pool_of(module, name);
  if (!pool) return nullptr;
  Result<runtime::MemoryInfo> memory = Devices::named(name)->memory();
  if (!memory) return fail(memory.error());
  const MemoryUse& use = pool->use();
  return Py_BuildValue("{s:K,s:K,s:K,s:K,s:K,s:K}", "arrays", use.arrays, "held", use.held, "most",
                       use.most, "kept", use.kept, "free", memory->free, "total", memory->total);
}

PyObject* memory_trim(PyObject* module, PyObject* arguments) {
  PyObject* name = nullptr;
  unsigned long long most = 0;
  if (!PyArg_ParseTuple(arguments, "OK", &name, &most)) return nullptr;
  const std::shared_ptr<Pool> pool = pool_of(module, name);
  if (!pool) return nullptr;
  const Status done = pool->trim(most);
  return done.ok() ? new_none() : fail(done.error());
}

PyObject* memory_use(PyObject* module, PyObject* arguments) {
  PyObject *name = nullptr, *allocate = nullptr, *release = nullptr;
  if (!PyArg_ParseTuple(arguments, "OOO", &name, &allocate, &release)) return nullptr;
  const std::shared_ptr<Pool> pool = pool_of(module, name);
  if (!pool) return nullptr;
  const auto given = [](PyObject* object) {
    return object == Py_None ? Handle() : Handle::share(object);
  };
  pool->ask(given(allocate), given(release));
  return new_none();
}

}  // namespace

PyMethodDef memory_functions[] = {
    {"memory_info", memory_info, METH_O, "(device): what arrays hold, and what is kept and free."},
    {"memory_trim", memory_trim, METH_VARARGS, "(device, bytes): keeps no more than that."},
    {"memory_use", memory_use, METH_VARARGS, "(device, allocate, release): who is asked; None."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace hetjit::python
