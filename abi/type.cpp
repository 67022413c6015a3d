#include "abi/type.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "abi/fork_safe_mutex.h"
#include "abi/text_reader.h"
#include "abi/type_names.h"

namespace hetjit {
namespace {

size_t mix(size_t hash, size_t value) {
  return (hash ^ value) * 0x9E3779B97F4A7C15ull + (hash >> 29);
}

size_t hash_of(const Type& type) {
  size_t hash = mix(static_cast<size_t>(type.kind), static_cast<size_t>(type.scalar));
  hash = mix(hash, type.lanes);
  hash = mix(hash, type.element.index);
  hash = mix(hash, type.rank);
  hash = mix(hash, static_cast<size_t>(type.facts.order) | type.facts.index_bits << 8 |
                       type.facts.writable << 16);
  hash = mix(hash, std::hash<std::string>{}(type.name));
  for (const Field& field : type.fields) {
    hash = mix(hash, std::hash<std::string>{}(field.name));
    hash = mix(hash, field.type.index);
    hash = mix(hash, field.align);
  }
  return mix(hash, type.align | size_t{type.packed} << 32);
}

// Without what tells apart classes of one name.
size_t hash_of_shape(Type type) {
  type.name = shown_name(type.name);
  return hash_of(type);
}

// Entries live in chunks that double in size and never move, so a reader needs no lock: whoever
// holds an id got it from a thread that had already published the chunk.
class TypeTable {
 public:
  TypeTable() {
    add({.kind = TypeKind::None});
    for (const ScalarInfo& row : kScalars) add({.kind = TypeKind::Scalar, .scalar = row.scalar});
  }

  const Type& at(uint32_t index) const {
    Place place = place_of(index);
    const Type* chunk = chunks_[place.chunk].load(std::memory_order_acquire);
    HETJIT_CHECK(chunk && index < count_.load(std::memory_order_acquire));
    return chunk[place.slot];
  }

  TypeId intern(Type type) {
    size_t hash = hash_of(type);
    std::lock_guard lock(mutex_);
    auto [first, last] = ids_.equal_range(hash);
    for (auto it = first; it != last; ++it)
      if (at(it->second) == type) return {it->second};
    const bool counted = type.kind == TypeKind::Struct;
    const uint32_t before = counted ? shapes_[hash_of_shape(type)]++ : 0;
    TypeId made = add(std::move(type), hash);
    if (before) ordinals_[made.index] = before + 1;
    return made;
  }

  uint32_t ordinal(TypeId id) {
    std::lock_guard lock(mutex_);
    auto found = ordinals_.find(id.index);
    return found == ordinals_.end() ? 1 : found->second;
  }

 private:
  static constexpr uint32_t kFirstChunk = 256;
  static constexpr uint32_t kChunks = 24;
  struct Place {
    uint32_t chunk, slot;
  };

  static Place place_of(uint32_t index) {
    uint64_t shifted = uint64_t{index} + kFirstChunk;
    uint32_t chunk = static_cast<uint32_t>(std::bit_width(shifted / kFirstChunk)) - 1;
    HETJIT_CHECK(chunk < kChunks);
    return {chunk, static_cast<uint32_t>(shifted - (uint64_t{kFirstChunk} << chunk))};
  }

  TypeId add(Type type) {
    size_t hash = hash_of(type);
    return add(std::move(type), hash);
  }

  TypeId add(Type type, size_t hash) {
    uint32_t index = count_.load(std::memory_order_relaxed);
    Place place = place_of(index);
    if (place.slot == 0) {
      chunks_[place.chunk].store(new Type[size_t{kFirstChunk} << place.chunk],
                                 std::memory_order_release);
    }
    chunks_[place.chunk].load(std::memory_order_relaxed)[place.slot] = std::move(type);
    ids_.emplace(hash, index);
    count_.store(index + 1, std::memory_order_release);
    return {index};
  }

