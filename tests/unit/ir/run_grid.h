// Kernels written as IR text, run over a grid by the interpreter.
#pragma once

#include <string>

#include "tests/unit/ir/run_text.h"

namespace hetjit::ir {

inline Geometry geometry(uint32_t blocks, uint32_t threads, uint32_t shared_bytes = 0) {
  Geometry made;
  made.grid[0] = blocks;
  made.block[0] = threads;
  made.shared_bytes = shared_bytes;
  return made;
}

/// Runs a kernel whose only parameter is a contiguous array.
template <class T>
Status run_on(std::string_view text, std::vector<T>& data, const Geometry& geometry,
              uint32_t warp_size = 32, uint64_t max_steps = 1ull << 32) {
  Module module = parsed(text);
  Arguments arguments(module);
  arguments.put(array_of(data, {static_cast<int64_t>(data.size())}));
  return interpret_kernel(module, arguments.bytes(), geometry, warp_size, max_steps);
}

/// A kernel k(out): `body` may use v1 (thread index, u32), v2 (the same, i64), v3 (the thread's own
/// number in the grid, i64), v4 (address of that element); values from v20 on are its own.
inline std::string kernel(std::string_view element, std::string_view body) {
  std::string array = "array[" + std::string(element) + ", 1, contiguous]";
  return "k(out: " + array + ") -> none\nb0(v0: " + array +
         "):\n"
         "  v1: u32 = threadindex 0\n"
         "  v2: i64 = convert v1\n"
         "  v5: u32 = blockindex 0\n"
         "  v6: u32 = blockdim 0\n"
         "  v7: u32 = mul v5, v6\n"
         "  v8: u32 = add v7, v1\n"
         "  v3: i64 = convert v8\n"
         "  v4: ptr[" +
         std::string(element) + "] = element v0, v3\n" + std::string(body);
}
inline constexpr std::string_view kEnd = "  v99: none = none\n  return v99\n";
inline std::string whole_kernel(std::string_view element, std::string_view body) {
  return kernel(element, body) + std::string(kEnd);
}

}  // namespace hetjit::ir
