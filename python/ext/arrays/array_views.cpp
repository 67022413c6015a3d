// What others see of an array: its parts, and the same memory by DLPack and the buffer protocol.
#include <algorithm>
#include <array>

#include "abi/dlpack_view.h"
#include "abi/layout.h"
#include "python/ext/arguments/read_arguments.h"
#include "python/ext/arrays/array_memory.h"
#include "python/ext/arrays/array_object.h"
#include "python/ext/arrays/devices.h"
#include "python/ext/handles/objects.h"

namespace hetjit::python {
namespace {

// Numbers for a view's axes; false with an exception set.
bool read_axes(Borrowed numbers, int64_t* to) {
  for (Py_ssize_t i = 0; i < PyTuple_Size(numbers.get()); ++i) {
    to[i] = PyLong_AsLongLong(held_item(numbers, i).get());
    if (to[i] == -1 && PyErr_Occurred()) return false;
  }
  return true;
}

// Whether the distances between a view's elements can be told at all.
bool can_be_told(const ArrayValue& view, int64_t offset) {
  constexpr int64_t kFarthest = int64_t{1} << 58;  // eight of them can be added
  bool can = -kFarthest < offset && offset < kFarthest;
  for (int axis = 0; axis < view.rank; ++axis) {
    const int64_t steps = std::max<int64_t>(view.shape[axis] - 1, 1);
    can = can && -kFarthest / steps < view.strides[axis] && view.strides[axis] < kFarthest / steps;
  }
  return can;
}

// ---- DLPack

// What a capsule's tensor needs until its deleter is called: the array, and its extents in place.
template <class Managed>
struct Tensor {
  Managed managed{};
  DlpackView view;
  Kept array;
};

// By whoever used the tensor, on any thread.
template <class Managed>
void give_back(Managed* managed) {
  const PyGILState_STATE held = PyGILState_Ensure();
  delete static_cast<Tensor<Managed>*>(managed->manager_ctx);
  PyGILState_Release(held);
}

template <class Managed>
void end_of_capsule(PyObject* capsule, const char* unused) {
  if (!PyCapsule_IsValid(capsule, unused)) return;  // a consumer has it
  auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, unused));
  managed->deleter(managed);
}

constexpr const char *kTensor = "dltensor", *kVersioned = "dltensor_versioned";

void mark(DLManagedTensor&, const DeviceArray&) {}
void mark(DLManagedTensorVersioned& managed, const DeviceArray& array) {
  managed.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  managed.flags = array.writable() ? 0 : DLPACK_FLAG_BITMASK_READ_ONLY;
}

template <class Managed>
PyObject* capsule_of(Borrowed self, const char* name, PyCapsule_Destructor end) {
  const DeviceArray& array = array_of(self);
  auto tensor = std::make_unique<Tensor<Managed>>();
  tensor->view = {array.value, without_align(array.element), array.place, array.writable()};
  Result<DLTensor> made = tensor_of(tensor->view);
  if (!made) return fail(PyExc_BufferError, made.error().text);
  share(self);
  tensor->array = self.dup();
  tensor->managed.dl_tensor = *made;
  tensor->managed.manager_ctx = tensor.get();
  tensor->managed.deleter = give_back<Managed>;
  mark(tensor->managed, array);
  PyObject* capsule = PyCapsule_New(&tensor->managed, name, end);
  if (capsule) tensor.release();
  return capsule;
}

// ---- the buffer protocol

// The struct module's letter, NumPy's for complex numbers; null: there is none.
const char* letter_of(TypeId element) {
  if (!is_scalar(element)) return nullptr;
  const ScalarInfo& row = info(type(element).scalar);
  if (row.numpy_type < 0) return nullptr;
  const auto size = static_cast<size_t>(__builtin_ctz(row.bytes()));
  constexpr std::array kSigned{"b", "h", "i", "q"}, kUnsigned{"B", "H", "I", "Q"};
  constexpr std::array kFloating{"", "e", "f", "d"};
  switch (row.category) {
    case Category::Bool:
      return "?";
    case Category::Integer:
      return (row.is_signed ? kSigned : kUnsigned)[size];
    case Category::Floating:
      return kFloating[size];
    case Category::Complex:
      break;
  }
  return row.bits == 64 ? "Zf" : "Zd";
}

bool asks(int flags, int what) { return (flags & what) == what; }

