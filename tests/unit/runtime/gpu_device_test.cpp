// The CUDA and HIP code against stand-ins for the vendors' libraries (fake_driver/).
#include "runtime/gpu/gpu_device.h"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>

#include "runtime/handles.h"
#include "runtime/kernel.h"
#include "support.h"

namespace hetjit::runtime {
namespace {

using test::FakeDriver;
using Calls = std::vector<std::string>;

// Where a vendor's words differ.
struct Words {
  Vendor vendor;
  const char* target;
  const char *launch, *launch_with;
  const char* allocate;
  const char* load;
  const char* copy_in;
  const char* invalid_value;
  const char* first_place;  // the context or device that calls say they run on
  const char* second_place;
  const char* set_limit;
  const char *wait, *follow, *query;
};
constexpr Words kWords[] = {
    {Vendor::Cuda, "cuda:sm_90", "cuLaunchKernel", "cuLaunchKernelEx", "cuMemAlloc_v2",
     "cuModuleLoadDataEx", "cuMemcpyHtoDAsync_v2", "CUDA_ERROR_INVALID_VALUE", "[1]", "[2]",
     "cuCtxSetLimit", "cuStreamSynchronize", "cuStreamWaitEvent", "cuEventQuery"},
    {Vendor::Hip, "hip:gfx942", "hipModuleLaunchKernel", "hipDrvLaunchKernelEx", "hipMalloc",
     "hipModuleLoadData", "hipMemcpyHtoDAsync", "hipErrorInvalidValue", "[0]", "[1]",
     "hipDeviceSetLimit", "hipStreamSynchronize", "hipStreamWaitEvent", "hipEventQuery"},
};

class GpuDeviceTest : public testing::TestWithParam<Words> {
 protected:
  void SetUp() override {
    auto opened = open_driver(GetParam().vendor);
    ASSERT_TRUE(opened.ok()) << opened.error().text;
    driver = std::move(*opened);
    first = open(0);
    second = open(1);
    (void)fake.take_calls();
  }
  std::unique_ptr<GpuDevice> open(int index) {
    auto made = GpuDevice::make(*driver.api, index);
    EXPECT_TRUE(made.ok()) << made.error().text;
    return std::move(*made);
  }
  KernelImage image(const std::string& entry = "fill") {
    KernelImage made;
    const bool cuda = GetParam().vendor == Vendor::Cuda;
    made.target = first->info().target;
    made.kind = cuda ? ImageKind::Ptx : ImageKind::CodeObject;
    made.entry = entry;
    made.parameter_bytes = 4;
    made.code.resize(64);
    return made;
  }
  std::string device_name(int index) {
    return std::string(to_text(GetParam().vendor)) + ":" + std::to_string(index);
  }
  // The one call of that name among those since the last time.
  std::string call(const std::string& name) {
    std::string found;
    for (const std::string& line : fake.take_calls())
      if (line.starts_with(name + " ")) found += found.empty() ? line : " AND " + line;
    return found;
  }

