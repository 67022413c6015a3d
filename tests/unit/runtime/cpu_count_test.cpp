#include "runtime/host/cpu_count.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "support.h"

namespace hetjit::runtime {
namespace {

namespace fs = std::filesystem;
using test::WithEnvironment;

// A folder with files, as /proc and /sys look in some container.
class Files {
 public:
  Files() {
    std::string pattern = (fs::temp_directory_path() / "hetjit-XXXXXX").string();
    root_ = mkdtemp(pattern.data());
  }
  ~Files() { fs::remove_all(root_); }
  Files& write(const std::string& path, const std::string& text) {
    fs::create_directories(fs::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
    return *this;
  }
  const std::string& root() const { return root_; }

 private:
  std::string root_;
};

TEST(CpuCount, WithoutControlGroupsThereIsNoLimit) {
  EXPECT_EQ(quota_threads(Files().root()), UINT32_MAX);
  Files none;
  none.write("/proc/self/cgroup", "0::/\n").write("/sys/fs/cgroup/cpu.max", "max 100000\n");
  EXPECT_EQ(quota_threads(none.root()), UINT32_MAX);
}

TEST(CpuCount, Version2QuotaIsRoundedUp) {
  Files files;
  files.write("/proc/self/cgroup", "0::/\n").write("/sys/fs/cgroup/cpu.max", "250000 100000\n");
  EXPECT_EQ(quota_threads(files.root()), 3u);
  files.write("/sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_EQ(quota_threads(files.root()), 2u);
  files.write("/sys/fs/cgroup/cpu.max", "1000 100000\n");
  EXPECT_EQ(quota_threads(files.root()), 1u);
}

TEST(CpuCount, Version2LeastLimitOfAllGroupsAbove) {
  Files files;
  files.write("/proc/self/cgroup", "0::/slice/job/step\n")
      .write("/sys/fs/cgroup/slice/cpu.max", "400000 100000\n")
      .write("/sys/fs/cgroup/slice/job/cpu.max", "max 100000\n")
      .write("/sys/fs/cgroup/slice/job/step/cpu.max", "800000 100000\n");
  EXPECT_EQ(quota_threads(files.root()), 4u);
}

TEST(CpuCount, Version1Quota) {
  Files files;
  files.write("/proc/self/cgroup", "7:cpuset:/a\n4:cpu,cpuacct:/a\n1:name=systemd:/a\n")
      .write("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "600000\n")
      .write("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota_threads(files.root()), 6u);
  files.write("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "-1\n");
  EXPECT_EQ(quota_threads(files.root()), UINT32_MAX);
}

TEST(CpuCount, MalformedFilesAreNoLimit) {
  Files files;
  files.write("/proc/self/cgroup", "rubbish\n::\n0::/x\n")
      .write("/sys/fs/cgroup/x/cpu.max", "lots of\n")
      .write("/sys/fs/cgroup/cpu.max", "5\n");
  EXPECT_EQ(quota_threads(files.root()), UINT32_MAX);
}

TEST(CpuCount, TheVariableDecides) {
  WithEnvironment chosen("HETJIT_NUM_THREADS", "7");
  EXPECT_EQ(usable_threads().value(), 7u);
}

TEST(CpuCount, AVariableThatIsNoNumberIsAnError) {
  for (const char* text : {"0", "-1", "many", "3x", "4097", "1.5", "99999999999"}) {
    WithEnvironment chosen("HETJIT_NUM_THREADS", text);
    const Result<uint32_t> threads = usable_threads();
    ASSERT_FALSE(threads.ok()) << text;
    EXPECT_EQ(threads.error().code, ErrorCode::Invalid);
    EXPECT_EQ(threads.error().text, std::string("HETJIT_NUM_THREADS is '") + text +
                                        "': it must be a whole number from 1 to 4096");
  }
}

TEST(CpuCount, AffinityCounts) {
  WithEnvironment unset("HETJIT_NUM_THREADS", std::nullopt);
  std::thread([] {
    cpu_set_t all, one;
    sched_getaffinity(0, sizeof all, &all);
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
      if (CPU_ISSET(cpu, &all)) {
        CPU_SET(cpu, &one);
        break;
      }
    sched_setaffinity(0, sizeof one, &one);
    EXPECT_EQ(usable_threads().value(), 1u);
  }).join();
}

TEST(CpuCount, NameOfTheProcessor) {
  Files files;
  files.write("/proc/cpuinfo",
              "processor\t: 0\nmodel name\t: Some CPU 3000\nmodel name\t: Other\n");
  EXPECT_EQ(cpu_name(files.root()), "Some CPU 3000");
  EXPECT_EQ(cpu_name(files.root() + "/nowhere"), "");
}

}  // namespace
}  // namespace hetjit::runtime
