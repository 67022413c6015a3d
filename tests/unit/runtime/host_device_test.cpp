#include "runtime/host/host_device.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <numeric>
#include <thread>

#include "runtime/handles.h"
#include "runtime/interrupt.h"
#include "runtime/kernel.h"
#include "support.h"

namespace hetjit::runtime {
namespace {

struct FillParameters {
  float* data;
  float value;
};

// Writes a value at each thread's number, as compiled code would.
void fill(const std::byte* parameters, const Geometry* geometry, uint64_t first, uint64_t last) {
  const auto* fill = reinterpret_cast<const FillParameters*>(parameters);
  const uint64_t threads = geometry->block[0];
  for (uint64_t i = first * threads; i < last * threads; i++) fill->data[i] = fill->value;
}

// Divides two subnormals' sum by a power of two: 0 in any mode that flushes.
void halve_subnormal(const std::byte* parameters, const Geometry*, uint64_t, uint64_t) {
  volatile float tiny = 1e-40f;
  reinterpret_cast<const FillParameters*>(parameters)->data[0] = tiny * 0.5f;
}

// A millisecond a block.
void doze(const std::byte*, const Geometry*, uint64_t first, uint64_t last) {
  std::this_thread::sleep_for(std::chrono::milliseconds(last - first));
}

// "Links" the name of one of the functions above.
class NamedCode : public HostCode {
 public:
  explicit NamedCode(std::string) {}
  void* find(const std::string& symbol) override {
    if (symbol == "fill") return reinterpret_cast<void*>(fill);
    if (symbol == "halve_subnormal") return reinterpret_cast<void*>(halve_subnormal);
    if (symbol == "doze") return reinterpret_cast<void*>(doze);
    return nullptr;
  }
};

Result<std::unique_ptr<HostCode>> link(std::span<const std::byte> object,
                                       std::span<const HostSymbol>) {
  if (object.empty()) return Error{ErrorCode::Internal, "nothing to link"};
  return std::unique_ptr<HostCode>(new NamedCode(""));
}

KernelImage image(const std::string& entry) {
  KernelImage made;
  made.entry = entry;
  made.parameter_bytes = sizeof(FillParameters);
  made.code.resize(1);
  return made;
}

TEST(HostDevice, RunsEveryBlock) {
  HostDevice device(link, 4);
  auto kernel = Kernel::load(device, image("fill"));
  ASSERT_TRUE(kernel.ok());
  for (uint32_t blocks : {1u, 2u, 100u, 3000u}) {
    std::vector<float> data(blocks * 32, 0.0f);
    const FillParameters parameters{data.data(), 2.5f};
    const Params params{reinterpret_cast<const std::byte*>(&parameters), sizeof parameters};
    ASSERT_TRUE((*kernel)->launch({{blocks, 1, 1}, {32, 1, 1}}, params, nullptr).ok());
    EXPECT_EQ(std::accumulate(data.begin(), data.end(), 0.0), 2.5 * blocks * 32);
  }
}

TEST(HostDevice, GridOfThreeDimensions) {
  HostDevice device(link, 4);
  auto kernel = Kernel::load(device, image("fill"));
  ASSERT_TRUE(kernel.ok());
  std::vector<float> data(3 * 4 * 5 * 8, 0.0f);
  const FillParameters parameters{data.data(), 1.0f};
  const Params params{reinterpret_cast<const std::byte*>(&parameters), sizeof parameters};
  ASSERT_TRUE((*kernel)->launch({{3, 4, 5}, {8, 1, 1}}, params, nullptr).ok());
  EXPECT_EQ(std::accumulate(data.begin(), data.end(), 0.0), 480.0);
}

TEST(HostDevice, KernelsComputeTheSameInAnyFloatMode) {
  HostDevice device(link, 1);
  auto kernel = Kernel::load(device, image("halve_subnormal"));
  ASSERT_TRUE(kernel.ok());
  float result = 0;
  const FillParameters parameters{&result, 0};
  const Params params{reinterpret_cast<const std::byte*>(&parameters), sizeof parameters};
#if defined(__x86_64__)
  const unsigned before = __builtin_ia32_stmxcsr();
  const unsigned flushing = before | 0x8040;  // flush to zero, subnormals are zero
  __builtin_ia32_ldmxcsr(flushing);
  const Status status = (*kernel)->launch({}, params, nullptr);
  const unsigned after = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(before);
  EXPECT_EQ(after, flushing);
#else
  const Status status = (*kernel)->launch({}, params, nullptr);
#endif
  ASSERT_TRUE(status.ok());
  EXPECT_EQ(result, 0.5f * 1e-40f);
  EXPECT_GT(result, 0.0f);
}

TEST(HostDevice, CanBeInterruptedBetweenBlocks) {
  for (uint32_t threads : {1u, 4u}) {
    HostDevice device(link, threads);
    auto kernel = Kernel::load(device, image("doze"));
    ASSERT_TRUE(kernel.ok());
    const FillParameters parameters{nullptr, 0};
    const Params params{reinterpret_cast<const std::byte*>(&parameters), sizeof parameters};
    interrupt_check = [] { return true; };
    const auto began = std::chrono::steady_clock::now();
    const Status status = (*kernel)->launch({{100'000, 1, 1}}, params, nullptr);
    interrupt_check = nullptr;
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, ErrorCode::Interrupted);
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(10));
    EXPECT_TRUE((*kernel)->launch({{3, 1, 1}}, params, nullptr).ok());
  }
}

TEST(HostDevice, MemoryIsAlignedAndTracked) {
  HostDevice device(link, 1);
  for (size_t bytes : {0, 1, 63, 64, 1000}) {
    Result<Address> address = device.allocate(bytes);
    ASSERT_TRUE(address.ok());
    EXPECT_EQ(*address % 64, 0u);
    EXPECT_TRUE(device.release(*address).ok());
    const Status again = device.release(*address);
    ASSERT_FALSE(again.ok());
    EXPECT_EQ(again.error().code, ErrorCode::Invalid);
  }
  EXPECT_TRUE(device.release(0).ok());
  int mine = 0;
  EXPECT_EQ(device.release(reinterpret_cast<Address>(&mine)).error().text,
            "cpu did not allocate the memory that it is to release");
}

TEST(HostDevice, TooMuchMemoryIsAnError) {
  HostDevice device(link, 1);
  const Result<Address> address = device.allocate(size_t{1} << 60);
  ASSERT_FALSE(address.ok());
  EXPECT_EQ(address.error().code, ErrorCode::OutOfMemory);
}

TEST(HostDevice, RefusesImagesForOthers) {
  HostDevice device(link, 1);
  KernelImage ptx = image("fill");
  ptx.kind = ImageKind::Ptx;
  ptx.target = {TargetKind::Nvidia, "sm_90"};
  const Result<Handle> refused = device.load(ptx);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(refused.error().text, "cpu cannot run an image for cuda:sm_90");
}

TEST(HostDevice, LinkersErrorsComeThrough) {
  HostDevice device(link, 1);
  KernelImage empty = image("fill");
  empty.code.clear();
  EXPECT_EQ(device.load(empty).error().text, "nothing to link");
  HostDevice bare(nullptr, 1);
  EXPECT_EQ(bare.load(image("fill")).error().code, ErrorCode::Unavailable);
}

TEST(HostDevice, MissingEntryIsAnError) {
  HostDevice device(link, 1);
  EXPECT_EQ(Kernel::load(device, image("nothing")).error().text,
            "the image has no entry 'nothing'");
}

TEST(HostDevice, UnknownHandlesAreErrors) {
  HostDevice device(link, 1);
  int mine = 0;
  EXPECT_EQ(device.unload(&mine).error().text, "cpu has no such module");
  EXPECT_EQ(device.find(&mine, "fill").error().text, "cpu has no such module");
  EXPECT_EQ(device.wait(&mine).error().text, "cpu has no such stream");
  EXPECT_EQ(device.launch(nullptr, {}, {}, &mine).error().text, "cpu has no such stream");
  EXPECT_EQ(device.destroy_stream(&mine).error().text, "cpu has no such stream");
}

TEST(HostDevice, DescribesItself) {
  HostDevice device(link, 3);
  EXPECT_EQ(device.name(), "cpu");
  EXPECT_EQ(device.info().kind, DeviceKind::Host);
  EXPECT_EQ(to_text(device.info().target), "cpu:native");
  EXPECT_EQ(device.info().multiprocessors, 3u);
  EXPECT_NE(device.info().description.find(", 3 threads"), std::string::npos);
}

TEST(HostDevice, WorksInAForkedChild) {
  HostDevice device(link, 4);
  auto kernel = Kernel::load(device, image("fill"));
  ASSERT_TRUE(kernel.ok());
  std::vector<float> data(64 * 32, 0.0f);
  const FillParameters parameters{data.data(), 1.0f};
  const Params params{reinterpret_cast<const std::byte*>(&parameters), sizeof parameters};
  const auto runs = [&] {
    std::fill(data.begin(), data.end(), 0.0f);
    return (*kernel)->launch({{64, 1, 1}, {32, 1, 1}}, params, nullptr).ok() &&
           std::accumulate(data.begin(), data.end(), 0.0) == 2048.0;
  };
  EXPECT_TRUE(runs());
  EXPECT_EQ(test::in_child([&] { return runs() && device.allocate(8).ok() ? 0 : 1; }), 0);
  EXPECT_TRUE(runs());
}

}  // namespace
}  // namespace hetjit::runtime
