// Compiles IR text for a target, and runs it on the host.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "compiler/ir/ir.h"
#include "compiler/pipeline/backends.h"
#include "compiler/target/host_linker.h"
#include "compiler/target/target.h"
#include "runtime/host/block_scheduler.h"

namespace hetjit {

inline target::Target& find(std::string_view name) {
  auto parsed = parse_target(name);
  EXPECT_TRUE(parsed.ok()) << name;
  auto found = target::find_target(*parsed);
  EXPECT_TRUE(found.ok()) << found.error().text;
  return **found;
}

/// The image of the module for a target, by its name: "cuda:sm_90".
inline Result<KernelImage> compile_for(std::string_view target_name, const ir::Module& module,
                                       const target::EmitOptions& options = {}) {
  target::Target& target = find(target_name);
  LlvmModule llvm = lowered(module, planned(module, target), "kernel", target);
  return target::emit(std::move(llvm), target, options);
}

inline std::string code_text(const KernelImage& image) {
  return {reinterpret_cast<const char*>(image.code.data()), image.code.size()};
}

inline Result<std::unique_ptr<target::LinkedCode>> link(std::span<const std::byte> object) {
  return target::link_host_object(object, runtime::host_calls());
}

/// Code that can be called.
class HostKernel {
 public:
  explicit HostKernel(const ir::Module& module, std::string_view target = "cpu:native") {
    auto image = compile_for(target, module);
    EXPECT_TRUE(image.ok()) << (image.ok() ? "" : image.error().text);
    if (!image.ok()) return;
    auto linked = link(image->code);
    EXPECT_TRUE(linked.ok()) << (linked.ok() ? "" : linked.error().text);
    if (!linked.ok()) return;
    code_ = std::move(*linked);
    entry_ = reinterpret_cast<HostEntry>(code_->find(image->entry));
    EXPECT_NE(entry_, nullptr);
  }
  bool ok() const { return entry_ != nullptr; }
  void run(std::span<const std::byte> parameters, const Geometry& geometry) const {
    uint64_t blocks = uint64_t{geometry.grid[0]} * geometry.grid[1] * geometry.grid[2];
    entry_(parameters.data(), &geometry, 0, blocks);
  }

 private:
  std::unique_ptr<target::LinkedCode> code_;
  HostEntry entry_ = nullptr;
};

}  // namespace hetjit
