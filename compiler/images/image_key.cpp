#include "compiler/images/image_key.h"

#include "compiler/pipeline/phases.h"

namespace hetjit {
namespace {

// What we wrote for every target is known by its file, which the fingerprint leaves out.
std::string portable_functions(const Program& program) {
  std::string text;
  for (size_t i = 0; i < program.functions.size(); ++i)
    if (is_portable(program.functions[i])) text += " " + std::to_string(i);
  return text;
}

// Line tables lead to files and lines.
std::string place_text(const Program& program) {
  std::string text;
  for (const Snapshot& function : program.functions)
    text += function.source.path + ":" + std::to_string(function.source.first_line) + "\n";
  return text;
}

std::string option_text(const Options& options) {
  std::string text = to_text(options.signature) + "\n" + to_text(options.target) + "\n";
  text += to_text(options.checks) + "\n";
  for (bool flag : {options.kernel, options.contract, options.fastmath, options.portable_math,
                    options.debug, options.cubin})
    text += flag ? '1' : '0';
  return text + "\n" + std::to_string(options.lanes) + " " + std::to_string(options.tier) + "\n";
}

}  // namespace

Fingerprint image_key(const Program& program, const Options& options) {
  return fingerprint(to_text(fingerprint(program)) + "\n" + option_text(options) +
                     portable_functions(program) + (options.debug ? place_text(program) : ""));
}

}  // namespace hetjit
