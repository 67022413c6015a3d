// Files in folders where others may write: a link that somebody has planted is never followed.
#include "compiler/pipeline/new_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace hetjit {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class NewFile : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder);
    fs::create_directories(folder);
    std::ofstream(victim) << "precious";
  }
  void TearDown() override {
    EXPECT_EQ(text_of(victim), "precious");
    fs::remove_all(folder);
  }
  const fs::path folder = fs::path(::testing::TempDir()) / "hetjit-new-file-test";
  const fs::path victim = folder / "victim";
};

TEST_F(NewFile, TakesThePlaceOfALink) {
  const fs::path path = folder / "dump.txt", missing = folder / "missing";
  for (const fs::path& to : {victim, missing, folder, path}) {
    fs::create_symlink(to, path);
    EXPECT_TRUE(write_new_file(path, "ours")) << to;
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(path)));
    EXPECT_EQ(text_of(path), "ours");
    EXPECT_FALSE(fs::exists(missing));
    fs::remove(path);
  }
  fs::create_hard_link(victim, path);
  EXPECT_TRUE(write_new_file(path, "ours"));
  EXPECT_EQ(text_of(path), "ours");
  EXPECT_TRUE(write_new_file(path, "again"));
  EXPECT_EQ(text_of(path), "again");
}

TEST_F(NewFile, WhatCannotBeReplacedIsNotWritten) {
  fs::create_directories(folder / "taken" / "by");
  EXPECT_FALSE(write_new_file(folder / "taken", "ours"));
  EXPECT_FALSE(write_new_file(folder / "no" / "folder", "ours"));
}

TEST_F(NewFile, NamesThatNobodyCanForesee) {
  std::string one = folder / "bug-XXXXXX.txt", other = one;
  ASSERT_TRUE(write_unforeseen_file(one, "one"));
  ASSERT_TRUE(write_unforeseen_file(other, "other"));
  EXPECT_NE(one, other);
  EXPECT_EQ(text_of(one) + text_of(other), "oneother");
  struct stat facts;
  ASSERT_EQ(stat(one.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0600u);
}

}  // namespace
}  // namespace hetjit
