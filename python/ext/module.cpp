// The module hetjit._core: multi-phase initialisation, one State per interpreter. Nothing here
// touches a driver or imports NumPy.
#include <mutex>

#include "abi/memory_limit.h"
#include "compiler/target/host_linker.h"
#include "python/ext/adapters/module_object.h"
#include "python/ext/adapters/pointer_object.h"
#include "python/ext/arrays/array_object.h"
#include "python/ext/arrays/stream_object.h"
#include "python/ext/handles/errors.h"
#include "python/ext/handles/objects.h"
#include "python/ext/handles/versions.h"
#include "python/ext/launch/bound_object.h"
#include "python/ext/launch/graph_object.h"
#include "python/ext/launch/kernel_object.h"
#include "python/ext/launch/without_gil.h"
#include "python/ext/libraries/library_entry.h"
#include "python/ext/libraries/library_memory.h"
#include "python/ext/state.h"
#include "python/ext/tools.h"
#include "python/ext/types/dtype_object.h"
#include "python/ext/types/type_object.h"
#include "runtime/interrupt.h"
#include "runtime/registry.h"

namespace hetjit::python {
namespace {

// runtime/ knows no LLVM and compiler/ no devices: the linker passes from one to the other here.
class HostCode final : public runtime::HostCode {
 public:
  explicit HostCode(std::unique_ptr<target::LinkedCode> code) : code_(std::move(code)) {}
  void* find(const std::string& symbol) override { return code_->find(symbol); }

