#include "runtime/host/cpu_count.h"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

namespace hetjit::runtime {
namespace {

constexpr uint32_t kMostThreads = 4096;

uint32_t affinity_threads() {
  // Machines with more processors than cpu_set_t has bits refuse the small set: try larger ones.
  for (int processors = CPU_SETSIZE; processors <= 1 << 20; processors *= 4) {
    cpu_set_t* set = CPU_ALLOC(processors);
    if (!set) break;
    const size_t bytes = CPU_ALLOC_SIZE(processors);
    const bool good = sched_getaffinity(0, bytes, set) == 0;
    const int count = good ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (good) return static_cast<uint32_t>(std::max(count, 1));
  }
  return 1;
}

// Quota over period, in cores, rounded up; no limit for anything else.
uint32_t cores(double quota, double period) {
  if (!(quota > 0) || !(period > 0)) return UINT32_MAX;
  return static_cast<uint32_t>(std::clamp(std::ceil(quota / period), 1.0, double{kMostThreads}));
}

// "max 100000", "150000 100000"
uint32_t read_cpu_max(const std::string& folder) {
  std::ifstream file(folder + "/cpu.max");
  std::string quota;
  double period = 0;
  if (!(file >> quota >> period) || quota == "max") return UINT32_MAX;
  return cores(std::strtod(quota.c_str(), nullptr), period);
}

uint32_t read_cfs_quota(const std::string& folder) {
  std::ifstream quota_file(folder + "/cpu.cfs_quota_us"),
      period_file(folder + "/cpu.cfs_period_us");
  double quota = 0, period = 0;
  if (!(quota_file >> quota) || !(period_file >> period)) return UINT32_MAX;
  return cores(quota, period);  // -1: no limit
}

// The least limit of a group and of all above it. A container sees its own group as the mount's
// root whatever path /proc names, so the root counts in any case.
uint32_t least_limit(const std::string& mount, std::string group,
                     uint32_t (*read)(const std::string& folder)) {
  uint32_t least = read(mount);
  while (group.size() > 1) {
    least = std::min(least, read(mount + group));
    group.resize(group.rfind('/'));
  }
  return least;
}

bool names_cpu(std::string_view controllers) {
  while (!controllers.empty()) {
    const size_t comma = controllers.find(',');
    if (controllers.substr(0, comma) == "cpu") return true;
    controllers.remove_prefix(comma == controllers.npos ? controllers.size() : comma + 1);
  }
  return false;
}

}  // namespace

uint32_t quota_threads(const std::string& root) {
  const std::string mount = root + "/sys/fs/cgroup";
  uint32_t least = UINT32_MAX;
  std::ifstream file(root + "/proc/self/cgroup");
  // Lines of `number:controllers:/path`; version 2 names no controllers.
  for (std::string line; std::getline(file, line);) {
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == line.npos || second + 1 >= line.size() || line[second + 1] != '/') continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    if (controllers.empty()) {
      least = std::min(least, least_limit(mount, group, read_cpu_max));
    } else if (names_cpu(controllers)) {
      least = std::min(least, least_limit(mount + "/" + controllers, group, read_cfs_quota));
      least = std::min(least, least_limit(mount + "/cpu", group, read_cfs_quota));
    }
  }
  return least;
}

Result<uint32_t> usable_threads() {
  const char* wanted = std::getenv("HETJIT_NUM_THREADS");
  if (!wanted || !*wanted) return std::min(affinity_threads(), quota_threads());
  const std::string_view text(wanted);
  uint32_t threads = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), threads);
  if (error != std::errc() || end != text.data() + text.size() || threads < 1 ||
      threads > kMostThreads)
    return Error{ErrorCode::Invalid, "HETJIT_NUM_THREADS is '" + std::string(text) +
                                         "': it must be a whole number from 1 to " +
                                         std::to_string(kMostThreads)};
  return threads;
}

std::string cpu_name(const std::string& root) {
  std::ifstream file(root + "/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != line.npos) return line.substr(colon + 2);
  }
  return "";
}

}  // namespace hetjit::runtime
