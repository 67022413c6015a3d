// On disk, little endian:
//
//     heading (abi/bytes.h)  name  made of  result (number, size, align i64, type)  pure u8
//     bitcode
//     sources (sources.cpp)
#include "compiler/cxx/kept_calls.h"

#include "abi/bytes.h"
#include "compiler/storage/disk_cache.h"
#include "compiler/storage/settings.h"
#include "compiler/target/identity.h"
#include "frontend/snapshot/fingerprint.h"

namespace hetjit::cxx {
namespace {

constexpr Heading kHeading = {.magic = "hetjitCX", .version = 2};

struct Found {
  std::string name;
  KeptCall call;
};

std::optional<Found> read(std::span<const std::byte> file) {
  ByteReader whole(file);
  Result<std::span<const std::byte>> part = kHeading.read(whole);
  if (!part) return std::nullopt;
  ByteReader from(*part);
  Found found{.name = from.text(), .call = {.made_of = from.text(), .code = {}, .sources = {}}};
  target::ExternalResult& result = found.call.code.result;
  for (int64_t* number : {&result.number, &result.size, &result.align})
    *number = from.number<int64_t>();
  result.type = from.text();
  found.call.code.pure = from.number<uint8_t>() != 0;
  found.call.code.bitcode = from.text();
  found.call.sources = read_sources(from);
  return from.ok && from.at_end() ? std::optional(std::move(found)) : std::nullopt;
}

ByteWriter part_of(const std::string& name, const KeptCall& call) {
  ByteWriter part;
  part.bytes.reserve(call.code.bitcode.size() + 64);
  part.text(name);
  part.text(call.made_of);
  const target::ExternalResult& result = call.code.result;
  for (int64_t number : {result.number, result.size, result.align}) part.number(number);
  part.text(result.type);
  part.number<uint8_t>(call.code.pure);
  part.text(call.code.bitcode);
  write(part, call.sources);
  return part;
}

std::optional<KeptCall> find_in(const storage::DiskCache& cache, const std::string& name) {
  if (cache.path().empty()) return std::nullopt;
  Result<std::optional<storage::Bytes>> file = cache.find(name);
  if (!file || !*file) return std::nullopt;
  std::optional<Found> found = read(**file);
  if (!found || found->name != name || !are_current(found->call.sources)) return std::nullopt;
  return std::move(found->call);
}

}  // namespace

std::string name_of_call(const std::string& key, const TargetName& target) {
  const std::string build = target::identity(target), compiler = compiler_now();
  if (build.empty() || compiler.empty()) return "";
  return to_text(fingerprint(build + compiler + key));
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
