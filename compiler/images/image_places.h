// Where the functions of a program stand, which its key leaves out: what an image or a message says
// of them is moved to where the program at hand has them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "abi/messages.h"
#include "frontend/diag/diagnostic.h"
#include "frontend/snapshot/snapshot.h"

namespace hetjit {

struct Place {
  std::string path;
  std::vector<uint32_t> lines;  // code_lines()
  friend bool operator==(const Place&, const Place&) = default;
};
/// One per function.
using Places = std::vector<Place>;
Places places_of(const Program& program);

/// What an image says, as it would be if the functions of its program stood elsewhere. nullopt: it
/// cannot be known, or the code itself has numbers of lines in it.
std::optional<Sites> moved(Sites sites, const Places& from, const Places& to);
Diagnostics moved(const Diagnostics& diagnostics, const Places& from, const Places& to);

}  // namespace hetjit
