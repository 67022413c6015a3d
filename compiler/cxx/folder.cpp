// The folder of a process is locked for as long as one lives that has it open: the process, or a
// forked one. So a folder that can be locked belongs to nobody any more.
#include "compiler/cxx/folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>

#include "abi/fork_safe_mutex.h"

namespace hetjit::cxx {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBegins = "hetjit-cxx-";
/// One that is younger may not be locked yet.
constexpr std::chrono::hours kOld{1};

int opened(const std::string& path) {
  return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
}

void remove_left(const fs::path& where) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(where, error)) {
    const std::string path = entry.path().string();
    if (!entry.path().filename().string().starts_with(kBegins)) continue;
    const auto age = fs::file_time_type::clock::now() - entry.last_write_time(error);
    const int folder = !error && age > kOld ? opened(path) : -1;
    if (folder < 0) continue;
    if (flock(folder, LOCK_EX | LOCK_NB) == 0) fs::remove_all(entry.path(), error);
    close(folder);
  }
}

struct OfProcess {
  ForkSafeMutex mutex;
  std::string path;
  pid_t process = 0;
};

OfProcess& of_process() {
  static auto* it = new OfProcess;
  return *it;
}

void remove_mine() {
  std::error_code ignored;
  if (of_process().process == getpid()) fs::remove_all(of_process().path, ignored);
}

/// "": it could not be made.
std::string folder_of_process() {
  OfProcess& mine = of_process();
  std::lock_guard lock(mine.mutex);
  std::error_code error;
  if (fs::is_directory(mine.path, error)) return mine.path;
  const fs::path where = fs::temp_directory_path(error);
  std::string path = (where / (std::string(kBegins) + "XXXXXX")).string();
  if (error || !mkdtemp(path.data())) return "";
  const int folder = opened(path);  // stays open, and so locked
  if (folder >= 0) flock(folder, LOCK_EX);
  remove_left(where);
  if (mine.process == 0) std::atexit(remove_mine);
  mine.path = path;
  mine.process = getpid();
  return path;
}

}  // namespace

Result<Folder> Folder::make() {
  std::string path = folder_of_process() + "/XXXXXX";
  if (path.front() != '/' || !mkdtemp(path.data()))
    return Error{ErrorCode::DriverFailed, "no folder for C++ could be made in " + path};
  return Folder(std::move(path));
}

Folder::~Folder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

Status Folder::write(const std::string& name, std::string_view text) const {
  std::ofstream file(*this / name, std::ios::binary);
  file << text;
  if (file.flush()) return ok();
  return Error{ErrorCode::DriverFailed, *this / name + " could not be written"};
}

std::string Folder::read(const std::string& name) const {
  std::ifstream file(*this / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace hetjit::cxx