 private:
  std::unique_ptr<target::LinkedCode> code_;
};

Result<std::unique_ptr<runtime::HostCode>> link(std::span<const std::byte> object,
                                                std::span<const HostSymbol> calls) {
  Result<std::unique_ptr<target::LinkedCode>> code = target::link_host_object(object, calls);
  if (!code) return code.error();
  return std::unique_ptr<runtime::HostCode>(std::make_unique<HostCode>(std::move(*code)));
}

State*& slot_of(Borrowed module) { return *static_cast<State**>(PyModule_GetState(module.get())); }

bool learn_python(State& state) {
  Handle types = Handle::own(PyImport_ImportModule("types"));
  if (!types) return false;
  state.function_type = find_attribute(types, "FunctionType");
  state.code_type = find_attribute(types, "CodeType");
  state.builtin_type = find_attribute(types, "BuiltinFunctionType");
  state.module_type = find_attribute(types, "ModuleType");
  state.cell_type = find_attribute(types, "CellType");
  if (state.cell_type && state.function_type)
    state.fields.find(state.cell_type, state.function_type);
  state.names.start();
  PyErr_Clear();
  return state.function_type && state.code_type && state.builtin_type && state.module_type;
}

bool add(Borrowed module, const char* name, const Handle& object) {
  return object && PyModule_AddObjectRef(module.get(), name, object.get()) == 0;
}

int execute(PyObject* module) {
  // This thread's variables get their memory here, and not where there may be none left.
  if (!within_memory([] {})) return PyErr_NoMemory(), -1;
  static std::once_flag once;
  std::call_once(once, [] {
    runtime::configure({.host_linker = link});
    runtime::interrupt_check = signals_raised;
  });
  auto* state = new State;
  slot_of(module) = state;
  state->kernel_type = make_kernel_type(module);
  state->bound_type = make_bound_type(module);
  state->dtype_type = make_dtype_type(module);
  state->array_type = make_array_type(module);
  state->type_type = make_type_type(module);
  state->stream_type = make_stream_type(module);
  state->event_type = make_event_type(module);
  state->graph_type = make_graph_type(module);
  state->memory_type = make_memory_type(module);
  state->entry_type = make_entry_type(module);
  bool done =
      add(module, "Kernel", state->kernel_type) && add(module, "Bound", state->bound_type) &&
      add(module, "DType", state->dtype_type) && add(module, "DeviceArray", state->array_type) &&
      add(module, "Type", state->type_type) && add(module, "Stream", state->stream_type) &&
      add(module, "Event", state->event_type) && add(module, "Graph", state->graph_type) &&
      add_pointer_types(module, *state) && add_module_types(module, *state) &&
      add(module, "Memory", state->memory_type) && add(module, "Entry", state->entry_type) &&
      state->classes.start() && learn_python(*state) && state->protocols.make() &&
      PyModule_AddFunctions(module, capture_functions) == 0 &&
      PyModule_AddFunctions(module, interpret_functions) == 0 &&
      PyModule_AddFunctions(module, explain_functions) == 0 &&
      PyModule_AddFunctions(module, cache_functions) == 0 &&
      PyModule_AddFunctions(module, precompile_functions) == 0 &&
      PyModule_AddFunctions(module, resource_functions) == 0 &&
      PyModule_AddFunctions(module, device_functions) == 0 &&
      PyModule_AddFunctions(module, driver_functions) == 0 &&
      PyModule_AddFunctions(module, type_functions) == 0 &&
      PyModule_AddFunctions(module, number_functions) == 0 &&
      PyModule_AddFunctions(module, launch_functions) == 0 &&
      PyModule_AddFunctions(module, library_functions) == 0 &&
      PyModule_AddFunctions(module, memory_functions) == 0 &&
      PyModule_AddFunctions(module, ledger_functions) == 0;
  return done ? 0 : -1;
}

int traverse(PyObject* module, visitproc visit, void* arg) {
  State* state = slot_of(module);
  if (!state) return 0;
  for (const Handle* owned :
       {&state->kernel_type, &state->bound_type, &state->dtype_type, &state->array_type,
        &state->type_type, &state->stream_type, &state->event_type, &state->graph_type,
        &state->pointer_type, &state->loaded_function_type, &state->memory_type, &state->entry_type,
        &state->function_type, &state->code_type, &state->builtin_type, &state->module_type,
        &state->cell_type})
    Py_VISIT(owned->get());
  if (int stop = state->ctypes.traverse(visit, arg)) return stop;
  return state->classes.traverse(visit, arg);
}

// References that can be part of a cycle; the rest goes with the module. Kernels that outlive this
// still find their state.
int clear(PyObject* module) {
  if (State* state = slot_of(module)) {
    state->argument_types.clear();
    state->elements.clear();
    state->numpy = Numpy();
    state->ctypes = Ctypes();
    (void)state->classes.start();
  }
  return 0;
}

void destroy(void* module) {
  delete std::exchange(slot_of(static_cast<PyObject*>(module)), nullptr);
}

PyModuleDef_Slot slots[] = {{Py_mod_exec, reinterpret_cast<void*>(execute)},
                            {0, nullptr},  // room for two that 3.11 does not know
                            {0, nullptr},
                            {0, nullptr}};

PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                          "hetjit._core",
                          "The compiler and its runtime, as the package hetjit uses them.",
                          sizeof(State*),
                          nullptr,
                          slots,
                          traverse,
                          clear,
                          destroy};

}  // namespace

State* state_of_module(Borrowed module) {
  State* state = slot_of(module);
  if (!state) fail(PyExc_RuntimeError, "hetjit._core is not initialised");
  return state;
}

State* state_of(PyTypeObject* type) {
  for (; type; type = static_cast<PyTypeObject*>(PyType_GetSlot(type, Py_tp_base))) {
    void* slot = PyType_GetModuleState(type);
    if (slot) return *static_cast<State**>(slot);
    PyErr_Clear();
  }
  return fail(PyExc_TypeError, "not a type of hetjit._core");
}

}  // namespace hetjit::python

PyMODINIT_FUNC PyInit__core() {
  namespace python = hetjit::python;
  if (python::knows_multiple_interpreters())
    python::slots[1] = {python::kMultipleInterpretersSlot, python::kOwnGilSupported};
  if (python::knows_gil_slot()) python::slots[2] = {python::kGilSlot, python::kGilUsed};
  return PyModuleDef_Init(&python::definition);
}
