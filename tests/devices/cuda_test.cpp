// What only a CUDA device can show. Skipped, with the reason, where there is none.
#include <cstring>

#include "every_device.h"

namespace hetjit::runtime {
namespace {

using test::Arguments;

// out[i] = dynamic shared memory's last word, to which thread 0 wrote 7; written by hand, so that
// it tests the run time alone.
constexpr char kSharedPtx[] = R"(.version 7.0
.target sm_52
.address_size 64
.extern .shared .align 16 .b8 memory[];
.visible .entry fill(.param .u64 out, .param .u32 last)
{
  .reg .b64 %address;
  .reg .b32 %value, %offset, %base, %thread, %step;
  .reg .pred %p;
  ld.param.u64 %address, [out];
  ld.param.u32 %offset, [last];
  cvta.to.global.u64 %address, %address;
  mov.u32 %base, memory;
  add.u32 %offset, %offset, %base;
  mov.u32 %thread, %tid.x;
  setp.ne.u32 %p, %thread, 0;
  mov.u32 %value, 7;
  @!%p st.shared.u32 [%offset], %value;
  bar.sync 0;
  ld.shared.u32 %value, [%offset];
  .reg .b64 %index;
  mul.wide.u32 %index, %thread, 4;
  add.u64 %address, %address, %index;
  st.global.u32 [%address], %value;
  ret;
}
)";

KernelImage shared_image(const Device& device) {
  KernelImage image;
  image.target = device.info().target;
  image.kind = ImageKind::Ptx;
  image.entry = "fill";
  image.parameter_bytes = 12;
  image.code.resize(sizeof kSharedPtx);
  std::memcpy(image.code.data(), kSharedPtx, sizeof kSharedPtx);
  return image;
}

class Cuda : public testing::Test {
 protected:
  void SetUp() override {
    (void)test::devices_to_test();
    if (const std::string reason = why_not("cuda"); !reason.empty()) GTEST_SKIP() << reason;
    device = open_device("cuda").value();
  }
  Device* device = nullptr;
};

TEST_F(Cuda, AllSharedMemoryThatTheDeviceHas) {
  auto kernel = Kernel::load(*device, shared_image(*device));
  ASSERT_TRUE(kernel.ok()) << kernel.error().text;
  for (uint32_t bytes : {1024u, 48u * 1024, device->info().max_shared_bytes}) {
    Result<Buffer> out = Buffer::make(*device, 64 * 4);
    ASSERT_TRUE(out.ok());
    Arguments arguments({pointer_type(scalar_type(Scalar::UInt32)), scalar_type(Scalar::UInt32)});
    arguments.scalar(out->address()).scalar(bytes - 4);
    const Params params{arguments.params().data, 12};
    const Status status = (*kernel)->launch({{1, 1, 1}, {64, 1, 1}, bytes}, params, nullptr);
    ASSERT_TRUE(status.ok()) << status.error().text;
    uint32_t found[64] = {};
    ASSERT_TRUE(out->copy_out(found).ok());
    ASSERT_TRUE(device->wait(nullptr).ok());
    for (uint32_t value : found) EXPECT_EQ(value, 7u) << bytes;
  }
}

TEST_F(Cuda, TheCompilersLogNamesTheLine) {
  KernelImage image = shared_image(*device);
  char* text = reinterpret_cast<char*>(image.code.data());
  std::memcpy(std::strstr(text, "bar.sync"), "bar.frob", 8);
  const Result<Handle> module = device->load(image);
  ASSERT_FALSE(module.ok());
  EXPECT_NE(module.error().text.find("cuda:0 cannot load 'fill'"), std::string::npos);
  EXPECT_NE(module.error().text.find("line 19"), std::string::npos) << module.error().text;
}

}  // namespace
}  // namespace hetjit::runtime
