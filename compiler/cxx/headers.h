// Our headers that C++ source may include as "hetjit/…": part of the program, as texts (headers.in
// is filled in by CMake). Private to this folder.
#pragma once

#include <span>
#include <string_view>

namespace hetjit::cxx {

struct Header {
  std::string_view name, text;
};

std::span<const Header> headers();

}  // namespace hetjit::cxx
