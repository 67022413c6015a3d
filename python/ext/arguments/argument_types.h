// How an argument of each Python type is read: a table from type to way, filled at the first
// argument of a type and asked by pointer afterwards. A type that ends leaves it, before another
// can come to lie at the same address.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "abi/dlpack.h"
#include "abi/type.h"
#include "python/ext/arguments/lenders.h"
#include "python/ext/handles/handle.h"

namespace hetjit::python {

enum class Way : uint8_t {
  Unknown,
  Unusable,         // not cached: the class may learn a protocol later
  NumpyArray,       // an ndarray or a subclass whose head may be read
  DeviceArray,      // our own
  ExchangeApi,      // DLPack's C functions, kept on the type
  Dlpack,           // __dlpack__()
  CudaInterface,    // __cuda_array_interface__
  Writable,         // device.writable(array)
  NumpyScalar,      // fixed-format number, read in place behind its head
  NumpyScalarSlow,  // the same through NumPy
  Bool,
  Int,  // int and its subclasses
  Float,
  Complex,
  None,
  Tuple,        // of anything; subclasses too
  Record,       // a vector or a struct of ours
  NumpyRecord,  // a NumPy structured scalar
  Constant,     // a function or a type: known while compiling
};

struct ArgumentType {
  PyTypeObject* type = nullptr;
  Way way = Way::Unknown;
  Scalar scalar = Scalar::Bool;            // NumpyScalar
  TypeId record;                           // Record
  const DLPackExchangeAPI* api = nullptr;  // ExchangeApi
  const Lender* lender = nullptr;          // ExchangeApi, Dlpack
  PyObject* reference = nullptr;           // weak, to the type; the table's
};

class ArgumentTypes {
 public:
  /// The entry of a type, or null. On the way of every launch.
  const ArgumentType* find(PyTypeObject* type) const {
    if (table_.empty()) return nullptr;
    for (size_t at = slot(type);; at = (at + 1) & (table_.size() - 1)) {
      if (table_[at].type == type) return &table_[at];
      if (!table_[at].type) return nullptr;
    }
  }
  void add(const ArgumentType& entry);
  /// Keeps it for as long as the entries that name it.
  const Lender* add(Lender lender);
  ArgumentTypes() = default;
  ArgumentTypes(const ArgumentTypes&) = delete;
  ~ArgumentTypes();
  void clear();

 private:
  void place(const ArgumentType& entry);
  void rebuild(size_t slots);
  void forget(PyObject* reference);
  size_t slot(PyTypeObject* type) const {
    return (reinterpret_cast<uintptr_t>(type) >> 4) * 0x9E3779B97F4A7C15ull >> 32 &
           (table_.size() - 1);
  }
  std::vector<ArgumentType> table_;  // open addressing; a power of two, at most half full
  size_t used_ = 0;
  std::shared_ptr<ArgumentTypes*> self_ = std::make_shared<ArgumentTypes*>(this);  // null: ended
  std::vector<std::unique_ptr<const Lender>> lenders_;
};

struct State;

/// Finds out how objects of this one's type are read, and remembers it. The second result is false
/// when an exception is set.
ArgumentType classify(State& state, Borrowed object);

}  // namespace hetjit::python
