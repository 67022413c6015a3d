#include "compiler/storage/disk_cache.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace hetjit::storage {
namespace {

namespace fs = std::filesystem;

Bytes bytes(std::string_view text) {
  auto data = std::as_bytes(std::span(text));
  return {data.begin(), data.end()};
}

// A name with that first digit.
std::string name(unsigned number, char first = 'a') {
  char text[33];
  std::snprintf(text, sizeof text, "%c%031x", first, number);
  return text;
}

class Cache : public ::testing::Test {
 protected:
  Cache() {
    char path[] = "/tmp/hetjit-cache-XXXXXX";
    root_ = mkdtemp(path);
  }
  ~Cache() override { fs::remove_all(root_); }

  std::string path() const { return root_ + "/a/b"; }
  DiskCache cache(uint64_t most = UINT64_MAX) const { return {path(), Owner::Mine, most}; }
  static void make_older(const DiskCache& cache, const std::string& which, int seconds) {
    const fs::path file = cache.path_of(which);
    fs::last_write_time(file, fs::last_write_time(file) - std::chrono::seconds(seconds));
  }
  static mode_t mode(const std::string& path) {
    struct stat facts {};
    stat(path.c_str(), &facts);
    return facts.st_mode & 0777;
  }

  std::string root_;
};

TEST_F(Cache, FindsWhatWasKept) {
  const DiskCache cache = this->cache();
  auto missing = cache.find(name(1));
  ASSERT_TRUE(missing.ok());
  EXPECT_FALSE(*missing);
  ASSERT_TRUE(cache.keep(name(1), bytes("one")).ok());
  ASSERT_TRUE(cache.keep(name(2), {}).ok());
  EXPECT_EQ(**cache.find(name(1)), bytes("one"));
  EXPECT_EQ(**cache.find(name(2)), Bytes());
  ASSERT_TRUE(cache.keep(name(1), bytes("another")).ok());
  EXPECT_EQ(**cache.find(name(1)), bytes("another"));
  EXPECT_EQ(cache.files().size(), 2u);
}

TEST_F(Cache, IsMadeForItsUserAlone) {
  const mode_t before = umask(0);
  ASSERT_TRUE(cache().keep(name(1), bytes("one")).ok());
  umask(before);
  EXPECT_EQ(mode(path()), 0700u);
  EXPECT_EQ(mode(path() + "/a"), 0700u);
  EXPECT_EQ(mode(cache().path_of(name(1))), 0600u);
}

void expect_refused(const DiskCache& cache, std::string_view why) {
  auto found = cache.find(name(1));
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code, ErrorCode::Invalid);
  EXPECT_NE(found.error().text.find(why), std::string::npos) << found.error().text;
}

TEST_F(Cache, UsesNothingThatOthersMayWrite) {
  const DiskCache cache = this->cache();
  ASSERT_TRUE(cache.keep(name(1), bytes("one")).ok());
  for (const std::string& one : {path(), path() + "/a", cache.path_of(name(1))}) {
    const mode_t before = mode(one);
    for (mode_t more : {0020, 0002}) {
      chmod(one.c_str(), before | more);
      expect_refused(cache, one + " is not used: other users may write it");
    }
    chmod(one.c_str(), before);
  }
  EXPECT_TRUE(cache.find(name(1)).ok());
}

TEST_F(Cache, UsesNothingOfOtherUsers) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  const DiskCache cache = this->cache();
  ASSERT_TRUE(cache.keep(name(1), bytes("one")).ok());
  for (const std::string& one : {path(), path() + "/a", cache.path_of(name(1))}) {
    chown(one.c_str(), 1, 1);
    expect_refused(cache, one + " is not used: it belongs to another user");
    chown(one.c_str(), 0, 0);
  }
  // A folder that is shared may be anybody's, as long as it is one owner's.
  const DiskCache shared(path(), Owner::Anybody);
  for (const std::string& one : {path(), path() + "/a", cache.path_of(name(1))})
    chown(one.c_str(), 1, 1);
  EXPECT_TRUE(shared.find(name(1)).ok());
  chown(cache.path_of(name(1)).c_str(), 2, 2);
  expect_refused(shared, "it belongs to another user");
}

TEST_F(Cache, FollowsNoLinksAndReadsNoDevices) {
  const DiskCache cache = this->cache();
  ASSERT_TRUE(cache.keep(name(2), bytes("two")).ok());
  const std::string file = cache.path_of(name(1));
  fs::create_symlink(cache.path_of(name(2)), file);
  expect_refused(cache, "cannot read");
  fs::remove(file);
  mkfifo(file.c_str(), 0600);  // would wait for a writer
  expect_refused(cache, "not a plain file");
  fs::remove(file);
  fs::create_directory(file);
  expect_refused(cache, "not a plain file");
  EXPECT_FALSE(cache.keep(name(1), bytes("one")).ok());
  EXPECT_EQ(cache.files().size(), 1u) << "what could not be put there is not left lying";
}

