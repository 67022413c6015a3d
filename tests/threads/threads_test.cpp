// Threads that compile, load and launch at the same time, for a while: 32 of them, on the host, on
// the device that does nothing and on a stand-in for a GPU. Under ThreadSanitizer it is a proof
// (HETJIT_PRESET=tsan, docs/testing.md); without, results are compared all the same.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <random>
#include <sstream>
#include <thread>

#include "abi/fork_hold.h"
#include "abi/param_buffer.h"
#include "compiler/images/image_key.h"
#include "compiler/images/image_store.h"
#include "compiler/images/image_table.h"
#include "compiler/pipeline/compile.h"
#include "compiler/target/host_linker.h"
#include "frontend/build/build.h"
#include "frontend/snapshot/snapshot_text.h"
#include "runtime/handles.h"
#include "runtime/kernel.h"
#include "runtime/registry.h"
#include "tests/devices/every_device.h"
#include "tests/source_dir.h"

namespace hetjit {
namespace {

using runtime::Device;
using runtime::Kernel;

constexpr unsigned kThreads = 32;
constexpr unsigned kAsking = 4;  // threads that want the same new kernel

std::chrono::seconds how_long() {
  const char* asked = std::getenv("HETJIT_THREADS_SECONDS");
  return std::chrono::seconds(asked ? std::atoi(asked) : 3);
}

/// A recording of tests/golden.
Program recorded(const char* name) {
  std::ifstream file(std::string(HETJIT_SOURCE_DIR) + "/tests/snapshots/3.11/golden/" + name);
  std::stringstream text;
  text << file.rdbuf();
  Result<Program> program = parse_program(text.str());
  EXPECT_TRUE(program.ok()) << name;
  return program.ok() ? std::move(*program) : Program{};
}

Options options_for(const char* target, const char* signature) {
  Options options;
  options.target = *parse_target(target);
  options.signature = *parse_signature(signature);
  return options;
}

constexpr const char* kSaxpy =
    "(float, array[f32, 1, contiguous, index32], array[f32, 1, contiguous, index32])";

/// What all threads share, and what is only looked at.
struct Shared {
  Program saxpy = recorded("lower__saxpy.snap"), raises = recorded("lower__raises.snap");
  Device *host = nullptr, *nothing = nullptr, *gpu = nullptr;
  std::unique_ptr<Kernel> saxpy_kernel, raising_kernel, nothing_kernel, gpu_kernel;
  std::unique_ptr<ImageStore> store;
  std::atomic<unsigned> asked{0}, launches{0}, compilations{0};
  std::chrono::steady_clock::time_point end;

  // The first failure of all.
  std::mutex mutex;
  std::string failed;
  std::atomic<bool> over{false};
  void fail(const std::string& text) {
    const std::lock_guard lock(mutex);
    if (failed.empty()) failed = text;
    over = true;
  }
};

std::shared_ptr<const Compiled> compiled(Shared& shared, const Program& program,
                                         const Options& options) {
  auto copy = std::make_shared<const Program>(program);
  const Places places = places_of(program);
  std::vector<std::string> faults;
  auto anew = [&]() -> ImageTable::Image {
    ++shared.compilations;
    Diagnostics diagnostics;
    std::optional<KernelImage> image = compile(build(copy), options, diagnostics);
    if (!image) return nullptr;
    return std::make_shared<const Compiled>(
        Compiled{std::move(*image), diagnostics.warnings(), places, {}});
  };
  const ForkHold hold;
  ImageTable::Image image = image_table().find_or_make(image_key(program, options), places, [&] {
    return shared.store->find_or_make(program, options, anew, faults);
  });
  if (!image) shared.fail("nothing was compiled for " + to_text(options.target));
  for (const std::string& fault : faults) shared.fail(fault);
  return image;
}

std::unique_ptr<Kernel> loaded(Shared& shared, const Program& program, const char* signature,
                               Device& device, const char* target) {
  const auto image = compiled(shared, program, options_for(target, signature));
  if (!image) return nullptr;
  Result<std::unique_ptr<Kernel>> kernel = Kernel::load(device, image->image);
  if (!kernel) shared.fail(kernel.error().text);
  return kernel ? std::move(*kernel) : nullptr;
}

using test_arguments = runtime::test::Arguments;
TypeId f32_array() { return parse_signature(kSaxpy)->parameters[1].type; }
runtime::Address address_of(std::vector<float>& of) {
  return reinterpret_cast<runtime::Address>(of.data());
}

class Thread {
 public:
  Thread(Shared& shared, unsigned number) : shared_(shared), draw_(number) {}

  void run() {
    constexpr void (Thread::*kSteps[])() = {&Thread::new_kernel,
                                            &Thread::shared_kernel,
                                            &Thread::shared_kernel,
                                            &Thread::raising_kernel,
                                            &Thread::moved,
                                            &Thread::nothing,
                                            &Thread::gpu};
    while (!shared_.over && std::chrono::steady_clock::now() < shared_.end)
      (this->*kSteps[draw_() % std::size(kSteps)])();
  }

 private:
  bool check(const Status& status) {
    if (!status.ok()) shared_.fail(status.error().text);
    return status.ok();
  }