  FakeDriver fake{GetParam().vendor};
  GpuDriver driver;
  std::unique_ptr<GpuDevice> first, second;
};

INSTANTIATE_TEST_SUITE_P(Vendors, GpuDeviceTest, testing::ValuesIn(kWords),
                         [](const auto& info) { return std::string(to_text(info.param.vendor)); });

TEST_P(GpuDeviceTest, DescribesItself) {
  EXPECT_EQ(driver.devices, 2);
  EXPECT_EQ(second->name(), device_name(1));
  EXPECT_EQ(second->info().description, "Fake GPU 1");
  EXPECT_EQ(first->info().kind, DeviceKind::Gpu);
  EXPECT_EQ(to_text(first->info().target), GetParam().target);
  EXPECT_EQ(first->info().max_threads_per_block, 1024u);
  EXPECT_EQ(first->info().max_grid[0], 2147483647u);
  const bool cuda = GetParam().vendor == Vendor::Cuda;
  EXPECT_EQ(first->info().max_block[2], cuda ? 64u : 1024u);
  EXPECT_EQ(first->info().max_grid[1], cuda ? 65535u : 65536u);
  EXPECT_EQ(first->info().max_shared_bytes, cuda ? 232448u : 65536u);
  EXPECT_EQ(first->info().multiprocessors, cuda ? 132u : 304u);
}

TEST_P(GpuDeviceTest, LaunchPassesThePackedBlock) {
  auto kernel = Kernel::load(*first, image());
  ASSERT_TRUE(kernel.ok()) << kernel.error().text;
  (void)fake.take_calls();
  const uint32_t block = 0x44332211;
  const Params params{reinterpret_cast<const std::byte*>(&block), sizeof block};
  Handle stream = reinterpret_cast<Handle>(9);
  ASSERT_TRUE((*kernel)->launch({{7, 6, 5}, {32, 2, 1}, 0}, params, stream).ok());
  EXPECT_EQ(call(GetParam().launch),
            std::string(GetParam().launch) + " " + GetParam().first_place +
                " fill 7,6,5 32,2,1 shared 0 stream 9 parameters 11223344");
}

TEST_P(GpuDeviceTest, ACooperativeLaunchSaysSo) {
  KernelImage waiting = image();
  waiting.grid_barrier = true;
  auto kernel = Kernel::load(*first, waiting);
  ASSERT_TRUE(kernel.ok()) << kernel.error().text;
  const uint32_t block = 0x44332211;
  const Params params{reinterpret_cast<const std::byte*>(&block), sizeof block};
  EXPECT_NE((*kernel)
                ->launch({{2, 1, 1}, {32, 1, 1}}, params, nullptr)
                .error()
                .text.find("launch it with cooperative=True"),
            std::string::npos);
  const Geometry together{{2, 1, 1}, {32, 1, 1}, 8, true};
  (void)fake.take_calls();
  ASSERT_TRUE((*kernel)->launch(together, params, nullptr).ok());
  EXPECT_NE(call(GetParam().launch_with).find("8 stream 0 with 2=1 parameters 11223344"),
            std::string::npos);
  fake.fail(GetParam().launch_with, 720);
  const Status failed = (*kernel)->launch(together, params, nullptr);
  EXPECT_EQ(failed.error().code, ErrorCode::Invalid);
  EXPECT_NE(failed.error().text.find("launch fewer"), std::string::npos);
}

TEST_P(GpuDeviceTest, AttributesOfALaunch) {
  const bool cuda = GetParam().vendor == Vendor::Cuda;
  KernelImage early = image();
  early.parameter_bytes = 0;
  auto refusing = Kernel::load(*first, early);
  early.grid_dependency = true;
  auto kernel = Kernel::load(*first, early);
  ASSERT_TRUE(kernel.ok() && refusing.ok());
  Geometry geometry{{16, 2, 1}, {32, 1, 1}};
  const auto said = [&] {
    (void)fake.take_calls();
    const Status done = (*kernel)->launch(geometry, {}, nullptr);
    if (!done.ok()) return done.error().text;
    const std::string line = call(GetParam().launch_with), from = " stream 0";
    return line.substr(line.find(from) + from.size());
  };
  geometry.schedule = {.has_priority = true, .priority = -2};
  EXPECT_EQ(said(), " with 8=-2 parameters none");
  geometry.schedule = {.programmatic = true};
  if (cuda) EXPECT_EQ(said(), " with 6=1 parameters none");
  if (!cuda) {  // nothing is asked: a usual launch
    ASSERT_TRUE((*kernel)->launch(geometry, {}, nullptr).ok());
    EXPECT_NE(call(GetParam().launch), "");
  }
  EXPECT_NE((*refusing)
                ->launch(geometry, {}, nullptr)
                .error()
                .text.find("device.grid_dependency_synchronize()"),
            std::string::npos);
  if (cuda) {  // code for an older GPU has no such wait, so it comes in its turn
    early.target = *parse_target("cuda:sm_80");
    auto older = Kernel::load(*first, early);
    ASSERT_TRUE(older.ok());
    (void)fake.take_calls();
    ASSERT_TRUE((*older)->launch(geometry, {}, nullptr).ok());
    EXPECT_NE(call("cuLaunchKernel"), "");
  }
  geometry.schedule = {.cluster = {4, 2, 1}};
  if (!cuda) {
    EXPECT_NE(said().find("has no clusters"), std::string::npos);
    return;
  }
  EXPECT_EQ(said(), " with 4=4,2,1 parameters none");
  geometry.schedule.cluster[0] = 8;  // more than all GPUs hold
  (void)fake.take_calls();
  ASSERT_TRUE((*kernel)->launch(geometry, {}, nullptr).ok());
  EXPECT_NE(call("cuFuncSetAttribute").find("14 1"), std::string::npos);
  geometry.cooperative = true;
  EXPECT_EQ(said(), " with 2=1 with 4=8,2,1 parameters none");
}

TEST_P(GpuDeviceTest, StackIsAskedForBeforeAKernelIsLoaded) {
  const std::string set = GetParam().set_limit;
  KernelImage deep = image();
  deep.stack_bytes = 1000;  // what threads have anyway
  ASSERT_TRUE(first->load(deep).ok());
  EXPECT_EQ(call(set), "");
  deep.stack_bytes = 40000;
  ASSERT_TRUE(first->load(deep).ok());
  EXPECT_EQ(call(set), set + " " + GetParam().first_place + " 0 40000");
  fake.set("limit 0", 65536);  // somebody has asked for more
  ASSERT_TRUE(first->load(deep).ok());
  EXPECT_EQ(call(set), "");
  fake.set("limit 0", 1024);
  fake.fail(GetParam().set_limit, 1);
  const Result<Handle> refused = first->load(deep);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().text, device_name(0) + " cannot give threads 40000 bytes of stack: " +
                                      GetParam().invalid_value + " (1), as the fake driver says");
}

TEST_P(GpuDeviceTest, KernelWithoutParameters) {
  KernelImage none = image();
  none.parameter_bytes = 0;
  auto kernel = Kernel::load(*first, none);
  ASSERT_TRUE(kernel.ok());
  ASSERT_TRUE((*kernel)->launch({}, {}, nullptr).ok());
  EXPECT_NE(call(GetParam().launch).find("stream 0 parameters none"), std::string::npos);
}

TEST_P(GpuDeviceTest, EachCallRunsOnItsOwnDevice) {
  ASSERT_TRUE(first->allocate(10).ok());
  ASSERT_TRUE(second->allocate(20).ok());
  ASSERT_TRUE(first->allocate(30).ok());
  const std::string name = GetParam().allocate;
  EXPECT_EQ(call(name), name + " " + GetParam().first_place + " 10 AND " + name + " " +
                            GetParam().second_place + " 20 AND " + name + " " +
                            GetParam().first_place + " 30");
}

TEST_P(GpuDeviceTest, OtherPeoplesCurrentDeviceIsPutBack) {
  if (GetParam().vendor == Vendor::Cuda) {
    auto* set = fake.symbol<int(void*)>("cuCtxSetCurrent");
    auto* get = fake.symbol<int(void**)>("cuCtxGetCurrent");
    void* current = nullptr;
    set(reinterpret_cast<void*>(5));
    ASSERT_TRUE(first->allocate(1).ok());
    get(&current);
    EXPECT_EQ(current, reinterpret_cast<void*>(5));
    set(nullptr);
  } else {
    auto* set = fake.symbol<int(int)>("hipSetDevice");
    auto* get = fake.symbol<int(int*)>("hipGetDevice");
    int current = 0;
    set(1);
    ASSERT_TRUE(first->allocate(1).ok());
    get(&current);
    EXPECT_EQ(current, 1);
    set(0);
  }
}

TEST_P(GpuDeviceTest, ASecondCallInARowSwitchesNothing) {
  ASSERT_TRUE(first->allocate(1).ok());
  (void)fake.take_calls();
  ASSERT_TRUE(first->allocate(1).ok());
  EXPECT_EQ(fake.take_calls().size(), 1u);
}

TEST_P(GpuDeviceTest, AnyThreadMayCall) {
  std::thread([&] { EXPECT_TRUE(second->allocate(4).ok()); }).join();
}

TEST_P(GpuDeviceTest, MemoryAndCopies) {
  Result<Buffer> buffer = Buffer::make(*first, 16);
  ASSERT_TRUE(buffer.ok());
  const char in[16] = "sixteen letters";
  char out[16] = {};
  Handle stream = reinterpret_cast<Handle>(3);
  ASSERT_TRUE(buffer->copy_in(in, stream).ok());
  EXPECT_EQ(call(GetParam().copy_in),
            std::string(GetParam().copy_in) + " " + GetParam().first_place + " 3");
  ASSERT_TRUE(buffer->copy_out(out, stream).ok());
  EXPECT_STREQ(out, in);
  EXPECT_TRUE(first->copy_in(0, nullptr, 0, nullptr).ok());
  EXPECT_TRUE(first->release(0).ok());
}

TEST_P(GpuDeviceTest, ReleaseOfForeignMemoryIsAnError) {
  const Status status = first->release(4096);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::DriverFailed);
  EXPECT_EQ(status.error().text, device_name(0) + " cannot release memory: " +
                                     GetParam().invalid_value + " (1), as the fake driver says");
}

