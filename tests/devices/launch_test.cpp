// Loading and launching compiled kernels.
#include <cstring>
#include <thread>

#include "every_device.h"

namespace hetjit::runtime {
namespace {

using test::Arguments;

class Launch : public test::EveryDevice {};
HETJIT_ON_EVERY_DEVICE(Launch);

// if i < len(out): out[i] = value
constexpr std::string_view kFill =
    R"(fill(out: array[f32, 1, contiguous], value: f32) -> none
b0(v0: array[f32, 1, contiguous], v1: f32):
  v2: u32 = blockindex 0
  v3: u32 = blockdim 0
  v4: u32 = mul v2, v3
  v5: u32 = threadindex 0
  v6: u32 = add v4, v5
  v7: i64 = convert v6
  v8: i64 = extent 0 v0
  v9: bool = compare ge v7, v8
  branch v9, b1, b2
b1():
  v10: none = none
  return v10
b2():
  v11: ptr[f32] = element v0, v7
  store v11, v1
  jump b1
)";

// out[i] += 1
constexpr std::string_view kIncrement =
    R"(increment(out: array[i32, 1, contiguous]) -> none
b0(v0: array[i32, 1, contiguous]):
  v1: u32 = blockindex 0
  v2: u32 = blockdim 0
  v3: u32 = mul v1, v2
  v4: u32 = threadindex 0
  v5: u32 = add v3, v4
  v6: i64 = convert v5
  v7: ptr[i32] = element v0, v6
  v8: i32 = load v7
  v9: i32 = const 1
  v10: i32 = add v8, v9
  store v7, v10
  v11: none = none
  return v11
)";

// out[linear number of the thread] = its block's and its own coordinates as decimal digits
constexpr std::string_view kCoordinates =
    R"(coordinates(out: array[u32, 1, contiguous]) -> none
b0(v0: array[u32, 1, contiguous]):
  v1: u32 = blockindex 0
  v2: u32 = blockindex 1
  v3: u32 = blockindex 2
  v4: u32 = threadindex 0
  v5: u32 = threadindex 1
  v6: u32 = threadindex 2
  v7: u32 = griddim 0
  v8: u32 = griddim 1
  v9: u32 = blockdim 0
  v10: u32 = blockdim 1
  v11: u32 = blockdim 2
  v12: u32 = mul v3, v8
  v13: u32 = add v12, v2
  v14: u32 = mul v13, v7
  v15: u32 = add v14, v1
  v16: u32 = mul v15, v11
  v17: u32 = add v16, v6
  v18: u32 = mul v17, v10
  v19: u32 = add v18, v5
  v20: u32 = mul v19, v9
  v21: u32 = add v20, v4
  v22: i64 = convert v21
  v23: u32 = const 10
  v24: u32 = mul v3, v23
  v25: u32 = add v24, v2
  v26: u32 = mul v25, v23
  v27: u32 = add v26, v1
  v28: u32 = mul v27, v23
  v29: u32 = add v28, v6
  v30: u32 = mul v29, v23
  v31: u32 = add v30, v5
  v32: u32 = mul v31, v23
  v33: u32 = add v32, v4
  v34: ptr[u32] = element v0, v22
  store v34, v33
  v35: none = none
  return v35
)";

// out[0] = a + b + c + d: parameters of four sizes, so that a wrong offset shows
constexpr std::string_view kMixed =
    R"(mixed(a: i8, out: array[f64, 1, contiguous], b: i16, c: f64, d: u8) -> none
b0(v0: i8, v1: array[f64, 1, contiguous], v2: i16, v3: f64, v4: u8):
  v5: f64 = convert v0
  v6: f64 = convert v2
  v7: f64 = convert v4
  v8: f64 = add v5, v6
  v9: f64 = add v8, v3
  v10: f64 = add v9, v7
  v11: i64 = const 0
  v12: ptr[f64] = element v1, v11
  store v12, v10
  v13: none = none
  return v13
)";

constexpr std::string_view kEmpty = R"(empty() -> none
b0():
  v0: none = none
  return v0
)";

TypeId contiguous(Scalar element) {
  return array_type(scalar_type(element), 1, {.order = Order::Contiguous});
}

