#include <cstring>
#include <numeric>
#include <set>
#include <thread>

#include "every_device.h"

namespace hetjit::runtime {
namespace {

class Memory : public test::EveryDevice {};
HETJIT_ON_EVERY_DEVICE(Memory);

TEST_P(Memory, RoundTrip) {
  for (size_t bytes : {1, 3, 64, 4096, (1 << 20) + 1}) {
    std::vector<uint8_t> in(bytes);
    std::iota(in.begin(), in.end(), uint8_t{7});
    Buffer memory = buffer(bytes);
    upload(memory, in);
    EXPECT_EQ(download<uint8_t>(memory), in) << bytes;
  }
}

TEST_P(Memory, APart) {
  Buffer memory = buffer(100);
  upload(memory, std::vector<uint8_t>(100, 1));
  const uint8_t part[10] = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
  ASSERT_TRUE(device->copy_in(memory.address() + 50, part, 10, nullptr).ok());
  uint8_t out[20] = {};
  ASSERT_TRUE(device->copy_out(out, memory.address() + 45, 20, nullptr).ok());
  ASSERT_TRUE(device->wait(nullptr).ok());
  for (int i = 0; i < 20; i++) EXPECT_EQ(out[i], i >= 5 && i < 15 ? 2 : 1) << i;
}

TEST_P(Memory, FilledAndCopiedWithin) {
  Buffer memory = buffer(100);
  ASSERT_TRUE(device->fill(memory.address(), 1, 100, nullptr).ok());
  ASSERT_TRUE(device->fill(memory.address() + 10, 2, 10, nullptr).ok());
  ASSERT_TRUE(device->copy_within(memory.address() + 50, memory.address() + 5, 10, nullptr).ok());
  ASSERT_TRUE(device->fill(memory.address(), 3, 0, nullptr).ok());
  ASSERT_TRUE(device->copy_within(memory.address(), memory.address() + 10, 0, nullptr).ok());
  const std::vector<uint8_t> out = download<uint8_t>(memory);
  for (int i = 0; i < 100; i++)
    EXPECT_EQ(out[static_cast<size_t>(i)], (i >= 10 && i < 20) || (i >= 55 && i < 60) ? 2 : 1) << i;
}

TEST_P(Memory, NothingIsFine) {
  Buffer none = buffer(0);
  EXPECT_NE(none.address(), 0u);
  EXPECT_TRUE(none.copy_in(nullptr).ok());
  EXPECT_TRUE(none.copy_out(nullptr).ok());
  EXPECT_TRUE(device->release(0).ok());
}

TEST_P(Memory, IsAlignedAndDistinct) {
  std::vector<Buffer> many;
  std::set<Address> addresses;
  for (int i = 0; i < 50; i++) {
    many.push_back(buffer(static_cast<size_t>(i)));
    EXPECT_EQ(many.back().address() % 64, 0u);
    addresses.insert(many.back().address());
  }
  EXPECT_EQ(addresses.size(), 50u);
}

TEST_P(Memory, MoreThanThereIs) {
  const Result<Address> address = device->allocate(size_t{1} << 60);
  ASSERT_FALSE(address.ok());
  EXPECT_EQ(address.error().code, ErrorCode::OutOfMemory);
  EXPECT_EQ(address.error().text.find(GetParam() + " cannot allocate 1152921504606846976 bytes"),
            0u)
      << address.error().text;
}

TEST_P(Memory, ReleaseOfForeignMemoryIsAnError) {
  EXPECT_FALSE(device->release(64).ok());
  Buffer memory = buffer(8);
  const Address address = memory.address();
  EXPECT_TRUE(memory.close().ok());
  EXPECT_FALSE(device->release(address).ok());
}

TEST_P(Memory, FromManyThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; t++)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 40; i++) {
        const std::vector<uint8_t> in(200, static_cast<uint8_t>(t * 40 + i));
        Buffer memory = buffer(in.size());
        upload(memory, in);
        EXPECT_EQ(download<uint8_t>(memory), in);
      }
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace hetjit::runtime
