#include "compiler/storage/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <random>
#include <utility>

namespace hetjit::storage {
namespace {

constexpr int64_t kSeldom = 60;  // seconds between two notes that a file was used
constexpr uint64_t kLargest = uint64_t{1} << 32;

/// Closed when it goes.
struct Descriptor {
  explicit Descriptor(int number) : number(number) {}
  ~Descriptor() {
    if (number >= 0) close(number);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  const int number;
};

Error failed(const std::string& what, const std::string& path) {
  return {ErrorCode::Unavailable, "cannot " + what + " " + path + ": " + std::strerror(errno)};
}

bool others_write(const struct stat& facts) { return facts.st_mode & (S_IWGRP | S_IWOTH); }

std::string fault(const std::string& path, const std::string& what) {
  return path + " is not used: " + what;
}

bool read_all(int file, std::span<std::byte> to) {
  while (!to.empty()) {
    const ssize_t count = ::read(file, to.data(), to.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    to = to.subspan(static_cast<size_t>(count));
  }
  return true;
}

bool write_all(int file, std::span<const std::byte> from) {
  while (!from.empty()) {
    const ssize_t count = ::write(file, from.data(), from.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    from = from.subspan(static_cast<size_t>(count));
  }
  return true;
}

std::string unfinished_name() {
  static const uint32_t process = std::random_device()();  // threads of two hosts may have one id
  static std::atomic<uint32_t> count{0};
  return std::string(Folder::kUnfinished) + std::to_string(getpid()) + "-" +
         std::to_string(process) + "-" + std::to_string(++count);
}

constexpr int kOpenFolder = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

}  // namespace

Folder::Folder(Folder&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      path_(std::move(other.path_)),
      owner_(other.owner_) {}

Folder& Folder::operator=(Folder&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(path_, other.path_);
  std::swap(owner_, other.owner_);
  return *this;
}

Folder::~Folder() {
  if (descriptor_ >= 0) close(descriptor_);
}

// `owner`: whose it must be; not given: anybody's.
Result<Folder> Folder::checked(int descriptor, std::string path, std::optional<uid_t> owner) {
  if (descriptor < 0) return failed("open", path);
  Folder folder(descriptor, std::move(path));
  struct stat facts {};
  if (fstat(descriptor, &facts) != 0) return failed("look at", folder.path_);
  folder.owner_ = facts.st_uid;
  const bool trusted = !owner || facts.st_uid == *owner || facts.st_uid == 0;
  if (!trusted) return Error{ErrorCode::Invalid, fault(folder.path_, "it belongs to another user")};
  if (others_write(facts))
    return Error{ErrorCode::Invalid,
                 fault(folder.path_, "other users may write it (chmod go-w mends that)")};
  return folder;
}

Result<Folder> Folder::open(const std::string& path, Owner owner) {
  std::optional<uid_t> who;
  if (owner == Owner::Mine) who = geteuid();
  return checked(::open(path.c_str(), kOpenFolder), path, who);
}

Result<Folder> Folder::open_or_make(const std::string& path) {
  bool made = mkdir(path.c_str(), S_IRWXU) == 0;
  if (!made && errno == ENOENT) {
    for (size_t end = path.find('/', 1); end != std::string::npos; end = path.find('/', end + 1))
      mkdir(path.substr(0, end).c_str(), S_IRWXU);
    made = mkdir(path.c_str(), S_IRWXU) == 0;
  }
  if (!made && errno != EEXIST) return failed("make", path);
  return open(path, Owner::Mine);
}

Result<Folder> Folder::inside(const std::string& name, bool make) const {
  if (make) mkdirat(descriptor_, name.c_str(), S_IRWXU);
  return checked(openat(descriptor_, name.c_str(), kOpenFolder | O_NOFOLLOW), path_of(name),
                 owner_);
}

std::optional<std::string> Folder::fault_of(const struct stat& facts,
                                            const std::string& name) const {
  if (!S_ISREG(facts.st_mode)) return fault(path_of(name), "it is not a plain file");
  if (facts.st_uid != owner_) return fault(path_of(name), "it belongs to another user");
  if (others_write(facts)) return fault(path_of(name), "other users may write it");
  if (static_cast<uint64_t>(facts.st_size) > kLargest)
    return fault(path_of(name), "it is too large");
  return std::nullopt;
}

Result<std::optional<Bytes>> Folder::read(const std::string& name) const {
  const Descriptor file(
      openat(descriptor_, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (file.number < 0 && errno == ENOENT) return std::optional<Bytes>();
  struct stat facts {};
  if (file.number < 0 || fstat(file.number, &facts) != 0)
    return Error{ErrorCode::Invalid, failed("read", path_of(name)).text};
  if (std::optional<std::string> wrong = fault_of(facts, name))
    return Error{ErrorCode::Invalid, *wrong};
  Bytes content(static_cast<size_t>(facts.st_size));
  if (!read_all(file.number, content))
    return Error{ErrorCode::Invalid, failed("read", path_of(name)).text};
  return std::optional<Bytes>(std::move(content));
}

Status Folder::write(const std::string& name, std::span<const std::byte> content) const {
  const std::string unfinished = unfinished_name();
  const int file = openat(descriptor_, unfinished.c_str(),
                          O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file < 0) return failed("write in", path_);
  const bool written = write_all(file, content);
  if (close(file) == 0 && written &&
      renameat(descriptor_, unfinished.c_str(), descriptor_, name.c_str()) == 0)
    return ok();
  const Error why = failed("write", path_of(name));
  unlinkat(descriptor_, unfinished.c_str(), 0);
  return why;
}

void Folder::mark_used(const std::string& name) const {
  struct stat facts {};
  if (fstatat(descriptor_, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0) return;
  if (time(nullptr) - facts.st_mtim.tv_sec < kSeldom) return;
  utimensat(descriptor_, name.c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
}

void Folder::remove(const std::string& name) const { unlinkat(descriptor_, name.c_str(), 0); }

std::vector<File> Folder::files() const {
  std::vector<File> found;
  const int own = openat(descriptor_, ".", kOpenFolder);  // a position of its own
  DIR* listing = own < 0 ? nullptr : fdopendir(own);
  if (!listing) return found;
  while (const dirent* item = readdir(listing)) {
    struct stat facts {};
    if (fstatat(own, item->d_name, &facts, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(facts.st_mode))
      found.push_back({item->d_name, static_cast<uint64_t>(facts.st_size), facts.st_mtim.tv_sec});
  }
  closedir(listing);
  return found;
}

}  // namespace hetjit::storage