TEST_P(GpuDeviceTest, OutOfMemoryIsToldApart) {
  fake.fail(GetParam().allocate, 2);
  const Result<Address> address = first->allocate(123456);
  ASSERT_FALSE(address.ok());
  EXPECT_EQ(address.error().code, ErrorCode::OutOfMemory);
  EXPECT_EQ(address.error().text.find(device_name(0) + " cannot allocate 123456 bytes: "), 0u);
}

TEST_P(GpuDeviceTest, AnErrorWithoutANameKeepsItsNumber) {
  fake.fail(GetParam().allocate, 12345);
  EXPECT_NE(first->allocate(1).error().text.find("error (12345)"), std::string::npos);
}

TEST_P(GpuDeviceTest, StreamsAreTheVendorsOwn) {
  Result<Stream> stream = Stream::make(*first);
  ASSERT_TRUE(stream.ok());
  const std::string number = std::to_string(reinterpret_cast<uintptr_t>(stream->get()));
  EXPECT_TRUE(stream->wait().ok());
  EXPECT_EQ(call(GetParam().wait),
            std::string(GetParam().wait) + " " + GetParam().first_place + " " + number);
  EXPECT_TRUE(stream->close().ok());
  EXPECT_EQ(first->wait(reinterpret_cast<Handle>(std::stoul(number))).error().code,
            ErrorCode::DriverFailed);
}