// Why a consumer cannot have the array as it asks for it; empty: it can.
std::string why_not(const DeviceArray& array, int flags) {
  const bool contiguous = is_contiguous(array.value);
  if (!is_host_memory(array.place))
    return "the host cannot read memory of " + array.device->name() +
           ": device.to_numpy(x) and x.copy_to(...) copy it";
  if (asks(flags, PyBUF_WRITABLE) && !array.writable()) return "the array may only be read";
  if (!asks(flags, PyBUF_STRIDES) && !contiguous)
    return "the elements do not lie in C order: device.array(x) makes a copy in which they do";
  if (asks(flags, PyBUF_FORMAT) && !letter_of(array.element))
    return "buffers have no format for elements of type " + to_python(array.element) +
           ": device.to_numpy(x) knows them";
  const bool in_order = contiguous && (array.value.rank < 2 || !asks(flags, PyBUF_F_CONTIGUOUS));
  const int orders = PyBUF_C_CONTIGUOUS | PyBUF_F_CONTIGUOUS | PyBUF_ANY_CONTIGUOUS;
  if ((flags & orders & ~PyBUF_STRIDES) && !in_order)
    return "the elements lie in another order than that which is asked for";
  return "";
}

struct Axes {
  Py_ssize_t shape[8], strides[8];
};

}  // namespace

PyObject* array_part(PyObject* self, PyObject* arguments) {
  long long offset = 0;
  PyObject *shape = nullptr, *strides = nullptr;
  if (!PyArg_ParseTuple(arguments, "LO!O!", &offset, &PyTuple_Type, &shape, &PyTuple_Type,
                        &strides))
    return nullptr;
  const DeviceArray& whole = array_of(self);
  DeviceArray part{.device = whole.device, .element = whole.element, .place = whole.place};
  const Py_ssize_t rank = PyTuple_Size(shape);
  if (PyTuple_Size(strides) != rank)
    return fail(PyExc_ValueError, "a shape and strides of the same number of axes are needed");
  if (read_shape(shape, static_cast<int64_t>(whole.stride()), part.value) < 0 ||
      !read_axes(strides, part.value.strides))
    return nullptr;
  if (!can_be_told(part.value, offset))
    return fail(PyExc_IndexError, "no part of the array lies there");
  Extent extent = extent_of(part.value);
  if (extent.last >= extent.first) extent = {extent.first + offset, extent.last + offset};
  if (!extent.within(extent_of(whole.value)))
    return fail(PyExc_IndexError, "no part of the array lies there");
  part.value.data =
      static_cast<std::byte*>(whole.value.data) + offset * static_cast<int64_t>(whole.stride());
  const TypeId lies = element_at(part.element, reinterpret_cast<uintptr_t>(part.value.data));
  part.word = array_word(part.value, lies, whole.writable());
  part.base = owner_of(self).dup();
  return new_array(Py_TYPE(self), std::move(part));
}

PyObject* array_lend(PyObject* self, PyObject* versioned) {
  if (PyObject_IsTrue(versioned) == 1)
    return capsule_of<DLManagedTensorVersioned>(self, kVersioned, [](PyObject* capsule) {
      end_of_capsule<DLManagedTensorVersioned>(capsule, kVersioned);
    });
  if (!array_of(self).writable())
    return fail(PyExc_BufferError, "the array may only be read, which needs DLPack 1.0 to say");
  return capsule_of<DLManagedTensor>(
      self, kTensor, [](PyObject* capsule) { end_of_capsule<DLManagedTensor>(capsule, kTensor); });
}

int array_get_buffer(PyObject* self, Py_buffer* view, int flags) {
  const DeviceArray& array = array_of(self);
  view->obj = nullptr;
  if (std::string why = why_not(array, flags); !why.empty()) {
    fail(PyExc_BufferError, why);
    return -1;
  }
  auto* axes = new Axes;
  const auto stride = static_cast<Py_ssize_t>(array.stride());
  for (int axis = 0; axis < array.value.rank; ++axis) {
    axes->shape[axis] = array.value.shape[axis];
    axes->strides[axis] = array.value.strides[axis] * stride;
  }
  *view = {
      .buf = array.value.data,
      .obj = Borrowed(self).dup().release(),
      .len = static_cast<Py_ssize_t>(array.bytes()),
      .itemsize = stride,
      .readonly = !array.writable(),
      .ndim = asks(flags, PyBUF_ND) ? array.value.rank : 1,
      .format = asks(flags, PyBUF_FORMAT) ? const_cast<char*>(letter_of(array.element)) : nullptr,
      .shape = asks(flags, PyBUF_ND) ? axes->shape : nullptr,
      .strides = asks(flags, PyBUF_STRIDES) ? axes->strides : nullptr,
      .suboffsets = nullptr,
      .internal = axes};
  return 0;
}

void array_release_buffer(PyObject*, Py_buffer* view) { delete static_cast<Axes*>(view->internal); }

}  // namespace hetjit::python
