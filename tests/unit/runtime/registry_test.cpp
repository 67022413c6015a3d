// The registry keeps its answers for the life of the process, so each test asks in a child of its
// own. A child's exit code is the number of the first thing that was not as it should be.
#include "runtime/registry.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "support.h"

namespace hetjit::runtime {
namespace {

namespace fs = std::filesystem;

using test::in_child;
using test::WithEnvironment;

struct NoGpus {
  WithEnvironment cuda{"HETJIT_CUDA_LIBRARY", "/nowhere/libcuda.so.1"};
  WithEnvironment hip{"HETJIT_HIP_LIBRARY", "/nowhere/libamdhip64.so"};
};

struct FakeGpus {
  WithEnvironment cuda{"HETJIT_CUDA_LIBRARY", HETJIT_FAKE_CUDA};
  WithEnvironment hip{"HETJIT_HIP_LIBRARY", HETJIT_FAKE_HIP};
  WithEnvironment arch{"HETJIT_HIP_ARCH", "gfx1100"};
};

bool begins(const std::string& text, const char* with) { return text.find(with) == 0; }

TEST(Registry, WithoutGpusThereIsTheProcessorAndAReason) {
  NoGpus none;
  EXPECT_EQ(in_child([] {
              if (devices() != std::vector<std::string>{"cpu"}) return 1;
              if (!begins(why_not("cuda"), "cuda: /nowhere/libcuda.so.1: cannot open")) return 2;
              if (!begins(why_not("hip"), "hip: /nowhere/libamdhip64.so: cannot open")) return 3;
              if (!why_not("cpu").empty()) return 4;
              const Result<Device*> gpu = open_device("cuda:0");
              if (gpu.ok() || gpu.error().code != ErrorCode::Unavailable) return 5;
              return gpu.error().text == why_not("cuda") ? 0 : 6;
            }),
            0);
}

TEST(Registry, NamesOfDevices) {
  FakeGpus fakes;
  EXPECT_EQ(
      in_child([] {
        if (devices() != std::vector<std::string>{"cuda:0", "cuda:1", "hip:0", "hip:1", "cpu"})
          return 1;
        for (const char* name : {"cuda:1", "hip:0", "hip:1", "cpu", "null"}) {
          const Result<Device*> device = open_device(name);
          if (!device.ok() || (*device.value()).name() != name) return 2;
          if (open_device(name).value() != device.value()) return 3;
        }
        if (open_device("cuda").value()->name() != "cuda:0") return 4;
        if (to_text(open_device("hip").value()->info().target) != "hip:gfx1100") return 5;
        return why_not("cuda").empty() && why_not("hip").empty() ? 0 : 6;
      }),
      0);
}

TEST(Registry, ADeviceThatDoesNotExist) {
  FakeGpus fakes;
  EXPECT_EQ(in_child([] {
              const Result<Device*> device = open_device("cuda:2");
              if (device.ok() || device.error().code != ErrorCode::Unavailable) return 1;
              return device.error().text ==
                             "cuda:2 does not exist: this machine has 2 devices, cuda:0 to cuda:1"
                         ? 0
                         : 2;
            }),
            0);
}

TEST(Registry, ANameThatIsNone) {
  NoGpus none;
  for (const char* name : {"", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "cuda0", "CPU",
                           "cpu:0", "cuda:99999999999", "cuda: 1"}) {
    const Result<Device*> device = open_device(name);
    ASSERT_FALSE(device.ok()) << name;
    EXPECT_EQ(device.error().code, ErrorCode::Invalid) << name;
    EXPECT_EQ(device.error().text, "'" + std::string(name) +
                                       "' is no device: names are cpu, cuda, cuda:0, cuda:1, …, "
                                       "hip, hip:0, …, emu:sm_90, …, null");
  }
  EXPECT_EQ(open_device("gpu").error().text,
            "'gpu' is no device: write cuda:0 for NVIDIA's, hip:0 for AMD's; device.current() is "
            "the first that is there");
}

TEST(Registry, AMachineIsADeviceByItsNameAndIsNotListed) {
  NoGpus none;
  EXPECT_EQ(in_child([] {
              static void* driver = dlopen(HETJIT_FAKE_CUDA, RTLD_NOW);
              const auto find = [](const char* symbol) { return dlsym(driver, symbol); };
              if (open_device("emu:sm_90").ok() || !emulated().empty()) return 1;
              Result<Device*> made = add_emulated("emu:sm_90", find);
              if (!made.ok() || (*made)->name() != "emu:sm_90") return 2;
              if (to_text((*made)->info().target) != "cuda:sm_90") return 3;
              if (open_device("emu:sm_90").value() != *made || emulated().front() != *made)
                return 4;
              if (devices() != std::vector<std::string>{"cpu"} || why_not("cuda").empty()) return 5;
              const auto nothing = [](const char*) -> void* { return nullptr; };
              const Result<Device*> empty = add_emulated("emu:sm_75", nothing);
              return !empty.ok() && begins(empty.error().text, "emu:sm_75 has no cuInit") ? 0 : 6;
            }),
            0);
}

TEST(Registry, AMachineForAMDSaysItsArchitectureByItsName) {
  NoGpus none;
  EXPECT_EQ(in_child([] {
              static void* driver = dlopen(HETJIT_FAKE_HIP, RTLD_NOW);
              const auto find = [](const char* symbol) { return dlsym(driver, symbol); };
              Result<Device*> made = add_emulated("emu:gfx90a", find);
              if (!made.ok() || (*made)->name() != "emu:gfx90a") return 1;
              return to_text((*made)->info().target) == "hip:gfx90a" ? 0 : 2;
            }),
            0);
}

// The stand-ins under names that no other test has opened.
struct FreshFakes {
  FreshFakes() {
    std::string pattern = (fs::temp_directory_path() / "hetjit-XXXXXX").string();
    folder = mkdtemp(pattern.data());
    fs::copy_file(HETJIT_FAKE_CUDA, folder + "/cuda.so");
    fs::copy_file(HETJIT_FAKE_HIP, folder + "/hip.so");
    setenv("HETJIT_CUDA_LIBRARY", (folder + "/cuda.so").c_str(), 1);
    setenv("HETJIT_HIP_LIBRARY", (folder + "/hip.so").c_str(), 1);
  }
  ~FreshFakes() {
    fs::remove_all(folder);
    unsetenv("HETJIT_CUDA_LIBRARY");
    unsetenv("HETJIT_HIP_LIBRARY");
  }
  bool opened(const char* name) const {
    return dlopen((folder + name).c_str(), RTLD_NOW | RTLD_NOLOAD) != nullptr;
  }
  std::string folder;
};

TEST(Registry, NoDriverIsTouchedBeforeAGpuIsAskedFor) {
  FreshFakes fresh;
  EXPECT_EQ(in_child([&] {
              configure({});
              if (!open_device("cpu").ok() || !open_device("null").ok()) return 1;
              if (open_device("nonsense").ok() || open_device("cuda:x").ok()) return 2;
              if (fresh.opened("/cuda.so") || fresh.opened("/hip.so")) return 3;
              if (!open_device("cuda").ok()) return 4;
              return fresh.opened("/cuda.so") && !fresh.opened("/hip.so") ? 0 : 5;
            }),
            0);
}

TEST(Registry, ABadNumberOfThreadsIsTheReason) {
  NoGpus none;
  WithEnvironment threads("HETJIT_NUM_THREADS", "all");
  EXPECT_EQ(in_child([] {
              const Result<Device*> device = open_device("cpu");
              if (device.ok() || device.error().code != ErrorCode::Invalid) return 1;
              return begins(why_not("cpu"), "HETJIT_NUM_THREADS is 'all'") ? 0 : 2;
            }),
            0);
}

}  // namespace
}  // namespace hetjit::runtime
