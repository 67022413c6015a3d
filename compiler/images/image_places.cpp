#include "compiler/images/image_places.h"

#include <algorithm>

namespace hetjit {
namespace {

// Line 0 says that there is none.
uint32_t moved(uint32_t line, const Place& from, const Place& to) {
  return line ? line - from.first_line + to.first_line : 0;
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

// Which function a site stands in is not written down; those that it may stand in must agree. A
// function around it does, where both have moved together.
bool move(Site& site, const Places& from, const Places& to) {
  std::optional<Place> there;
  for (size_t i = 0; i < from.size(); ++i) {
    const Place& old = from[i];
    if (site.file != old.path || site.line < old.first_line || site.line > old.last_line) continue;
    const Place found{to[i].path, moved(site.line, old, to[i])};
    if (there && *there != found) return false;
    there = found;
  }
  if (!there) return false;
  site.file = there->path;
  site.line = there->first_line;
  return true;
}

}  // namespace

Places places_of(const Program& program) {
  Places places;
  for (const Snapshot& function : program.functions) {
    Place& place = places.emplace_back();
    place.path = function.source.path;
    place.first_line = place.last_line = function.source.first_line;
    for (const Position& at : function.positions)
      place.last_line = std::max(place.last_line, at.line);
  }
  return places;
}

std::optional<Sites> moved(Sites sites, const Places& from, const Places& to) {
  if (from == to) return sites;
  for (Site& site : sites)
    if (names_line(site) || !move(site, from, to)) return std::nullopt;
  return sites;
}

Diagnostics moved(const Diagnostics& diagnostics, const Places& from, const Places& to) {
  Diagnostics there;
  for (Diagnostic one : diagnostics.all()) {
    one.where = moved(one.where, from, to);
    for (Label& label : one.labels) label.where = moved(label.where, from, to);
    there.add(std::move(one));
  }
  return there;
}

}  // namespace hetjit