TEST_F(Cache, ReplacesALinkAndNotWhatItLeadsTo) {
  const DiskCache cache = this->cache();
  ASSERT_TRUE(cache.keep(name(2), bytes("two")).ok());
  fs::create_symlink(cache.path_of(name(2)), cache.path_of(name(1)));
  ASSERT_TRUE(cache.keep(name(1), bytes("one")).ok());
  EXPECT_EQ(**cache.find(name(1)), bytes("one"));
  EXPECT_EQ(**cache.find(name(2)), bytes("two"));
}

TEST_F(Cache, SaysWhyItCannotKeepAnything) {
  std::ofstream(root_ + "/a") << "a file where a folder should be";
  const Status kept = cache().keep(name(1), bytes("one"));
  ASSERT_FALSE(kept.ok());
  EXPECT_NE(kept.error().text.find("cannot make " + path()), std::string::npos)
      << kept.error().text;
  EXPECT_TRUE(cache().find(name(1)).ok()) << "a cache that is not there is an empty one";
}

TEST_F(Cache, LetsGoWhatWasUsedLeastLately) {
  const DiskCache cache = this->cache(16 * 1000);  // 1000 bytes for each first digit
  const Bytes content(300);
  for (unsigned i = 0; i < 3; ++i) ASSERT_TRUE(cache.keep(name(i), content).ok());
  ASSERT_TRUE(cache.keep(name(0, 'b'), content).ok());
  for (unsigned i = 0; i < 3; ++i) make_older(cache, name(i), 1000 - 100 * static_cast<int>(i));
  make_older(cache, name(0, 'b'), 5000);
  ASSERT_TRUE(cache.find(name(0)).ok());  // used
  ASSERT_TRUE(cache.keep(name(3), content).ok());
  EXPECT_TRUE(**cache.find(name(0)) == content);
  EXPECT_FALSE(*cache.find(name(1)));
  EXPECT_FALSE(*cache.find(name(2))) << "room is made for more than one";
  EXPECT_TRUE(*cache.find(name(3)));
  EXPECT_TRUE(*cache.find(name(0, 'b'))) << "other digits have room of their own";
}

TEST_F(Cache, KeepsTheNewestHoweverLarge) {
  const DiskCache cache = this->cache(16 * 1000);
  ASSERT_TRUE(cache.keep(name(1), Bytes(300)).ok());
  ASSERT_TRUE(cache.keep(name(2), Bytes(5000)).ok());
  EXPECT_FALSE(*cache.find(name(1)));
  EXPECT_TRUE(*cache.find(name(2)));
}

TEST_F(Cache, RemovesWhatDeadProcessesLeft) {
  const DiskCache cache = this->cache();
  ASSERT_TRUE(cache.keep(name(1), bytes("one")).ok());
  const std::string folder = path() + "/a/";
  for (const char* left : {".new-old", ".new-young"}) std::ofstream(folder + left) << "half";
  std::ofstream(folder + "notes.txt") << "not ours";
  fs::last_write_time(folder + ".new-old",
                      fs::last_write_time(folder + ".new-old") - std::chrono::hours(2));
  EXPECT_EQ(cache.files().size(), 1u);
  EXPECT_FALSE(fs::exists(folder + ".new-old"));
  EXPECT_TRUE(fs::exists(folder + ".new-young")) << "its process may be at work";
  EXPECT_EQ(cache.prune(0), 1u);
  EXPECT_TRUE(fs::exists(folder + "notes.txt"));
}

TEST_F(Cache, IsPrunedToASize) {
  const DiskCache cache = this->cache();
  for (unsigned i = 0; i < 10; ++i) {
    ASSERT_TRUE(cache.keep(name(i, "0123456789"[i]), Bytes(100)).ok());
    make_older(cache, name(i, "0123456789"[i]), 1000 - 10 * static_cast<int>(i));
  }
  EXPECT_EQ(cache.prune(1000), 0u);
  EXPECT_EQ(cache.prune(350), 7u);
  const std::vector<File> left = cache.files();
  ASSERT_EQ(left.size(), 3u);
  EXPECT_EQ(left.front().name, name(9, '9'));
  EXPECT_EQ(left.back().name, name(7, '7'));
}

// A child writes the same names over and over and is killed at some moment.
TEST_F(Cache, IsWholeWhenWritersAreKilled) {
  const DiskCache cache = this->cache();
  for (int round = 0; round < 20; ++round) {
    const pid_t child = fork();
    if (child == 0)
      for (unsigned i = 0;; ++i) (void)cache.keep(name(i % 4), Bytes(100000, std::byte(i % 4)));
    usleep(static_cast<useconds_t>(3000 + 700 * round));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    for (unsigned i = 0; i < 4; ++i) {
      auto found = cache.find(name(i));
      ASSERT_TRUE(found.ok());
      EXPECT_EQ(found.value().value_or(Bytes(100000, std::byte(i))), Bytes(100000, std::byte(i)));
    }
  }
  EXPECT_LE(cache.files().size(), 4u);
}

}  // namespace
}  // namespace hetjit::storage
