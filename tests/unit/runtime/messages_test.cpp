// What kernels say: records in device memory, read on the null device and through the stand-ins for
// the vendors' libraries.
#include <gtest/gtest.h>

#include <cstring>

#include "runtime/kernel.h"
#include "runtime/null/null_device.h"
#include "support.h"

namespace hetjit::runtime {
namespace {

Sites example_sites() {
  Site raise{SiteKind::Raise, "ValueError", true, {{"bad ", {}, false}}, "f", "f.py", 3};
  raise.text.push_back({"", Scalar::Int32, false});
  Site print{SiteKind::Print, "", false, {{"", Scalar::Float32, false}}, "f", "f.py", 4};
  return {raise, print};
}

KernelImage speaking_image() {
  KernelImage image;
  image.entry = "speak";
  image.kind = ImageKind::Ptx;
  image.sites = example_sites();
  return image;
}

// What a kernel would have written.
void write_error(Device& device, Address box, uint32_t site, uint32_t words, uint64_t word) {
  ErrorBox error{};
  error.claimed = 1;
  error.header = {site, words, {4, 5, 6}, {1, 2, 3}};
  error.words[0] = word;
  ASSERT_TRUE(device.copy_in(box, &error, sizeof error, nullptr).ok());
}

void append_print(std::vector<std::byte>& to, uint32_t site, uint32_t words, uint64_t word) {
  MessageHeader header{site, words, {0, 0, 0}, {7, 0, 0}};
  to.resize(to.size() + sizeof header + 8);
  std::memcpy(&to[to.size() - 8], &word, 8);
  std::memcpy(&to[to.size() - 8 - sizeof header], &header, sizeof header);
}

void write_prints(Device& device, Address box, const std::vector<std::byte>& records,
                  uint64_t cursor, uint64_t lost) {
  const uint64_t head[2] = {cursor, lost};
  ASSERT_TRUE(device.copy_in(box, head, sizeof head, nullptr).ok());
  ASSERT_TRUE(device.copy_in(box + sizeof head, records.data(), records.size(), nullptr).ok());
}

class Messages : public testing::Test {
 protected:
  void SetUp() override {
    auto loaded = Kernel::load(device, speaking_image());
    ASSERT_TRUE(loaded.ok()) << loaded.error().text;
    kernel = std::move(*loaded);
    // The null device has one of each name per module; ours is the first and only one.
    device.record(true);
  }
  NullDevice device;
  std::unique_ptr<Kernel> kernel;
};

TEST_F(Messages, SilenceIsEmptyAndCostsOneLook) {
  Result<Report> report = kernel->listen(nullptr);
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(report->empty());
  EXPECT_EQ(device.take_calls(), (std::vector<std::string>{"copy_out 552 stream 0", "wait 0",
                                                           "copy_out 16 stream 0", "wait 0"}));
}

TEST_F(Messages, AStreamOfTheCallerIsUsedThroughout) {
  Result<Handle> stream = device.make_stream(0);
  ASSERT_TRUE(stream.ok());
  (void)device.take_calls();
  ASSERT_TRUE(kernel->launch({}, {}, *stream).ok());
  ASSERT_TRUE(kernel->listen(*stream).ok());
  const std::string name = std::to_string(reinterpret_cast<uintptr_t>(*stream));
  for (const std::string& call : device.take_calls())
    EXPECT_TRUE(call.ends_with("stream " + name) || call == "wait " + name) << call;
}

TEST_F(Messages, AFailureOfTheDeviceIsTheCallersToKnow) {
  device.fail_next(NullDevice::Call::CopyOut, {ErrorCode::DriverFailed, "gone"});
  Result<Report> report = kernel->listen(nullptr);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().text, "gone");
}

TEST(MessagesOfModules, AModuleWithoutItsVariableIsNotLoaded) {
  NullDevice device;
  device.fail_next(NullDevice::Call::Global, {ErrorCode::Invalid, "no such variable"});
  auto loaded = Kernel::load(device, speaking_image());
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().text, "no such variable");
}

class DriverMessages : public testing::TestWithParam<Vendor> {
 protected:
  test::FakeDriver fake{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Vendors, DriverMessages, testing::Values(Vendor::Cuda, Vendor::Hip),
                         [](const auto& info) { return std::string(to_text(info.param)); });

TEST_P(DriverMessages, AreReadOnceAndCleared) {
  auto driver = open_driver(GetParam());
  ASSERT_TRUE(driver.ok());
  auto device = GpuDevice::make(*driver->api, 0);
  ASSERT_TRUE(device.ok());
  KernelImage image = speaking_image();
  image.target = (*device)->info().target;
  image.kind = GetParam() == Vendor::Cuda ? ImageKind::Ptx : ImageKind::CodeObject;
  image.code.resize(64);
  Result<Handle> module = (*device)->load(image);
  ASSERT_TRUE(module.ok());
  Result<Address> errors = (*device)->global(*module, kErrorSymbol);
  Result<Address> prints = (*device)->global(*module, kPrintSymbol);
  ASSERT_TRUE(errors.ok() && prints.ok());
  EXPECT_FALSE((*device)->global(*module, "missing").ok());
  auto kernel = Kernel::load(**device, image);
  ASSERT_TRUE(kernel.ok());

  std::vector<std::byte> records;
  append_print(records, 1, 1, 0x3F800000);
  append_print(records, 9, 1, 0);  // no such site
  append_print(records, 1, 1, 0x40000000);
  append_print(records, 1, UINT32_MAX, 0);  // the end
  append_print(records, 1, 1, 0x40400000);  // of an earlier launch
  write_prints(**device, *prints, records, kPrintBytes + 5, 3);
  write_error(**device, *errors, 0, 1, 42);

  Result<Report> report = (*kernel)->listen(nullptr);
  ASSERT_TRUE(report.ok()) << report.error().text;
  ASSERT_TRUE(report->error.has_value());
  EXPECT_EQ(report->error->words, std::vector<uint64_t>{42});
  EXPECT_EQ(report->error->block[2], 6u);
  EXPECT_EQ(report->error->thread[0], 1u);
  ASSERT_EQ(report->prints.size(), 2u);
  EXPECT_EQ(report->prints[1].words, std::vector<uint64_t>{0x40000000});
  EXPECT_EQ(report->lost, 3u);
  report = (*kernel)->listen(nullptr);
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(report->empty());
}

TEST(ReadMessages, DamagedRecordsAreDropped) {
  Sites sites = example_sites();
  ErrorBox error{};
  error.claimed = 1;
  for (MessageHeader header :
       {MessageHeader{1, 1, {}, {}}, {2, 1, {}, {}}, {0, 0, {}, {}}, {0, UINT32_MAX, {}, {}}}) {
    Report report;
    error.header = header;
    read_error(error, sites, report);
    EXPECT_TRUE(report.empty());
  }
  auto box = std::make_unique<PrintBox>();
  box->cursor = UINT64_MAX;
  for (uint64_t used : {uint64_t{0}, uint64_t{31}, uint64_t{33}, kPrintBytes, UINT64_MAX}) {
    Report report;
    read_prints(*box, used, sites, report);  // zeros: site 0, which is no print
    EXPECT_TRUE(report.prints.empty());
  }
}

}  // namespace
}  // namespace hetjit::runtime