  // y = 2 x + y
  void launch_saxpy(Kernel& kernel) {
    const size_t count = 1 + draw_() % 5000;
    std::vector<float> x(count), y(count, 1);
    for (size_t i = 0; i < count; ++i) x[i] = static_cast<float>(i);
    test_arguments arguments({scalar_type(Scalar::Float32), f32_array(), f32_array()});
    arguments.scalar(2.0f).array(address_of(x), count).array(address_of(y), count);
    const auto blocks = static_cast<uint32_t>((count + 63) / 64);
    if (!check(kernel.launch({{blocks, 1, 1}, {64, 1, 1}}, arguments.params(), nullptr))) return;
    ++shared_.launches;
    for (size_t i = 0; i < count; ++i)
      if (y[i] != 2 * static_cast<float>(i) + 1)
        return shared_.fail("element " + std::to_string(i) + " is " + std::to_string(y[i]));
  }

  // A kernel that nobody has, or that others ask for just now.
  void new_kernel() {
    Program program = shared_.saxpy;
    const unsigned tag = shared_.asked++ / kAsking;
    program.functions[0].constants.push_back({IntConstant{false, tag}});
    constexpr const char* kOthers[] = {"cuda:sm_90", "hip:gfx942"};
    if (tag % 4 == 3)
      compiled(shared_, program, options_for(kOthers[tag / 4 % 2], kSaxpy));
    else if (auto kernel = loaded(shared_, program, kSaxpy, *shared_.host, "cpu:native"))
      launch_saxpy(*kernel);
  }
  void shared_kernel() { launch_saxpy(*shared_.saxpy_kernel); }

  // The messages of a launch are its own.
  void raising_kernel() {
    const float value = static_cast<float>(draw_() % 1000) - 500;
    std::vector<float> x{7, value};
    test_arguments arguments({f32_array()});
    arguments.array(address_of(x), x.size());
    Report report;
    if (!check(shared_.raising_kernel->launch_and_listen({}, arguments.params(), nullptr, report)))
      return;
    ++shared_.launches;
    const bool right = value < 0 ? report.error.has_value() : !report.error && x[0] == value;
    if (!right) shared_.fail("a launch with " + std::to_string(value) + " said something else");
  }

  // The same program where it stands elsewhere.
  void moved() {
    Program program = shared_.raises;
    program.functions[0].source.path = "moved" + std::to_string(draw_() % 8) + ".py";
    const auto image = compiled(shared_, program,
                                options_for("cpu:native", "(array[f32, 1, contiguous, index32])"));
    if (image && image->image.sites.size() != 1) shared_.fail("a site was lost");
  }

  void nothing() { in_streams(*shared_.nothing, *shared_.nothing_kernel); }
  void gpu() { in_streams(*shared_.gpu, *shared_.gpu_kernel); }

  // Two streams and an event between them.
  void in_streams(Device& device, Kernel& kernel) {
    auto first = runtime::Stream::make(device), second = runtime::Stream::make(device);
    auto memory = runtime::Buffer::make(device, 64);
    if (!first || !second || !memory) return shared_.fail(device.name() + " has nothing left");
    test_arguments arguments({scalar_type(Scalar::Float32), f32_array(), f32_array()});
    arguments.scalar(2.0f).array(memory->get(), 16).array(memory->get(), 16);
    if (!check(kernel.launch({}, arguments.params(), first->get()))) return;
    auto event = runtime::Event::of(device, first->get());
    if (!event) return shared_.fail(event.error().text);
    check(event->precede(second->get()));
    check(kernel.launch({}, arguments.params(), second->get()));
    check(second->wait());
    ++shared_.launches;
  }

  Shared& shared_;
  std::mt19937 draw_;
};

class Threads : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::temp_directory_path() / ("hetjit-threads-" + std::to_string(getpid()));
    setenv("HETJIT_CUDA_LIBRARY", HETJIT_FAKE_CUDA, 1);
    (void)runtime::test::devices_to_test();  // sets the registry up
    storage::Settings settings;
    settings.path = folder_;
    shared.store = std::make_unique<ImageStore>(settings);
    for (auto [name, to] : {std::pair{"cpu", &shared.host}, std::pair{"null", &shared.nothing},
                            std::pair{"cuda:0", &shared.gpu}}) {
      Result<Device*> opened = runtime::open_device(name);
      ASSERT_TRUE(opened.ok()) << opened.error().text;
      *to = *opened;
    }
    const char* one = "(array[f32, 1, contiguous, index32])";
    shared.saxpy_kernel = loaded(shared, shared.saxpy, kSaxpy, *shared.host, "cpu:native");
    shared.raising_kernel = loaded(shared, shared.raises, one, *shared.host, "cpu:native");
    shared.nothing_kernel = loaded(shared, shared.saxpy, kSaxpy, *shared.nothing, "cuda:sm_90");
    shared.gpu_kernel = loaded(shared, shared.saxpy, kSaxpy, *shared.gpu, "cuda:sm_90");
    ASSERT_EQ(shared.failed, "");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Shared shared;

 private:
  std::filesystem::path folder_;
};

TEST_F(Threads, CompileAndLaunchTogether) {
  shared.end = std::chrono::steady_clock::now() + how_long();
  const unsigned before = shared.compilations;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < kThreads; ++i)
    threads.emplace_back([this, i] { Thread(shared, i).run(); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(shared.failed, "");
  EXPECT_GT(shared.launches, kThreads);
  EXPECT_EQ(shared.compilations - before, (shared.asked + kAsking - 1) / kAsking)
      << "each key once, however many threads ask";
  std::printf("%u launches, %u compilations\n", shared.launches.load(), shared.compilations.load());
}

}  // namespace
}  // namespace hetjit
