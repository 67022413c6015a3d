// Prints and parses types: our own text form and Python's spelling.
#include <bit>

#include "abi/text_reader.h"
#include "abi/type_names.h"

namespace hetjit {
namespace {

std::string align_text(uint32_t align) { return align ? " align " + std::to_string(align) : ""; }

std::string array_text(const Type& array) {
  std::string text = "array[" + to_text(array.element) + ", " + std::to_string(array.rank);
  if (array.facts.order == Order::Contiguous) text += ", contiguous";
  if (array.facts.index_bits == 32) text += ", index32";
  if (!array.facts.writable) text += ", readonly";
  return text + "]";
}

std::string tuple_text(const Type& tuple) {
  std::string text = "(";
  for (size_t i = 0; i < tuple.fields.size(); ++i)
    text += std::string(i ? ", " : "") + (tuple.fields[i].weak ? "weak " : "") +
            to_text(tuple.fields[i].type) + align_text(tuple.fields[i].align);
  return text + (tuple.fields.size() == 1 ? ",)" : ")");
}

std::string struct_text(const Type& type) {
  std::string text = "struct " + print_name(type.name) + (type.packed ? " packed" : "") +
                     align_text(type.align) + " {";
  for (size_t i = 0; i < type.fields.size(); ++i) {
    const Field& field = type.fields[i];
    text += (i ? ", " : "") + print_name(field.name) + (field.weak ? ": weak " : ": ") +
            to_text(field.type) + align_text(field.align);
  }
  return text + "}";
}

// `[:, ::1]`: an axis that is contiguous is the last one, and only of a C-ordered array.
std::string python_axes(const Type& array) {
  if (array.rank == 0) return "[()]";
  std::string text = "[";
  for (uint8_t axis = 1; axis < array.rank; ++axis) text += ":, ";
  return text + (array.facts.order == Order::Contiguous ? "::1]" : ":]");
}

std::string python_align(const std::string& element, uint32_t align) {
  return "align(" + element + ", " + std::to_string(align) + ")";
}

std::string python_tuple(const Type& tuple, bool weak = false);

std::string python_item(TypeId id, bool weak) {
  const Type& it = type(id);
  if (it.kind == TypeKind::Tuple) return python_tuple(it, weak);
  return weak && it.kind == TypeKind::Scalar ? std::string(builtin_name(it.scalar)) : to_python(id);
}

std::string python_tuple(const Type& tuple, bool weak) {
  if (tuple.fields.empty()) return "tuple[()]";
  std::string text;
  for (const Field& field : tuple.fields) {
    std::string element = python_item(field.type, weak || field.weak);
    text += text.empty() ? "tuple[" : ", ";
    text += field.align ? python_align(element, field.align) : element;
  }
  return text + "]";
}

// The last part of a dotted name, of further classes of that name and those fields with a number;
// fields alone for a struct without one (a NumPy dtype).
std::string python_struct(TypeId id) {
  const Type& type = hetjit::type(id);
  if (std::string_view name = shown_name(type.name); !name.empty()) {
    const uint32_t ordinal = struct_ordinal(id);
    return std::string(name.substr(name.rfind('.') + 1)) +
           (ordinal > 1 ? "#" + std::to_string(ordinal) : "");
  }
  std::string text;
  for (const Field& field : type.fields)
    text += (text.empty() ? "{" : ", ") + field.name + ": " + to_python(field.type);
  return text.empty() ? "{}" : text + "}";
}

std::string vector_text(std::string_view element, const Type& vector) {
  return std::string(element) + "x" + std::to_string(vector.lanes);
}

}  // namespace

std::string to_text(TypeId id) {
  const Type& it = type(id);
  switch (it.kind) {
    case TypeKind::None:
      return "none";
    case TypeKind::Scalar:
      return std::string(info(it.scalar).text);
    case TypeKind::Vector:
      return vector_text(info(it.scalar).text, it);
    case TypeKind::Pointer:
      return "ptr[" + to_text(it.element) + "]";
    case TypeKind::Array:
      return array_text(it);
    case TypeKind::Tuple:
      return tuple_text(it);
    case TypeKind::Struct:
      return struct_text(it);
    case TypeKind::Aligned:
      return python_align(to_text(it.element), it.align);
  }
  HETJIT_CHECK(false);
}

namespace {

std::string python_with_fields(TypeId id) {
  std::string text;
  for (const Field& field : type(id).fields)
    text += (text.empty() ? "(" : ", ") + field.name + ": " + to_python(field.type);
  return to_python(id) + (text.empty() ? "()" : text + ")");
}

}  // namespace

std::pair<std::string, std::string> to_python_apart(TypeId a, TypeId b) {
  std::pair<std::string, std::string> names = {to_python(a), to_python(b)};
  const bool structs = type(a).kind == TypeKind::Struct && type(b).kind == TypeKind::Struct;
  if (a == b || !structs || names.first != names.second) return names;
  return {python_with_fields(a), python_with_fields(b)};
}

std::string_view builtin_name(Scalar scalar) {
  constexpr std::string_view kByCategory[] = {"bool", "int", "float", "complex"};
  return kByCategory[static_cast<size_t>(info(scalar).category)];
}

std::string to_python(TypeId id) {
  const Type& it = type(id);
  switch (it.kind) {
    case TypeKind::None:
      return "None";
    case TypeKind::Scalar:
      return std::string(info(it.scalar).python_name);
    case TypeKind::Vector:
      return vector_text(info(it.scalar).python_name, it);
    case TypeKind::Pointer:
      return "Pointer[" + to_python(it.element) + "]";
    case TypeKind::Array:
      return to_python(it.element) + python_axes(it);
    case TypeKind::Tuple:
      return python_tuple(it);
    case TypeKind::Struct:
      return python_struct(id);
    case TypeKind::Aligned:
      return python_align(to_python(it.element), it.align);
  }
  HETJIT_CHECK(false);
}

std::optional<std::string> exact_python(TypeId id) {
  const Type& it = type(id);
  bool says_all = it.kind != TypeKind::Struct;
  if (it.kind == TypeKind::Pointer || it.kind == TypeKind::Aligned)
    says_all = exact_python(it.element).has_value();
  if (it.kind == TypeKind::Array) {
    bool default_order = it.rank > 0 || it.facts.order == Order::Strided;
    says_all = default_order && it.facts.index_bits == 64 && it.facts.writable &&
               exact_python(it.element).has_value();
  }
  for (const Field& field : it.fields)
    says_all = says_all && !field.weak && exact_python(field.type).has_value();
  return says_all ? std::optional(to_python(id)) : std::nullopt;
}

namespace {

// `f32`, `float32`, the builtin names, and either with x1..x4.
std::optional<TypeId> find_named(std::string_view word) {
  if (word == "none" || word == "None") return none_type();
  if (word == "int") return scalar_type(Scalar::Int32);
  if (word == "float") return scalar_type(Scalar::Float32);
  if (word == "complex") return scalar_type(Scalar::Complex64);
  if (word == "bool_") return scalar_type(Scalar::Bool);
  if (auto scalar = find_scalar(word)) return scalar_type(*scalar);
  if (word.size() < 3 || word[word.size() - 2] != 'x') return std::nullopt;
  char lanes = word.back();
  auto scalar = find_scalar(word.substr(0, word.size() - 2));
  if (!scalar || lanes < '1' || lanes > '4') return std::nullopt;
  return vector_type(*scalar, static_cast<uint8_t>(lanes - '0'));
}

Status read_fact(TextReader& reader, ArrayFacts& facts) {
  if (reader.accept_word("contiguous"))
    facts.order = Order::Contiguous;
  else if (reader.accept_word("index32"))
    facts.index_bits = 32;
  else if (reader.accept_word("readonly"))
    facts.writable = false;
  else
    return reader.expected("'contiguous', 'index32' or 'readonly'");
  return ok();
}

// After `array[`.
Result<TypeId> read_array(TextReader& reader) {
  Result<TypeId> element = read_type(reader);
  HETJIT_TRY(element);
  if (!reader.accept(',')) return reader.expected("',' and the rank");
  auto rank = reader.number();
  if (!rank) return reader.expected("the rank, 0 to 8");
  if (*rank > kMaxRank) return reader.error("an array has at most 8 axes");
  ArrayFacts facts;
  while (reader.accept(',')) HETJIT_TRY(read_fact(reader, facts));
  if (!reader.accept(']')) return reader.expected("']'");
  return array_type(*element, static_cast<uint8_t>(*rank), facts);
}

// After `ptr[` or `Pointer[`.
Result<TypeId> read_pointer(TextReader& reader) {
  Result<TypeId> element = read_type(reader);
  HETJIT_TRY(element);
  if (!reader.accept(']')) return reader.expected("']'");
  return pointer_type(*element);
}

// `align 16`, when it comes next.
Status read_align(TextReader& reader, uint32_t& align) {
  if (!reader.accept_word("align")) return ok();
  auto number = reader.number();
  if (!number || !std::has_single_bit(*number)) return reader.expected("a power of two");
  align = *number;
  return ok();
}

// After `align(`.
Result<TypeId> read_aligned(TextReader& reader) {
  Result<TypeId> element = read_type(reader);
  HETJIT_TRY(element);
  if (!reader.accept(',')) return reader.expected("',' and the alignment");
  auto align = reader.number();
  if (!align || !std::has_single_bit(*align)) return reader.expected("a power of two");
  if (!reader.accept(')')) return reader.expected("')'");
  return aligned_type(*element, *align);
}

// After `(`. A lone element needs its comma, as in Python.
Result<TypeId> read_tuple(TextReader& reader) {
  std::vector<Field> items;
  bool comma = true;
  while (!reader.accept(')')) {
    if (!comma) return reader.expected("',' or ')'");
    const bool weak = reader.accept_word("weak");
    Result<TypeId> element = read_type(reader);
    HETJIT_TRY(element);
    Field item{.type = *element, .weak = weak};
    HETJIT_TRY(read_align(reader, item.align));
    items.push_back(std::move(item));
    comma = reader.accept(',');
  }
  if (items.size() == 1 && !comma) return reader.error("a tuple of one is written '(T,)'");
  return tuple_of_items(items);
}

// After `tuple[`.
Result<TypeId> read_python_tuple(TextReader& reader) {
  std::vector<TypeId> elements;
  if (reader.accept('(')) {
    if (!reader.accept(')') || !reader.accept(']')) return reader.expected("'tuple[()]'");
    return tuple_type(elements);
  }
  do {
    Result<TypeId> element = read_type(reader);
    HETJIT_TRY(element);
    elements.push_back(*element);
  } while (reader.accept(','));
  if (!reader.accept(']')) return reader.expected("',' or ']'");
  return tuple_type(elements);
}

Status read_field(TextReader& reader, std::vector<Field>& fields) {
  auto name = reader.name();
  if (!name) return reader.expected("a field's name");
  for (const Field& field : fields)
    if (field.name == *name) return reader.error("two fields are named " + print_name(*name));
  if (!reader.accept(':')) return reader.expected("':'");
  bool weak = reader.accept_word("weak");
  Result<TypeId> type = read_type(reader);
  HETJIT_TRY(type);
  Field field{.name = *name, .type = *type, .weak = weak};
  HETJIT_TRY(read_align(reader, field.align));
  fields.push_back(std::move(field));
  return ok();
}

// After `struct`.
Result<TypeId> read_struct(TextReader& reader) {
  auto name = reader.name();
  if (!name) return reader.expected("the struct's name");
  bool packed = reader.accept_word("packed");
  uint32_t align = 0;
  HETJIT_TRY(read_align(reader, align));
  if (!reader.accept('{')) return reader.expected("'{'");
  std::vector<Field> fields;
  if (!reader.accept('}')) {
    do {
      HETJIT_TRY(read_field(reader, fields));
    } while (reader.accept(','));
    if (!reader.accept('}')) return reader.expected("',' or '}'");
  }
  return struct_type(*name, fields, align, packed);
}

// After `[`: `:, ::1]`, or `()]` for rank 0.
Result<TypeId> read_axes(TextReader& reader, TypeId element) {
  if (reader.accept('(')) {
    if (!reader.accept(')') || !reader.accept(']')) return reader.expected("'[()]'");
    return array_type(element, 0);
  }
  uint8_t rank = 0;
  ArrayFacts facts;
  do {
    if (facts.order == Order::Contiguous) return reader.error("only the last axis can be '::1'");
    if (!reader.accept(':')) return reader.expected("':'");
    if (++rank > kMaxRank) return reader.error("an array has at most 8 axes");
    if (!reader.accept(':')) continue;
    if (!reader.accept_word("1")) return reader.expected("'::1'");
    facts.order = Order::Contiguous;
  } while (reader.accept(','));
  if (!reader.accept(']')) return reader.expected("',' or ']'");
  return array_type(element, rank, facts);
}

Result<TypeId> read_atom(TextReader& reader) {
  if (reader.accept('(')) return read_tuple(reader);
  std::string_view word = reader.peek_word();
  auto named = find_named(word);
  bool bracketed = word == "array" || word == "ptr" || word == "Pointer" || word == "tuple";
  if (!named && !bracketed && word != "struct" && word != "align") return reader.expected("a type");
  reader.word();
  if (named) return *named;
  if (word == "struct") return read_struct(reader);
  if (word == "align") {
    if (!reader.accept('(')) return reader.expected("'('");
    return read_aligned(reader);
  }
  if (!reader.accept('[')) return reader.expected("'['");
  if (word == "array") return read_array(reader);
  if (word == "tuple") return read_python_tuple(reader);
  return read_pointer(reader);
}

}  // namespace

Result<TypeId> read_type(TextReader& reader) {
  if (++reader.depth > TextReader::kMaxDepth) return reader.error("types nest too deeply");
  Result<TypeId> type = read_atom(reader);
  for (int axes = 0; type.ok() && reader.accept('['); ++axes) {
    if (axes + reader.depth > TextReader::kMaxDepth) return reader.error("types nest too deeply");
    type = read_axes(reader, *type);
  }
  --reader.depth;
  return type;
}

Result<TypeId> parse_type(std::string_view text) {
  TextReader reader(text);
  Result<TypeId> type = read_type(reader);
  if (type.ok() && !reader.at_end()) return reader.expected("the end");
  return type;
}

}  // namespace hetjit
