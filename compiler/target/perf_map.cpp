#include "compiler/target/perf_map.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace hetjit::target {
namespace {

namespace jitlink = llvm::jitlink;
namespace orc = llvm::orc;

/// A line for each function, as perf reads it: begin and size in hexadecimal, name.
std::string lines_of(jitlink::LinkGraph& graph) {
  std::string lines;
  for (const jitlink::Symbol* symbol : graph.defined_symbols()) {
    if (!symbol->hasName() || !symbol->isCallable() || symbol->getSize() == 0) continue;
    char numbers[40];
    std::snprintf(numbers, sizeof numbers, "%llx %llx ",
                  static_cast<unsigned long long>(symbol->getAddress().getValue()),
                  static_cast<unsigned long long>(symbol->getSize()));
    lines += numbers + (*symbol->getName()).str() + " [hetjit]\n";
  }
  return lines;
}

/// Others may write into this folder, too, and others of this process into this file: never through
/// a link, never into a file of somebody else's.
void append(const std::string& lines) {
  const std::string path = "/tmp/perf-" + std::to_string(getpid()) + ".map";
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
  struct stat found = {};
  const bool own = file >= 0 && fstat(file, &found) == 0 && S_ISREG(found.st_mode) &&
                   found.st_uid == geteuid() && found.st_nlink == 1;
  const bool written = own && write(file, lines.data(), lines.size()) ==
                                  static_cast<ssize_t>(lines.size());  // whole lines, at once
  if (!written) std::fprintf(stderr, "hetjit: HETJIT_PERF_MAP: cannot write %s\n", path.c_str());
  if (file >= 0) close(file);
}

llvm::Error write_names(jitlink::LinkGraph& graph) {
  if (const std::string lines = lines_of(graph); !lines.empty()) append(lines);
  return llvm::Error::success();
}

class PerfMap : public orc::ObjectLinkingLayer::Plugin {
 public:
  void modifyPassConfig(orc::MaterializationResponsibility&, jitlink::LinkGraph&,
                        jitlink::PassConfiguration& passes) override {
    passes.PostFixupPasses.push_back(write_names);
  }
  llvm::Error notifyFailed(orc::MaterializationResponsibility&) override {
    return llvm::Error::success();
  }
  llvm::Error notifyRemovingResources(orc::JITDylib&, orc::ResourceKey) override {
    return llvm::Error::success();
  }
  void notifyTransferringResources(orc::JITDylib&, orc::ResourceKey, orc::ResourceKey) override {}
};

}  // namespace

std::shared_ptr<orc::ObjectLinkingLayer::Plugin> perf_map() {
  const char* value = std::getenv("HETJIT_PERF_MAP");
  const bool asked = value && *value && std::string_view(value) != "0";
  return asked ? std::make_shared<PerfMap>() : nullptr;
}

}  // namespace hetjit::target
