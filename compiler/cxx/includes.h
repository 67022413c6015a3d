// Which files a source includes, as far as its text tells without a preprocessor. Private to this
// folder.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace hetjit::cxx {

/// What a line of source includes, with the bracket or quote before it: `<vector`, `"a.h`. "": the
/// line includes nothing; "?": what a macro says.
std::string included_by(const std::string& line);

/// Folders that options name for quoted includes (-iquote, -I), in compilers' order.
std::vector<std::string> folders_for_quotes(const std::vector<std::string>& options);

/// The files that a source may include, whatever its conditions say; each once.
class Includes {
 public:
  /// Where names are looked for: those in quotes beside the file first. A file in `others` is not
  /// looked into: it is enough to know where it begins.
  struct Places {
    std::vector<std::string> quotes, brackets, others;
  };
  struct File {
    std::string path;  // absolute, without "." and ".."
    std::string text;  // "": it is one of the others
  };

  explicit Includes(Places places) : places_(std::move(places)) {}

  /// `folder`: where the text's file is; "": it has none.
  void look_into(const std::string& text, const std::string& folder);

  std::vector<File> files;
  bool all_known = true;  // no name is a macro's

 private:
  void find(const std::string& name, const std::string& folder);
  bool add(const std::string& path);
  bool is_new(const std::string& path) { return known_.insert(path).second; }

  Places places_;
  std::set<std::string> known_;
};

}  // namespace hetjit::cxx