TEST_P(GpuDeviceTest, EventsOrderStreamsAndKnowWhetherTheyArePassed) {
  Result<Event> event = Event::make(*first);
  ASSERT_TRUE(event.ok()) << event.error().text;
  fake.set("pending", 1);
  EXPECT_TRUE(*event->passed());
  ASSERT_TRUE(event->record(reinterpret_cast<Handle>(3)).ok());
  EXPECT_FALSE(*event->passed());
  (void)fake.take_calls();
  ASSERT_TRUE(event->precede(reinterpret_cast<Handle>(4)).ok());
  EXPECT_NE(call(GetParam().follow).find(std::string(GetParam().first_place) + " 4 "),
            std::string::npos);
  fake.set("pending", 0);
  EXPECT_TRUE(*event->passed());
  EXPECT_TRUE(event->wait().ok());
  EXPECT_EQ(*first->elapsed(event->get(), event->get()), 1.5f);
  fake.fail(GetParam().query, 719);
  EXPECT_EQ(event->passed().error().code, ErrorCode::DriverFailed);
}

TEST_P(GpuDeviceTest, AddressesKnowTheirDevice) {
  Result<Buffer> here = Buffer::make(*first, 16), there = Buffer::make(*second, 16);
  ASSERT_TRUE(here.ok() && there.ok());
  EXPECT_EQ(*first->owner_of(here->address()), 0);
  EXPECT_EQ(*first->owner_of(there->address() + 15), 1);
  int mine = 0;
  EXPECT_FALSE(first->owner_of(reinterpret_cast<Address>(&mine)).ok());
}

TEST_P(GpuDeviceTest, MissingEntry) {
  const auto kernel = Kernel::load(*first, image("missing"));
  ASSERT_FALSE(kernel.ok());
  EXPECT_EQ(kernel.error().text.find(device_name(0) + " cannot find the entry 'missing': "), 0u);
}

TEST_P(GpuDeviceTest, ImagesForOthersAreRefused) {
  KernelImage host = image();
  host.kind = ImageKind::HostObject;
  host.target = {TargetKind::Host, "native"};
  const Result<Handle> refused = first->load(host);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(refused.error().text, device_name(0) +
                                      " cannot run an image for cpu:native; it needs " +
                                      "one for " + GetParam().target);
}

TEST_P(GpuDeviceTest, EmptyImagesAreRefused) {
  KernelImage empty = image();
  empty.code.clear();
  EXPECT_EQ(first->load(empty).error().code, ErrorCode::Invalid);
}

