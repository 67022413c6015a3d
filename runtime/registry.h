// Which devices exist. Opening is lazy (nothing touches a driver before the first question about a
// GPU) and never throws away the reason why a device is not there.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/device.h"

namespace hetjit::runtime {

struct RegistryOptions {
  HostLinker host_linker;
};

/// Sets up the registry; before any other call.
void configure(RegistryOptions options);

/// "cpu", "null", "cuda:0", "cuda" (= "cuda:0"), "hip:1". Errors: Unavailable with the reason
/// (which library was not found, what the driver said), Invalid for a name that is none. The device
/// lives as long as the process.
Result<Device*> open_device(std::string_view name);

/// Makes a machine that stands in for a GPU a device of this name, "emu:sm_90"; `find` gives its
/// driver's calls by their symbols (gpu/gpu_calls.def). It is there from now on, and never listed.
/// No lock is held while its calls run.
Result<Device*> add_emulated(const std::string& name, void* (*find)(const char* symbol));

/// The machines that were added, in that order.
std::vector<Device*> emulated();
/// Is it one of them?
bool is_emulated(const Device& device);

/// Names of the devices present: GPUs first, then "cpu". Never "null".
std::vector<std::string> devices();

/// Why there is no device of a vendor: "cuda: libcuda.so.1: cannot open shared object file". Empty
/// when there is one.
std::string why_not(std::string_view vendor);

}  // namespace hetjit::runtime