TEST_P(Launch, EveryThreadRuns) {
  const auto fill = kernel(kFill);
  ASSERT_TRUE(fill);
  for (size_t count : {1, 31, 32, 1000, 100'000}) {
    Buffer out = buffer(count * sizeof(float));
    upload(out, std::vector<float>(count, -1));
    Arguments arguments({contiguous(Scalar::Float32), scalar_type(Scalar::Float32)});
    arguments.array(out.address(), count).scalar(2.5f);
    const Geometry geometry{{static_cast<uint32_t>((count + 127) / 128), 1, 1}, {128, 1, 1}};
    const Status status = fill->launch(geometry, arguments.params(), nullptr);
    ASSERT_TRUE(status.ok()) << status.error().text;
    EXPECT_EQ(download<float>(out), std::vector<float>(count, computes() ? 2.5f : -1)) << count;
  }
}

TEST_P(Launch, CoordinatesInThreeDimensions) {
  const auto coordinates = kernel(kCoordinates);
  ASSERT_TRUE(coordinates);
  const Geometry geometry{{5, 3, 2}, {4, 2, 3}};
  std::vector<uint32_t> expected;
  for (uint32_t block = 0; block < 30; block++)
    for (uint32_t thread = 0; thread < 24; thread++) {
      const uint32_t blocks = block / 15 * 100 + block / 5 % 3 * 10 + block % 5;
      expected.push_back(blocks * 1000 + thread / 8 * 100 + thread / 4 % 2 * 10 + thread % 4);
    }
  Buffer out = buffer(expected.size() * sizeof(uint32_t));
  Arguments arguments({contiguous(Scalar::UInt32)});
  arguments.array(out.address(), expected.size());
  ASSERT_TRUE(coordinates->launch(geometry, arguments.params(), nullptr).ok());
  const std::vector<uint32_t> found = download<uint32_t>(out);
  if (computes()) {
    EXPECT_EQ(found, expected);
  }
}

TEST_P(Launch, ParametersOfManySizes) {
  const auto mixed = kernel(kMixed);
  ASSERT_TRUE(mixed);
  Buffer out = buffer(sizeof(double));
  Arguments arguments({scalar_type(Scalar::Int8), contiguous(Scalar::Float64),
                       scalar_type(Scalar::Int16), scalar_type(Scalar::Float64),
                       scalar_type(Scalar::UInt8)});
  arguments.scalar(int8_t{-3}).array(out.address(), 1).scalar(int16_t{-2000});
  arguments.scalar(0.25).scalar(uint8_t{200});
  EXPECT_EQ(mixed->parameter_bytes(), arguments.params().bytes);
  ASSERT_TRUE(mixed->launch({}, arguments.params(), nullptr).ok());
  const std::vector<double> found = download<double>(out);
  if (computes()) {
    EXPECT_EQ(found[0], -3 - 2000 + 0.25 + 200);
  }
}

TEST_P(Launch, WithoutParameters) {
  const auto empty = kernel(kEmpty);
  ASSERT_TRUE(empty);
  EXPECT_EQ(empty->parameter_bytes(), 0u);
  const Status status = empty->launch({{100, 1, 1}, {64, 1, 1}}, {}, nullptr);
  EXPECT_TRUE(status.ok()) << status.error().text;
  EXPECT_TRUE(device->wait(nullptr).ok());
}

TEST_P(Launch, ParametersMayChangeAfterwards) {
  const auto fill = kernel(kFill);
  ASSERT_TRUE(fill);
  Buffer out = buffer(1000 * sizeof(float));
  for (int i = 0; i < 20; i++) {
    Arguments arguments({contiguous(Scalar::Float32), scalar_type(Scalar::Float32)});
    arguments.array(out.address(), 1000).scalar(static_cast<float>(i));
    ASSERT_TRUE(fill->launch({{8, 1, 1}, {128, 1, 1}}, arguments.params(), nullptr).ok());
    arguments.overwrite();
  }
  const std::vector<float> found = download<float>(out);
  if (computes()) {
    EXPECT_EQ(found, std::vector<float>(1000, 19));
  }
}

TEST_P(Launch, InTheOrderOfTheStream) {
  const auto increment = kernel(kIncrement);
  ASSERT_TRUE(increment);
  Result<Stream> stream = Stream::make(*device);
  ASSERT_TRUE(stream.ok()) << stream.error().text;
  Buffer out = buffer(512 * sizeof(int32_t));
  const std::vector<int32_t> zeros(512, 0);
  ASSERT_TRUE(out.copy_in(zeros.data(), stream->get()).ok());
  Arguments arguments({contiguous(Scalar::Int32)});
  arguments.array(out.address(), 512);
  for (int i = 0; i < 300; i++)
    ASSERT_TRUE(
        increment->launch({{4, 1, 1}, {128, 1, 1}}, arguments.params(), stream->get()).ok());
  const std::vector<int32_t> found = download<int32_t>(out, stream->get());
  EXPECT_EQ(found, std::vector<int32_t>(512, computes() ? 300 : 0));
}

TEST_P(Launch, FromManyThreadsAtOnce) {
  const auto fill = kernel(kFill);
  ASSERT_TRUE(fill);
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; t++)
    threads.emplace_back([&, t] {
      Buffer out = buffer(5000 * sizeof(float));
      for (int i = 0; i < 30; i++) {
        Arguments arguments({contiguous(Scalar::Float32), scalar_type(Scalar::Float32)});
        arguments.array(out.address(), 5000).scalar(static_cast<float>(t * 100 + i));
        EXPECT_TRUE(fill->launch({{50, 1, 1}, {100, 1, 1}}, arguments.params(), nullptr).ok());
        const std::vector<float> found = download<float>(out);
        if (computes()) {
          EXPECT_EQ(found, std::vector<float>(5000, static_cast<float>(t * 100 + i)));
        }
      }
    });
  for (std::thread& thread : threads) thread.join();
}

