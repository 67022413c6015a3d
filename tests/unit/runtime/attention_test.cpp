// The word that loops of kernels look at: set while a launch is under way, until all who wait for
// one of that module have been asked.
#include "runtime/host/attention.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace hetjit::runtime {
namespace {

bool is_set_soon(const AttentionWord& word) {
  for (int tenths = 0; tenths < 50 && !word; ++tenths)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  return word != 0;
}

TEST(Attention, IsWantedUntilAllHaveAnswered) {
  AttentionWord word = 0;
  {
    Attention one(&word), other(&word);
    ASSERT_TRUE(is_set_soon(word));
    one.answered(false);
    EXPECT_EQ(word, 1u);  // the other has not been asked
    other.answered(false);
    one.answered(false);
    EXPECT_TRUE(is_set_soon(word));  // and again
  }
  EXPECT_EQ(word, 0u);
}

TEST(Attention, OfALaunchThatEndsIsWantedUntilItHas) {
  AttentionWord word = 0;
  auto ends = std::make_unique<Attention>(&word);
  ends->answered(true);
  EXPECT_EQ(word, 1u);
  Attention other(&word);
  other.answered(false);
  EXPECT_EQ(word, 1u);
  ends.reset();
  EXPECT_TRUE(is_set_soon(word));
}

TEST(Attention, IsThereAfterAPause) {
  AttentionWord word = 0;
  { const Attention first(&word); }
  std::this_thread::sleep_for(std::chrono::milliseconds(1300));  // the thread sleeps now
  const Attention second(&word);
  EXPECT_TRUE(is_set_soon(word));
}

TEST(Attention, NobodyIsAskedWithoutAWord) {
  Attention none(nullptr);
  none.answered(true);
}

}  // namespace
}  // namespace hetjit::runtime
