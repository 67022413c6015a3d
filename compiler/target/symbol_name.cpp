#include "compiler/target/symbol_name.h"

#include <llvm/Analysis/TargetLibraryInfo.h>

#include <algorithm>

#include "compiler/target/host_symbols.h"

namespace hetjit::target {
namespace {

constexpr size_t kCharacters = 200;  // assemblers have limits, and nobody reads more

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// LLVM's intrinsics; what compilers and device libraries keep for themselves; ours.
constexpr std::string_view kReservedBeginnings[] = {"llvm", "__", "_Z", "hetjit"};
// What CUDA's assembler and linker know beside that.
constexpr std::string_view kReserved[] = {"main", "vprintf", "WARP_SZ"};

// LLVM takes a function of the C library's name for that function, wherever it is defined; and
// calls some by itself.
bool is_library_function(const std::string& name) {
  static const llvm::TargetLibraryInfoImpl known{llvm::Triple("x86_64-unknown-linux-gnu")};
  llvm::LibFunc found;
  return known.getLibFunc(name, found);
}

bool is_reserved(const std::string& name) {
  for (std::string_view beginning : kReservedBeginnings)
    if (name.starts_with(beginning)) return true;
  for (std::string_view known : kReserved)
    if (name == known) return true;
  for (const char* known : kHostCalls)
    if (name == known) return true;
  for (const HostSymbol& known : host_symbols())
    if (name == known.name) return true;
  return is_library_function(name);
}

}  // namespace

std::string symbol_name(std::string_view python_name) {
  std::string name;
  for (char c : python_name.substr(0, kCharacters)) name += is_word(c) ? c : '_';
  const bool begins_badly = name.empty() || (name[0] >= '0' && name[0] <= '9');
  return begins_badly || is_reserved(name) ? "kernel_" + name : name;
}

}  // namespace hetjit::target
