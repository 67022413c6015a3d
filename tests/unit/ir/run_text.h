// Runs a function or kernel written as IR text.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string_view>
#include <vector>

#include "abi/layout.h"
#include "abi/param_buffer.h"
#include "compiler/ir/interpret.h"

namespace hetjit::ir {

inline Module parsed(std::string_view text) {
  auto module = parse(text);
  EXPECT_TRUE(module.ok()) << module.error().text << "\n" << text;
  if (!module.ok()) return {};
  Status status = verify(*module);
  EXPECT_TRUE(status.ok()) << (status.ok() ? "" : status.error().text) << "\n" << text;
  return *std::move(module);
}

/// Builds a parameter block: one `put` per parameter, in order.
class Arguments {
 public:
  explicit Arguments(const Module& module) {
    std::vector<TypeId> types;
    const Function& entry = module.functions[0];
    for (ValueId id : entry.blocks[0].params) types.push_back(entry.type_of(id));
    layout_ = parameter_block(types);
    bytes_.resize(layout_.size);
  }
  template <class T>
  Arguments& put(T value) {
    std::memcpy(next(), &value, sizeof value);
    return *this;
  }
  Arguments& put(const ArrayValue& array) {
    write_array(next(), array);
    return *this;
  }
  Arguments& put_bits(uint64_t bits, size_t bytes) {
    std::memcpy(next(), &bits, bytes);
    return *this;
  }
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::byte* next() { return bytes_.data() + layout_.offsets.at(count_++); }
  BlockLayout layout_;
  std::vector<std::byte> bytes_;
  size_t count_ = 0;
};

/// The result of functions[0] for these arguments, read as R.
template <class R, class... T>
R run(std::string_view text, T... values) {
  Module module = parsed(text);
  Arguments arguments(module);
  (arguments.put(values), ...);
  auto bytes = interpret_function(module, arguments.bytes());
  EXPECT_TRUE(bytes.ok()) << (bytes.ok() ? "" : bytes.error().text);
  R result{};
  if (!bytes.ok()) return result;
  EXPECT_EQ(bytes->size(), sizeof result);
  std::memcpy(&result, bytes->data(), std::min(bytes->size(), sizeof result));
  return result;
}

/// A contiguous array argument over `data`.
template <class T>
ArrayValue array_of(std::vector<T>& data, std::vector<int64_t> shape) {
  ArrayValue array;
  array.data = data.data();
  array.rank = static_cast<uint8_t>(shape.size());
  int64_t stride = 1;
  for (size_t axis = shape.size(); axis-- > 0; stride *= shape[axis]) {
    array.shape[axis] = shape[axis];
    array.strides[axis] = stride;
  }
  return array;
}

}  // namespace hetjit::ir
