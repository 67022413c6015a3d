// Values with parts: tuples of anything, and values of a given type (vectors, structs, annotated
// parameters), item by item.
#include <algorithm>
#include <utility>

#include "abi/layout.h"
#include "python/ext/arguments/reader.h"
#include "python/ext/handles/errors.h"
#include "python/ext/handles/objects.h"
#include "python/ext/state.h"
#include "python/ext/types/same_memory.h"
#include "python/ext/types/type_object.h"

namespace hetjit::python {
namespace {

constexpr int kMostNested = kMostDepth / 2 - 1;  // each takes a parameter block of the stack

// The facts of an array argument that decide whether it serves where `wanted` is the type: what is
// asked for must be there.
bool serves(const Type& found, const Type& wanted) {
  return (wanted.facts.order == Order::Strided || found.facts.order == Order::Contiguous) &&
         (wanted.facts.index_bits == 64 || found.facts.index_bits == 32) &&
         (found.facts.writable || !wanted.facts.writable);
}

// `float32[:, ::1]` is a promise that elements lie in C order, to which callers are held. "": it is
// kept, or nothing is promised.
std::string misplaced(uint64_t word, TypeId promised, const std::string& name) {
  const Type& it = type(promised);
  if (it.facts.order == Order::Strided || word & Word::kContiguous) return "";
  ArrayFacts any = it.facts;
  any.order = Order::Strided;
  return "its elements do not lie one behind another in C order; annotate " + name + ": " +
         to_python(array_type(it.element, it.rank, any)) + ", or pass a copy that does";
}

}  // namespace

// A parameter block and a tuple are laid out by the same rule, so the items are read as if they
// were arguments, into a block of their own.
bool Reader::tuple(size_t index, Borrowed argument) {
  int depth = 1;
  for (const Part* part = part_; part; part = part->outer) ++depth;
  if (depth > kMostNested)
    return fail(PyExc_TypeError, name(index) + " is a tuple nested more than " +
                                     std::to_string(kMostNested) +
                                     " deep, the most of an argument");
  Arguments inner;
  std::swap(inner.loaned, to_.loaned);
  std::swap(inner.after, to_.after);
  std::swap(inner.lent, to_.lent);
  inner.array = to_.array;
  inner.device = to_.device;
  inner.stream = to_.stream;
  Reader reader(state_, parameters_, place_, inner);
  Part part{part_, {}, 0};
  reader.part_ = &part;
  std::vector<Parameter> items;
  bool done = true;
  for (Py_ssize_t i = 0; done && i < PyTuple_Size(argument.get()); ++i) {
    part.item = static_cast<size_t>(i);
    done = reader.read(index, held_item(argument, i));
    if (done) items.push_back(parameter_of_word(inner.words[index]));
  }
  std::swap(inner.loaned, to_.loaned);
  std::swap(inner.after, to_.after);
  std::swap(inner.lent, to_.lent);
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
    const ArgumentType found = way_of(argument);
    if (!found.type || !read_way(found, index, argument)) return false;
    if (!as_elements_of(index, argument, type)) return false;
    std::string lies = misplaced(to_.words[index], type, parameters_.texts[index]);
    if (lies.empty()) return true;
    if (state_.numpy.is_array(argument)) lies += ", " + parameters_.texts[index] + ".copy()";
    return wrong_kind(index, argument, type, lies);
  }
  Layout lies = layout(type);
  uint32_t offset = (to_.size + lies.align - 1) & ~(lies.align - 1);
  if (offset + lies.size > kMostBlockBytes) return too_large();
  std::memset(to_.block.data() + offset, 0, lies.size);
  to_.size = offset + lies.size;
  to_.words[index] = Word::value(type);
  return value(index, argument, type, to_.block.data() + offset);
}

// The array that was read last, as an array of the annotation's elements: the annotation asks for
// the conversion of records that are laid out as the struct is.
bool Reader::as_elements_of(size_t index, Borrowed argument, TypeId type) {
  uint64_t& word = to_.words[index];
  const TypeId as = parameter_of_word(word).type;
  const Type &is = hetjit::type(as), &wanted = hetjit::type(type);
  if (!is_array(as)) return wrong_kind(index, argument, type);
  if (is.rank == wanted.rank && without_align(is.element) == wanted.element) return true;
  const std::string differs = difference(is.element, wanted.element);
  if (is.rank != wanted.rank || !differs.empty())
    return wrong_array(index, argument, as, type, differs);
  uintptr_t address = 0;  // descriptors begin with it
  std::memcpy(&address, to_.block.data() + to_.size - descriptor_bytes(is.rank), sizeof address);
  const uint32_t align = layout(wanted.element).align;
  if (address % align)
    return wrong_kind(index, argument, type,
                      "its address is no multiple of " + std::to_string(align));
  word = Word::array(wanted.element, is.rank, word & Word::kFacts);
  return true;
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
      return argument.get() == Py_None ? true
                                       : static_cast<bool>(wrong_kind(index, argument, type));
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
    if (element && difference(element->type, type).empty() && element->bytes == layout(type).size)
      return Numpy::bytes_of(argument, to, element->bytes);
    if (element) return wrong_kind(index, argument, type, difference(element->type, type));
  }
  if (!PyTuple_Check(argument.get())) return wrong_kind(index, argument, type);
  if (cls != &PyTuple_Type) {
    std::optional<TypeId> ours = type_of_class(state_, reinterpret_cast<PyObject*>(cls));
    if (ours ? *ours != type : wanted.kind == TypeKind::Vector)
      return wrong_kind(index, argument, type);
  }
  const Layout lies = layout(type);
  const auto count = static_cast<size_t>(PyTuple_Size(argument.get()));
  if (count != lies.offsets.size()) return wrong_count(index, count, type);
  Part part{part_, {}, 0};
  part_ = &part;
  bool done = true;
  for (size_t i = 0; done && i < count; ++i) {
    TypeId item =
        wanted.kind == TypeKind::Vector ? scalar_type(wanted.scalar) : wanted.fields[i].type;
    part.item = i;
    part.field = wanted.kind == TypeKind::Struct ? wanted.fields[i].name : std::string_view();
    done = value(index, held_item(argument, i), item, to + lies.offsets[i]);
  }
  part_ = part.outer;
  return done;
}

// An array inside a struct: its type is part of the struct's, so it has to fit.
bool Reader::array_value(size_t index, Borrowed argument, TypeId type, std::byte* to) {
  const uint32_t size = to_.size;
  const uint64_t word = to_.words[index];
  const ArgumentType found = way_of(argument);
  if (!found.type || !read_way(found, index, argument)) return false;
  if (!as_elements_of(index, argument, type)) return false;
  const Type as = hetjit::type(parameter_of_word(std::exchange(to_.words[index], word)).type);
  if (!as.facts.writable && hetjit::type(type).facts.writable)
    return wrong_kind(index, argument, type, "it is read-only");
  if (!serves(as, hetjit::type(type))) return wrong_kind(index, argument, type);
  if (as.element != hetjit::type(type).element)
    return wrong_kind(index, argument, type, "its address is no multiple of the alignment");
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
