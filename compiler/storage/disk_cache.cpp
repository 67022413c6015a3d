// A cache is sixteen folders, by the first digit of the names: each has a sixteenth of the room and
// looks after itself, so that nobody counts all files, and no two processes wait for each other.
#include "compiler/storage/disk_cache.h"

#include <time.h>

#include <algorithm>

namespace hetjit::storage {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";
/// Of the room of a part, what is left when it was made room in: or it would be full at once again.
constexpr uint64_t left_of(uint64_t most) { return most - most / 4; }

bool is_unfinished(const File& file) { return file.name.starts_with(Folder::kUnfinished); }

/// Whatever else somebody has put there is left alone.
bool is_kept(const File& file) {
  return std::all_of(file.name.begin(), file.name.end(),
                     [](char digit) { return kDigits.find(digit) != std::string_view::npos; });
}

bool was_used_before(const File& a, const File& b) { return a.used < b.used; }

uint64_t total(const std::vector<File>& files) {
  uint64_t bytes = 0;
  for (const File& file : files) bytes += file.bytes;
  return bytes;
}

/// The files of a part that count, which begin with its digit: no other is found there. What
/// processes left that ended while they wrote is removed.
std::vector<File> finished_files(const Folder& folder, char digit) {
  std::vector<File> files = folder.files();
  const int64_t old = time(nullptr) - Folder::kLongestWrite;
  for (const File& file : files)
    if (is_unfinished(file) && file.used < old) folder.remove(file.name);
  std::erase_if(files,
                [&](const File& file) { return !is_kept(file) || file.name.front() != digit; });
  return files;
}

/// Removes the oldest, but never `newest`, until `most` is left.
size_t make_room(const Folder& folder, std::vector<File> files, uint64_t most,
                 const std::string& newest) {
  uint64_t bytes = total(files);
  std::sort(files.begin(), files.end(), was_used_before);
  size_t removed = 0;
  for (const File& file : files) {
    if (bytes <= most) break;
    if (file.name == newest) continue;
    folder.remove(file.name);
    bytes -= file.bytes;
    ++removed;
  }
  return removed;
}

}  // namespace

Result<Folder> DiskCache::part(char digit, bool make) const {
  Result<Folder> whole = make ? Folder::open_or_make(path_) : Folder::open(path_, owner_);
  if (!whole) return whole.error();
  return whole->inside(std::string(1, digit), make);
}

std::string DiskCache::path_of(const std::string& name) const {
  return path_ + "/" + name.front() + "/" + name;
}

Result<std::optional<Bytes>> DiskCache::find(const std::string& name, Use use) const {
  const Result<Folder> folder = part(name.front(), false);
  if (!folder && folder.error().code == ErrorCode::Invalid) return folder.error();
  if (!folder) return std::optional<Bytes>();
  Result<std::optional<Bytes>> found = folder.value().read(name);
  if (use == Use::Count && found && *found) folder.value().mark_used(name);
  return found;
}

Status DiskCache::keep(const std::string& name, std::span<const std::byte> content) const {
  const Result<Folder> folder = part(name.front(), true);
  if (!folder) return folder.error();
  HETJIT_TRY(folder.value().write(name, content));
  const uint64_t most = most_bytes_ / kDigits.size();
  std::vector<File> files = finished_files(folder.value(), name.front());
  if (total(files) > most) make_room(folder.value(), std::move(files), left_of(most), name);
  return ok();
}

Status DiskCache::usable() const {
  const Result<Folder> whole = Folder::open(path_, owner_);
  return whole || whole.error().code != ErrorCode::Invalid ? ok() : Status(whole.error());
}

std::vector<File> DiskCache::files() const {
  std::vector<File> all;
  for (char digit : kDigits) {
    const Result<Folder> folder = part(digit, false);
    if (!folder) continue;
    const std::vector<File> files = finished_files(folder.value(), digit);
    all.insert(all.end(), files.begin(), files.end());
  }
  std::sort(all.rbegin(), all.rend(), was_used_before);
  return all;
}

size_t DiskCache::prune(uint64_t most_bytes) const {
  std::vector<File> all = files();
  uint64_t bytes = total(all);
  size_t removed = 0;
  for (; bytes > most_bytes && !all.empty(); ++removed) {
    const File oldest = std::move(all.back());
    all.pop_back();
    bytes -= oldest.bytes;
    const Result<Folder> folder = part(oldest.name.front(), false);
    if (folder) folder.value().remove(oldest.name);
  }
  return removed;
}

}  // namespace hetjit::storage
