// Machine code, and what LLVM throws: its back ends report what they cannot do as fatal errors,
// whose default is to end the process, and so do its allocators. The handlers throw out of them.
// LLVM is built with unwind tables but without clean-ups, so whatever it was working on is lost and
// must be leaked.
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/raw_ostream.h>

#include <new>

#include "compiler/target/long_functions.h"
#include "compiler/target/stack.h"
#include "compiler/target/target_impl.h"

namespace hetjit::target {
namespace {

struct FatalError {
  std::string text;
};

thread_local int guards = 0;  // > 0: a guarded() is below us on this thread's stack

void on_fatal_error(void*, const char* reason, bool) {
  if (guards > 0) throw FatalError{reason};
}

// LLVM's own allocators end the process where operator new throws (abi/memory_limit.h).
void on_bad_alloc(void*, const char*, bool) { throw std::bad_alloc(); }

// Before anything of LLVM's is used: lowering allocates, too.
const bool installed = [] {
  llvm::install_fatal_error_handler(on_fatal_error);
  llvm::install_bad_alloc_error_handler(on_bad_alloc);
  return true;
}();

/// A guarded() that works; counted down by an exception as well.
struct Guard {
  Guard() { guards++; }
  ~Guard() { guards--; }
};

/// Collects error diagnostics: without a handler LLVM prints them and calls exit().
class ErrorCollector : public llvm::DiagnosticHandler {
 public:
  explicit ErrorCollector(std::string& errors) : errors_(errors) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() != llvm::DS_Error) return true;
    llvm::raw_string_ostream stream(errors_);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    if (!errors_.empty()) stream << "; ";
    info.print(printer);
    return true;
  }

 private:
  std::string& errors_;
};

/// Listens to what the back end remarks of frames' sizes; all else goes to the handler before it.
class FrameReader : public llvm::DiagnosticHandler {
 public:
  FrameReader(llvm::LLVMContext& context, FrameSizes& frames)
      : frames_(frames), before_(context.getDiagnosticHandler()) {}

  bool isAnalysisRemarkEnabled(llvm::StringRef pass) const override { return pass == kPass; }
  bool isAnyRemarkEnabled() const override { return true; }
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    const auto* remark = llvm::dyn_cast<llvm::DiagnosticInfoOptimizationBase>(&info);
    if (!remark) return before_->handleDiagnostics(info);
    if (remark->getPassName() != kPass) return true;
    uint32_t bytes = 0;
    for (const auto& part : remark->getArgs())
      if (part.Key == "NumStackBytes" && !llvm::StringRef(part.Val).getAsInteger(10, bytes))
        frames_[remark->getFunction().getName().str()] = bytes;
    return true;
  }

  /// Called once, when no diagnostic can come any more.
  static void give_back(llvm::LLVMContext& context) {
    auto self = context.getDiagnosticHandler();
    context.setDiagnosticHandler(std::move(static_cast<FrameReader&>(*self).before_));
  }

 private:
  static constexpr llvm::StringRef kPass = "prologepilog";
  FrameSizes& frames_;
  std::unique_ptr<llvm::DiagnosticHandler> before_;
};

Error failed(const std::string& reason) {
  return {ErrorCode::Internal, "LLVM could not generate code: " + reason};
}

}  // namespace

Status guarded(llvm::LLVMContext& context, Status (*work)(void*), void* argument) {
  (void)installed;
  std::string errors;
  context.setDiagnosticHandler(std::make_unique<ErrorCollector>(errors));
  try {
    const Guard guard;
    Status status = work(argument);
    context.setDiagnosticHandler(std::make_unique<llvm::DiagnosticHandler>());
    if (status.ok() && !errors.empty()) return failed(errors);
    return status;
  } catch (const FatalError& error) {
    return failed(error.text);
  }
}

std::string generate_code(llvm::Module& module, llvm::TargetMachine& machine, CodeForm form) {
  llvm::SmallString<0> code;
  llvm::raw_svector_ostream stream(code);
  const Lengths lengths(module);
  CodePassManager passes(lengths);
  auto type = form == CodeForm::Object ? llvm::CodeGenFileType::ObjectFile
                                       : llvm::CodeGenFileType::AssemblyFile;
  bool cannot = machine.addPassesToEmitFile(passes, stream, nullptr, type, /*DisableVerify=*/true);
  HETJIT_CHECK(!cannot);
  machine.Options.EnableIPRA = false;  // CodePassManager has none of its passes
  SlowPassGate gate(module.getContext(), lengths);
  passes.run(module);
  return std::string(code.str());
}

std::string generate_code(llvm::Module& module, llvm::TargetMachine& machine, CodeForm form,
                          FrameSizes& frames) {
  llvm::LLVMContext& context = module.getContext();
  context.setDiagnosticHandler(std::make_unique<FrameReader>(context, frames), true);
  std::string code = generate_code(module, machine, form);
  FrameReader::give_back(context);
  return code;
}

}  // namespace hetjit::target
