#include "python/ext/types/elements.h"

#include <algorithm>

#include "abi/layout.h"
#include "python/ext/capture/capturer.h"
#include "python/ext/handles/objects.h"
#include "python/ext/types/same_memory.h"
#include "python/ext/types/type_object.h"

namespace hetjit::python {
namespace {

constexpr size_t kMostKnown = 256;  // programs that make a dtype per array start again

std::optional<TypeId> type_of_dtype(const State& state, Borrowed dtype, int depth);

long number_of(Borrowed object, const char* name) {
  Handle value = find_attribute(object, name);
  long found = value ? PyLong_AsLong(value.get()) : -1;
  forget();
  return found;
}

// What device.numpy_dtype left in the dtype's metadata.
std::optional<TypeId> told(const State& state, Borrowed dtype) {
  Handle metadata = find_attribute(dtype, "metadata");
  if (!metadata || metadata.get() == Py_None) return std::nullopt;
  Handle found = Handle::own(PyMapping_GetItemString(metadata.get(), "hetjit"));
  forget();
  if (!found || !is_instance(found, state.type_type)) return std::nullopt;
  TypeId type = parameter_of_type(found).type;
  if (number_of(dtype, "itemsize") != static_cast<long>(layout(type).stride())) return std::nullopt;
  return type;
}

// `('m', 'f4', (3, 2))`: a tuple of three tuples of two.
std::optional<TypeId> type_of_subarray(const State& state, Borrowed dtype, int depth) {
  Handle base = find_attribute(dtype, "base"), shape = find_attribute(dtype, "shape");
  std::optional<TypeId> made = base ? type_of_dtype(state, base, depth + 1) : std::nullopt;
  for (Py_ssize_t axis = shape ? PyTuple_Size(shape.get()) - 1 : -1; made && axis >= 0; --axis) {
    long extent = PyLong_AsLong(held_item(shape, axis).get());
    if (extent < 0 || extent > static_cast<long>(kMostParts)) return std::nullopt;
    std::vector<TypeId> items(static_cast<size_t>(extent), *made);
    if (!is_of_bounded_size(items)) return std::nullopt;
    made = tuple_type(items);
  }
  return made;
}

// Places a field that begins at `offset` behind the `end` of those before: naturally, or with the
// alignment that takes it there. False: no alignment does.
bool place(hetjit::Field& field, uint32_t offset, uint32_t end, bool packed) {
  auto lands = [&](uint32_t align) { return ((end + align - 1) & ~(align - 1)) == offset; };
  if (!packed && lands(layout(field.type).align)) return true;
  for (field.align = 1; field.align <= 4096; field.align *= 2)
    if (lands(field.align)) {
      if (packed && field.align == 1) field.align = 0;
      return true;
    }
  return false;
}

struct Columns {
  std::vector<hetjit::Field> fields;
  std::vector<uint32_t> offsets;
  uint32_t bytes = 0;
};

// The least alignment of a struct that ends at `end` and takes `bytes` bytes; 0: it needs none, or
// none does.
uint32_t tail_align(uint32_t end, uint32_t bytes) {
  for (uint32_t align = 2; end < bytes && align <= 4096; align *= 2)
    if (((end + align - 1) & ~(align - 1)) == bytes) return align;
  return 0;
}

// With natural alignments where that gives the dtype's offsets and size, else packed: NumPy aligns
// complex numbers less than we do.
std::optional<TypeId> lay_out_aligned(Columns& from, bool packed) {
  uint32_t end = 0;
  for (size_t i = 0; i < from.fields.size(); ++i) {
    from.fields[i].align = 0;
    if (!place(from.fields[i], from.offsets[i], end, packed)) return std::nullopt;
    end = from.offsets[i] + layout(from.fields[i].type).size;
  }
  TypeId made = struct_type("", from.fields, packed ? tail_align(end, from.bytes) : 0, packed);
  const Layout lies = layout(made);
  if (lies.size != from.bytes || lies.offsets != from.offsets) return std::nullopt;
  return made;
}

// Packed, with a field in each gap that has no values in it, so that nothing is written there. A
// name of its own: the fields' are those of the user.
std::optional<TypeId> lay_out_with_gaps(const Columns& from) {
  std::vector<hetjit::Field> fields;
  uint32_t end = 0;
  std::string name = "gap";
  auto taken = [&](const hetjit::Field& field) { return field.name.starts_with(name); };
  while (std::any_of(from.fields.begin(), from.fields.end(), taken)) name += '_';
  auto fill = [&](uint32_t up_to) {
    if (up_to > end && up_to - end <= kMostParts)
      fields.push_back({.name = name + std::to_string(end), .type = gap_type(up_to - end)});
    end = up_to;
  };
  for (size_t i = 0; i < from.fields.size(); ++i) {
    if (from.offsets[i] < end) return std::nullopt;
    fill(from.offsets[i]);
    fields.push_back(from.fields[i]);
    fields.back().align = 0;
    end += layout(from.fields[i].type).size;
  }
  fill(from.bytes);
  TypeId made = struct_type("", fields, 0, true);
  return layout(made).size == from.bytes ? std::optional(made) : std::nullopt;
}

std::optional<TypeId> lay_out(Columns& from) {
  for (bool packed : {false, true})
    if (std::optional<TypeId> made = lay_out_aligned(from, packed)) return made;
  return lay_out_with_gaps(from);
}

bool read_field(const State& state, Borrowed all, Borrowed name, int depth, Columns& to) {
  Handle entry = Handle::own(PyObject_GetItem(all.get(), name.get()));  // (dtype, offset[, title])
  PyObject* dtype = entry && PyTuple_Check(entry.get()) ? held_item(entry, 0).get() : nullptr;
  PyObject* offset = dtype ? held_item(entry, 1).get() : nullptr;
  if (!offset) return false;
  std::optional<TypeId> type = type_of_dtype(state, dtype, depth + 1);
  if (!type) return false;
  to.fields.push_back({.name = text_of(name), .type = *type});
  to.offsets.push_back(static_cast<uint32_t>(PyLong_AsLong(offset)));
  return true;
}

std::optional<TypeId> type_of_dtype(const State& state, Borrowed dtype, int depth) {
  if (depth > kMostDepth) return std::nullopt;
  if (std::optional<TypeId> found = told(state, dtype)) return found;
  Handle names = find_attribute(dtype, "names"), all = find_attribute(dtype, "fields");
  Handle subarray = find_attribute(dtype, "subdtype");
  if (subarray && subarray.get() != Py_None) return type_of_subarray(state, dtype, depth);
  if (!names || !all || !PyTuple_Check(names.get())) {
    std::optional<Scalar> scalar = state.numpy.scalar_of_dtype(dtype);
    return scalar ? std::optional(scalar_type(*scalar)) : std::nullopt;
  }
  Columns found;
  found.bytes = static_cast<uint32_t>(number_of(dtype, "itemsize"));
  std::vector<TypeId> types;
  for (Py_ssize_t i = 0; i < PyTuple_Size(names.get()); ++i) {
    const Borrowed name = held_item(names, i);
    if (!read_field(state, all, name, depth, found)) return std::nullopt;
    types.push_back(found.fields.back().type);
  }
  if (types.empty() || !is_of_bounded_size(types)) return std::nullopt;
  return lay_out(found);
}

bool has_classes(const State& state, TypeId type) {
  std::vector<TypeId> structs;
  add_struct_types(type, structs);
  return std::any_of(structs.begin(), structs.end(),
                     [&](TypeId one) { return !state.classes.of(one).empty(); });
}

}  // namespace

// A dtype that keeps struct classes is not kept itself: it is read anew each time.
// Another tuple each time that somebody names the fields.
bool Elements::is_named_so(const State& state, const Named& named) {
  const Handle now =
      Handle::own(PyObject_GetAttr(named.dtype.get(), state.protocols.field_names.get()));
  forget();
  return now.get() == named.names.get();
}

void Elements::add_named(const State& state, Borrowed dtype, std::vector<Named>& to) {
  Handle names = find_attribute(dtype, "names"), fields = find_attribute(dtype, "fields"),
         base = find_attribute(dtype, "base");
  if (base && base.get() != dtype.get()) add_named(state, base, to);
  if (!names || !fields || !PyTuple_Check(names.get())) return;
  for (Py_ssize_t i = 0; i < PyTuple_Size(names.get()); ++i) {
    const Handle field = Handle::own(PyObject_GetItem(fields.get(), held_item(names, i).get()));
    if (field && PyTuple_Check(field.get())) add_named(state, held_item(field, 0), to);
    forget();
  }
  to.push_back({dtype.dup(), std::move(names)});
}

const Element* Elements::find(const State& state, Borrowed dtype) {
  if (auto known = known_.find(dtype.get()); known != known_.end()) {
    if (std::ranges::all_of(known->second.named,
                            [&](const Named& one) { return is_named_so(state, one); }))
      return &known->second.element;
    known_.erase(known);
  }
  const std::optional<TypeId> type = type_of_dtype(state, dtype, 0);
  forget();
  if (!type) return nullptr;
  auto same = of_classes_.find(type->index);
  if (same != of_classes_.end()) return &same->second;
  const Layout lies = layout(*type);
  const Element element{*type, lies.stride(), lies.align};
  if (has_classes(state, *type)) return &of_classes_.emplace(type->index, element).first->second;
  if (known_.size() >= kMostKnown) known_.clear();
  Known made{dtype.dup(), element, {}};
  add_named(state, dtype, made.named);
  return &known_.emplace(dtype.get(), std::move(made)).first->second.element;
}

}  // namespace hetjit::python
