#include "python/ext/adapters/module_object.h"

#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <string>

#include "abi/layout.h"
#include "python/ext/adapters/pointer_object.h"
#include "python/ext/handles/errors.h"
#include "python/ext/handles/set_aside.h"
#include "python/ext/handles/structs.h"
#include "python/ext/launch/bound_object.h"
#include "python/ext/launch/without_gil.h"
#include "python/ext/state.h"
#include "runtime/kernel.h"

namespace hetjit::python {
namespace {

/// An image of ours is a kernel, which knows its arguments; of other code only the names are known.
struct Loaded {
  runtime::Device* device;
  runtime::Module module;
  std::shared_ptr<runtime::Kernel> kernel;
  uint32_t argument_bytes = 0;  // of the kernel: to the end of its last argument
  bool open() const { return kernel || module; }
};

struct ModuleObject {
  PyObject_HEAD std::shared_ptr<Loaded> loaded;
};

struct FunctionObject {
  PyObject_HEAD std::shared_ptr<Loaded> loaded;
  std::string name;
  runtime::Handle handle;
};

using Allocate = PyObject* (*)(PyTypeObject*, Py_ssize_t);

std::shared_ptr<Loaded>& loaded_by(PyObject* self) {
  return reinterpret_cast<ModuleObject*>(self)->loaded;
}

template <class Object>
void destroy(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  {
    const SetAside raised;
    if constexpr (std::is_same_v<Object, FunctionObject>)
      std::destroy_at(&reinterpret_cast<Object*>(self)->name);
    std::destroy_at(&loaded_by(self));
  }
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DecRef(reinterpret_cast<PyObject*>(type));
}

// ---- what is loaded

constexpr char kMagic[] = "hetjitKI";

bool is_ours(std::span<const std::byte> code) {
  return code.size() >= 8 && std::memcmp(code.data(), kMagic, 8) == 0;
}

// Code of a vendor's compiler, or of a C++ compiler for the CPU: an object whose entries are of
// type HostEntry.
KernelImage foreign_image(std::span<const std::byte> code, const runtime::Device& device) {
  KernelImage image;
  image.target = device.info().target;
  image.entry = "module";
  image.grid_dependency = true;  // whoever launches it knows
  image.code.assign(code.begin(), code.end());
  const bool elf = code.size() >= 4 && std::memcmp(code.data(), "\177ELF", 4) == 0;
  image.kind = device.info().binary;
  if (image.kind == ImageKind::Cubin && !elf) image.kind = ImageKind::Ptx;
  if (image.kind == ImageKind::Ptx && (code.empty() || code.back() != std::byte{0}))
    image.code.push_back(std::byte{0});
  return image;
}

// Where the last argument ends, which is before the block does.
uint32_t end_of_arguments(const KernelImage& image) {
  std::vector<TypeId> types;
  for (const Parameter& parameter : image.signature.parameters) types.push_back(parameter.type);
  const BlockLayout block = parameter_block(types);
  return types.empty() ? 0 : block.offsets.back() + layout(types.back()).size;
}

std::shared_ptr<runtime::Kernel> shared(std::unique_ptr<runtime::Kernel> kernel) {
  return {kernel.release(), [](runtime::Kernel* unloaded) {
            const SetAside raised;
            delete unloaded;
          }};
}

Status load(std::span<const std::byte> code, Loaded& to) {
  if (!is_ours(code)) {
    Result<runtime::Module> module =
        runtime::Module::load(*to.device, foreign_image(code, *to.device));
    if (!module) return module.error();
    to.module = std::move(*module);
    return ok();
  }
  Result<KernelImage> image = load_image(code);
  if (!image) return image.error();
  Result<std::unique_ptr<runtime::Kernel>> kernel = runtime::Kernel::load(*to.device, *image);
  if (!kernel) return kernel.error();
  to.kernel = shared(std::move(*kernel));
  to.argument_bytes = end_of_arguments(*image);
  return ok();
}

// Module(device, code)
PyObject* create(PyTypeObject* type, PyObject* arguments, PyObject*) {
  const char* where = nullptr;
  Py_buffer view{};
  if (!PyArg_ParseTuple(arguments, "sy*", &where, &view)) return nullptr;
  const HeldBuffer held(new Py_buffer(view));
  if (!view.len) return fail(PyExc_ValueError, "a module of no code: the bytes are empty");
  auto loaded = std::make_shared<Loaded>();
  loaded->device = Devices::open(where);
  if (!loaded->device) return nullptr;
  Status done;
  Py_BEGIN_ALLOW_THREADS;
  done = load({static_cast<const std::byte*>(view.buf), static_cast<size_t>(view.len)}, *loaded);
  Py_END_ALLOW_THREADS;
  if (!done.ok()) return fail(done.error());
  auto allocate = reinterpret_cast<Allocate>(PyType_GetSlot(type, Py_tp_alloc));
  PyObject* made = allocate(type, 0);
  if (made) new (&loaded_by(made)) std::shared_ptr<Loaded>(std::move(loaded));
  return made;
}

// What is loaded, or null with an exception set: it has been unloaded.
Loaded* still_loaded(PyObject* self) {
  if (loaded_by(self)->open()) return loaded_by(self).get();
  return fail(PyExc_ValueError, "the module has been unloaded");
}

PyObject* unload(PyObject* self, PyObject*) {
  Loaded* loaded = still_loaded(self);
  if (!loaded) return nullptr;
  loaded->kernel.reset();
  const Status done = loaded->module.close();
  return done.ok() ? new_none() : fail(done.error());
}

Result<runtime::Handle> find(Loaded& loaded, const char* name) {
  if (!loaded.kernel) return loaded.module.find(name);
  if (loaded.kernel->entry() == name) return runtime::Handle();
  return Error{ErrorCode::Invalid, "the image has no entry '" + std::string(name) + "'; it has '" +
                                       loaded.kernel->entry() + "'"};
}

PyObject* find_function(PyObject* self, PyObject* text) {
  State* state = state_of(Py_TYPE(self));
  Loaded* loaded = state ? still_loaded(self) : nullptr;
  const char* name = loaded ? PyUnicode_AsUTF8AndSize(text, nullptr) : nullptr;
  if (!name) return nullptr;
  Result<runtime::Handle> handle = find(*loaded, name);
  if (!handle) return fail(handle.error());
  auto* type = reinterpret_cast<PyTypeObject*>(state->loaded_function_type.get());
  auto allocate = reinterpret_cast<Allocate>(PyType_GetSlot(type, Py_tp_alloc));
  PyObject* made = allocate(type, 0);
  if (!made) return nullptr;
  auto* function = reinterpret_cast<FunctionObject*>(made);
  new (&function->loaded) std::shared_ptr<Loaded>(loaded_by(self));
  new (&function->name) std::string(name);
  function->handle = *handle;
  return made;
}

PyObject* find_variable(PyObject* self, PyObject* name) {
  Loaded* loaded = still_loaded(self);
  const char* text = loaded ? PyUnicode_AsUTF8AndSize(name, nullptr) : nullptr;
  if (!text) return nullptr;
  if (loaded->kernel) return fail(PyExc_ValueError, "a kernel of ours has no variables to name");
  Result<runtime::Address> address = loaded->device->global(loaded->module.get(), text);
  return address ? PyLong_FromUnsignedLongLong(*address) : fail(address.error());
}

// ---- launches

/// The parameter block, aligned as any kernel may ask.
struct Block {
  alignas(64) std::byte bytes[kMostArgumentBytes];
  uint32_t size = 0;
};

bool wrong_bytes(const FunctionObject& function, size_t found) {
  return fail(PyExc_ValueError,
              function.name + "() takes " + std::to_string(function.loaded->argument_bytes) +
                  " bytes of arguments, and " + std::to_string(found) + " were packed");
}

// The packed arguments of a launch, as many bytes as the kernel reads.
bool read_block(State& state, const FunctionObject& function, Borrowed given, Block& to) {
  Memory pack;
  if (!read_pack(state, given, pack)) return false;
  if (pack.bytes == Memory::kUnknown && pack.address != 0)
    return fail(PyExc_ValueError, "how many bytes of arguments lie at " + text_of(given) +
                                      " is not known: give a list, or a buffer");
  const size_t bytes = pack.address ? pack.bytes : 0;
  if (bytes > sizeof to.bytes) return wrong_bytes(function, bytes);
  std::memset(to.bytes, 0, sizeof to.bytes);
  if (bytes) std::memcpy(to.bytes, reinterpret_cast<const void*>(pack.address), bytes);
  to.size = static_cast<uint32_t>(bytes);
  const Loaded& loaded = *function.loaded;
  if (!loaded.kernel) return true;
  const uint32_t whole = loaded.kernel->parameter_bytes();
  if (bytes != loaded.argument_bytes && bytes != whole) return wrong_bytes(function, bytes);
  to.size = whole;
  return true;
}

Status launch(const FunctionObject& function, const LaunchConfig& config, const Block& block,
              std::optional<Report>& said) {
  const Loaded& loaded = *function.loaded;
  runtime::Device& device = *loaded.device;
  const runtime::Params params{block.bytes, block.size};
  const runtime::Handle stream = config.stream.handle;
  HETJIT_TRY(check_stream(config.stream, device));
  if (!loaded.kernel) {
    HETJIT_TRY(runtime::check_geometry(config.geometry, device.info()));
    return device.launch(function.handle, config.geometry, params, stream);
  }
  runtime::Kernel& kernel = *loaded.kernel;
  const bool host = device.info().kind == runtime::DeviceKind::Host;
  return host && kernel.speaks()
             ? kernel.launch_and_listen(config.geometry, params, stream, said.emplace())
             : kernel.launch(config.geometry, params, stream);
}

// launch((grid, block, stream, shared, cooperative), arguments)
PyObject* launch_function(PyObject* self, PyObject* arguments) {
  PyObject *key = nullptr, *given = nullptr;
  State* state = state_of(Py_TYPE(self));
  if (!state || !PyArg_ParseTuple(arguments, "OO", &key, &given)) return nullptr;
  auto& function = as_struct<FunctionObject>(self);
  LaunchConfig config;
  Block block;
  if (!read_config(*state, function.name, key, config) ||
      !read_block(*state, function, given, block) || !still_loaded(self))
    return nullptr;
  const std::shared_ptr<Loaded> kept = function.loaded;  // whoever unloads it meanwhile
  const std::shared_ptr<runtime::Kernel> kernel = kept->kernel;
  std::optional<Report> said;
  const bool host = kept->device->info().kind == runtime::DeviceKind::Host;
  const auto work = [&] { return launch(function, config, block, said); };
  const Status done = host ? without_gil(work) : work();
  if (!done.ok()) {
    if (done.error().code == ErrorCode::Interrupted && PyErr_Occurred()) return nullptr;
    return fail(Error{done.error().code, function.name + "(): " + done.error().text});
  }
  if (said && !said->empty() && !deliver({kernel->sites(), function.name, *said})) return nullptr;
  if (kernel && kernel->speaks() && kept->device->info().kind == runtime::DeviceKind::Gpu)
    state->speakers.launched(kernel, config.stream.handle);
  return new_none();
}

PyObject* get_name(PyObject* self, void*) {
  return PyUnicode_FromString(as_struct<FunctionObject>(self).name.c_str());
}
PyObject* get_device(PyObject* self, void*) {
  return PyUnicode_FromString(loaded_by(self)->device->name().c_str());
}
PyObject* get_argument_bytes(PyObject* self, void*) {
  const Loaded& loaded = *loaded_by(self);
  return loaded.kernel ? PyLong_FromUnsignedLong(loaded.argument_bytes) : new_none();
}

PyMethodDef module_methods[] = {
    {"unload", ended<unload>, METH_NOARGS, "Gives it back to the driver."},
    {"find", ended<find_function>, METH_O, "The function of that name."},
    {"variable", ended<find_variable>, METH_O, "The address of a global variable."},
    {nullptr, nullptr, 0, nullptr}};
PyMethodDef function_methods[] = {
    {"launch", ended<launch_function>, METH_VARARGS, "Launches it with packed arguments."},
    {nullptr, nullptr, 0, nullptr}};

PyGetSetDef module_attributes[] = {{"device", get_device, nullptr, "Name of its device.", nullptr},
                                   {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyGetSetDef function_attributes[] = {
    {"name", get_name, nullptr, "Its name in the module.", nullptr},
    {"device", get_device, nullptr, "Name of its device.", nullptr},
    {"argument_bytes", get_argument_bytes, nullptr,
     "Bytes of its packed arguments; None: its code does not tell.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyType_Slot module_slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(create)},
    {Py_tp_dealloc, reinterpret_cast<void*>(destroy<ModuleObject>)},
    {Py_tp_methods, module_methods},
    {Py_tp_getset, module_attributes},
    {Py_tp_doc, const_cast<char*>("Code that is loaded on a device, until this ends.")},
    {0, nullptr}};
PyType_Slot function_slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(destroy<FunctionObject>)},
                                {Py_tp_methods, function_methods},
                                {Py_tp_getset, function_attributes},
                                {Py_tp_doc, const_cast<char*>("A function of a Module.")},
                                {0, nullptr}};

PyType_Spec module_spec = {"hetjit._core.Module", sizeof(ModuleObject), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, module_slots};
PyType_Spec function_spec = {"hetjit._core.LoadedFunction", sizeof(FunctionObject), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                             function_slots};

}  // namespace

bool add_module_types(Borrowed module, State& state) {
  const auto add = [&](const char* name, const Handle& type) {
    return type && PyModule_AddObjectRef(module.get(), name, type.get()) == 0;
  };
  state.loaded_function_type = make_type<FunctionObject>(module, function_spec);
  return add("Module", make_type<ModuleObject>(module, module_spec)) &&
         add("LoadedFunction", state.loaded_function_type);
}

}  // namespace hetjit::python
