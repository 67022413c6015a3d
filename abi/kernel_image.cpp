// On disk, little endian:
//
//     heading (abi/bytes.h)  payload
//     payload: kind u8  target  entry  signature  parameter_bytes u32  stack_bytes u32
//              most_threads u32  least_shared u32  grid_barrier u8  grid_dependency u8
//              stored u64  sites u64 count + each  code
//     site: kind u8  exception  has_message u8  function  file  line u32  pieces u64 count + each
//     piece: text  number u8 (scalar, 255: constant text)  as_text u8
//
// where target, entry, signature, code and texts are u64 length + bytes, the first three in text
// form.
#include "abi/kernel_image.h"

#include "abi/bytes.h"

namespace hetjit {
namespace {

constexpr Heading kHeading = {.magic = "hetjitKI", .version = kImageVersion};
constexpr uint8_t kLastKind = static_cast<uint8_t>(ImageKind::HostObject);

constexpr uint8_t kNoNumber = 255;

void write_sites(ByteWriter& to, const Sites& sites) {
  to.number<uint64_t>(sites.size());
  for (const Site& site : sites) {
    to.number(static_cast<uint8_t>(site.kind));
    to.text(site.exception);
    to.number<uint8_t>(site.has_message);
    to.text(site.function);
    to.text(site.file);
    to.number(site.line);
    to.number<uint64_t>(site.text.size());
    for (const TextPiece& piece : site.text) {
      to.text(piece.text);
      to.number(piece.number ? static_cast<uint8_t>(*piece.number) : kNoNumber);
      to.number<uint8_t>(piece.as_text);
    }
  }
}

TextPiece read_piece(ByteReader& from) {
  TextPiece piece;
  piece.text = from.text();
  auto number = from.number<uint8_t>();
  if (number < kScalars.size())
    piece.number = static_cast<Scalar>(number);
  else if (number != kNoNumber)
    from.ok = false;
  piece.as_text = from.number<uint8_t>();
  return piece;
}

// A count in a damaged file ends with the file: reads past its end stop the loops.
Sites read_sites(ByteReader& from) {
  Sites sites;
  for (auto left = from.number<uint64_t>(); from.ok && left > 0; --left) {
    Site site;
    auto kind = from.number<uint8_t>();
    if (kind > static_cast<uint8_t>(SiteKind::Print)) from.ok = false;
    site.kind = static_cast<SiteKind>(kind);
    site.exception = from.text();
    site.has_message = from.number<uint8_t>();
    site.function = from.text();
    site.file = from.text();
    site.line = from.number<uint32_t>();
    for (auto pieces = from.number<uint64_t>(); from.ok && pieces > 0; --pieces)
      site.text.push_back(read_piece(from));
    sites.push_back(std::move(site));
  }
  return sites;
}

Error damaged(std::string_view how) {
  return {ErrorCode::Invalid, "damaged kernel image: " + std::string(how)};
}

Result<KernelImage> read_payload(ByteReader reader) {
  KernelImage image;
  auto kind = reader.number<uint8_t>();
  std::string target = reader.text();
  image.entry = reader.text();
  std::string signature = reader.text();
  image.parameter_bytes = reader.number<uint32_t>();
  image.stack_bytes = reader.number<uint32_t>();
  image.most_threads = reader.number<uint32_t>();
  image.least_shared = reader.number<uint32_t>();
  image.grid_barrier = reader.number<uint8_t>() != 0;
  image.grid_dependency = reader.number<uint8_t>() != 0;
  image.stored = {reader.number<uint64_t>()};
  image.sites = read_sites(reader);
  auto code = reader.block();
  if (!reader.ok || !reader.at_end()) return damaged("its parts do not fill it");
  if (kind > kLastKind) return damaged("it is of no known kind");
  image.kind = static_cast<ImageKind>(kind);
  image.code.assign(code.begin(), code.end());
  Result<TargetName> parsed_target = parse_target(target);
  HETJIT_TRY(parsed_target);
  image.target = *parsed_target;
  Result<Signature> parsed_signature = parse_signature(signature);
  HETJIT_TRY(parsed_signature);
  image.signature = *parsed_signature;
  return image;
}

}  // namespace

std::vector<std::byte> save_image(const KernelImage& image) {
  ByteWriter payload;
  payload.number(static_cast<uint8_t>(image.kind));
  payload.text(to_text(image.target));
  payload.text(image.entry);
  payload.text(to_text(image.signature));
  payload.number(image.parameter_bytes);
  payload.number(image.stack_bytes);
  payload.number(image.most_threads);
  payload.number(image.least_shared);
  payload.number(static_cast<uint8_t>(image.grid_barrier));
  payload.number(static_cast<uint8_t>(image.grid_dependency));
  payload.number(image.stored.bits);
  write_sites(payload, image.sites);
  payload.block(image.code);

  ByteWriter file;
  kHeading.write(file, payload.bytes);
  return std::move(file.bytes);
}

Result<KernelImage> load_image(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  Result<std::span<const std::byte>> payload = kHeading.read(reader);
  if (!payload.ok()) return damaged(payload.error().text);
  if (!reader.at_end()) return damaged("its length is wrong");
  return read_payload(ByteReader(*payload));
}

}  // namespace hetjit
