#include "abi/dlpack_view.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <optional>

namespace hetjit {
namespace {

static_assert(sizeof(DLTensor) == 48 && offsetof(DLTensor, byte_offset) == 40);
static_assert(offsetof(DLManagedTensorVersioned, dl_tensor) == 32);

constexpr DLDataType kFloat{kDLFloat, 32, 1};

// A tensor with its own shape and strides.
struct Tensor {
  std::vector<int64_t> shape, strides;
  DLTensor dl{};
  alignas(16) float data[32] = {};

  Tensor(std::vector<int64_t> extents, std::vector<int64_t> steps, DLDataType type = kFloat)
      : shape(std::move(extents)), strides(std::move(steps)) {
    dl = {.data = data,
          .device = {kDLCPU, 0},
          .ndim = static_cast<int32_t>(shape.size()),
          .dtype = type,
          .shape = shape.empty() ? nullptr : shape.data(),
          .strides = strides.empty() ? nullptr : strides.data()};
  }
  Tensor(const Tensor&) = delete;
};

std::string type_text(const DLTensor& tensor) {
  Result<DlpackView> view = view_of(tensor);
  return view.ok() ? to_text(type_of(*view)) : view.error().text;
}

TEST(DlpackView, ReadsShapeStridesAndOffset) {
  Tensor tensor({3, 4}, {-8, 2});
  tensor.dl.byte_offset = 64;
  tensor.dl.device = {kDLCUDA, 1};
  Result<DlpackView> view = view_of(tensor.dl);
  ASSERT_TRUE(view.ok()) << view.error().text;
  EXPECT_EQ(view->value.data, tensor.data + 16);
  EXPECT_EQ(view->value.rank, 2);
  EXPECT_EQ(view->value.shape[0], 3);
  EXPECT_EQ(view->value.shape[1], 4);
  EXPECT_EQ(view->value.strides[0], -8);
  EXPECT_EQ(view->value.strides[1], 2);
  EXPECT_EQ(view->device.device_type, kDLCUDA);
  EXPECT_EQ(view->device.device_id, 1);
  EXPECT_EQ(to_text(type_of(*view)), "array[f32, 2, index32]");
}

// By a search through the rows.
std::optional<TypeId> searched(DLDataType type) {
  for (const ScalarInfo& row : kScalars) {
    if (row.dlpack_code != type.code || row.dlpack_bits != type.bits) continue;
    if (type.lanes == 1) return scalar_type(row.scalar);
    const bool has_vectors = is_integer(row.scalar) || is_floating(row.scalar);
    if (type.lanes >= 2 && type.lanes <= 4 && has_vectors)
      return vector_type(row.scalar, static_cast<uint8_t>(type.lanes));
  }
  return std::nullopt;
}

TEST(DlpackView, EveryTypeOfDlpack) {
  size_t found = 0;
  for (unsigned code = 0; code < 40; ++code)
    for (unsigned bits : {0, 1, 2, 4, 6, 7, 8, 9, 12, 15, 16, 24, 32, 33, 64, 80, 96, 128, 255})
      for (unsigned lanes : {0, 1, 2, 3, 4, 5, 0x101}) {
        const DLDataType type{static_cast<uint8_t>(code), static_cast<uint8_t>(bits),
                              static_cast<uint16_t>(lanes)};
        const std::optional<TypeId> wanted = searched(type);
        const Result<TypeId> element = element_of(type);
        ASSERT_EQ(element.ok(), wanted.has_value()) << code << " " << bits << " " << lanes;
        if (wanted) ASSERT_EQ(element.value(), *wanted) << code << " " << bits << " " << lanes;
        found += wanted.has_value();
      }
  EXPECT_GT(found, 40u);
}

TEST(DlpackView, MissingStridesAreCOrder) {
  Tensor tensor({2, 3, 4}, {});
  Result<DlpackView> view = view_of(tensor.dl);
  ASSERT_TRUE(view.ok());
  EXPECT_EQ(view->value.strides[0], 12);
  EXPECT_EQ(view->value.strides[1], 4);
  EXPECT_EQ(view->value.strides[2], 1);
  EXPECT_EQ(to_text(type_of(*view)), "array[f32, 3, contiguous, index32]");
}

TEST(DlpackView, NoAxes) {
  Tensor tensor({}, {});
  EXPECT_EQ(type_text(tensor.dl), "array[f32, 0, contiguous, index32]");
  tensor.dl.data = nullptr;
  EXPECT_EQ(type_text(tensor.dl), "a tensor has elements but no data");
}

TEST(DlpackView, NoElements) {
  for (std::vector<int64_t> shape :
       std::vector<std::vector<int64_t>>{{0},
                                         {0, 5},
                                         {5, 0},
                                         {int64_t{1} << 62, int64_t{1} << 62, 0},
                                         {0, INT64_MAX, INT64_MAX}}) {
    Tensor tensor(shape, {});
    for (void* data : {static_cast<void*>(nullptr), static_cast<void*>(tensor.data),
                       reinterpret_cast<void*>(3)}) {
      tensor.dl.data = data;
      Result<DlpackView> view = view_of(tensor.dl);
      ASSERT_TRUE(view.ok()) << view.error().text;
      EXPECT_EQ(view->value.data, nullptr);
      EXPECT_EQ(type(type_of(*view)).facts.order, Order::Contiguous);
    }
  }
}

// Every scalar, and the vectors of the fourteen that have them, go there and back.
TEST(DlpackView, ElementTypes) {
  for (const ScalarInfo& row : kScalars) {
    for (uint16_t lanes = 1; lanes <= 5; ++lanes) {
      DLDataType type{row.dlpack_code, row.dlpack_bits, lanes};
      Result<TypeId> element = element_of(type);
      bool vectors = row.category == Category::Integer || row.category == Category::Floating;
      ASSERT_EQ(element.ok(), lanes == 1 || (lanes <= 4 && vectors)) << row.text << lanes;
      if (!element.ok()) continue;
      Result<DLDataType> back = dlpack_type(*element);
      ASSERT_TRUE(back.ok());
      EXPECT_EQ(back->code, type.code);
      EXPECT_EQ(back->bits, type.bits);
      EXPECT_EQ(back->lanes, type.lanes);
    }
  }
  EXPECT_EQ(*element_of({kDLFloat8_e4m3fn, 8, 1}), scalar_type(Scalar::Float8E4M3));
  EXPECT_EQ(*element_of({kDLFloat8_e5m2, 8, 1}), scalar_type(Scalar::Float8E5M2));
  EXPECT_EQ(*element_of({kDLFloat8_e4m3fnuz, 8, 1}), scalar_type(Scalar::Float8E4M3Fnuz));
  EXPECT_EQ(*element_of({kDLFloat8_e5m2fnuz, 8, 1}), scalar_type(Scalar::Float8E5M2Fnuz));
  EXPECT_EQ(*element_of({kDLBfloat, 16, 1}), scalar_type(Scalar::BFloat16));
  EXPECT_EQ(*element_of({kDLComplex, 64, 1}), scalar_type(Scalar::Complex64));
  EXPECT_EQ(*element_of({kDLBool, 8, 1}), scalar_type(Scalar::Bool));
}

TEST(DlpackView, RefusesOtherElementTypes) {
  const DLDataType kOthers[] = {{kDLFloat8_e4m3, 8, 1},
                                {kDLFloat8_e4m3b11fnuz, 8, 1},
                                {kDLFloat4_e2m1fn, 4, 1},
                                {kDLInt, 4, 1},
                                {kDLBool, 1, 1},
                                {kDLFloat, 128, 1},
                                {kDLOpaqueHandle, 64, 1},
                                {kDLFloat, 32, 0},
                                {200, 32, 1}};
  for (DLDataType other : kOthers) {
    Result<TypeId> element = element_of(other);
    ASSERT_FALSE(element.ok()) << int{other.code};
    EXPECT_EQ(element.error().code, ErrorCode::Unsupported);
    Tensor tensor({4}, {1}, other);
    EXPECT_FALSE(view_of(tensor.dl).ok());
  }
  for (std::string text : {"(i32,)", "none", "ptr[i8]", "boolx2", "struct A {x: f32}"}) {
    Result<DLDataType> none = dlpack_type(*parse_type(text));
    ASSERT_FALSE(none.ok()) << text;
    EXPECT_EQ(none.error().code, ErrorCode::Unsupported);
  }
}

void expect_error(const DLTensor& tensor, ErrorCode code, std::string_view why) {
  Result<DlpackView> view = view_of(tensor);
  ASSERT_FALSE(view.ok()) << why;
  EXPECT_EQ(view.error().code, code);
  EXPECT_NE(view.error().text.find(why), std::string::npos) << view.error().text;
}

TEST(DlpackView, RefusesWhatNoTensorCanBe) {
  Tensor negative({-1}, {1});
  expect_error(negative.dl, ErrorCode::Invalid, "negative extent");
  Tensor vast({INT64_MAX, 4}, {});
  expect_error(vast.dl, ErrorCode::Invalid, "2^63 bytes");
  Tensor far({2, 2}, {INT64_MAX, 1});
  expect_error(far.dl, ErrorCode::Invalid, "beyond the address space");
  Tensor lost({2}, {1});
  lost.dl.data = nullptr;
  lost.dl.byte_offset = 8;
  expect_error(lost.dl, ErrorCode::Invalid, "no data");
  Tensor shapeless({2}, {1});
  shapeless.dl.shape = nullptr;
  expect_error(shapeless.dl, ErrorCode::Invalid, "no shape");
  shapeless.dl.ndim = -1;
  expect_error(shapeless.dl, ErrorCode::Invalid, "negative number of axes");
}

TEST(DlpackView, RefusesWhatWeDoNotHave) {
  Tensor nine({1, 1, 1, 1, 1, 1, 1, 1, 1}, {});
  expect_error(nine.dl, ErrorCode::Unsupported, "9 axes");
}

TEST(DlpackView, WhatLiesElsewhereHasLessAlignment) {
  Tensor crooked({4}, {1});
  crooked.dl.byte_offset = 2;
  EXPECT_EQ(type_text(crooked.dl), "array[align(f32, 2), 1, contiguous, index32]");
  crooked.dl.byte_offset = 3;
  EXPECT_EQ(type_text(crooked.dl), "array[align(f32, 1), 1, contiguous, index32]");
  Tensor vectors({4}, {1}, {kDLFloat, 32, 4});
  EXPECT_EQ(type_text(vectors.dl), "array[f32x4, 1, contiguous, index32]");
  vectors.dl.byte_offset = 8;
  EXPECT_EQ(type_text(vectors.dl), "array[align(f32x4, 8), 1, contiguous, index32]");
}

TEST(DlpackView, ManagedTensors) {
  Tensor tensor({4}, {1});
  DLManagedTensorVersioned managed{.version = {1, 9}, .dl_tensor = tensor.dl};
  EXPECT_TRUE(view_of(managed)->writable);
  managed.flags = DLPACK_FLAG_BITMASK_READ_ONLY | DLPACK_FLAG_BITMASK_IS_COPIED;
  Result<DlpackView> view = view_of(managed);
  EXPECT_EQ(to_text(type_of(*view)), "array[f32, 1, contiguous, index32, readonly]");
  managed.version.major = 2;
  managed.dl_tensor.shape = reinterpret_cast<int64_t*>(1);  // must not be looked at
  ASSERT_FALSE(view_of(managed).ok());
  EXPECT_EQ(view_of(managed).error().code, ErrorCode::Unsupported);
}

TEST(DlpackView, TensorOfAView) {
  Tensor tensor({3, 4}, {8, 2}, {kDLFloat, 16, 2});
  tensor.dl.byte_offset = 16;
  Result<DlpackView> view = view_of(tensor.dl);
  ASSERT_TRUE(view.ok());
  Result<DLTensor> back = tensor_of(*view);
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->data, tensor.data + 4);
  EXPECT_EQ(back->byte_offset, 0u);
  EXPECT_EQ(back->ndim, 2);
  EXPECT_EQ(back->shape[1], 4);
  EXPECT_EQ(back->strides[0], 8);
  EXPECT_EQ(back->dtype.lanes, 2);
}

ArrayFacts facts(std::vector<int64_t> shape, std::vector<int64_t> strides) {
  ArrayValue array{.rank = static_cast<uint8_t>(shape.size())};
  std::copy(shape.begin(), shape.end(), array.shape);
  std::copy(strides.begin(), strides.end(), array.strides);
  return facts_of(array);
}

TEST(ArrayFacts, Order) {
  EXPECT_EQ(facts({}, {}).order, Order::Contiguous);
  EXPECT_EQ(facts({5}, {1}).order, Order::Contiguous);
  EXPECT_EQ(facts({5}, {2}).order, Order::Strided);
  EXPECT_EQ(facts({5}, {-1}).order, Order::Strided);
  EXPECT_EQ(facts({5}, {0}).order, Order::Strided);
  EXPECT_EQ(facts({3, 4}, {4, 1}).order, Order::Contiguous);
  EXPECT_EQ(facts({3, 4}, {1, 3}).order, Order::Strided) << "Fortran order";
  EXPECT_EQ(facts({3, 4}, {5, 1}).order, Order::Strided);
  EXPECT_EQ(facts({1, 4}, {99, 1}).order, Order::Contiguous) << "an axis with one element";
  EXPECT_EQ(facts({3, 1}, {1, 99}).order, Order::Contiguous);
  EXPECT_EQ(facts({3, 0}, {7, 7}).order, Order::Contiguous) << "no elements";
  EXPECT_EQ(facts({0, 3}, {7, 7}).order, Order::Contiguous);
}

TEST(ArrayFacts, IndexWidth) {
  constexpr int64_t kMost = kMostIndex32;
  constexpr int64_t kFar = kMost - 1;  // of two elements
  EXPECT_EQ(facts({}, {}).index_bits, 32);
  EXPECT_EQ(facts({kMost}, {1}).index_bits, 32);
  EXPECT_EQ(facts({kMost + 1}, {1}).index_bits, 64) << "the extent";
  EXPECT_EQ(facts({kMost + 1}, {0}).index_bits, 64) << "the extent, of one element repeated";
  EXPECT_EQ(facts({INT32_MAX}, {1}).index_bits, 64);
  EXPECT_EQ(facts({2}, {kFar}).index_bits, 32);
  EXPECT_EQ(facts({2}, {kFar + 1}).index_bits, 64);
  EXPECT_EQ(facts({2}, {-kFar}).index_bits, 32);
  EXPECT_EQ(facts({3}, {-kFar}).index_bits, 64);
  EXPECT_EQ(facts({1 << 16, 1 << 16}, {1 << 16, 1}).index_bits, 64) << "2^32 elements";
  EXPECT_EQ(facts({1 << 14, 1 << 16}, {1 << 16, 1}).index_bits, 64) << "2^30 elements";
  EXPECT_EQ(facts({(1 << 14) - 1, 1 << 16}, {1 << 16, 1}).index_bits, 32);
  EXPECT_EQ(facts({2, 2}, {kFar, -1}).index_bits, 64) << "from the last element to the first";
  EXPECT_EQ(facts({2, 2}, {kFar, 1}).index_bits, 64);
  EXPECT_EQ(facts({1, 4}, {INT64_MAX, 1}).index_bits, 32) << "a stride that is never taken";
  EXPECT_EQ(facts({3, 4}, {INT64_MAX, INT64_MIN}).index_bits, 64);
  EXPECT_EQ(facts({0, 4}, {INT64_MAX, INT64_MAX}).index_bits, 32) << "no elements";
  EXPECT_EQ(facts({4, 0, kMost + 1}, {0, 0, 0}).index_bits, 64);
}

}  // namespace
}  // namespace hetjit
