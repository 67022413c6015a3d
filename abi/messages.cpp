#include "abi/messages.h"

#include <algorithm>
#include <cstring>

namespace hetjit {
namespace {

// The message behind a header, or nothing when the header is not one that compiled code writes.
std::optional<Message> message(const MessageHeader& header, const std::byte* words,
                               const Sites& sites, SiteKind kind) {
  if (header.site >= sites.size() || sites[header.site].kind != kind) return std::nullopt;
  if (header.words != word_count(sites[header.site].text)) return std::nullopt;
  Message made;
  made.site = header.site;
  std::copy_n(header.block, 3, made.block);
  std::copy_n(header.thread, 3, made.thread);
  made.words.resize(header.words);
  if (header.words) std::memcpy(made.words.data(), words, header.words * sizeof(uint64_t));
  return made;
}

}  // namespace

void read_error(const ErrorBox& box, const Sites& sites, Report& report) {
  if (box.claimed && !report.error)
    report.error =
        message(box.header, reinterpret_cast<const std::byte*>(box.words), sites, SiteKind::Raise);
}

void read_prints(const PrintBox& box, uint64_t used, const Sites& sites, Report& report) {
  report.lost += box.lost;
  used = std::min({used, box.cursor, kPrintBytes});
  for (uint64_t at = 0; at + sizeof(MessageHeader) <= used;) {
    MessageHeader header;
    std::memcpy(&header, box.records + at, sizeof header);
    at += sizeof header;
    if (header.words > kMostWords || at + header.words * sizeof(uint64_t) > used) return;
    if (auto made = message(header, box.records + at, sites, SiteKind::Print))
      report.prints.push_back(std::move(*made));
    at += header.words * sizeof(uint64_t);
  }
}

}  // namespace hetjit
