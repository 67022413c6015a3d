#include "runtime/gpu/hip_arch.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace hetjit::runtime {
namespace {

// What a node's `properties` file says of interest: lines of "name number".
struct Node {
  uint64_t version = 0;   // gfx_target_version, 90402 for gfx942; 0: no GPU
  uint64_t location = 0;  // bus << 8 | device << 3 | function
  uint64_t domain = 0;
};

// The step is one hexadecimal digit, and so is the minor: 90010 is gfx90a.
std::string gfx_name(unsigned major, unsigned minor, unsigned step) {
  char text[32];
  std::snprintf(text, sizeof text, "gfx%u%x%x", major, minor, step);
  return text;
}

Node read_node(std::ifstream& file) {
  Node node;
  std::string name;
  for (uint64_t value = 0; file >> name >> value;) {
    if (name == "gfx_target_version") node.version = value;
    if (name == "location_id") node.location = value;
    if (name == "domain") node.domain = value;
  }
  return node;
}

}  // namespace

Result<std::string> find_hip_arch(std::string_view pci_address, const std::string& topology) {
  if (const char* arch = std::getenv("HETJIT_HIP_ARCH"); arch && *arch) return std::string(arch);
  unsigned major = 0, minor = 0, step = 0;
  const char* version = std::getenv("HSA_OVERRIDE_GFX_VERSION");
  if (version && std::sscanf(version, "%u.%u.%u", &major, &minor, &step) == 3)
    return gfx_name(major, minor, step);

  const std::string address(pci_address);
  unsigned domain = 0, bus = 0, device = 0, function = 0;
  if (std::sscanf(address.c_str(), "%x:%x:%x.%x", &domain, &bus, &device, &function) != 4)
    return Error{ErrorCode::Unavailable, "'" + address + "' is no PCI address"};
  const uint64_t location = uint64_t{bus} << 8 | device << 3 | function;
  // A partitioned GPU shows itself under several functions; all have the same architecture.
  const uint64_t whole = location & ~uint64_t{7};
  std::string close;
  for (int number = 0;; number++) {
    std::ifstream file(topology + "/" + std::to_string(number) + "/properties");
    if (!file) break;
    const Node node = read_node(file);
    if (node.version == 0 || node.domain != domain) continue;
    const std::string name = gfx_name(static_cast<unsigned>(node.version / 10000),
                                      static_cast<unsigned>(node.version / 100 % 100),
                                      static_cast<unsigned>(node.version % 100));
    if (node.location == location) return name;
    if ((node.location & ~uint64_t{7}) == whole) close = name;
  }
  if (!close.empty()) return close;
  return Error{ErrorCode::Unavailable, "no GPU at " + address + " in " + topology +
                                           "; HETJIT_HIP_ARCH can name its architecture"};
}

}  // namespace hetjit::runtime
