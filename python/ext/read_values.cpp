// Values with parts: tuples of anything, and values of a given type (vectors, structs, annotated
// parameters), item by item.
#include <algorithm>

#include "abi/layout.h"
#include "python/ext/capturer.h"
#include "python/ext/reader.h"
#include "python/ext/type_object.h"

namespace hetjit::python {
namespace {

// The facts of an array argument that decide whether it serves where `wanted` is the type: what is
// asked for must be there.
bool serves(const Type& found, const Type& wanted) {
  return found.element == wanted.element && found.rank == wanted.rank &&
         (wanted.facts.order == Order::Strided || found.facts.order == Order::Contiguous) &&
         (wanted.facts.index_bits == 64 || found.facts.index_bits == 32) &&
         (found.facts.writable || !wanted.facts.writable);
}

}  // namespace

// A parameter block and a tuple are laid out by the same rule, so the items are read as if they
// were arguments, into a block of their own.
bool Reader::tuple(size_t index, Borrowed argument) {
  int depth = 1;
  for (const Part* part = part_; part; part = part->outer) ++depth;
  if (depth >= kMostDepth / 2)
    return fail(PyExc_TypeError, name(index) + " is a tuple that nests too deeply");
  Arguments inner;
  std::swap(inner.loans, to_.loans);
  inner.array = to_.array;
  inner.device = to_.device;
  inner.stream = to_.stream;
  Reader reader(state_, parameters_, anywhere_, inner);
  Part part{part_, {}, 0};
  reader.part_ = &part;
  std::vector<Parameter> items;
  bool done = true;
  for (Py_ssize_t i = 0; done && i < PyTuple_Size(argument); ++i) {
    part.item = static_cast<size_t>(i);
    done = reader.read(index, PyTuple_GetItem(argument, i));
    if (done) items.push_back(parameter_of_word(inner.words[index]));
  }
  std::swap(inner.loans, to_.loans);
  to_.array = inner.array;
  to_.device = inner.device;
  to_.stream = inner.stream;
  if (!done) return false;
  Parameter whole = parameter_of_items(items);
  Layout lies = layout(whole.type);
  if (inner.size < lies.size)
    std::memset(inner.block.data() + inner.size, 0, lies.size - inner.size);
  uint64_t word = whole.weak ? Word::weak(whole.type) : Word::value(whole.type);
  return put(index, word, inner.block.data(), lies.size, lies.align);
}

bool Reader::fixed(size_t index, Borrowed argument, TypeId type) {
  if (is_array(type)) {  // its own facts say more than the annotation's
    const ArgumentType found = classify(state_, argument);
    if (!found.type || !read_way(found, index, argument)) return false;
    const TypeId as = parameter_of_word(to_.words[index]).type;
    const Type &is = hetjit::type(as), &wanted = hetjit::type(type);
    if (is_array(as) && is.element == wanted.element && is.rank == wanted.rank) return true;
    return wrong_kind(index, argument, type);
  }
  Layout lies = layout(type);
  uint32_t offset = (to_.size + lies.align - 1) & ~(lies.align - 1);
  if (offset + lies.size > kMostBlockBytes) return too_large();
  std::memset(to_.block.data() + offset, 0, lies.size);
  to_.size = offset + lies.size;
  to_.words[index] = Word::value(type);
  return value(index, argument, type, to_.block.data() + offset);
}

bool Reader::value(size_t index, Borrowed argument, TypeId type, std::byte* to) {
  if (is_atomic(type)) return true;  // never read: the compiler refuses what has one inside
  const Type& wanted = hetjit::type(type);
  switch (wanted.kind) {
    case TypeKind::Scalar:
      return number(index, argument, wanted.scalar, to);
    case TypeKind::Vector:
    case TypeKind::Tuple:
    case TypeKind::Struct:
      return items(index, argument, type, to);
    case TypeKind::Array:
      return array_value(index, argument, type, to);
    case TypeKind::Aligned:
      return value(index, argument, wanted.element, to);
    case TypeKind::None:
      return argument == Py_None ? true : static_cast<bool>(wrong_kind(index, argument, type));
    case TypeKind::Pointer:
      break;
  }
  return wrong_kind(index, argument, type);
}

// A value of that class, or a plain tuple with the same items; a NumPy record with the same bytes.
bool Reader::items(size_t index, Borrowed argument, TypeId type, std::byte* to) {
  const Type& wanted = hetjit::type(type);
  PyTypeObject* cls = Py_TYPE(argument.get());
  if (state_.numpy.is_scalar(argument)) {
    Handle dtype = find_attribute(argument, "dtype");
    const Element* element = dtype ? state_.elements.find(state_, dtype) : nullptr;
    if (element && element->type == type) return Numpy::bytes_of(argument, to, layout(type).size);
  }
  if (!PyTuple_Check(argument.get())) return wrong_kind(index, argument, type);
  if (cls != &PyTuple_Type) {
    std::optional<TypeId> ours = type_of_class(state_, reinterpret_cast<PyObject*>(cls));
    if (ours ? *ours != type : wanted.kind == TypeKind::Vector)
      return wrong_kind(index, argument, type);
  }
  const Layout lies = layout(type);
  const auto count = static_cast<size_t>(PyTuple_Size(argument));
  if (count != lies.offsets.size()) return wrong_count(index, count, type);
  Part part{part_, {}, 0};
  part_ = &part;
  bool done = true;
  for (size_t i = 0; done && i < count; ++i) {
    TypeId item =
        wanted.kind == TypeKind::Vector ? scalar_type(wanted.scalar) : wanted.fields[i].type;
    part.item = i;
    part.field = wanted.kind == TypeKind::Struct ? wanted.fields[i].name : std::string_view();
    done = value(index, PyTuple_GetItem(argument, static_cast<Py_ssize_t>(i)), item,
                 to + lies.offsets[i]);
  }
  part_ = part.outer;
  return done;
}

// An array inside a struct: its type is part of the struct's, so it has to fit.
bool Reader::array_value(size_t index, Borrowed argument, TypeId type, std::byte* to) {
  const uint32_t size = to_.size;
  const uint64_t word = to_.words[index];
  const ArgumentType found = classify(state_, argument);
  if (!found.type || !read_way(found, index, argument)) return false;
  const uint64_t read = to_.words[index];
  const TypeId as = (read & 3) == Word::Array ? parameter_of_word(read).type : none_type();
  to_.words[index] = word;
  if (!is_array(as) || !serves(hetjit::type(as), hetjit::type(type)))
    return wrong_kind(index, argument, type);
  const uint32_t bytes = layout(type).size;  // the descriptor was written behind all else
  std::memcpy(to, to_.block.data() + to_.size - bytes, bytes);
  to_.size = size;
  return true;
}

// A structured scalar: its bytes are laid out as its dtype says.
bool Reader::numpy_record(size_t index, Borrowed argument) {
  Handle dtype = find_attribute(argument, "dtype");
  const Element* found = dtype ? state_.elements.find(state_, dtype) : nullptr;
  if (!found) return bad_record(index, argument);
  const TypeId type = found->type;
  const Layout lies = layout(without_align(type));
  std::byte bytes[kMostBlockBytes];
  if (found->bytes > kMostBlockBytes) return too_large();
  if (!Numpy::bytes_of(argument, bytes, found->bytes)) return false;
  return put(index, Word::value(without_align(type)), bytes, lies.size, lies.align);
}

}  // namespace hetjit::python
