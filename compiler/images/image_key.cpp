#include "compiler/images/image_key.h"

#include "compiler/images/image_places.h"

namespace hetjit {
namespace {

// Typing and the pipeline know functions of ours by their files, which the fingerprint leaves out.
std::string own_files(const Program& program) {
  std::string text;
  for (const Snapshot& function : program.functions) {
    const std::string& path = function.source.path;
    for (const char* folder : {"/hetjit/library/", "/hetjit/device/"})
      if (const size_t found = path.rfind(folder); found != path.npos) text += path.substr(found);
    text += "\n";
  }
  return text;
}

// Line tables lead to files and lines.
std::string place_text(const Program& program) {
  std::string text;
  for (const Place& place : places_of(program)) {
    text += place.path;
    for (uint32_t line : place.lines) text += ":" + std::to_string(line);
    text += "\n";
  }
  return text;
}

// All are named, so that a new option is decided on here before anything compiles.
std::string option_text(const Options& options) {
  const auto& [signature, target, kernel, contract, fastmath, portable_math, checks, limits, debug,
               cubin, lanes, tier, verify, observer] = options;
  std::string text = to_text(signature) + "\n" + to_text(target) + "\n" + to_text(checks) + "\n";
  for (bool flag : {kernel, contract, fastmath, portable_math, debug, cubin})
    text += flag ? '1' : '0';
  return text + "\n" + to_text(limits) + "\n" + std::to_string(lanes) + " " + std::to_string(tier) +
         "\n";
}

}  // namespace

Fingerprint image_key(const Program& program, const Options& options) {
  return fingerprint(to_text(fingerprint(program)) + "\n" + option_text(options) +
                     own_files(program) + (options.debug ? place_text(program) : ""));
}

}  // namespace hetjit
