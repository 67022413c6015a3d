#include "every_device.h"

#include <cstdio>

#include "compiler/ir/ir.h"
#include "compiler/pipeline/backends.h"
#include "compiler/target/host_linker.h"
#include "compiler/target/target.h"

namespace hetjit::runtime::test {
namespace {

// What the Python edge does, too: the compiler's linker for the run time's host device.
class Linked : public HostCode {
 public:
  explicit Linked(std::unique_ptr<target::LinkedCode> code) : code_(std::move(code)) {}
  void* find(const std::string& symbol) override { return code_->find(symbol); }

 private:
  std::unique_ptr<target::LinkedCode> code_;
};

Result<std::unique_ptr<HostCode>> link(std::span<const std::byte> object,
                                       std::span<const HostSymbol> calls) {
  Result<std::unique_ptr<target::LinkedCode>> code = target::link_host_object(object, calls);
  if (!code) return code.error();
  return std::unique_ptr<HostCode>(new Linked(std::move(*code)));
}

}  // namespace

std::vector<std::string> devices_to_test() {
  static const std::vector<std::string> names = [] {
    configure({link});
    for (const char* vendor : {"cuda", "hip"})
      if (const std::string reason = why_not(vendor); !reason.empty())
        std::printf("not tested: %s\n", reason.c_str());
    std::vector<std::string> found = devices();
    found.push_back("null");
    return found;
  }();
  return names;
}

Result<KernelImage> compile(std::string_view text, const Device& device) {
  const Result<ir::Module> module = ir::parse(text);
  if (!module.ok()) return module.error();
  HETJIT_TRY(ir::verify(module.value()));
  const Result<target::Target*> target = target::find_target(device.info().target);
  if (!target.ok()) return target.error();
  return target::emit(
      lowered(module.value(), planned(module.value(), *target.value()), "kernel", *target.value()),
      *target.value());
}

}  // namespace hetjit::runtime::test
