#include "compiler/images/image_places.h"

#include <algorithm>

#include "frontend/snapshot/fingerprint.h"

namespace hetjit {
namespace {

// Line 0 says that there is none. One without code is told from the one with code before it.
uint32_t moved(uint32_t line, const Place& from, const Place& to) {
  if (!line) return 0;
  const auto after = std::upper_bound(from.lines.begin() + 1, from.lines.end(), line);
  const auto at = after - 1;
  return line - *at + to.lines[static_cast<size_t>(at - from.lines.begin())];
}

// Whether both are of functions with one key.
bool fit(const Places& from, const Places& to) {
  return std::equal(from.begin(), from.end(), to.begin(), to.end(),
                    [](const Place& one, const Place& other) {
                      return !one.lines.empty() && one.lines.size() == other.lines.size();
                    });
}

Span moved(Span span, const Places& from, const Places& to) {
  if (span.source >= from.size()) return span;
  const Place &old = from[span.source], &now = to[span.source];
  span.line = moved(span.line, old, now);
  span.end_line = moved(span.end_line, old, now);
  return span;
}

// A number that follows the word is the line of another place, and compiled code has it.
bool names_line(const Site& site) {
  for (size_t i = 1; i < site.text.size(); ++i)
    if (site.text[i].number && site.text[i - 1].text.ends_with("line ")) return true;
  return false;
}

// Which function a site stands in is not written down; those that it may stand in must agree.
bool move(Site& site, const Places& from, const Places& to) {
  std::optional<Place> there;
  for (size_t i = 0; i < from.size(); ++i) {
    const Place& old = from[i];
    if (site.file != old.path || !std::binary_search(old.lines.begin(), old.lines.end(), site.line))
      continue;
    const Place found{to[i].path, {moved(site.line, old, to[i])}};
    if (there && *there != found) return false;
    there = found;
  }
  if (!there) return false;
  site.file = there->path;
  site.line = there->lines.front();
  return true;
}

}  // namespace

Places places_of(const Program& program) {
  Places places;
  for (const Snapshot& function : program.functions)
    places.push_back({function.source.path, code_lines(function)});
  return places;
}

std::optional<Sites> moved(Sites sites, const Places& from, const Places& to) {
  if (from == to) return sites;
  if (!fit(from, to)) return std::nullopt;
  for (Site& site : sites)
    if (names_line(site) || !move(site, from, to)) return std::nullopt;
  return sites;
}

Diagnostics moved(const Diagnostics& diagnostics, const Places& from, const Places& to) {
  if (!fit(from, to)) return diagnostics;
  Diagnostics there;
  for (Diagnostic one : diagnostics.all()) {
    one.where = moved(one.where, from, to);
    for (Label& label : one.labels) label.where = moved(label.where, from, to);
    for (Edit& edit : one.edits) edit.where = moved(edit.where, from, to);
    there.add(std::move(one));
  }
  return there;
}

}  // namespace hetjit
