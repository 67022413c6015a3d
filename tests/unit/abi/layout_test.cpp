// Layouts against the tables that were read from nvcc (requirements, section 4).
#include "abi/layout.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "abi/param_buffer.h"

namespace hetjit {
namespace {

TypeId parse(std::string_view text) {
  Result<TypeId> id = parse_type(text);
  EXPECT_TRUE(id.ok()) << id.error().text;
  return *id;
}

struct Row {
  const char* type;
  uint32_t size, align;
  std::vector<uint32_t> offsets = {};
};

void check(std::span<const Row> rows) {
  for (const Row& row : rows) {
    Layout got = layout(parse(row.type));
    EXPECT_EQ(got.size, row.size) << row.type;
    EXPECT_EQ(got.align, row.align) << row.type;
    if (!row.offsets.empty()) {
      EXPECT_EQ(got.offsets, row.offsets) << row.type;
    }
  }
}

TEST(Layout,
     Scalars_HET_NONE_2_HET_NUM_2_HET_NUM_5_HET_FIX_I8_HET_FIX_I16_HET_FIX_I32_HET_FIX_I64) {
  const Row kRows[] = {
      {"None", 8, 8},    {"bool", 1, 1},         {"int", 4, 4},        {"float", 4, 4},
      {"complex", 8, 8}, {"complex128", 16, 16}, {"int8", 1, 1},       {"int16", 2, 2},
      {"int32", 4, 4},   {"int64", 8, 8},        {"uint8", 1, 1},      {"uint16", 2, 2},
      {"uint32", 4, 4},  {"uint64", 8, 8},       {"float8e4m3", 1, 1}, {"float8e5m2", 1, 1},
      {"float16", 2, 2}, {"bfloat16", 2, 2},     {"float32", 4, 4},    {"float64", 8, 8},
      {"ptr[i8]", 8, 8},
  };
  check(kRows);
}

// All 64, as nvcc 13.0 reports them (the eighteen that CUDA lacks: as the equally wide
// integer vector). Written out, so that the rule is tested against a table and not against itself.
TEST(Layout, Vectors_HET_VEC_19_HET_VEC_20) {
  struct Widths {
    std::vector<const char*> elements;
    uint32_t size[4], align[4];
  };
  const Widths kWidths[] = {
      {{"int8", "uint8", "float8e4m3", "float8e5m2", "float8e4m3fnuz", "float8e5m2fnuz"},
       {1, 2, 3, 4},
       {1, 2, 1, 4}},
      {{"int16", "uint16", "float16", "bfloat16"}, {2, 4, 6, 8}, {2, 4, 2, 8}},
      {{"int32", "uint32", "float32"}, {4, 8, 12, 16}, {4, 8, 4, 16}},
      {{"int64", "uint64", "float64"}, {8, 16, 24, 32}, {8, 16, 8, 16}},
  };
  int count = 0;
  for (const Widths& row : kWidths) {
    for (const char* element : row.elements) {
      for (uint32_t lanes = 1; lanes <= 4; ++lanes, ++count) {
        std::string text = element + ("x" + std::to_string(lanes));
        Layout got = layout(parse(text));
        EXPECT_EQ(got.size, row.size[lanes - 1]) << text;
        EXPECT_EQ(got.align, row.align[lanes - 1]) << text;
        ASSERT_EQ(got.offsets.size(), lanes) << text;
        EXPECT_EQ(got.offsets[lanes - 1], row.size[0] * (lanes - 1)) << text;
      }
    }
  }
  EXPECT_EQ(count, 64);
}

TEST(Layout, Tuples_HET_TUP_2_HET_TUP_3) {
  const Row kRows[] = {
      {"(int, int, int)", 12, 4, {0, 4, 8}},   {"(bool, int, float)", 12, 4, {0, 4, 8}},
      {"(None, int)", 16, 8, {0, 8}},          {"((bool, int, float), bool)", 16, 4, {0, 12}},
      {"(complex, bool)", 16, 8, {0, 8}},      {"(f8e4m3, f16, f8e5m2, bf16)", 8, 2, {0, 2, 4, 6}},
      {"(bool, f64, i16)", 24, 8, {0, 8, 16}}, {"()", 1, 1},
      {"((), (), i16)", 4, 2, {0, 1, 2}},
  };
  check(kRows);
}

TEST(Layout, Structs_HET_STR_6_HET_STR_7_HET_STR_9_HET_STR_10_HET_ALN_2) {
  const Row kRows[] = {
      {"struct point {x: int, y: int, z: int}", 12, 4, {0, 4, 8}},
      {"struct A {a: float32x3, b: float}", 16, 4, {0, 12}},
      {"struct A {a: uint8x3, b: int16}", 6, 2, {0, 4}},
      {"struct A {a: float64x4, b: bool}", 48, 16, {0, 32}},
      {"struct complex_ align 16 {real: float, imag: float}", 16, 16, {0, 4}},
      {"struct A {a: struct complex_ align 16 {real: float, imag: float}, b: bool}",
       32,
       16,
       {0, 16}},
      {"struct point align 1 {x: int, y: int, z: int}", 12, 4, {0, 4, 8}},
      {"struct A {a: int align 16, b: int}", 16, 16, {0, 4}},
      {"struct A {a: int align 2, b: f64 align 4}", 16, 8, {0, 8}},
      {"struct ticket_mutex {line: int align 16, current: int align 16}", 32, 16, {0, 16}},
      {"struct ticket_mutex {line: int, current: int}", 8, 4, {0, 4}},
      {"struct A {a: float64x4 align 32, b: bool}", 64, 32, {0, 32}},
      {"struct E {}", 1, 1},
      {"struct E align 8 {}", 8, 8},
      {"struct A {a: bool, d: array[f32, 2], b: bool}", 56, 8, {0, 8, 48}},
  };
  check(kRows);
}

// Numbers and vectors keep their size, records grow; elements of an array lie `stride` apart.
TEST(Layout, AlignedTypes_HET_ALN_2) {
  const Row kRows[] = {
      {"align(float32, 16)", 4, 16},
      {"align(float32x3, 16)", 12, 16, {0, 4, 8}},
      {"align((int, bool), 16)", 16, 16, {0, 4}},
      {"(int align 16, int)", 16, 16, {0, 4}},
      {"(align(int, 16), int)", 16, 16, {0, 4}},
      {"struct A {a: align(int, 16), b: int}", 16, 16, {0, 4}},
  };
  check(kRows);
  EXPECT_EQ(layout(parse("align(float32, 16)")).stride(), 16u);
  EXPECT_EQ(layout(parse("float32x3")).stride(), 12u);
  EXPECT_EQ(without_align(parse("align(float32, 16)")), parse("float32"));
  EXPECT_EQ(parse("align(align(float32, 4), 16)"), parse("align(float32, 16)"));
}

TEST(Layout, PackedStructs_HET_ARR_12) {
  const Row kRows[] = {
      {"struct P packed {a: i8, b: f64, c: i16}", 11, 1, {0, 1, 9}},
      {"struct P packed {a: f64 align 4, b: i32 align 4}", 12, 4, {0, 8}},
      {"struct P packed {a: struct Q {x: i8, y: i32}, b: i8}", 9, 1, {0, 8}},
  };
  check(kRows);
}

TEST(Layout, PartsOfUnalignedMemory_HET_ARR_12) {
  TypeId packed = parse("struct P packed {a: i8, b: f64, c: struct Q {x: i8, y: i32}}");
  EXPECT_EQ(part_type(packed, 0), parse("i8"));
  EXPECT_EQ(part_type(packed, 1), parse("align(f64, 1)"));
  EXPECT_EQ(part_type(part_type(packed, 2), 1), parse("align(i32, 1)"));
  EXPECT_EQ(part_type(parse("align(struct Q {x: i32, y: i32, z: i64}, 4)"), 1), parse("i32"));
  EXPECT_EQ(part_type(parse("align(struct Q {x: i32, y: i32, z: i64}, 4)"), 2),
            parse("align(i64, 4)"));
  EXPECT_EQ(part_type(parse("f32x4"), 3), parse("f32"));
  EXPECT_EQ(part_type(parse("(i8, f64)"), 1), parse("f64"));
}

// Data, shape, strides; without axes only data. Facts do not change it.
TEST(Layout, ArrayDescriptors_HET_DSC_1_HET_DSC_6) {
  for (uint8_t rank = 0; rank <= kMaxRank; ++rank) {
    for (ArrayFacts facts : {ArrayFacts{}, ArrayFacts{Order::Contiguous, 32, false}}) {
      Layout got = layout(array_type(vector_type(Scalar::Float64, 3), rank, facts));
      EXPECT_EQ(got.size, descriptor_bytes(rank));
      EXPECT_EQ(got.size, 8u + 16u * rank);
      EXPECT_EQ(got.align, 8u);
      std::vector<uint32_t> offsets = {0, 8, 8u + 8u * rank};
      EXPECT_EQ(got.offsets, rank ? offsets : std::vector<uint32_t>{0});
    }
  }
}

// The offsets that nvcc's KPARAM_INFO and clang's AMD metadata agree on.
TEST(Layout, ParameterBlock) {
  TypeId types[] = {parse("bool"),      parse("int8"),    parse("float32x3"), parse("float32x4"),
                    parse("f32[:, :]"), parse("float16"), parse("ptr[i8]")};
  BlockLayout block = parameter_block(types);
  EXPECT_EQ(block.offsets, (std::vector<uint32_t>{0, 1, 4, 16, 32, 72, 80}));
  EXPECT_EQ(block.size, 88u);
  EXPECT_EQ(block.align, 16u);
  EXPECT_EQ(parameter_block({}).size, 0u);
  TypeId wide = parse("struct A align 64 {x: i8}"), two[] = {parse("i8"), wide};
  EXPECT_EQ(parameter_block(two).offsets, (std::vector<uint32_t>{0, 64}));
  EXPECT_EQ(parameter_block(two).align, 64u);
}

// cuda::atomic: 4 bytes at least, and as many as the number has.
TEST(Layout, AtomicsAreThoseOfCxx_HETX_AT_1_HET_ATM_1) {
  for (const ScalarInfo& row : kScalars) {
    Layout lies = layout(atomic_type(row.scalar, false));
    EXPECT_EQ(lies.size, std::max(row.bytes(), 4u)) << row.text;
    EXPECT_EQ(lies.align, lies.size) << row.text;
  }
  TypeId counter = atomic_type(Scalar::Int32, true);
  const Field fields[] = {{.name = "line", .type = aligned_type(counter, 16)},
                          {.name = "current", .type = aligned_type(counter, 16)}};
  TypeId mutex = struct_type("ticket_mutex", fields);
  EXPECT_EQ(layout(mutex).size, 32u);
  EXPECT_EQ(layout(mutex).align, 16u);
  EXPECT_EQ(layout(mutex).offsets, (std::vector<uint32_t>{0, 16}));
  EXPECT_EQ(to_python(counter), "Atomic[int]");
  EXPECT_EQ(to_python(atomic_type(Scalar::Int32, false)), "Atomic[int32]");
  EXPECT_EQ(parse(to_text(mutex)), mutex);
  EXPECT_TRUE(is_atomic(counter) && is_atomic(aligned_type(counter, 64)) && !is_atomic(mutex));
  TypeId in_tuple[] = {scalar_type(Scalar::Int8), mutex};
  EXPECT_TRUE(holds_atomic(mutex) && holds_atomic(tuple_type(in_tuple)));
  EXPECT_FALSE(holds_atomic(array_type(mutex, 1)) || holds_atomic(scalar_type(Scalar::Int32)));
}

TEST(Layout, ArraysAreWrittenAsTheyAreLaidOut) {
  float data = 0;
  ArrayValue array{.data = &data, .rank = 2, .shape = {3, 5}, .strides = {-5, 1}};
  std::byte buffer[48];
  std::memset(buffer, 0x5A, sizeof buffer);
  write_array(buffer, array);
  Layout at = layout(parse("f32[:, :]"));
  void* pointer = nullptr;
  int64_t shape[2], strides[2];
  std::memcpy(&pointer, buffer + at.offsets[0], 8);
  std::memcpy(shape, buffer + at.offsets[1], 16);
  std::memcpy(strides, buffer + at.offsets[2], 16);
  EXPECT_EQ(pointer, &data);
  EXPECT_EQ(shape[0], 3);
  EXPECT_EQ(shape[1], 5);
  EXPECT_EQ(strides[0], -5);
  EXPECT_EQ(strides[1], 1);
  EXPECT_EQ(buffer[40], std::byte{0x5A});
}

}  // namespace
}  // namespace hetjit
