// Opening a vendor's library, and why it may not be there.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "runtime/gpu/gpu_device.h"
#include "runtime/gpu/hip_arch.h"
#include "support.h"

namespace hetjit::runtime {
namespace {

namespace fs = std::filesystem;
using test::FakeDriver;
using test::WithEnvironment;

TEST(GpuOpen, NoLibrary) {
  WithEnvironment chosen("HETJIT_CUDA_LIBRARY", "/nowhere/libcuda.so.1");
  const auto driver = open_driver(Vendor::Cuda);
  ASSERT_FALSE(driver.ok());
  EXPECT_EQ(driver.error().code, ErrorCode::Unavailable);
  EXPECT_EQ(driver.error().text.find("cuda: /nowhere/libcuda.so.1: cannot open shared object file"),
            0u);
}

TEST(GpuOpen, AFileThatIsNoLibrary) {
  WithEnvironment chosen("HETJIT_HIP_LIBRARY", __FILE__);
  const auto driver = open_driver(Vendor::Hip);
  ASSERT_FALSE(driver.ok());
  EXPECT_EQ(driver.error().text.find("hip: "), 0u);
}

TEST(GpuOpen, ALibraryThatLacksCalls) {
  // HIP's stand-in has none of CUDA's.
  WithEnvironment chosen("HETJIT_CUDA_LIBRARY", HETJIT_FAKE_HIP);
  const auto driver = open_driver(Vendor::Cuda);
  ASSERT_FALSE(driver.ok());
  EXPECT_EQ(driver.error().code, ErrorCode::Unavailable);
  EXPECT_EQ(driver.error().text,
            std::string("cuda: ") + HETJIT_FAKE_HIP + " has no cuInit: it is too old");
}

TEST(GpuOpen, ADriverThatCannotStart) {
  FakeDriver cuda(Vendor::Cuda);
  cuda.fail("cuInit", 100);
  const auto driver = open_driver(Vendor::Cuda);
  ASSERT_FALSE(driver.ok());
  EXPECT_EQ(driver.error().code, ErrorCode::Unavailable);
  EXPECT_EQ(driver.error().text,
            std::string("cuda: ") + HETJIT_FAKE_CUDA +
                " finds no device: CUDA_ERROR_NO_DEVICE (100), no CUDA-capable device is detected");
  cuda.fail("cuInit", 3);
  EXPECT_EQ(open_driver(Vendor::Cuda).error().text,
            std::string("cuda: ") + HETJIT_FAKE_CUDA +
                " cannot start: CUDA_ERROR_NOT_INITIALIZED (3), as the fake driver says");
  FakeDriver hip(Vendor::Hip);
  hip.fail("hipGetDeviceCount", 100);
  EXPECT_EQ(open_driver(Vendor::Hip).error().text,
            std::string("hip: ") + HETJIT_FAKE_HIP +
                " finds no device: hipErrorNoDevice (100), no ROCm-capable device is detected");
}

TEST(GpuOpen, ADriverWithoutDevices) {
  FakeDriver fake(Vendor::Cuda);
  fake.set("devices", 0);
  const auto driver = open_driver(Vendor::Cuda);
  fake.set("devices", 2);
  ASSERT_FALSE(driver.ok());
  EXPECT_EQ(driver.error().text, std::string("cuda: ") + HETJIT_FAKE_CUDA + " finds no device");
}

TEST(GpuOpen, SymbolsAreAskedForByVersion) {
  FakeDriver fake(Vendor::Cuda);
  auto api = open_gpu_api(Vendor::Cuda);
  ASSERT_TRUE(api.ok());
  // The plain name is an old form of the call, which ends the process.
  EXPECT_EQ(reinterpret_cast<void*>((*api)->allocate),
            reinterpret_cast<void*>(fake.symbol<int()>("cuMemAlloc_v2")));
  EXPECT_EQ((*api)->device_use, nullptr);
}

// The folder of nodes of a machine with a processor and two GPUs.
class HipArch : public testing::Test {
 protected:
  HipArch() {
    std::string pattern = (fs::temp_directory_path() / "hetjit-XXXXXX").string();
    folder = mkdtemp(pattern.data());
    node(0, 0, 0, 0);
    node(1, 90402, 0xC100, 0);
    node(2, 90010, 0xC100, 1);
    node(3, 110001, 0x0308, 0);
  }
  ~HipArch() override { fs::remove_all(folder); }
  void node(int number, int version, int location, int domain) {
    const std::string path = folder + "/" + std::to_string(number);
    fs::create_directories(path);
    std::ofstream(path + "/properties")
        << "cpu_cores_count 0\ngfx_target_version " << version << "\nlocation_id " << location
        << "\ndomain " << domain << "\nunique_id 123\n";
  }
  std::string folder;
  WithEnvironment no_arch{"HETJIT_HIP_ARCH", std::nullopt};
  WithEnvironment no_override{"HSA_OVERRIDE_GFX_VERSION", std::nullopt};
};

TEST_F(HipArch, IsFoundByPciAddress) {
  EXPECT_EQ(find_hip_arch("0000:c1:00.0", folder).value(), "gfx942");
  EXPECT_EQ(find_hip_arch("0001:c1:00.0", folder).value(), "gfx90a");
  EXPECT_EQ(find_hip_arch("0000:03:01.0", folder).value(), "gfx1101");
  EXPECT_EQ(find_hip_arch("0000:c1:00.3", folder).value(), "gfx942");  // a part of a GPU
}

TEST_F(HipArch, ErrorSaysWhatToDo) {
  const Result<std::string> none = find_hip_arch("0000:44:00.0", folder);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().text,
            "no GPU at 0000:44:00.0 in " + folder + "; HETJIT_HIP_ARCH can name its architecture");
  EXPECT_EQ(find_hip_arch("rubbish", folder).error().text, "'rubbish' is no PCI address");
}

TEST_F(HipArch, VariablesComeFirst) {
  WithEnvironment override_version("HSA_OVERRIDE_GFX_VERSION", "10.3.0");
  EXPECT_EQ(find_hip_arch("0000:c1:00.0", folder).value(), "gfx1030");
  WithEnvironment arch("HETJIT_HIP_ARCH", "gfx906");
  EXPECT_EQ(find_hip_arch("0000:c1:00.0", folder).value(), "gfx906");
}

}  // namespace
}  // namespace hetjit::runtime
