#include <thread>

#include "every_device.h"

namespace hetjit::runtime {
namespace {

class Streams : public test::EveryDevice {};
HETJIT_ON_EVERY_DEVICE(Streams);

TEST_P(Streams, AreDistinct) {
  Result<Stream> first = Stream::make(*device), second = Stream::make(*device);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_NE(first->get(), nullptr);
  EXPECT_NE(first->get(), second->get());
}

TEST_P(Streams, WaitingForNothing) {
  EXPECT_TRUE(device->wait(nullptr).ok());
  Result<Stream> stream = Stream::make(*device);
  ASSERT_TRUE(stream.ok());
  EXPECT_TRUE(stream->wait().ok());
  EXPECT_TRUE(stream->wait().ok());
}

TEST_P(Streams, CopiesInOrder) {
  Result<Stream> stream = Stream::make(*device);
  ASSERT_TRUE(stream.ok());
  const std::vector<uint8_t> ones(10'000, 1), twos(10'000, 2);
  Buffer memory = buffer(ones.size());
  for (int i = 0; i < 20; i++) {
    ASSERT_TRUE(memory.copy_in(ones.data(), stream->get()).ok());
    ASSERT_TRUE(memory.copy_in(twos.data(), stream->get()).ok());
    EXPECT_EQ(download<uint8_t>(memory, stream->get()), twos);
  }
}

TEST_P(Streams, EventsArePassedWhenTheWorkBeforeThemIsDone) {
  Result<Stream> stream = Stream::make(*device);
  Result<Event> event = Event::make(*device);
  ASSERT_TRUE(stream.ok() && event.ok());
  EXPECT_TRUE(*event->passed());  // of nothing
  const std::vector<uint8_t> ones(10'000, 1);
  Buffer memory = buffer(ones.size());
  ASSERT_TRUE(memory.copy_in(ones.data(), stream->get()).ok());
  ASSERT_TRUE(event->record(stream->get()).ok());
  ASSERT_TRUE(event->wait().ok());
  EXPECT_TRUE(*event->passed());
  EXPECT_EQ(download<uint8_t>(memory), ones);
}

TEST_P(Streams, FollowEachOther) {
  Result<Stream> first = Stream::make(*device), second = Stream::make(*device);
  ASSERT_TRUE(first.ok() && second.ok());
  const std::vector<uint8_t> ones(100'000, 1), twos(100'000, 2);
  Buffer memory = buffer(ones.size());
  for (int i = 0; i < 20; i++) {
    ASSERT_TRUE(memory.copy_in(ones.data(), first->get()).ok());
    {
      Result<Event> between = Event::of(*device, first->get());
      ASSERT_TRUE(between.ok());
      ASSERT_TRUE(between->precede(second->get()).ok());
    }  // the event may go before anybody has waited
    ASSERT_TRUE(memory.copy_in(twos.data(), second->get()).ok());
    EXPECT_EQ(download<uint8_t>(memory, second->get()), twos);
  }
}

TEST_P(Streams, TimeBetweenEvents) {
  Result<Event> start = Event::make(*device, true), end = Event::make(*device, true);
  ASSERT_TRUE(start.ok() && end.ok());
  ASSERT_TRUE(start->record(nullptr).ok());
  ASSERT_TRUE(end->record(nullptr).ok());
  ASSERT_TRUE(end->wait().ok());
  const Result<float> time = device->elapsed(start->get(), end->get());
  ASSERT_TRUE(time.ok()) << time.error().text;
  EXPECT_GE(time.value(), 0);
  EXPECT_LT(time.value(), 10'000);
}

TEST_P(Streams, OnePerThread) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 5; t++)
    threads.emplace_back([&, t] {
      Result<Stream> stream = Stream::make(*device);
      ASSERT_TRUE(stream.ok());
      const std::vector<uint8_t> mine(3000, static_cast<uint8_t>(t));
      Buffer memory = buffer(mine.size());
      ASSERT_TRUE(memory.copy_in(mine.data(), stream->get()).ok());
      EXPECT_EQ(download<uint8_t>(memory, stream->get()), mine);
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace hetjit::runtime
