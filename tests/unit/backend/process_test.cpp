// What compiling does to the process: failures inside LLVM, many threads, memory, and how long it
// takes.
#include <gtest/gtest.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <thread>

#include "compiler/target/target_impl.h"
#include "tests/unit/backend/compiled.h"
#include "tests/unit/backend/kernels.h"
#include "tests/unit/ir/run_text.h"

namespace hetjit {
namespace {

/// A module that the target's back end gives up on: a sine of which it knows no instruction.
LlvmModule impossible(target::Target& target) {
  LlvmModule module;
  target.prepare(module.module());
  llvm::IRBuilder<> build(module.context());
  llvm::Type* f64 = build.getDoubleTy();
  auto* function =
      llvm::Function::Create(llvm::FunctionType::get(f64, {f64}, false),
                             llvm::Function::ExternalLinkage, "kernel", module.module());
  build.SetInsertPoint(llvm::BasicBlock::Create(module.context(), "", function));
  build.CreateRet(build.CreateUnaryIntrinsic(llvm::Intrinsic::sin, function->getArg(0)));
  module.entry = "kernel";
  return module;
}

TEST(FatalError, ComesBackAndTheNextCompilationWorks) {
  for (const char* name : {"cuda:sm_90", "hip:gfx942", "cuda:sm_90"}) {
    target::Target& target = find(name);
    auto image = target::emit(impossible(target), target);
    ASSERT_FALSE(image.ok()) << name;
    EXPECT_EQ(image.error().code, ErrorCode::Internal);
    EXPECT_NE(image.error().text.find("LLVM"), std::string::npos) << image.error().text;
    EXPECT_TRUE(compile_for(name, ir::parsed(saxpy_text())).ok()) << name;
  }
}

/// One launch of saxpy over `count` elements, in blocks of `block` threads.
void run_saxpy(const HostKernel& kernel, const ir::Module& module, int64_t count, uint32_t block) {
  std::vector<float> x, y;
  for (int64_t i = 0; i < count; ++i) {
    x.push_back(static_cast<float>(i));
    y.push_back(1);
  }
  ir::Arguments arguments(module);
  arguments.put(2.0f).put(ir::array_of(x, {count})).put(ir::array_of(y, {count}));
  Geometry geometry;
  geometry.block[0] = block;
  geometry.grid[0] = static_cast<uint32_t>((count + block - 1) / block);
  kernel.run(arguments.bytes(), geometry);
  for (int64_t i = 0; i < count; ++i)
    ASSERT_EQ(y[static_cast<size_t>(i)], 2.0f * static_cast<float>(i) + 1.0f) << i;
}

TEST(Host, Saxpy) {
  for (const char* facts : {"", ", contiguous", ", contiguous, index32", ", index32"}) {
    ir::Module module = ir::parsed(saxpy_text(facts));
    HostKernel kernel(module);
    ASSERT_TRUE(kernel.ok());
    for (int64_t count : {1, 31, 1000, 4097}) run_saxpy(kernel, module, count, 256);
    run_saxpy(kernel, module, 100, 7);
  }
}

TEST(Threads, CompileAtOnce) {
  std::atomic<int> failures{0};
  auto work = [&] {
    for (const char* name : {"cpu:native", "cuda:sm_90", "hip:gfx942", "cpu:x86-64-v3"}) {
      ir::Module module = ir::parsed(saxpy_text());
      auto image = compile_for(name, module);
      if (!image.ok()) ++failures;
      if (image.ok() && image->kind == ImageKind::HostObject)
        run_saxpy(HostKernel(module, name), module, 100, 32);
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
}

TEST(HostLinker, BadObjectsAreErrors) {
  std::vector<std::byte> nothing, noise(1000, std::byte{0x5A});
  EXPECT_FALSE(link(nothing).ok());
  EXPECT_FALSE(link(noise).ok());
  auto image = compile_for("cpu:native", ir::parsed(saxpy_text()));
  ASSERT_TRUE(image.ok());
  image->code.resize(image->code.size() / 2);
  EXPECT_FALSE(link(image->code).ok());
}

TEST(HostLinker, UnknownSymbolIsNull) {
  auto image = compile_for("cpu:native", ir::parsed(saxpy_text()));
  ASSERT_TRUE(image.ok());
  auto code = link(image->code);
  ASSERT_TRUE(code.ok());
  EXPECT_EQ((*code)->find("nobody"), nullptr);
  EXPECT_NE((*code)->find("kernel"), nullptr);
}

long mapped_regions() {
  long lines = 0;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) ++lines;
  return lines;
}

TEST(HostLinker, FreesItsMemory) {
  auto image = compile_for("cpu:native", ir::parsed(saxpy_text()));
  ASSERT_TRUE(image.ok());
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(link(image->code).ok());
  long before = mapped_regions();
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(link(image->code).ok());
  EXPECT_LT(mapped_regions(), before + 50);
}

// ---- time: printed, not asserted, since the machine may be busy

double cpu_milliseconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

struct Times {
  double lower, emit, link;
  double total() const { return lower + emit + link; }
};

Times compile_once(const ir::Module& module, const char* name) {
  target::Target& target = find(name);
  double t0 = cpu_milliseconds();
  LlvmModule llvm = lowered(module, planned(module, target), "kernel", target);
  double t1 = cpu_milliseconds();
  auto image = target::emit(std::move(llvm), target);
  double t2 = cpu_milliseconds();
  EXPECT_TRUE(image.ok());
  if (image->kind == ImageKind::HostObject) {
    EXPECT_TRUE(link(image->code).ok());
  }
  return {t1 - t0, t2 - t1, cpu_milliseconds() - t2};
}

// Printed for who looks; far too much is a mistake, whatever the machine and the build.
constexpr double kFarTooLong = 300;  // CPU ms

TEST(Timing, OfASmallKernel) {
  ir::Module module = ir::parsed(saxpy_text());
  for (const char* name : {"cuda:sm_90", "hip:gfx942", "cpu:native"}) {
    std::vector<Times> all;
    for (int i = 0; i < 21; ++i) all.push_back(compile_once(module, name));
    double first = all[0].total();
    std::sort(all.begin(), all.end(),
              [](const Times& a, const Times& b) { return a.total() < b.total(); });
    const Times& median = all[all.size() / 2];
    std::printf(
        "[  timing  ] saxpy, %s, CPU ms: first %.2f, median %.2f "
        "(lower %.2f, emit %.2f, link %.2f)\n",
        name, first, median.total(), median.lower, median.emit, median.link);
    EXPECT_LT(median.total(), kFarTooLong);
  }
}

}  // namespace
}  // namespace hetjit
