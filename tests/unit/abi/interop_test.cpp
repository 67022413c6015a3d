// The public C++ header, as the host compiler of this build sees it, against abi/layout.h.
#include "abi/interop.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "abi/layout.h"
#include "abi/param_buffer.h"

namespace hetjit {
namespace {

struct Row {
  const char* type;
  size_t size, align;
};
#define ROW(name) \
  { #name, sizeof(name), alignof(name) }
#define ROWS(name) ROW(name), ROW(name##x1), ROW(name##x2), ROW(name##x3), ROW(name##x4)

// The C++ side: every name of the header is laid out as the compiler lays it out.
TEST(Interop, EveryNameIsLaidOutAlike_HET_VEC_20) {
  const Row kRows[] = {
      ROWS(int8),    ROWS(int16),    ROWS(int32),          ROWS(int64),          ROWS(uint8),
      ROWS(uint16),  ROWS(uint32),   ROWS(uint64),         ROWS(float8e4m3),     ROWS(float8e5m2),
      ROWS(float16), ROWS(bfloat16), ROWS(float8e4m3fnuz), ROWS(float8e5m2fnuz), ROWS(float32),
      ROWS(float64), ROW(bool),      ROW(complex64),       ROW(complex128)};
  EXPECT_EQ(std::size(kRows), 16u * 5 + 3);
  for (const Row& row : kRows) {
    Result<TypeId> id = parse_type(row.type);
    ASSERT_TRUE(id.ok()) << id.error().text;
    EXPECT_EQ(row.size, layout(*id).size) << row.type;
    EXPECT_EQ(row.align, layout(*id).align) << row.type;
  }
}

TEST(Interop, LanesAreInOrder) {
  float32x3 v{1, 2, 3};
  float32 lanes[3];
  std::memcpy(lanes, &v, sizeof v);
  EXPECT_EQ(lanes[0], 1);
  EXPECT_EQ(lanes[1], 2);
  EXPECT_EQ(lanes[2], 3);
  uint8x4 bytes{1, 2, 3, 4};
  uint32 word = 0;
  std::memcpy(&word, &bytes, 4);
  EXPECT_EQ(word, 0x04030201u);
}

// CUDA's __half2 and __nv_bfloat162 go through pointers (AMB-25), all else as plain bytes.
TEST(Interop, PairsOfHalvesArePassedByReference) {
  EXPECT_FALSE(std::is_trivially_copyable_v<float16x2>);
  EXPECT_FALSE(std::is_trivially_copyable_v<bfloat16x2>);
  EXPECT_TRUE(std::is_trivially_copyable_v<float16x3>);
  EXPECT_TRUE(std::is_trivially_copyable_v<uint16x2>);
  EXPECT_TRUE(std::is_standard_layout_v<float16x2>);
  float16x2 pair{{1}, {2}}, copy = pair;
  EXPECT_EQ(copy.x.bits, 1);
  EXPECT_EQ(copy.y.bits, 2);
}

// What the launcher writes is what a C++ function reads.
TEST(Interop, DescriptorReadsWhatTheLauncherWrites_HET_DSC_1_HET_DSC_3) {
  float data[12] = {};
  ArrayValue array{.data = data + 11, .rank = 2, .shape = {3, 4}, .strides = {-4, -1}};
  interoperable_array_descriptor<float, 2> descriptor;
  ASSERT_EQ(sizeof descriptor, descriptor_bytes(2));
  write_array(reinterpret_cast<std::byte*>(&descriptor), array);
  EXPECT_EQ(descriptor.data, data + 11);
  EXPECT_EQ(descriptor.shape[1], 4u);
  EXPECT_EQ(descriptor.size(), 12u);
  // A negative stride is itself modulo 2^64 (AMB-13).
  uint64 offset = 2 * descriptor.strides[0] + 3 * descriptor.strides[1];
  EXPECT_EQ(descriptor.data + static_cast<int64>(offset), data);

  interoperable_array_descriptor<float, 0> scalar;
  write_array(reinterpret_cast<std::byte*>(&scalar), {.data = data, .rank = 0});
  EXPECT_EQ(scalar.data, data);
  EXPECT_EQ(scalar.size(), 1u);
}

}  // namespace
}  // namespace hetjit
