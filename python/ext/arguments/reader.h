// Reading of one launch's arguments in progress. Private to read_*.cpp.
#pragma once

#include <cstring>
#include <span>

#include "abi/dlpack_view.h"
#include "abi/param_buffer.h"
#include "python/ext/arguments/read_arguments.h"
#include "python/ext/handles/errors.h"
#include "python/ext/state.h"
#include "python/ext/types/numpy.h"

namespace hetjit::python {

/// The number of that kind, as NumPy has letters for them (b, i, u, f, c), and width.
std::optional<Scalar> scalar_of_kind(char kind, int bits);

class Reader {
 public:
  Reader(State& state, const Parameters& parameters, const LaunchPlace& place, Arguments& to)
      : state_(state), parameters_(parameters), place_(place), to_(to) {}

  bool read(size_t index, Borrowed argument);
  bool only_read(size_t index, Borrowed argument);  // after read
  /// An argument that is nested lists of that shape: its elements, one behind the other.
  struct ListElement {
    TypeId type;
    uint32_t bytes;  // from one to the next
  };
  bool lists(Borrowed argument, std::span<const int64_t> shape, const ListElement& element,
             std::byte*& to);

 private:
  // read_arguments.cpp
  ArgumentType way_of(Borrowed argument);  // without a type: an exception is set
  bool read_way(const ArgumentType& type, size_t index, Borrowed argument);
  bool numpy_array(size_t index, Borrowed argument);
  bool compact_array(size_t index, const ArrayHead& head, NumberFormat format);
  bool spread_array(size_t index, Borrowed argument, NumberFormat format);
  bool record_array(size_t index, Borrowed argument);
  bool device_array(size_t index, Borrowed argument);
  bool weak_int(size_t index, Borrowed argument);
  bool weak_float(size_t index, Borrowed argument);
  bool weak_complex(size_t index, Borrowed argument);
  bool numpy_scalar(const ArgumentType& type, size_t index, Borrowed argument);
  bool none(size_t index);
  bool constant(size_t index, Borrowed argument);
  bool annotated(size_t index, Borrowed argument, const Annotation& annotation);
  bool put(size_t index, uint64_t word, const void* bytes, uint32_t size, uint32_t align);
  bool put_array(size_t index, const ArrayValue& value, uint64_t word);
  /// A number, at a multiple of its size.
  template <class Number>
  bool put(size_t index, uint64_t word, Number number);
  bool place(size_t index, DLDevice device) {
    const bool same = to_.array >= 0 && device.device_type == to_.device.device_type &&
                      device.device_id == to_.device.device_id;
    return same || place_anew(index, device);
  }
  bool place_anew(size_t index, DLDevice device);
  bool mixed(size_t index, DLDevice device);

  // read_fixed.cpp: a number in a given format, to its bytes
  bool number(size_t index, Borrowed argument, Scalar scalar, std::byte* to);
  bool integer(size_t index, Borrowed argument, Scalar scalar, std::byte* to);
  bool floating(size_t index, Borrowed argument, Scalar scalar, std::byte* to);
  bool complex(size_t index, Borrowed argument, Scalar scalar, std::byte* to);
  /// Of a scalar of NumPy's; nullopt: it is none, or none of a number.
  std::optional<Category> category_of_numpys(Borrowed argument);

  // read_values.cpp: values with parts, and values of a given type
  bool tuple(size_t index, Borrowed argument);
  bool fixed(size_t index, Borrowed argument, TypeId type);
  bool numpy_record(size_t index, Borrowed argument);
  bool value(size_t index, Borrowed argument, TypeId type, std::byte* to);
  bool items(size_t index, Borrowed argument, TypeId type, std::byte* to);
  bool as_elements_of(size_t index, Borrowed argument, TypeId type);
  bool array_value(size_t index, Borrowed argument, TypeId type, std::byte* to);

  // read_lists.cpp
  bool list(Borrowed argument, std::span<const int64_t> shape, const ListElement& element,
            std::byte*& to);

  // read_buffer.cpp; no answer: the array has to be read in another way
  std::optional<bool> buffer(const Lender& lender, size_t index, Borrowed argument);

  // read_array.cpp: arrays of other libraries
  bool exchange(const ArgumentType& type, size_t index, Borrowed argument);
  bool dlpack(const ArgumentType& type, size_t index, Borrowed argument);
  bool dlpack_capsule(const Lender& lender, size_t index, Borrowed argument, Borrowed capsule);
  bool writable_array(size_t index, Borrowed argument);
  bool as_stored(const Lender& lender, size_t index, Borrowed argument, TypeId element);
  void borrow(Borrowed owner, uint64_t bytes);
  bool lend(const Lender& lender, size_t index, Borrowed argument, Result<DlpackView> view);
  struct Extents {
    int64_t shape[8], strides[8];
    bool writable = true;
  };
  /// The entries of a CUDA Array Interface; empty: there is none, or it is None.
  struct Interface {
    Handle shape, typestr, data, strides, version, mask, stream;
  };
  static Interface entries_of(Borrowed dict);
  bool cuda_tensor(size_t index, const Interface& from, Extents& extents, DLTensor& to);
  bool cuda_interface(size_t index, Borrowed argument);
  bool known_version(size_t index, const Handle& version);
  bool tensor(size_t index, const Result<DlpackView>& view);
  bool follow(void* producer);
  Handle stream_for(DLDevice device);
  /// `argument.__dlpack__(stream=, max_version=)`, or the older form. Empty: an exception is set.
  Handle capsule_of(Borrowed argument, Borrowed stream);
  bool not_an_int(size_t index, const char* entry, Borrowed found);
  bool wait_for(size_t index, Borrowed stream);
  bool wait_on(runtime::Handle stream);
  bool find_device(Borrowed argument, DLTensor& tensor);

  // read_errors.cpp
  Raised not_lent(size_t index, Borrowed argument);
  Raised unusable(size_t index, Borrowed argument);
  Raised bad_dtype(size_t index, Borrowed argument);
  Raised bad_layout(size_t index, Borrowed argument);
  Raised does_not_fit(size_t index, Borrowed argument, Scalar scalar);
  Raised wrong_kind(size_t index, Borrowed argument, TypeId type, const std::string& why = {});
  Raised wrong_array(size_t index, Borrowed argument, TypeId found, TypeId type,
                     const std::string& elements_differ);
  Raised bad_record(size_t index, Borrowed argument);
  Raised wrong_count(size_t index, size_t found, TypeId type);
  Raised too_large();
  std::string name(size_t index) const;  // "saxpy(): argument 'x'", "saxpy(): argument 'p'.y[2]"

  // The way from an argument to the part of it that is being read.
  struct Part {
    const Part* outer = nullptr;
    std::string_view field;  // empty: an item
    size_t item = 0;
  };

  State& state_;
  const Parameters& parameters_;
  const LaunchPlace place_;
  Arguments& to_;
  const Part* part_ = nullptr;
  bool writable_ = false;  // the user says so of the array that is being read
};

}  // namespace hetjit::python
