// Types of abi as Python objects, and what the user's hints mean: `int`, `device.float32`,
// `numpy.int8`, `device.float32x3`, a struct class, `tuple[int, float]`, `None`,
// `device.float32[:, :]`, `device.align(int, 16)`.
#pragma once

#include <optional>

#include "abi/signature.h"
#include "python/ext/handles/handle.h"

namespace hetjit::python {

struct State;

/// The type `Type` of a module. Empty: an exception is set.
Handle make_type_type(Borrowed module);

/// A new Type, which keeps the struct classes that the Types, classes and tuples `from` have; of
/// null: of each struct in it the oldest class. Empty: an exception is set.
Handle type_object(const State& state, Parameter parameter, Borrowed from);
/// What an instance of Type is.
Parameter parameter_of_type(Borrowed object);
/// The class of a struct that an instance of Type keeps; empty when there is none.
Handle class_of_type(const State& state, Borrowed object);

/// What a hint says; nullopt when it names no type of device code. No exception is set.
std::optional<Parameter> parameter_of_hint(const State& state, Borrowed hint);
/// The same of a class of ours: a vector's, a struct's.
std::optional<TypeId> type_of_class(const State& state, Borrowed type);
/// Of a tuple with these items: weak when its numbers are, and there are any.
Parameter parameter_of_items(const std::vector<Parameter>& items);

/// How deep types nest, and of how many parts one is made, at most: a few lines of Python can
/// double a tuple fifty times.
inline constexpr int kMostDepth = 32;
inline constexpr size_t kMostParts = 4096;
/// Whether a type made of these keeps to both.
bool is_of_bounded_size(const std::vector<TypeId>& parts);

}  // namespace hetjit::python
