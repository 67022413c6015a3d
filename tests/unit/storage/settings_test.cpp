#include "compiler/storage/settings.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace hetjit::storage {
namespace {

TEST(Bytes, AreCountedInUnits) {
  EXPECT_EQ(parse_bytes("0"), 0u);
  EXPECT_EQ(parse_bytes("1000"), 1000u);
  EXPECT_EQ(parse_bytes("3K"), 3072u);
  EXPECT_EQ(parse_bytes("2G"), uint64_t{2} << 30);
  for (const char* same : {"2g", "2GB", "2GiB", "2048M", "2.0G"})
    EXPECT_EQ(parse_bytes(same), uint64_t{2} << 30) << same;
  EXPECT_EQ(parse_bytes("1.5G"), uint64_t{3} << 29);
  EXPECT_EQ(parse_bytes("18446744073709551615"), UINT64_MAX);
  for (const char* wrong : {"", "G", "GB", "B", "-1", "-1.5G", "1 G", "99999999999T", "1GG", "nan",
                            "inf", "1e3", "0x10", "1..5", "18446744073709551616"})
    EXPECT_FALSE(parse_bytes(wrong)) << wrong;
}

class Environment : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"HETJIT_CACHE", "HETJIT_CACHE_DIR", "HETJIT_CACHE_SIZE",
                             "HETJIT_CACHE_SHARED", "XDG_CACHE_HOME"})
      unsetenv(name);
    setenv("HOME", "/home/one", 1);
  }
};

TEST_F(Environment, NamesTheFolder) {
  EXPECT_EQ(settings_from_environment().path, "/home/one/.cache/hetjit");
  EXPECT_FALSE(settings_from_environment().chosen);
  setenv("XDG_CACHE_HOME", "/caches", 1);
  EXPECT_EQ(settings_from_environment().path, "/caches/hetjit");
  setenv("XDG_CACHE_HOME", "relative", 1);  // to be ignored, says the standard
  EXPECT_EQ(settings_from_environment().path, "/home/one/.cache/hetjit");
  setenv("HETJIT_CACHE_DIR", "/tmp/x", 1);
  EXPECT_EQ(settings_from_environment().path, "/tmp/x");
  EXPECT_TRUE(settings_from_environment().chosen);
  setenv("HETJIT_CACHE_DIR", "~/kept", 1);
  EXPECT_EQ(settings_from_environment().path, "/home/one/kept");
  setenv("HETJIT_CACHE_DIR", "~other/kept", 1);
  EXPECT_EQ(settings_from_environment().path, "~other/kept");
  setenv("HETJIT_CACHE_SHARED", "~", 1);
  EXPECT_EQ(settings_from_environment().shared, "/home/one");
  unsetenv("HETJIT_CACHE_DIR");
  unsetenv("HOME");
  EXPECT_EQ(settings_from_environment().path, "");
}

TEST_F(Environment, SaysHowItIsUsed) {
  EXPECT_TRUE(settings_from_environment().writes);
  setenv("HETJIT_CACHE", "read", 1);
  EXPECT_TRUE(settings_from_environment().reads);
  EXPECT_FALSE(settings_from_environment().writes);
  for (const char* off : {"off", "0", "OFF", "False", "no"}) {
    setenv("HETJIT_CACHE", off, 1);
    EXPECT_FALSE(settings_from_environment().reads) << off;
  }
  setenv("HETJIT_CACHE_SIZE", "5M", 1);
  EXPECT_EQ(settings_from_environment().most_bytes, uint64_t{5} << 20);
}

TEST_F(Environment, IsToldWhenItMeansNothing) {
  EXPECT_EQ(wrong_in_environment(), "");
  setenv("HETJIT_CACHE_SIZE", "much", 1);
  EXPECT_NE(wrong_in_environment().find("HETJIT_CACHE_SIZE is 'much'"), std::string::npos);
  setenv("HETJIT_CACHE", "maybe", 1);
  EXPECT_NE(wrong_in_environment().find("HETJIT_CACHE is 'maybe'"), std::string::npos);
}

}  // namespace
}  // namespace hetjit::storage
