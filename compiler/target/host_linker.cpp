#include "compiler/target/host_linker.h"

#include <dlfcn.h>
#include <llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h>
#include <llvm/ExecutionEngine/Orc/AbsoluteSymbols.h>
#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/ObjectFileInterface.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h>
#include <llvm/Support/DynamicLibrary.h>
#include <llvm/Support/MemoryBuffer.h>

#include <atomic>
#include <mutex>

#include "abi/fork_hold.h"
#include "abi/memory_limit.h"
#include "compiler/target/foreign_code.h"
#include "compiler/target/host_symbols.h"
#include "compiler/target/perf_map.h"

namespace hetjit::target {
namespace {

namespace orc = llvm::orc;

// What ORC says of an error last is that symbols could not be made; why, its reporter heard before.
thread_local bool no_memory = false;
thread_local std::string reason;

Error failed(llvm::Error error) {
  const std::string last = llvm::toString(std::move(error));
  return {no_memory ? ErrorCode::OutOfMemory : ErrorCode::Internal,
          "the host code could not be linked: " + (reason.empty() ? last : reason)};
}

// A lookup that fails tells its caller; nothing is to be printed.
void note(llvm::Error error) {
  llvm::handleAllErrors(std::move(error), [](const llvm::ErrorInfoBase& info) {
    if (info.convertToErrorCode() == std::errc::not_enough_memory) no_memory = true;
    if (reason.empty()) reason = info.message();
  });
}

/// One session for the process, never ended: code may run until the very end. Each object gets a
/// library (JITDylib) of its own, whose removal frees its memory.
class Session {
 public:
  static Result<Session*> get() {
    static ForkSafeMutex mutex;
    std::lock_guard lock(mutex);
    if (current) return current.load();
    auto made = std::make_unique<Session>();
    if (llvm::Error error = made->start()) return failed(std::move(error));
    return current = made.release();
  }
  /// Memory ran out in it, and its locks may be locked for good: the next object gets another one.
  void give_up() {
    broken_ = true;
    Session* self = this;
    current.compare_exchange_strong(self, nullptr);
  }
  bool broken() const { return broken_; }

  llvm::Expected<orc::JITDylib*> add(std::span<const std::byte> object,
                                     std::span<const HostSymbol> calls) {
    auto& library = session_->createBareJITDylib("kernel" + std::to_string(count_++));
    library.addToLinkOrder(*runtime_);
    llvm::StringRef bytes(reinterpret_cast<const char*>(object.data()), object.size());
    auto buffer = llvm::MemoryBuffer::getMemBufferCopy(bytes, library.getName());
    llvm::Error error = define(library, calls);
    for (const std::string& path : files_needed(buffer->getMemBufferRef()))
      if (!error) error = add_file(library, path);
    if (!error) error = link(library, std::move(buffer));
    if (error) {
      remove(library);
      return llvm::Expected<orc::JITDylib*>(std::move(error));
    }
    return &library;
  }

  llvm::Expected<orc::ExecutorSymbolDef> find(orc::JITDylib& library, const std::string& symbol) {
    return session_->lookup(&library, session_->intern(symbol));
  }

  void remove(orc::JITDylib& library) { llvm::consumeError(session_->removeJITDylib(library)); }

 private:
  /// Code of others; of archives and shared objects, what is asked for.
  llvm::Error add_file(orc::JITDylib& library, const std::string& path) {
    if (path.ends_with(".a")) {
      auto archive = orc::StaticLibraryDefinitionGenerator::Load(*layer_, path.c_str());
      if (!archive) return archive.takeError();
      library.addGenerator(std::move(*archive));
    } else if (path.ends_with(".so")) {
      // LLVM would open it for all to see: its functions would take the place of those of the same
      // name in libraries that the program loads later. It stays, as kernels may.
      void* shared = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
      if (!shared) return llvm::createStringError(dlerror());
      library.addGenerator(std::make_unique<orc::DynamicLibrarySearchGenerator>(
          llvm::sys::DynamicLibrary(shared), '\0'));
    } else {
      auto object = llvm::MemoryBuffer::getFile(path);
      if (!object) return llvm::createFileError(path, object.getError());
      return layer_->add(library, std::move(*object));
    }
    return llvm::Error::success();
  }

