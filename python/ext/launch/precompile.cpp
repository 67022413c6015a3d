// Kernel.precompile: what a launch would need is compiled, and kept for it. Nothing is loaded.
#include "python/ext/handles/errors.h"
#include "python/ext/launch/asked_launch.h"
#include "python/ext/launch/compiling.h"
#include "python/ext/launch/make_image.h"
#include "python/ext/state.h"
#include "python/ext/tools.h"

namespace hetjit::python {
namespace {

constexpr uint32_t kMostArrays = 64;  // that an ArraySet tells apart; all behind are the last one

// False: an exception is set.
bool precompile(AskedLaunch& launch, MadeImage& made) {
  const ImageStore store = store_for(launch.kernel);
  const std::shared_ptr<const Program> program = launch.generation->program;
  made.module = launch.generation->module;
  auto work = [&] { return make_image(program, launch.options, store, made); };
  if (!compiling(LlvmWork::Emit, launch.options.target.kind, work)) return false;
  if (!made.image)
    return fail(with_lenders(made.diagnostics, *launch.parameters, launch.arguments), *program);
  if (made.module) launch.generation->module = made.module;
  return warn(made.diagnostics, *program) && warn_of_cache(made.cache_faults);
}

// The arguments (kernel, positional, keywords, target), compiled. False: an exception is set.
bool precompile(PyObject* module, PyObject* given, MadeImage& made) {
  PyObject *object = nullptr, *positional = nullptr, *keywords = nullptr;
  const char* target = nullptr;
  State* state = state_of_module(module);
  if (!state ||
      !PyArg_ParseTuple(given, "O!O!O!z", reinterpret_cast<PyTypeObject*>(state->kernel_type.get()),
                        &object, &PyTuple_Type, &positional, &PyDict_Type, &keywords, &target) ||
      !check_environment())
    return false;
  AskedLaunch launch(*state, data_of_kernel(object));
  bool done = false;
  const bool enough = with_memory([&] {
    done = launch.read(Given::ArgumentsOrTypes, positional, keywords, target) &&
           precompile(launch, made);
  });
  return enough && done;
}

PyObject* precompile_kernel(PyObject* module, PyObject* given) {
  MadeImage made;
  return precompile(module, given, made) ? new_none() : nullptr;
}

// In the form that it has on disk.
PyObject* image_of_kernel(PyObject* module, PyObject* given) {
  MadeImage made;
  if (!precompile(module, given, made)) return nullptr;
  KernelImage image = made.image->image;
  image.sites = made.sites;
  const std::vector<std::byte> saved = save_image(image);
  return PyBytes_FromStringAndSize(reinterpret_cast<const char*>(saved.data()),
                                   static_cast<Py_ssize_t>(saved.size()));
}

// Numbers of the arrays that it may store to (abi/array_numbers.h).
PyObject* stored_by_kernel(PyObject* module, PyObject* given) {
  MadeImage made;
  if (!precompile(module, given, made)) return nullptr;
  Handle numbers = Handle::own(PyList_New(0));
  for (uint32_t number = 0; number < kMostArrays; ++number) {
    const Handle one = Handle::own(PyLong_FromUnsignedLong(number));
    if (made.image->image.stored.has(number) && PyList_Append(numbers.get(), one.get()) < 0)
      return nullptr;
  }
  return numbers.release();
}

}  // namespace

PyMethodDef precompile_functions[] = {
    {"precompile", ended<precompile_kernel>, METH_VARARGS,
     "Compiles what a launch with these arguments, or arguments of these types, needs on a "
     "target."},
    {"stored", ended<stored_by_kernel>, METH_VARARGS, "The same, and which arrays it stores to."},
    {"image", ended<image_of_kernel>, METH_VARARGS, "The same, and the image of it as bytes."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace hetjit::python
