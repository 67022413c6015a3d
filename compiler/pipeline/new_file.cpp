#include "compiler/pipeline/new_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>

namespace hetjit {
namespace {

bool write_all(int file, std::string_view text) {
  if (file < 0) return false;
  bool done = true;
  while (done && !text.empty()) {
    const ssize_t wrote = write(file, text.data(), text.size());
    if (wrote > 0) text.remove_prefix(static_cast<size_t>(wrote));
    done = wrote > 0 || errno == EINTR;
  }
  return close(file) == 0 && done;
}

}  // namespace

bool write_new_file(const std::string& path, std::string_view text) {
  unlink(path.c_str());
  constexpr int kNew = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  return write_all(open(path.c_str(), kNew, 0666), text);
}

bool write_unforeseen_file(std::string& path, std::string_view text) {
  const size_t behind = path.size() - (path.rfind('X') + 1);
  return write_all(mkostemps(path.data(), static_cast<int>(behind), O_CLOEXEC), text);
}

}  // namespace hetjit
