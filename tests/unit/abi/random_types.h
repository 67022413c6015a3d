// Random types for the tests of abi. The same seed gives the same types everywhere: only the
// engine's raw numbers are used, never the library's distributions.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "abi/type.h"

namespace hetjit::testing_types {

inline Scalar random_scalar(std::mt19937& random) {
  return kScalars[random() % kScalars.size()].scalar;
}

/// A scalar of which vectors exist in CUDA C++'s table: 14 of them, all but bool and complex.
inline Scalar random_vector_element(std::mt19937& random) {
  for (;;) {
    Scalar scalar = random_scalar(random);
    if (is_integer(scalar) || is_floating(scalar)) return scalar;
  }
}

TypeId random_type(std::mt19937& random, int depth);

/// Names are unique per call, so that generated C++ can define each struct once.
inline TypeId random_struct(std::mt19937& random, int depth) {
  static uint32_t serial = 0;
  auto align = [&]() -> uint32_t { return random() % 6 == 0 ? 1u << random() % 7 : 0; };
  std::vector<Field> fields(random() % 7);
  for (size_t i = 0; i < fields.size(); ++i)
    fields[i] = {"f" + std::to_string(i), random_type(random, depth - 1), align()};
  return struct_type("S" + std::to_string(serial++), fields, align());
}

inline TypeId random_tuple(std::mt19937& random, int depth) {
  std::vector<Field> items(random() % 6);
  for (Field& item : items) {
    item.type = random_type(random, depth - 1);
    if (random() % 6 == 0) item.align = 1u << random() % 7;
    item.weak = random() % 6 == 0;
  }
  return tuple_of_items(items);
}

inline TypeId random_array(std::mt19937& random, int depth) {
  ArrayFacts facts{.order = random() % 2 ? Order::Contiguous : Order::Strided,
                   .index_bits = static_cast<uint8_t>(random() % 2 ? 32 : 64),
                   .writable = random() % 2 == 0};
  return array_type(random_type(random, depth - 1), static_cast<uint8_t>(random() % 9), facts);
}

inline TypeId random_type(std::mt19937& random, int depth) {
  switch (depth > 0 ? random() % 10 : random() % 5) {
    case 0:
      return random() % 4 ? scalar_type(Scalar::Int32) : none_type();
    case 1:
    case 2:
      return scalar_type(random_scalar(random));
    case 3:
    case 4:
      return vector_type(random_vector_element(random), static_cast<uint8_t>(1 + random() % 4));
    case 5:
      return pointer_type(random_type(random, depth - 1));
    case 6:
      return random_array(random, depth);
    case 7:
      return random_tuple(random, depth);
    default:
      return random_struct(random, depth);
  }
}

}  // namespace hetjit::testing_types
