// Kernels as IR text, for tests that compile for several targets.
#pragma once

#include <string>

namespace hetjit {

/// y[i] = a * x[i] + y[i] for i = tid(1) < x.shape[0]; `facts` of both arrays.
inline std::string saxpy_text(const std::string& facts = ", contiguous, index32") {
  std::string array = "array[f32, 1" + facts + "]";
  return "saxpy(a: f32, x: " + array + ", y: " + array + R"() -> none
b0(v0: f32, v1: )" +
         array + ", v2: " + array + R"():
  v3: u32 = blockindex 0
  v4: u32 = blockdim 0
  v5: u32 = mul v3, v4
  v6: u32 = threadindex 0
  v7: u32 = add v5, v6
  v8: i64 = convert v7
  v9: i64 = extent 0 v1
  v10: bool = compare lt v8, v9
  branch v10, b1, b2
b1():
  v11: ptr[f32] = element v1, v8
  v12: f32 = load v11
  v13: ptr[f32] = element v2, v8
  v14: f32 = load v13
  v15: f32 = fma v0, v12, v14
  store v13, v15
  jump b2
b2():
  v16: none = none
  return v16
)";
}

/// out[0] = f(x[0]) for a math function, f32 or f64.
inline std::string math_text(const std::string& function, int arity, const std::string& type) {
  std::string array = "array[" + type + ", 1]";
  std::string text = "k(x: " + array + ") -> none\nb0(v0: " + array + "):\n";
  text += "  v1: i64 = const 0\n  v2: ptr[" + type + "] = element v0, v1\n  v3: " + type +
          " = load v2\n";
  text += "  v4: " + type + " = math " + function + (arity == 2 ? " v3, v3" : " v3") + "\n";
  return text + "  store v2, v4\n  v5: none = none\n  return v5\n";
}

}  // namespace hetjit