  ForkSafeMutex mutex_;  // guards the maps and additions
  std::unordered_multimap<size_t, uint32_t> ids_;
  std::unordered_map<size_t, uint32_t> shapes_;      // structs: how many there are
  std::unordered_map<uint32_t, uint32_t> ordinals_;  // of a shape's second, third, …
  std::atomic<Type*> chunks_[kChunks] = {};
  std::atomic<uint32_t> count_ = 0;
};

// Never destroyed: references into it outlive every static object.
TypeTable& table() {
  static TypeTable* const the_table = new TypeTable;
  return *the_table;
}

bool is_alignment(uint32_t align) { return align == 0 || std::has_single_bit(align); }

// A field of an aligned type is one of the plain type with that least alignment.
Field plain(Field field) {
  const Type& it = type(field.type);
  if (it.kind != TypeKind::Aligned) return field;
  field.align = std::max(field.align, it.align);
  field.type = it.element;
  return field;
}

}  // namespace

const Type& type(TypeId id) { return table().at(id.index); }

uint32_t struct_ordinal(TypeId id) { return table().ordinal(id); }

std::string_view shown_name(std::string_view name) { return name.substr(0, name.rfind('#')); }

TypeId none_type() { return {0}; }

// The constructor of the table adds the scalars in this order, right after None.
TypeId scalar_type(Scalar scalar) { return {1 + static_cast<uint32_t>(scalar)}; }

TypeId vector_type(Scalar element, uint8_t lanes) {
  HETJIT_CHECK(lanes >= 1 && lanes <= 4);
  return table().intern({.kind = TypeKind::Vector, .scalar = element, .lanes = lanes});
}

TypeId pointer_type(TypeId element) {
  HETJIT_CHECK(element.valid());
  return table().intern({.kind = TypeKind::Pointer, .element = element});
}

TypeId array_type(TypeId element, uint8_t rank, ArrayFacts facts) {
  HETJIT_CHECK(element.valid() && rank <= kMaxRank);
  HETJIT_CHECK(facts.index_bits == 32 || facts.index_bits == 64);
  return table().intern(
      {.kind = TypeKind::Array, .element = element, .rank = rank, .facts = facts});
}

TypeId tuple_type(std::span<const TypeId> elements) {
  std::vector<Field> items;
  for (TypeId element : elements) items.push_back({.type = element});
  return tuple_of_items(items);
}

TypeId tuple_of_items(std::span<const Field> items) {
  Type tuple{.kind = TypeKind::Tuple};
  for (const Field& item : items) {
    HETJIT_CHECK(item.type.valid() && item.name.empty());
    tuple.fields.push_back(plain(item));
  }
  return table().intern(std::move(tuple));
}

TypeId struct_type(std::string_view name, std::span<const Field> fields, uint32_t align,
                   bool packed) {
  HETJIT_CHECK(is_alignment(align));
  Type made{.kind = TypeKind::Struct, .name = std::string(name), .align = align, .packed = packed};
  for (const Field& field : fields) {
    HETJIT_CHECK(field.type.valid() && is_alignment(field.align));
    made.fields.push_back(plain(field));
  }
  return table().intern(std::move(made));
}

TypeId aligned_type(TypeId element, uint32_t align) {
  HETJIT_CHECK(element.valid() && align && is_alignment(align));
  return table().intern(
      {.kind = TypeKind::Aligned, .element = without_align(element), .align = align});
}

TypeId without_align(TypeId id) {
  const Type& it = type(id);
  return it.kind == TypeKind::Aligned ? it.element : id;
}

namespace {

// No class of Python's has such a name, so that nobody else makes it.
constexpr std::string_view kAtomicName = "hetjit.Atomic[";
constexpr uint32_t kLeastAtomic = 4;

}  // namespace

TypeId atomic_type(Scalar scalar, bool weak) {
  const ScalarInfo& row = info(scalar);
  std::string_view format = weak ? builtin_name(scalar) : row.python_name;
  Field value{.name = "value", .type = scalar_type(scalar), .weak = weak};
  return struct_type(std::string(kAtomicName) + std::string(format) + "]", {&value, 1},
                     row.bytes() < kLeastAtomic ? kLeastAtomic : 0);
}

bool is_atomic(TypeId id) {
  const Type& it = type(without_align(id));
  return it.kind == TypeKind::Struct && it.name.starts_with(kAtomicName);
}

bool holds_atomic(TypeId id) {
  const Type& it = type(without_align(id));
  if (it.kind != TypeKind::Tuple && it.kind != TypeKind::Struct) return false;
  return is_atomic(id) || std::any_of(it.fields.begin(), it.fields.end(),
                                      [](const Field& field) { return holds_atomic(field.type); });
}

}  // namespace hetjit