  /// Looks every symbol up at once: what is wrong with the object shows now, not at the first
  /// find().
  llvm::Error link(orc::JITDylib& library, std::unique_ptr<llvm::MemoryBuffer> object) {
    auto interface = orc::getObjectFileInterface(*session_, object->getMemBufferRef());
    if (!interface) return interface.takeError();
    orc::SymbolLookupSet symbols;
    for (const auto& [name, flags] : interface->SymbolFlags) symbols.add(name);
    auto tracker = library.getDefaultResourceTracker();
    if (llvm::Error error = layer_->add(tracker, std::move(object), std::move(*interface)))
      return error;
    return session_->lookup({{&library, orc::JITDylibLookupFlags::MatchAllSymbols}}, symbols)
        .takeError();
  }

  llvm::Error define(orc::JITDylib& library, std::span<const HostSymbol> symbols) {
    orc::SymbolMap addresses;
    for (const HostSymbol& symbol : symbols)
      addresses[session_->intern(symbol.name)] = {orc::ExecutorAddr::fromPtr(symbol.address),
                                                  llvm::JITSymbolFlags::Exported};
    return library.define(orc::absoluteSymbols(std::move(addresses)));
  }

  /// C++ that kernels call may need any function of the C and C++ libraries.
  llvm::Error search_process() {
    auto found = orc::DynamicLibrarySearchGenerator::GetForCurrentProcess('\0');
    if (!found) return found.takeError();
    runtime_->addGenerator(std::move(*found));
    return llvm::Error::success();
  }

  llvm::Error start() {
    auto control = orc::SelfExecutorProcessControl::Create();
    if (!control) return control.takeError();
    session_ = std::make_unique<orc::ExecutionSession>(std::move(*control));
    session_->setErrorReporter(note);
    layer_ = std::make_unique<orc::ObjectLinkingLayer>(*session_);
    if (auto names = perf_map()) layer_->addPlugin(std::move(names));
    runtime_ = &session_->createBareJITDylib("runtime");
    if (llvm::Error error = define(*runtime_, host_symbols())) return error;
    return search_process();
  }

  static inline std::atomic<Session*> current{nullptr};
  std::atomic<bool> broken_{false};
  std::unique_ptr<orc::ExecutionSession> session_;
  std::unique_ptr<orc::ObjectLinkingLayer> layer_;
  orc::JITDylib* runtime_ = nullptr;
  std::atomic<uint64_t> count_{0};
};

class JitLinkedCode : public LinkedCode {
 public:
  JitLinkedCode(Session& session, orc::JITDylib& library) : session_(session), library_(library) {}
  ~JitLinkedCode() override {
    if (!session_.broken()) session_.remove(library_);
  }

  void* find(const std::string& symbol) override {
    if (session_.broken()) return nullptr;
    const ForkHold hold;
    auto found = session_.find(library_, symbol);
    if (found) return found->getAddress().toPtr<void*>();
    llvm::consumeError(found.takeError());
    return nullptr;
  }

 private:
  Session& session_;
  orc::JITDylib& library_;
};

}  // namespace

Result<std::unique_ptr<LinkedCode>> link_host_object(std::span<const std::byte> object,
                                                     std::span<const HostSymbol> calls) {
  const ForkHold hold;
  Result<Session*> session = Error{};
  Result<std::unique_ptr<LinkedCode>> code = Error{ErrorCode::OutOfMemory, "no memory to link in"};
  no_memory = false;
  reason.clear();
  const bool enough = within_memory([&] {
    session = Session::get();
    if (!session) return;
    auto library = (*session)->add(object, calls);
    if (library)
      code = std::unique_ptr<LinkedCode>(std::make_unique<JitLinkedCode>(**session, **library));
    else
      code = failed(library.takeError());
  });
  if (!enough && session) (*session)->give_up();
  return session || !enough ? std::move(code) : session.error();
}

}  // namespace hetjit::target
