#include "compiler/pipeline/observer.h"

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>

#include "compiler/pipeline/new_file.h"

namespace hetjit {
namespace {

constexpr Phase kAll[] = {Phase::Request, Phase::Ssa,      Phase::Typed,  Phase::Optimized,
                          Phase::Llvm,    Phase::Assembly, Phase::Explain};

std::set<std::string> split(std::string_view list) {
  std::set<std::string> words;
  while (!list.empty()) {
    size_t comma = list.find(',');
    words.emplace(list.substr(0, comma));
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
  }
  words.erase("");
  return words;
}

void say_once_that_nothing_is_kept(const std::string& path) {
  static std::once_flag once;
  std::call_once(
      once, [&] { std::fprintf(stderr, "hetjit: HETJIT_KEEP: cannot write %s\n", path.c_str()); });
}

/// The folder of HETJIT_KEEP. Each compilation gets a number with its first phase, so that
/// compilations on several threads do not mix their files.
class Folder {
 public:
  explicit Folder(std::string_view path) : path_(path) {}

  void write(Phase phase, const std::string& dump) {
    static std::atomic<unsigned> compilations{0};
    thread_local unsigned number = 0;
    if (phase == Phase::Request || number == 0) number = ++compilations;
    std::error_code ignored;
    std::filesystem::create_directories(path_, ignored);
    std::string file = path_ + "/" + std::to_string(getpid()) + "-" + std::to_string(number) + "-" +
                       std::to_string(static_cast<int>(phase)) + "-" + std::string(to_text(phase)) +
                       ".txt";
    if (!write_new_file(file, dump)) say_once_that_nothing_is_kept(file);
  }

 private:
  std::string path_;
};

}  // namespace

Observer make_observer(std::string_view show, std::string_view keep) {
  Observer observer;
  std::set<std::string> shown = split(show);
  if (shown.contains("all"))
    for (Phase phase : kAll) shown.emplace(to_text(phase));
  if (shown.contains("time"))
    observer.timed = [](std::string_view phase, std::chrono::nanoseconds took) {
      std::fprintf(stderr, "hetjit: %.*s took %.3f ms\n", static_cast<int>(phase.size()),
                   phase.data(), static_cast<double>(took.count()) / 1e6);
    };
  std::shared_ptr<Folder> folder;
  if (!keep.empty()) folder = std::make_shared<Folder>(keep);
  if (shown.empty() && !folder) return observer;
  observer.wants = [shown, folder](Phase phase) {
    return folder || shown.contains(std::string(to_text(phase)));
  };
  observer.show = [shown, folder](Phase phase, const std::string& dump) {
    std::string name(to_text(phase));
    if (shown.contains(name))
      std::fprintf(stderr, "==== %s\n%s%s", name.c_str(), dump.c_str(),
                   dump.ends_with('\n') ? "" : "\n");
    if (folder) folder->write(phase, dump);
  };
  return observer;
}

}  // namespace hetjit
