// Programs of the machine that look at what was compiled.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <regex>
#include <string>
#include <vector>

#include "tests/unit/backend/compiled.h"

namespace hetjit {

/// A program of the machine, or "" where there is none.
inline std::string find_program(std::initializer_list<const char*> paths) {
  for (const char* path : paths)
    if (access(path, X_OK) == 0) return path;
  return "";
}
inline std::string ptxas() { return find_program({"/usr/local/cuda/bin/ptxas", "/usr/bin/ptxas"}); }
inline std::string readelf() {
  return find_program({"/usr/bin/llvm-readelf-22", "/usr/lib/llvm-22/bin/llvm-readelf"});
}

struct Ran {
  int status = -1;
  std::string output;
};
inline Ran run(const std::string& command) {
  Ran ran;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (!pipe) return ran;
  char buffer[4096];
  while (size_t got = fread(buffer, 1, sizeof buffer, pipe)) ran.output.append(buffer, got);
  ran.status = pclose(pipe);
  return ran;
}

/// A file with these bytes that is gone when the test is over.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& bytes, const char* suffix)
      : path_(std::filesystem::temp_directory_path() /
              ("hetjit-test-" + std::to_string(getpid()) + suffix)) {
    std::ofstream(path_) << bytes;
  }
  TemporaryFile(const KernelImage& image, const char* suffix)
      : TemporaryFile(bytes_of(image), suffix) {}
  ~TemporaryFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_; }

 private:
  static std::string bytes_of(const KernelImage& image) {
    std::string bytes = code_text(image);
    if (image.kind == ImageKind::Ptx) bytes.pop_back();  // files do not end in a NUL
    return bytes;
  }
  std::filesystem::path path_;
};

/// The lines of a text that match, from their first word on, without comments.
inline std::vector<std::string> lines(const std::string& text, const std::string& pattern) {
  std::vector<std::string> found;
  std::regex wanted(pattern);
  for (size_t at = 0, end; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    line.erase(0, line.find_first_not_of(" \t"));
    std::smatch match;
    if (std::regex_search(line, match, wanted, std::regex_constants::match_continuous))
      found.push_back(match.str());
  }
  return found;
}

/// The target's machine code as text: PTX or AMD assembly.
inline std::string assembly_for(const std::string& target_name, const ir::Module& module) {
  target::Target& target = find(target_name);
  auto text = target::assembly(lowered(module, planned(module, target), "kernel", target), target);
  EXPECT_TRUE(text.ok()) << (text.ok() ? "" : text.error().text);
  return text.ok() ? *text : "";
}

/// What ptxas says against the module's PTX for an architecture; it knows none before sm_75, but
/// takes their PTX for later ones. Nothing where there is no ptxas.
inline std::string ptxas_complaint(const std::string& arch, const std::string& ptx) {
  if (ptxas().empty()) return "";
  TemporaryFile file(ptx, ".ptx");
  const std::string assembled_for = arch == "sm_70" || arch == "sm_72" ? "sm_75" : arch;
  Ran ran = run(ptxas() + " -arch=" + assembled_for + " -o /dev/null " + file.path());
  return ran.status == 0 ? "" : ran.output + ptx;
}

}  // namespace hetjit
