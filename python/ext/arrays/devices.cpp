#include "python/ext/arrays/devices.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "python/ext/handles/errors.h"
#include "runtime/registry.h"

namespace hetjit::python {
namespace {

std::string name_of(DLDevice device) {
  const char* vendor = device.device_type == kDLROCM ? "hip:" : "cuda:";
  return vendor + std::to_string(device.device_id);
}

bool is_gpu(DLDevice device) {
  return device.device_type == kDLCUDA || device.device_type == kDLCUDAManaged ||
         device.device_type == kDLROCM;
}

constexpr const char* kEmulated = "emu:";

// The machine in a GPU's place whose memory this is, or null.
runtime::Device* machine_of(DLDevice device) {
  std::vector<runtime::Device*> all = runtime::emulated();
  bool known = device.device_type == kDLExtDev && device.device_id >= 0 &&
               static_cast<size_t>(device.device_id) < all.size();
  return known ? all[static_cast<size_t>(device.device_id)] : nullptr;
}

// A machine that stands in for a GPU exists once it is named. Python makes it.
bool make_emulated(const std::string& name) {
  Handle module = Handle::own(PyImport_ImportModule("hetjit.emulation.devices"));
  Handle make = module ? Handle::own(PyObject_GetAttrString(module.get(), "make")) : Handle();
  return make && Handle::own(PyObject_CallFunction(make.get(), "s", name.c_str()));
}

}  // namespace

bool Devices::asked_to_block() {
  const char* value = std::getenv("HETJIT_LAUNCH_BLOCKING");
  constexpr std::string_view kOff[] = {"", "0", "off", "no", "false"};
  return value && std::ranges::find(kOff, value) == std::end(kOff);
}

runtime::Device* Devices::open(const std::string& name) {
  if (name.starts_with(kEmulated) && !make_emulated(name)) return nullptr;
  Result<runtime::Device*> device = runtime::open_device(name);
  if (!device) return fail(device.error());
  return *device;
}

runtime::Device* Devices::named(Borrowed name) {
  if (!PyUnicode_Check(name.get()))
    return fail(PyExc_TypeError,
                "a device is named by a str like 'cpu' or 'cuda:0', not by " + describe(name));
  const char* text = PyUnicode_AsUTF8AndSize(name.get(), nullptr);
  return text ? open(text) : nullptr;
}

runtime::Device* Devices::of_memory(DLDevice device) {
  if (is_host_memory(device)) return cpu_ ? cpu_ : cpu_ = open("cpu");
  if (runtime::Device* machine = machine_of(device)) return machine;
  if (!is_gpu(device) || device.device_id < 0 || static_cast<size_t>(device.device_id) >= kMost)
    return fail(PyExc_BufferError, "arrays of DLPack device type " +
                                       std::to_string(device.device_type) +
                                       " cannot be used: only memory of the CPU, of CUDA and of "
                                       "ROCm devices can");
  auto& known = device.device_type == kDLROCM ? hip_ : cuda_;
  runtime::Device*& slot = known[static_cast<size_t>(device.device_id)];
  if (!slot) slot = open(name_of(device));
  return slot;
}

runtime::Device* Devices::first_of(DLDeviceType vendor) {
  runtime::Device*& slot = vendor == kDLROCM ? hip_[0] : cuda_[0];
  if (slot) return slot;
  Result<runtime::Device*> opened = runtime::open_device(name_of({vendor, 0}));
  return opened ? slot = *opened : nullptr;
}

DLDeviceType Devices::vendor() {
  const auto is_there = [](const char* vendor) { return runtime::why_not(vendor).empty(); };
  return !is_there("cuda") && is_there("hip") ? kDLROCM : kDLCUDA;
}

DLDevice Devices::holder_of(const void* address, const runtime::Device* on) {
  if (on && runtime::is_emulated(*on)) return memory_of(*on);
  const auto asked = reinterpret_cast<runtime::Address>(address);
  if (!asked) return {vendor(), 0};
  for (DLDeviceType vendor : {kDLCUDA, kDLROCM}) {
    runtime::Device* first = first_of(vendor);
    if (!first) continue;
    if (Result<int> number = first->owner_of(asked)) return {vendor, *number};
  }
  std::vector<runtime::Device*> machines = runtime::emulated();
  std::erase_if(machines, [&](auto* machine) { return !machine->owner_of(asked); });
  return machines.size() == 1 ? memory_of(*machines.front()) : DLDevice{vendor(), 0};
}

runtime::Device* Devices::current() {
  if (current_) return current_;
  std::vector<std::string> present = runtime::devices();
  current_ = open(present.empty() ? "cpu" : present.front());
  return current_;
}

DLDevice memory_of(const runtime::Device& device) {
  const std::string& name = device.name();
  auto number = static_cast<int32_t>(std::atoi(name.c_str() + name.find(':') + 1));
  if (name.rfind("cuda", 0) == 0) return {kDLCUDA, number};
  if (name.rfind("hip", 0) == 0) return {kDLROCM, number};
  std::vector<runtime::Device*> machines = runtime::emulated();
  auto found = std::find(machines.begin(), machines.end(), &device);
  if (found != machines.end()) return {kDLExtDev, static_cast<int32_t>(found - machines.begin())};
  return {kDLCPU, 0};
}

std::string place_text(DLDevice device) {
  if (runtime::Device* machine = machine_of(device)) return machine->name();
  if (is_gpu(device)) return name_of(device);
  if (is_host_memory(device)) return "the CPU";
  return "a device of DLPack type " + std::to_string(device.device_type);
}

}  // namespace hetjit::python
