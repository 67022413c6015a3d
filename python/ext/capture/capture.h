// A function object as plain data (frontend/snapshot): the last time Python is seen before the
// answer.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "frontend/snapshot/snapshot.h"
#include "python/ext/handles/handle.h"
#include "python/ext/watches/watches.h"

namespace hetjit::python {

struct State;

/// Attributes of modules that belong to the language (math, numpy, hetjit.device, …) are not
/// watched.
struct Captured {
  std::shared_ptr<const Program> program;
  Watches watches;
};

/// Parameters that a launch gives as constants, with their objects.
using BoundObjects = std::vector<std::pair<uint32_t, Handle>>;

/// A Python function and all that it could call; the struct types in `arguments` beside those that
/// it names. nullopt: an exception is set.
std::optional<Captured> capture(State& state, Borrowed function,
                                const std::vector<TypeId>& arguments = {},
                                BoundObjects bound = {});

/// What a parameter's annotation says of its type; nullopt when it says nothing (no annotation, a
/// builtin type, something of the user's). One entry per parameter, positional ones first.
/// `constants` gets the parameters annotated with ConstExpr; `read_only`, when wanted, is set for
/// those annotated device.readonly. False: an exception is set.
bool read_annotations(State& state, Borrowed function, const std::vector<std::string>& parameters,
                      std::vector<std::optional<Parameter>>& to, std::vector<uint32_t>& constants,
                      std::vector<bool>* read_only = nullptr);

}  // namespace hetjit::python
