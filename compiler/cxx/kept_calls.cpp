// On disk, little endian:
//
//     heading (abi/bytes.h)  name  made of  result (number, size, align i64, type)  pure u8
//     bitcode
//     files u32 count + (path text, content u64)
#include "compiler/cxx/kept_calls.h"

#include <sys/stat.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "abi/bytes.h"
#include "compiler/cxx/clang.h"
#include "compiler/storage/disk_cache.h"
#include "compiler/storage/settings.h"
#include "compiler/target/identity.h"
#include "frontend/snapshot/fingerprint.h"

namespace hetjit::cxx {
namespace {

constexpr Heading kHeading = {.magic = "hetjitCX", .version = 1};

/// Where clang looks for headers beside what it is told.
constexpr const char* kVariables[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CUDA_HOME",
                                      "CUDA_PATH"};

std::string environment() {
  std::string text;
  for (const char* name : kVariables)
    if (const char* value = std::getenv(name)) text += std::string(name) + "=" + value + "\n";
  return text;
}

/// Which clang it is, without starting it.
std::string clang_now() {
  Result<std::string> path = find_clang();
  struct stat file{};
  if (!path || stat(path->c_str(), &file) != 0) return "";
  return *path + " " + std::to_string(file.st_size) + " " + std::to_string(file.st_mtim.tv_sec) +
         "." + std::to_string(file.st_mtim.tv_nsec);
}

struct Found {
  std::string name;
  KeptCall call;
};

std::optional<Found> read(std::span<const std::byte> file) {
  ByteReader whole(file);
  Result<std::span<const std::byte>> part = kHeading.read(whole);
  if (!part) return std::nullopt;
  ByteReader from(*part);
  Found found{.name = from.text(), .call = {.made_of = from.text(), .code = {}, .files = {}}};
  target::ExternalResult& result = found.call.code.result;
  for (int64_t* number : {&result.number, &result.size, &result.align})
    *number = from.number<int64_t>();
  result.type = from.text();
  found.call.code.pure = from.number<uint8_t>() != 0;
  found.call.code.bitcode = from.text();
  for (auto left = from.number<uint32_t>(); from.ok && left > 0; --left) {
    std::string path = from.text();
    found.call.files.push_back({std::move(path), from.number<uint64_t>()});
  }
  return from.ok && from.at_end() ? std::optional(std::move(found)) : std::nullopt;
}

ByteWriter part_of(const std::string& name, const KeptCall& call) {
  ByteWriter part;
  part.text(name);
  part.text(call.made_of);
  const target::ExternalResult& result = call.code.result;
  for (int64_t number : {result.number, result.size, result.align}) part.number(number);
  part.text(result.type);
  part.number<uint8_t>(call.code.pure);
  part.text(call.code.bitcode);
  part.number(static_cast<uint32_t>(call.files.size()));
  for (const ReadFile& file : call.files) part.text(file.path), part.number(file.content);
  return part;
}

std::optional<KeptCall> find_in(const storage::DiskCache& cache, const std::string& name) {
  if (cache.path().empty()) return std::nullopt;
  Result<std::optional<storage::Bytes>> file = cache.find(name);
  if (!file || !*file) return std::nullopt;
  std::optional<Found> found = read(**file);
  if (!found || found->name != name) return std::nullopt;
  for (const ReadFile& one : found->call.files)
    if (content_of(one.path) != one.content) return std::nullopt;
  return std::move(found->call);
}

}  // namespace

// Eight bytes at a time: there may be megabytes of headers, each time that a process begins.
uint64_t content_of(const std::string& path) {
  std::error_code error;
  const uintmax_t size = std::filesystem::file_size(path, error);
  std::string text(error ? 0 : size, '\0');
  std::ifstream file(path, std::ios::binary);
  if (error || !file.read(text.data(), static_cast<std::streamsize>(text.size()))) return 0;
  uint64_t hash = 0xCBF29CE484222325ull ^ text.size();
  for (size_t at = 0; at < text.size(); at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, text.data() + at, std::min<size_t>(8, text.size() - at));
    hash = (hash ^ word) * 0x9E3779B97F4A7C15ull;
    hash ^= hash >> 29;
  }
  return hash | 1;
}

std::string name_of_call(const std::string& key, const TargetName& target) {
  const std::string build = target::identity(target), clang = clang_now();
  if (build.empty() || clang.empty()) return "";
  return to_text(fingerprint(build + clang + "\n" + environment() + key));
}

std::optional<KeptCall> find_kept(const std::string& name) {
  const storage::Settings settings = storage::settings_from_environment();
  if (!settings.reads || name.empty()) return std::nullopt;
  const storage::DiskCache own(settings.path, storage::Owner::Mine);
  const storage::DiskCache shared(settings.shared, storage::Owner::Anybody);
  std::optional<KeptCall> found = find_in(own, name);
  return found ? std::move(found) : find_in(shared, name);
}

void keep(const std::string& name, const KeptCall& call) {
  const storage::Settings settings = storage::settings_from_environment();
  if (!settings.reads || !settings.writes || settings.path.empty() || name.empty()) return;
  const ByteWriter part = part_of(name, call);
  ByteWriter file;
  file.bytes.reserve(part.bytes.size() + 64);
  kHeading.write(file, part.bytes);
  const storage::DiskCache own(settings.path, storage::Owner::Mine, settings.most_bytes);
  (void)own.keep(name, file.bytes);  // what is not kept is compiled again
}

std::optional<std::string> kept_call_made_of(std::span<const std::byte> file) {
  std::optional<Found> found = read(file);
  return found ? std::optional(std::move(found->call.made_of)) : std::nullopt;
}

}  // namespace hetjit::cxx