TEST_P(Launch, ManyModulesAtOnce) {
  auto first = kernel(kFill), second = kernel(kIncrement);
  ASSERT_TRUE(first && second);
  Buffer out = buffer(128 * sizeof(int32_t));
  upload(out, std::vector<int32_t>(128, 5));
  first.reset();  // unloading one leaves the other
  Arguments arguments({contiguous(Scalar::Int32)});
  arguments.array(out.address(), 128);
  ASSERT_TRUE(second->launch({{1, 1, 1}, {128, 1, 1}}, arguments.params(), nullptr).ok());
  EXPECT_EQ(download<int32_t>(out), std::vector<int32_t>(128, computes() ? 6 : 5));
}

TEST_P(Launch, TooLargeABlockIsRefused) {
  const auto empty = kernel(kEmpty);
  ASSERT_TRUE(empty);
  const Status status = empty->launch({{1, 1, 1}, {2000, 1, 1}}, {}, nullptr);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::Invalid);
  EXPECT_EQ(status.error().text, "block of 2000 threads (2000, 1, 1) is more than the " +
                                     std::to_string(device->info().max_threads_per_block) +
                                     " that " + GetParam() +
                                     " allows: launch more blocks of fewer threads, or "
                                     "kernel.forall(n)");
}

TEST_P(Launch, EntryThatIsNotThere) {
  Result<KernelImage> image = test::compile(kEmpty, *device);
  ASSERT_TRUE(image.ok());
  image->entry = "something_else";
  if (GetParam() == "null") GTEST_SKIP() << "null takes the image's word for its entry";
  const auto loaded = Kernel::load(*device, image.value());
  ASSERT_FALSE(loaded.ok());
  EXPECT_NE(loaded.error().text.find("something_else"), std::string::npos);
}

TEST_P(Launch, DamagedCodeIsAnError) {
  Result<KernelImage> image = test::compile(kEmpty, *device);
  ASSERT_TRUE(image.ok());
  if (GetParam() == "null") GTEST_SKIP() << "null reads no code";
  const char rubbish[] = "this is no code at all";
  image->code.resize(sizeof rubbish);
  std::memcpy(image->code.data(), rubbish, sizeof rubbish);
  const auto loaded = Kernel::load(*device, image.value());
  ASSERT_FALSE(loaded.ok());
  EXPECT_FALSE(loaded.error().text.empty());
}

}  // namespace
}  // namespace hetjit::runtime