TEST_P(GpuDeviceTest, LaunchThatNeedsTooMuchSaysHowMuchFits) {
  auto kernel = Kernel::load(*first, image());
  ASSERT_TRUE(kernel.ok());
  fake.fail(GetParam().launch, 701);
  const uint32_t block = 0;
  const Status status = (*kernel)->launch({{1, 1, 1}, {1024, 1, 1}},
                                          {reinterpret_cast<const std::byte*>(&block), 4}, nullptr);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().text.find("its blocks can have at most 512 threads, not 1024"),
            std::string::npos);
}

TEST_P(GpuDeviceTest, AForkedChildIsToldWhy) {
  EXPECT_EQ(test::in_child([&] {
              const Result<Address> address = first->allocate(1);
              return !address.ok() && address.error().text.find("forked") != std::string::npos ? 0
                                                                                               : 1;
            }),
            0);
}

class CudaDeviceTest : public GpuDeviceTest {};
INSTANTIATE_TEST_SUITE_P(Cuda, CudaDeviceTest, testing::Values(kWords[0]),
                         [](const auto&) { return "cuda"; });

TEST_P(CudaDeviceTest, TheCompilersLogIsInTheError) {
  fake.fail("cuModuleLoadDataEx", 218);
  const Result<Handle> module = first->load(image());
  ASSERT_FALSE(module.ok());
  EXPECT_EQ(module.error().text,
            "cuda:0 cannot load 'fill': CUDA_ERROR_INVALID_PTX (218), as the fake driver says\n"
            "ptxas line 3: unknown instruction 'frob'");
}

TEST_P(CudaDeviceTest, CodeForAnotherArchitectureIsUnsupported) {
  fake.fail("cuModuleLoadDataEx", 209);
  EXPECT_EQ(first->load(image()).error().code, ErrorCode::Unsupported);
}

TEST_P(CudaDeviceTest, TextWithoutItsEndIsRefused) {
  KernelImage cut = image();
  cut.code.back() = std::byte{'}'};
  EXPECT_EQ(first->load(cut).error().text, "the image of 'fill' is cut short");
}

TEST_P(CudaDeviceTest, DynamicSharedMemoryIsAskedForOnce) {
  auto kernel = Kernel::load(*first, image());
  ASSERT_TRUE(kernel.ok());
  const uint32_t block = 0;
  const Params params{reinterpret_cast<const std::byte*>(&block), 4};
  const auto asked = [&](uint32_t shared_bytes) {
    (void)fake.take_calls();
    EXPECT_TRUE((*kernel)->launch({{1, 1, 1}, {1, 1, 1}, shared_bytes}, params, nullptr).ok());
    return call("cuFuncSetAttribute");
  };
  EXPECT_EQ(asked(0), "");
  EXPECT_EQ(asked(100000), "cuFuncSetAttribute [1] 8 100000");
  EXPECT_EQ(asked(100000), "");
  EXPECT_EQ(asked(200), "");
  EXPECT_EQ(asked(200000), "cuFuncSetAttribute [1] 8 200000");
}

TEST_P(CudaDeviceTest, MoreSharedMemoryThanThereIsIsRefusedBeforeTheDriverSeesIt) {
  auto kernel = Kernel::load(*first, image());
  ASSERT_TRUE(kernel.ok());
  const uint32_t block = 0;
  const Params params{reinterpret_cast<const std::byte*>(&block), 4};
  EXPECT_EQ((*kernel)->launch({{1, 1, 1}, {1, 1, 1}, 232449}, params, nullptr).error().text,
            "232449 bytes of dynamic shared memory are more than the 232448 that cuda:0 allows");
  EXPECT_EQ(call("cuLaunchKernel"), "");
}

class HipDeviceTest : public GpuDeviceTest {};
INSTANTIATE_TEST_SUITE_P(Hip, HipDeviceTest, testing::Values(kWords[1]),
                         [](const auto&) { return "hip"; });

TEST_P(HipDeviceTest, CodeForAnotherArchitectureSaysBoth) {
  fake.fail("hipModuleLoadData", 209);
  KernelImage other = image();
  other.target.arch = "gfx90a";
  const Result<Handle> module = first->load(other);
  ASSERT_FALSE(module.ok());
  EXPECT_EQ(module.error().code, ErrorCode::Unsupported);
  EXPECT_NE(
      module.error().text.find("it was compiled for hip:gfx90a, and this device is hip:gfx942"),
      std::string::npos);
}

}  // namespace
}  // namespace hetjit::runtime
