#include "python/ext/arguments/argument_types.h"

#include <algorithm>
#include <cstring>

#include "python/ext/handles/errors.h"
#include "python/ext/handles/objects.h"
#include "python/ext/launch/kernel_object.h"
#include "python/ext/state.h"
#include "python/ext/types/type_object.h"
#include "python/ext/watches/weak.h"

namespace hetjit::python {
namespace {

constexpr const char* kExchangeName = "dlpack_exchange_api";

// The newest table of DLPack's major version 1 that the type offers, or null.
const DLPackExchangeAPI* exchange_api(Borrowed type) {
  Handle capsule = find_attribute(type, "__dlpack_c_exchange_api__");
  if (!capsule || !PyCapsule_IsValid(capsule.get(), kExchangeName)) return nullptr;
  auto* header =
      static_cast<DLPackExchangeAPIHeader*>(PyCapsule_GetPointer(capsule.get(), kExchangeName));
  while (header && header->version.major != DLPACK_MAJOR_VERSION) header = header->prev_api;
  const auto* api = reinterpret_cast<const DLPackExchangeAPI*>(header);
  return api && api->managed_tensor_from_py_object_no_sync ? api : nullptr;
}

// Whether values of this scalar type lie behind the object's head, asked of the object at hand.
bool readable(Borrowed scalar, Scalar format) {
  std::byte want[16] = {};
  if (!Numpy::bytes_of(scalar, want, info(format).bytes())) {
    forget();
    return false;
  }
  const auto* head = reinterpret_cast<const ScalarHead*>(scalar.get());
  Handle size = find_attribute(reinterpret_cast<PyObject*>(Py_TYPE(scalar.get())), "__basicsize__");
  long basic = size ? PyLong_AsLong(size.get()) : 0;
  forget();
  return basic >= static_cast<long>(sizeof(PyObject) + info(format).bytes()) &&
         std::memcmp(head->value, want, info(format).bytes()) == 0;
}

// A zero cannot prove anything about where the bytes are; others can.
bool proves(Borrowed scalar) { return PyObject_IsTrue(scalar.get()) == 1; }

// Vectors and structs are tuples of their elements and fields.
void classify_tuple(const State& state, ArgumentType& found) {
  std::optional<TypeId> ours = type_of_class(state, reinterpret_cast<PyObject*>(found.type));
  found.way = ours ? Way::Record : Way::Tuple;
  if (ours) found.record = *ours;
}

bool is_constant_kind(const State& state, Borrowed object) {
  if (is_instance(object, state.kernel_type)) return is_device_function(object);
  return is_instance(object, state.function_type) || is_instance(object, state.builtin_type) ||
         is_instance(object, state.dtype_type) || PyType_Check(object.get()) ||
         state.numpy.is_dtype(object) || state.numpy.is_ufunc(object);
}

ArgumentType classify_number(const State& state, Borrowed object) {
  PyTypeObject* type = Py_TYPE(object.get());
  ArgumentType found{type, Way::Unusable};
  if (state.numpy.is_scalar(object)) {  // first: numpy.float64 is a float as well
    std::optional<Scalar> scalar = Numpy::scalar_of_type(reinterpret_cast<PyObject*>(type));
    Handle dtype = scalar ? Handle() : find_attribute(object, "dtype");
    Handle names = dtype ? find_attribute(dtype, "names") : Handle();
    if (names && names.get() != Py_None) found.way = Way::NumpyRecord;
    if (!scalar) return found;
    found.scalar = *scalar;
    found.way =
        proves(object) && readable(object, *scalar) ? Way::NumpyScalar : Way::NumpyScalarSlow;
    return found;
  }
  if (type == &PyBool_Type)
    found.way = Way::Bool;
  else if (PyLong_Check(object.get()))
    found.way = Way::Int;
  else if (PyFloat_Check(object.get()))
    found.way = Way::Float;
  else if (PyComplex_Check(object.get()))
    found.way = Way::Complex;
  else if (object.get() == Py_None)
    found.way = Way::None;
  else if (PyTuple_Check(object.get()))
    classify_tuple(state, found);
  else if (is_constant_kind(state, object))
    found.way = Way::Constant;
  return found;
}

// What its library asks. The entry is not to be kept when it would not say.
bool ask_lender(State& state, ArgumentType& found) {
  std::optional<Lender> lender = lender_of(reinterpret_cast<PyObject*>(found.type));
  if (lender) found.lender = state.argument_types.add(std::move(*lender));
  return lender.has_value();
}

// Without a type: an exception is set.
ArgumentType classify_array(State& state, Borrowed object) {
  PyTypeObject* type = Py_TYPE(object.get());
  auto* as_object = reinterpret_cast<PyObject*>(type);
  ArgumentType found{type, Way::Unusable};
  Handle method, interface;
  if (is_instance(object, state.array_type)) {
    found.way = Way::DeviceArray;
  } else if (find_attribute(as_object, "_hetjit_writable")) {
    found.way = Way::Writable;
  } else if (state.numpy.is_array(object)) {
    if (state.numpy.is_masked(object)) return found;
    found.way = state.numpy.readable_array() ? Way::NumpyArray : Way::Dlpack;
  } else if ((found.api = exchange_api(as_object))) {
    found.way = Way::ExchangeApi;
  } else if (!look_up(as_object, "__dlpack__", method)) {
    return {};
  } else if (method) {
    found.way = Way::Dlpack;
  } else if (!look_up(object, "__cuda_array_interface__", interface)) {
    return {};
  } else if (interface) {
    found.way = Way::CudaInterface;
  }
  if ((found.way == Way::ExchangeApi || found.way == Way::Dlpack) && !ask_lender(state, found))
    return {};
  return found;
}

}  // namespace

void ArgumentTypes::place(const ArgumentType& entry) {
  size_t at = slot(entry.type);
  while (table_[at].type) at = (at + 1) & (table_.size() - 1);
  table_[at] = entry;
  ++used_;
}

void ArgumentTypes::rebuild(size_t slots) {
  std::vector<ArgumentType> old(slots);
  old.swap(table_);
  used_ = 0;
  for (const ArgumentType& known : old)
    if (known.type) place(known);
}

// A reference that is in no entry is not the table's any more: others kept it.
void ArgumentTypes::forget(PyObject* reference) {
  auto found = std::find_if(table_.begin(), table_.end(), [&](const ArgumentType& entry) {
    return entry.reference == reference;
  });
  if (found == table_.end()) return;
  std::vector<std::unique_ptr<const Lender>> gone;
  for (std::unique_ptr<const Lender>& lender : lenders_)
    if (lender.get() == found->lender) gone.push_back(std::move(lender));
  *found = {};
  std::erase(lenders_, nullptr);
  rebuild(table_.size());
  Handle::own(reference);
}

void ArgumentTypes::add(const ArgumentType& entry) {
  if (find(entry.type)) return;
  Handle reference =
      watch_end(reinterpret_cast<PyObject*>(entry.type), [self = self_](PyObject* it) {
        if (*self) (*self)->forget(it);
      });
  if (!reference) return;  // it is found out anew each time
  if (2 * (used_ + 1) > table_.size()) rebuild(table_.empty() ? 32 : 2 * table_.size());
  place(entry);
  const_cast<ArgumentType*>(find(entry.type))->reference = reference.release();
}

const Lender* ArgumentTypes::add(Lender lender) {
  lenders_.push_back(std::make_unique<const Lender>(std::move(lender)));
  return lenders_.back().get();
}

ArgumentTypes::~ArgumentTypes() {
  clear();
  *self_ = nullptr;
}

void ArgumentTypes::clear() {
  std::vector<ArgumentType> old;
  old.swap(table_);
  used_ = 0;
  for (ArgumentType& entry : old) Handle::own(entry.reference);
  lenders_.clear();
}

ArgumentType classify(State& state, Borrowed object) {
  if (!state.numpy.look()) return {};
  ArgumentType found = classify_number(state, object);
  if (found.way == Way::Unusable) found = classify_array(state, object);
  if (interrupted() || !found.type) return {};
  // A scalar that could not prove its place yet is asked again.
  bool settled = found.way != Way::NumpyScalarSlow || proves(object);
  if (found.way != Way::Unusable && settled) state.argument_types.add(found);
  return found;
}

}  // namespace hetjit::python
