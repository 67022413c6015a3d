// Whole kernels, run thread by thread.
#include <gtest/gtest.h>

#include <cmath>

#include "abi/layout.h"
#include "abi/param_buffer.h"
#include "compiler/ir/interpret.h"
#include "compiler/typing/run/specialize.h"
#include "tests/unit/typing/compiled.h"

namespace hetjit::typing {
namespace {

constexpr const char* kKernels = "tests/snapshots/3.11/programs/builtins.snap";
constexpr const char* kData = "tests/snapshots/3.11/programs/data.snap";

template <class T>
ArrayValue array_of(std::vector<T>& data, std::initializer_list<int64_t> shape) {
  ArrayValue array;
  array.data = data.data();
  for (int64_t extent : shape) array.shape[array.rank++] = extent;
  int64_t stride = 1;
  for (int axis = array.rank; axis-- > 0; stride *= array.shape[axis]) array.strides[axis] = stride;
  return array;
}

class Launch {
 public:
  explicit Launch(const ir::Module& module) : module_(module) {
    std::vector<TypeId> types;
    for (ValueId id : module.functions[0].blocks[0].params)
      types.push_back(module.functions[0].type_of(id));
    layout_ = parameter_block(types);
    bytes_.resize(layout_.size);
  }
  Launch& put(const ArrayValue& array) {
    write_array(next(), array);
    return *this;
  }
  template <class T>
  Launch& put(T value) {
    write_scalar(next(), value);
    return *this;
  }
  Status run(Geometry geometry) { return ir::interpret_kernel(module_, bytes_, geometry); }

 private:
  std::byte* next() { return bytes_.data() + layout_.offsets.at(count_++); }
  const ir::Module& module_;
  BlockLayout layout_;
  std::vector<std::byte> bytes_;
  size_t count_ = 0;
};

Geometry grid(uint32_t blocks_x, uint32_t blocks_y, uint32_t threads_x, uint32_t threads_y) {
  Geometry geometry;
  geometry.grid[0] = blocks_x;
  geometry.grid[1] = blocks_y;
  geometry.block[0] = threads_x;
  geometry.block[1] = threads_y;
  return geometry;
}

ir::Module kernel(Recording& recording, std::string_view name, std::string_view signature) {
  const ssa::Module* module = recording.with_entry(name);
  EXPECT_TRUE(module);
  Outcome outcome = compile(*module, signature, true);
  EXPECT_TRUE(outcome.module) << outcome.messages;
  return outcome.module ? *outcome.module : ir::Module{};
}

TEST(Kernels, SaxpyOfEverySignature) {
  Recording recording(kKernels);
  for (const char* signature :
       {"(float, float32[:], float32[:])", "(float, float32[::1], float32[::1])",
        "(float, array[f32, 1, index32], array[f32, 1, contiguous, index32])"}) {
    ir::Module module = kernel(recording, "saxpy", signature);
    std::vector<float> x = {1, 2, 3, 4, 5}, y = {10, 20, 30, 40, 50};
    Launch launch(module);
    launch.put(2.0f).put(array_of(x, {5})).put(array_of(y, {5}));
    ASSERT_TRUE(launch.run(grid(3, 1, 2, 1)).ok());
    EXPECT_EQ(y, (std::vector<float>{12, 24, 36, 48, 60}));
  }
}

// The same escape-time loop in the element type that the kernel computes in.
int escape(float left, float top, float step, int x, int y, int limit) {
  float cr = left + static_cast<float>(x) * step, ci = top + static_cast<float>(y) * step;
  float zr = 0, zi = 0;
  int n = 0;
  for (; n < limit; ++n) {
    float rr = zr * zr, ii = zi * zi;
    if (rr + ii > 4.0f) break;
    zi = 2.0f * zr * zi + ci;
    zr = rr - ii + cr;
  }
  return n;
}

TEST(Kernels, Mandelbrot) {
  Recording recording(kKernels);
  ir::Module module = kernel(recording, "mandelbrot", "(uint16[:, ::1], float, float, float, int)");
  std::vector<uint16_t> counts(12 * 9);
  Launch launch(module);
  launch.put(array_of(counts, {9, 12})).put(-2.0f).put(-1.0f).put(0.25f).put(int32_t{50});
  ASSERT_TRUE(launch.run(grid(2, 2, 8, 8)).ok());
  for (int y = 0; y < 9; ++y)
    for (int x = 0; x < 12; ++x)
      EXPECT_EQ(counts[static_cast<size_t>(y * 12 + x)], escape(-2, -1, 0.25f, x, y, 50));
}

TEST(Kernels, MustReturnNone) {
  Recording recording(kKernels);
  Outcome outcome = compile(*recording.with_entry("conversions"), "(int)", true);
  ASSERT_FALSE(outcome.module);
  EXPECT_EQ(outcome.diags.all()[0].code, Code::KernelReturnsValue);
}

TEST(Kernels, WrongNumberOfArguments) {
  Recording recording(kKernels);
  Outcome outcome = compile(*recording.with_entry("saxpy"), "(int)", true);
  ASSERT_FALSE(outcome.module);
  EXPECT_EQ(outcome.diags.all()[0].code, Code::ArgumentCount);
}

TEST(Kernels, EachProblemIsToldOnce) {
  Recording recording(kData);
  Outcome outcome = compile(*recording.with_entry("error_in_callee"), "(float32[:])");
  ASSERT_EQ(outcome.diags.all().size(), 1u) << outcome.messages;
  ASSERT_FALSE(outcome.diags.all()[0].labels.empty());
  EXPECT_EQ(outcome.diags.all()[0].labels.back().text, "called here with (float32[:], float32[:])");
}

}  // namespace
}  // namespace hetjit::typing
