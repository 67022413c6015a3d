// Tests that run on every device present: always on "cpu" and "null", on GPUs where there are some.
#pragma once

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "abi/layout.h"
#include "abi/param_buffer.h"
#include "runtime/handles.h"
#include "runtime/kernel.h"
#include "runtime/registry.h"

namespace hetjit::runtime::test {

/// Names of the devices to test; says on standard output which vendors are left out, and why.
std::vector<std::string> devices_to_test();

/// A kernel written as typed graph (compiler/ir), compiled for the device.
Result<KernelImage> compile(std::string_view text, const Device& device);

/// Writes arguments where a kernel with such parameters finds them.
class Arguments {
 public:
  explicit Arguments(std::vector<TypeId> types)
      : layout_(parameter_block(types)), bytes_(layout_.size + 16) {}

  /// One-dimensional, contiguous.
  Arguments& array(Address data, size_t extent) {
    ArrayValue value;
    value.data = reinterpret_cast<void*>(data);
    value.rank = 1;
    value.shape[0] = static_cast<int64_t>(extent);
    value.strides[0] = 1;
    write_array(next(), value);
    return *this;
  }
  template <class T>
  Arguments& scalar(T value) {
    write_scalar(next(), value);
    return *this;
  }
  Params params() const { return {begin(), layout_.size}; }
  void overwrite() { std::fill(bytes_.begin(), bytes_.end(), std::byte{0xEE}); }

 private:
  // Blocks are aligned to 16 bytes at most here; a vector of bytes promises less.
  std::byte* begin() const {
    const auto address = reinterpret_cast<uintptr_t>(bytes_.data());
    return const_cast<std::byte*>(bytes_.data()) + (-address & 15);
  }
  std::byte* next() { return begin() + layout_.offsets[index_++]; }

  BlockLayout layout_;
  std::vector<std::byte> bytes_;
  size_t index_ = 0;
};

class EveryDevice : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const Result<Device*> opened = open_device(GetParam());
    ASSERT_TRUE(opened.ok()) << opened.error().text;
    device = opened.value();
  }
  /// Kernels leave results; not so on "null".
  bool computes() const { return GetParam() != "null"; }
  Buffer buffer(size_t bytes) {
    Result<Buffer> made = Buffer::make(*device, bytes);
    EXPECT_TRUE(made.ok()) << made.error().text;
    return made.ok() ? std::move(*made) : Buffer();
  }
  std::unique_ptr<Kernel> kernel(std::string_view text) {
    const Result<KernelImage> image = compile(text, *device);
    EXPECT_TRUE(image.ok()) << image.error().text;
    if (!image.ok()) return nullptr;
    Result<std::unique_ptr<Kernel>> loaded = Kernel::load(*device, image.value());
    EXPECT_TRUE(loaded.ok()) << loaded.error().text;
    return loaded.ok() ? std::move(*loaded) : nullptr;
  }
  template <class T>
  void upload(Buffer& to, const std::vector<T>& from) {
    ASSERT_TRUE(to.copy_in(from.data()).ok());
    ASSERT_TRUE(device->wait(nullptr).ok());
  }
  template <class T>
  std::vector<T> download(Buffer& from, Handle stream = nullptr) {
    std::vector<T> to(from.bytes() / sizeof(T));
    const Status copied = from.copy_out(to.data(), stream);
    EXPECT_TRUE(copied.ok()) << copied.error().text;
    const Status waited = device->wait(stream);
    EXPECT_TRUE(waited.ok()) << waited.error().text;
    return to;
  }

  Device* device = nullptr;
};

/// Instantiates a suite derived from EveryDevice.
#define HETJIT_ON_EVERY_DEVICE(Suite)                                             \
  INSTANTIATE_TEST_SUITE_P(On, Suite, testing::ValuesIn(test::devices_to_test()), \
                           [](const testing::TestParamInfo<std::string>& info) {  \
                             std::string name = info.param;                       \
                             for (char& c : name) c = c == ':' ? '_' : c;         \
                             return name;                                         \
                           })

}  // namespace hetjit::runtime::test
