// The vendors' loaders count a thread's stack along calls without circles; in a circle nobody knows
// how often it is gone round but we.
#include "compiler/target/stack.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>

#include <algorithm>
#include <charconv>

#include "compiler/target/call_depth.h"

namespace hetjit::target {
namespace {

/// The number after a text in a line, or 0.
uint32_t number_after(std::string_view line, std::string_view text) {
  uint32_t number = 0;
  const size_t found = line.find(text);
  if (found == std::string_view::npos) return 0;
  const char* begin = line.data() + found + text.size();
  std::from_chars(begin, line.data() + line.size(), number);
  return number;
}

/// "name" of ".visible .entry name(", ".entry name()" or ".func  (.param .b32 func_retval0) name(".
/// "" of what is declared alone, whose parameters begin on a line of their own.
std::string defined_name(std::string_view line) {
  const size_t end = line.rfind('(');
  if (end == line.npos) return "";
  size_t begin = line.find_last_of(" )", end);
  return std::string(line.substr(begin + 1, end - begin - 1));
}

/// What a declaration of registers or memory may take of the frame.
uint32_t declared_bytes(std::string_view line) {
  if (line.find("__local_depot") != std::string_view::npos && line.find('[') != line.npos)
    return number_after(line, "[");
  if (line.find(".reg ") == std::string_view::npos) return 0;
  const uint32_t bits = number_after(line, ".b");  // none: predicates, a bit each
  return number_after(line, "<") * std::max<uint32_t>(bits / 8, 4);
}

}  // namespace

FrameSizes ptx_frames(std::string_view ptx) {
  constexpr uint32_t kReturn = 16;  // where it was called, and what alignment leaves free
  FrameSizes frames;
  uint32_t* frame = nullptr;
  while (!ptx.empty()) {
    const size_t end = std::min(ptx.find('\n'), ptx.size());
    const std::string_view line = ptx.substr(0, end);
    ptx.remove_prefix(std::min(end + 1, ptx.size()));
    const bool begins = line.find(".func ") != line.npos || line.find(".entry ") != line.npos;
    if (begins) {
      const std::string name = defined_name(line);
      frame = name.empty() ? nullptr : &(frames[name] = kReturn);
    }
    if (frame) *frame += declared_bytes(line);
  }
  return frames;
}

bool is_recursive(llvm::Module& module) {
  llvm::CallGraph calls(module);
  for (auto circle = llvm::scc_begin(&calls); !circle.isAtEnd(); ++circle)
    if (circle.hasCycle()) return true;
  return false;
}

uint32_t stack_bytes(llvm::Module& module, const FrameSizes& frames) {
  uint32_t once = 0, largest = 0;
  auto frame_of = [&](const llvm::Function* function) {
    auto found = frames.find(function ? function->getName().str() : "");
    return found == frames.end() ? 0 : found->second;
  };
  llvm::CallGraph calls(module);
  for (auto circle = llvm::scc_begin(&calls); !circle.isAtEnd(); ++circle)
    for (const llvm::CallGraphNode* node : *circle) {
      const uint32_t frame = frame_of(node->getFunction());
      if (circle.hasCycle())
        largest = std::max(largest, frame);
      else
        once += frame;
    }
  return once + kCallDepth * largest;
}

}  // namespace hetjit::target
