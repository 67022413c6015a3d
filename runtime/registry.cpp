#include "runtime/registry.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <mutex>
#include <optional>

#include "abi/fork_safe_mutex.h"
#include "runtime/gpu/gpu_device.h"
#include "runtime/host/host_device.h"
#include "runtime/null/null_device.h"

namespace hetjit::runtime {
namespace {

// A vendor: asked once, and then its answer stands for the life of the process.
struct Gpus {
  std::optional<Result<GpuDriver>> driver;
  std::map<int, std::unique_ptr<GpuDevice>> open;
};

// Never destroyed: kernels of static and Python objects may outlive everything else.
struct Registry {
  ForkSafeMutex mutex;
  RegistryOptions options;
  std::unique_ptr<NullDevice> null;
  std::unique_ptr<HostDevice> host;
  Gpus gpus[2];
  std::vector<EmulatedDevice> emulated;

  Gpus& of(Vendor vendor) { return gpus[static_cast<size_t>(vendor)]; }
};

Registry& registry() {
  static Registry* one = new Registry;
  return *one;
}

constexpr Vendor kVendors[] = {Vendor::Cuda, Vendor::Hip};

Error no_such_name(std::string_view name) {
  if (name == "gpu" || name == "GPU")
    return Error{ErrorCode::Invalid, "'" + std::string(name) +
                                         "' is no device: write cuda:0 for NVIDIA's, hip:0 for "
                                         "AMD's; device.current() is the first that is there"};
  return Error{ErrorCode::Invalid,
               "'" + std::string(name) +
                   "' is no device: names are cpu, cuda, cuda:0, cuda:1, …, hip, hip:0, …, "
                   "emu:sm_90, …, null"};
}

Result<GpuDriver>& driver_of(Gpus& gpus, Vendor vendor) {
  if (!gpus.driver) gpus.driver.emplace(open_driver(vendor));
  return *gpus.driver;
}

Error no_such_gpu(Vendor vendor, int index, int devices) {
  const std::string name = to_text(vendor);
  return Error{ErrorCode::Unavailable,
               name + ":" + std::to_string(index) + " does not exist: this machine has " +
                   (devices == 1 ? "1 device, " + name + ":0"
                                 : std::to_string(devices) + " devices, " + name + ":0 to " + name +
                                       ":" + std::to_string(devices - 1))};
}

Result<Device*> open_gpu(Gpus& gpus, Vendor vendor, int index) {
  Result<GpuDriver>& driver = driver_of(gpus, vendor);
  if (!driver) return driver.error();
  if (index >= driver->devices) return no_such_gpu(vendor, index, driver->devices);
  std::unique_ptr<GpuDevice>& device = gpus.open[index];
  if (!device) {
    Result<std::unique_ptr<GpuDevice>> made = GpuDevice::make(*driver->api, index);
    if (!made) return made.error();
    device = std::move(*made);
  }
  return device.get();
}

Result<Device*> open_host(Registry& all) {
  if (!all.host) {
    Result<std::unique_ptr<HostDevice>> made = HostDevice::make(all.options.host_linker);
    if (!made) return made.error();
    all.host = std::move(*made);
  }
  return all.host.get();
}

// The number in "cuda:1"; 0 for "cuda".
std::optional<int> read_index(std::string_view rest) {
  if (rest.empty()) return 0;
  int index = 0;
  const char* end = rest.data() + rest.size();
  if (rest.size() < 2 || rest[0] != ':' || rest[1] == '-') return std::nullopt;
  const auto [read_to, error] = std::from_chars(rest.data() + 1, end, index);
  if (error != std::errc() || read_to != end) return std::nullopt;
  return index;
}

}  // namespace

void configure(RegistryOptions options) {
  Registry& all = registry();
  std::lock_guard lock(all.mutex);
  all.options = std::move(options);
}

Result<Device*> open_device(std::string_view name) {
  Registry& all = registry();
  std::lock_guard lock(all.mutex);
  if (name == "cpu") return open_host(all);
  if (name == "null") {
    if (!all.null) all.null = std::make_unique<NullDevice>();
    return all.null.get();
  }
  for (Vendor vendor : kVendors) {
    const std::string_view prefix = to_text(vendor);
    if (!name.starts_with(prefix)) continue;
    if (const std::optional<int> index = read_index(name.substr(prefix.size())))
      return open_gpu(all.of(vendor), vendor, *index);
  }
  for (const EmulatedDevice& machine : all.emulated)
    if (machine.device->name() == name) return machine.device.get();
  return no_such_name(name);
}

Result<Device*> add_emulated(const std::string& name, void* (*find)(const char* symbol)) {
  const Vendor vendor = name.starts_with("emu:gfx") ? Vendor::Hip : Vendor::Cuda;
  Result<EmulatedDevice> made = open_emulated(vendor, name, find);
  if (!made) return made.error();
  Registry& all = registry();
  std::lock_guard lock(all.mutex);
  all.emulated.push_back(std::move(*made));
  return all.emulated.back().device.get();
}

std::vector<Device*> emulated() {
  Registry& all = registry();
  std::lock_guard lock(all.mutex);
  std::vector<Device*> devices;
  for (const EmulatedDevice& machine : all.emulated) devices.push_back(machine.device.get());
  return devices;
}

bool is_emulated(const Device& device) {
  const std::vector<Device*> all = emulated();
  return std::ranges::find(all, &device) != all.end();
}

std::vector<std::string> devices() {
  Registry& all = registry();
  std::lock_guard lock(all.mutex);
  std::vector<std::string> names;
  for (Vendor vendor : kVendors) {
    Result<GpuDriver>& driver = driver_of(all.of(vendor), vendor);
    for (int i = 0; driver && i < driver->devices; i++)
      names.push_back(std::string(to_text(vendor)) + ":" + std::to_string(i));
  }
  names.push_back("cpu");
  return names;
}

std::string why_not(std::string_view vendor) {
  Registry& all = registry();
  std::lock_guard lock(all.mutex);
  for (Vendor known : kVendors)
    if (vendor == to_text(known)) {
      const Result<GpuDriver>& driver = driver_of(all.of(known), known);
      return driver ? "" : driver.error().text;
    }
  if (vendor == "cpu") {
    const Result<Device*> host = open_host(all);
    return host ? "" : host.error().text;
  }
  return no_such_name(vendor).text;
}

}  // namespace hetjit::runtime
