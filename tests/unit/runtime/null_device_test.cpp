#include "runtime/null/null_device.h"

#include <gtest/gtest.h>

#include "runtime/handles.h"
#include "runtime/kernel.h"

namespace hetjit::runtime {
namespace {

using Call = NullDevice::Call;

KernelImage image() {
  KernelImage made;
  made.entry = "fill";
  made.kind = ImageKind::Ptx;
  made.parameter_bytes = 8;
  return made;
}

TEST(NullDevice, RecordsWhatItIsAsked) {
  NullDevice device;
  EXPECT_EQ(device.info().kind, DeviceKind::Null);
  device.record(true);
  {
    auto kernel = Kernel::load(device, image());
    ASSERT_TRUE(kernel.ok());
    const std::byte params[8] = {};
    ASSERT_TRUE((*kernel)->launch({{4, 1, 1}, {32, 2, 1}, 16}, {params, 8}, nullptr).ok());
  }
  EXPECT_EQ(device.take_calls(),
            (std::vector<std::string>{
                "load fill", "find fill",
                "launch fill grid (4, 1, 1) block (32, 2, 1) shared 16 parameters 8 stream 0",
                "unload"}));
  EXPECT_TRUE(device.take_calls().empty());
}

TEST(NullDevice, RecordsNothingUnlessTold) {
  NullDevice device;
  EXPECT_TRUE(device.wait(nullptr).ok());
  EXPECT_TRUE(device.take_calls().empty());
}

TEST(NullDevice, FailsOnceWhenTold) {
  NullDevice device;
  device.fail_next(Call::Allocate, {ErrorCode::OutOfMemory, "no more"});
  const Result<Address> refused = device.allocate(8);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::OutOfMemory);
  EXPECT_EQ(refused.error().text, "no more");
  const Result<Address> given = device.allocate(8);
  ASSERT_TRUE(given.ok());
  EXPECT_TRUE(device.release(given.value()).ok());
}

TEST(NullDevice, CountsLaunchesWithoutRecording) {
  NullDevice device;
  auto kernel = Kernel::load(device, image());
  ASSERT_TRUE(kernel.ok());
  const std::byte params[8] = {};
  for (int i = 0; i < 3; i++) ASSERT_TRUE((*kernel)->launch({}, {params, 8}, nullptr).ok());
  EXPECT_EQ(device.launches(), 3u);
}

TEST(Kernel, IsUnloadedWhenItsEntryIsMissing) {
  NullDevice device;
  device.record(true);
  device.fail_next(Call::Find, {ErrorCode::Invalid, "not there"});
  const auto kernel = Kernel::load(device, image());
  ASSERT_FALSE(kernel.ok());
  EXPECT_EQ(kernel.error().text, "not there");
  EXPECT_EQ(device.take_calls(), (std::vector<std::string>{"load fill", "find fill", "unload"}));
}

TEST(Kernel, RefusesABadGeometryBeforeTheDeviceSeesIt) {
  NullDevice device;
  auto kernel = Kernel::load(device, image());
  ASSERT_TRUE(kernel.ok());
  const std::byte params[8] = {};
  const Status refused = (*kernel)->launch({{1, 0, 1}}, {params, 8}, nullptr);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().text, "grid is 0 in y: every dimension must be at least 1");
  EXPECT_EQ(device.launches(), 0u);
}

TEST(Kernel, RefusesAParameterBlockOfAnotherSize) {
  NullDevice device;
  auto kernel = Kernel::load(device, image());
  ASSERT_TRUE(kernel.ok());
  const std::byte params[16] = {};
  const Status refused = (*kernel)->launch({}, {params, 16}, nullptr);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().text,
            "a parameter block of 16 bytes was given to a kernel that takes 8");
}

TEST(Handles, ReleaseExactlyOnce) {
  NullDevice device;
  device.record(true);
  {
    Result<Buffer> made = Buffer::make(device, 12);
    ASSERT_TRUE(made.ok());
    Buffer first = std::move(*made);
    Buffer second = std::move(first);
    EXPECT_FALSE(static_cast<bool>(first));
    EXPECT_EQ(second.bytes(), 12u);
    Buffer third;
    third = std::move(second);
    EXPECT_TRUE(static_cast<bool>(third));
  }
  EXPECT_EQ(device.take_calls(), (std::vector<std::string>{"allocate 12", "release"}));
}

TEST(Handles, CloseTellsOfAFailureAndIsDoneOnce) {
  NullDevice device;
  Result<Stream> stream = Stream::make(device);
  ASSERT_TRUE(stream.ok());
  EXPECT_TRUE(stream->wait().ok());
  device.fail_next(Call::DestroyStream, {ErrorCode::DriverFailed, "busy"});
  EXPECT_EQ(stream->close().error().text, "busy");
  EXPECT_TRUE(stream->close().ok());
}

TEST(Handles, ModuleLetGoIsTheCallersToUnload) {
  NullDevice device;
  Handle kept = nullptr;
  {
    Result<Module> module = Module::load(device, image());
    ASSERT_TRUE(module.ok());
    EXPECT_TRUE(module->find("fill").ok());
    EXPECT_FALSE(module->find("other").ok());
    kept = module->let_go();
  }
  EXPECT_TRUE(device.unload(kept).ok());
  EXPECT_FALSE(device.unload(kept).ok());
}

}  // namespace
}  // namespace hetjit::runtime
