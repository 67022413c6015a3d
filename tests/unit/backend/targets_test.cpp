// Code for NVIDIA and AMD: it is made for every architecture, other tools accept it, parameters lie
// where abi/layout says, and what cannot be done is an error and not the end of the process.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <cstdlib>

#include "abi/layout.h"
#include "tests/unit/backend/compiled.h"
#include "tests/unit/backend/kernels.h"
#include "tests/unit/backend/programs.h"
#include "tests/unit/ir/run_text.h"

namespace hetjit {
namespace {

/// One parameter of every way to be passed, read so that none is dropped.
constexpr const char* kAllParameters =
    "k(a: bool, b: i8, c: f64, d: i16, e: f16, f: array[f32, 2], g: (i8, i64), h: c64, i: bf16, "
    "j: array[i64, 1, contiguous], k: none, l: f32x3, m: ptr[i32], n: u8, o: i64) -> none\n"
    "b0(v0: bool, v1: i8, v2: f64, v3: i16, v4: f16, v5: array[f32, 2], v6: (i8, i64), v7: c64, "
    "v8: bf16, v9: array[i64, 1, contiguous], v10: none, v11: f32x3, v12: ptr[i32], v13: u8, "
    R"(v14: i64):
  v15: i64 = const 0
  v16: ptr[i64] = element v9, v15
  v17: i64 = convert v0
  v18: i64 = convert v1
  v19: i64 = convert v2
  v20: i64 = convert v3
  v21: i64 = convert v4
  v22: i64 = extent 1 v5
  v23: i64 = extract 1 v6
  v24: i64 = convert v8
  v25: f32 = extract 2 v11
  v26: i64 = convert v25
  v27: i32 = load v12
  v28: i64 = convert v27
  v29: i64 = convert v13
  v30: i64 = add v17, v18
  v31: i64 = add v30, v19
  v32: i64 = add v31, v20
  v33: i64 = add v32, v21
  v34: i64 = add v33, v22
  v35: i64 = add v34, v23
  v36: i64 = add v35, v24
  v37: i64 = add v36, v26
  v38: i64 = add v37, v28
  v39: i64 = add v38, v29
  v40: i64 = add v39, v14
  store v16, v40
  v41: none = none
  return v41
)";

std::vector<uint32_t> offsets_of(const ir::Module& module) {
  std::vector<TypeId> types;
  for (ValueId id : module.functions[0].blocks[0].params)
    types.push_back(module.functions[0].type_of(id));
  return parameter_block(types).offsets;
}

// ---- NVIDIA

class Nvidia : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Archs, Nvidia,
                         ::testing::Values("sm_75", "sm_80", "sm_86", "sm_87", "sm_88", "sm_89",
                                           "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_103",
                                           "sm_110", "sm_120", "sm_121"),
                         [](const auto& param) { return std::string(param.param); });

TEST_P(Nvidia, PtxIsAccepted) {
  std::string arch = GetParam();
  for (const std::string& text : {saxpy_text(), saxpy_text(""), std::string(kAllParameters)}) {
    auto image = compile_for("cuda:" + arch, ir::parsed(text));
    ASSERT_TRUE(image.ok()) << image.error().text;
    EXPECT_EQ(image->kind, ImageKind::Ptx);
    EXPECT_EQ(image->code.back(), std::byte{0});
    EXPECT_NE(code_text(*image).find(".target " + arch), std::string::npos);
    if (ptxas().empty()) continue;
    TemporaryFile ptx(*image, ".ptx");
    Ran ran = run(ptxas() + " -arch=" + arch + " -o /dev/null " + ptx.path());
    EXPECT_EQ(ran.status, 0) << ran.output << code_text(*image);
  }
  if (ptxas().empty()) GTEST_SKIP() << "no ptxas: PTX was made but not assembled";
}

/// Size and alignment of `.param .b32 name` or `.param .align 8 .b8 name[40]`.
std::pair<uint32_t, uint32_t> extent_of_param(const std::string& line) {
  auto number_after = [&](const std::string& word) {
    return static_cast<uint32_t>(std::stoul(line.substr(line.find(word) + word.size())));
  };
  if (size_t size = line.find("["); size != std::string::npos)
    return {number_after("["), number_after(".align ")};
  size_t type = line.find_first_of("bfsu", line.find('.', line.find(".param") + 1) + 1);
  auto bytes = static_cast<uint32_t>(std::stoul(line.substr(type + 1))) / 8;
  return {bytes, bytes};
}

// ptxas lays out .param entries by their own size and alignment; so must the types say.
TEST(NvidiaEntry, ParametersLieAsInTheBlock) {
  ir::Module module = ir::parsed(kAllParameters);
  auto image = compile_for("cuda:sm_90", module);
  ASSERT_TRUE(image.ok()) << image.error().text;
  std::string ptx = code_text(*image);
  std::vector<uint32_t> found;
  uint32_t end = 0;
  size_t at = ptx.find(".entry");
  for (size_t stop = ptx.find(')', at); (at = ptx.find(".param ", at)) < stop; at += 7) {
    auto [size, align] = extent_of_param(ptx.substr(at, ptx.find('\n', at) - at));
    found.push_back((end + align - 1) / align * align);
    end = found.back() + size;
  }
  EXPECT_EQ(found, offsets_of(module)) << ptx;
  EXPECT_EQ(image->parameter_bytes, end);
}

TEST(NvidiaEntry, AccessesAreGlobalAndParametersStayParameters) {
  auto image = compile_for("cuda:sm_90", ir::parsed(saxpy_text()));
  ASSERT_TRUE(image.ok());
  std::string ptx = code_text(*image);
  EXPECT_NE(ptx.find("ld.global.b32"), std::string::npos) << ptx;
  EXPECT_NE(ptx.find("st.global.b32"), std::string::npos) << ptx;
  EXPECT_NE(ptx.find("fma.rn.f32"), std::string::npos) << ptx;
  EXPECT_EQ(ptx.find(".local"), std::string::npos) << ptx;
}

TEST(NvJitLink, MakesACubin) {
  auto image = compile_for("cuda:sm_90", ir::parsed(saxpy_text()), {.cubin = true});
  ASSERT_TRUE(image.ok()) << image.error().text;
  if (image->kind == ImageKind::Ptx) GTEST_SKIP() << "libnvJitLink cannot be loaded";
  EXPECT_EQ(image->kind, ImageKind::Cubin);
  EXPECT_EQ(code_text(*image).substr(1, 3), "ELF");
}

// ---- AMD

class Amd : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Archs, Amd,
                         ::testing::Values("gfx906", "gfx90a", "gfx942", "gfx950", "gfx1030",
                                           "gfx1100", "gfx1151", "gfx1201"),
                         [](const auto& param) { return std::string(param.param); });

TEST_P(Amd, ParametersLieAsInTheBlock) {
  if (readelf().empty()) GTEST_SKIP() << "no llvm-readelf-22";
  ir::Module module = ir::parsed(kAllParameters);
  auto image = compile_for(std::string("hip:") + GetParam(), module);
  ASSERT_TRUE(image.ok()) << image.error().text;
  EXPECT_EQ(image->kind, ImageKind::CodeObject);
  TemporaryFile object(*image, ".hsaco");
  Ran notes = run(readelf() + " --notes --symbols " + object.path());
  ASSERT_EQ(notes.status, 0) << notes.output;
  EXPECT_NE(notes.output.find(std::string("amdgcn-amd-amdhsa--") + GetParam()), std::string::npos);
  EXPECT_NE(notes.output.find("kernel.kd"), std::string::npos) << notes.output;
  std::vector<uint32_t> expected = offsets_of(module), found;
  for (size_t at = 0; (at = notes.output.find(".offset:", at)) != std::string::npos; ++at)
    found.push_back(static_cast<uint32_t>(std::stoul(notes.output.substr(at + 8))));
  EXPECT_EQ(found, expected) << notes.output;
  EXPECT_EQ(notes.output.find("hidden_"), std::string::npos) << "implicit arguments nobody needs";
}

TEST(AmdEntry, AccessesAreGlobal) {
  ir::Module module = ir::parsed(saxpy_text());
  target::Target& target = find("hip:gfx942");
  auto text = target::assembly(lowered(module, planned(module, target), "kernel", target), target);
  ASSERT_TRUE(text.ok()) << text.error().text;
  EXPECT_NE(text->find("global_load_dword"), std::string::npos) << *text;
  EXPECT_EQ(text->find("flat_load"), std::string::npos) << *text;
  EXPECT_EQ(text->find("scratch_"), std::string::npos) << *text;
}

TEST(Lld, LeavesSignalHandlersAlone) {
  struct sigaction before, after;
  ASSERT_EQ(sigaction(SIGINT, nullptr, &before), 0);
  ASSERT_TRUE(compile_for("hip:gfx1100", ir::parsed(saxpy_text())).ok());
  ASSERT_EQ(sigaction(SIGINT, nullptr, &after), 0);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
}

// ---- libraries

class Libraries : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Targets, Libraries,
                         ::testing::Values("cuda:sm_80", "hip:gfx942", "hip:gfx1100"),
                         [](const auto& param) {
                           std::string name = param.param;
                           std::replace(name.begin(), name.end(), ':', '_');
                           return name;
                         });

TEST_P(Libraries, EveryMathFunctionLinks) {
  for (size_t i = 0; i <= static_cast<size_t>(ir::MathFunction::NextAfter); ++i)
    for (const char* type : {"f32", "f64"}) {
      const ir::MathInfo& row = ir::info(static_cast<ir::MathFunction>(i));
      auto module = ir::parsed(math_text(std::string(row.name), row.arity, type));
      auto image = compile_for(GetParam(), module);
      if (!image.ok() && image.error().code == ErrorCode::Unavailable)
        GTEST_SKIP() << image.error().text;
      ASSERT_TRUE(image.ok()) << row.name << ": " << image.error().text;
      if (image->kind != ImageKind::Ptx) continue;
      // Nothing may be left for somebody else to define.
      EXPECT_EQ(code_text(*image).find(".extern"), std::string::npos) << row.name;
      if (ptxas().empty()) continue;
      TemporaryFile ptx(*image, ".ptx");
      Ran ran = run(ptxas() + " -arch=sm_80 -o /dev/null " + ptx.path());
      EXPECT_EQ(ran.status, 0) << row.name << ": " << ran.output;
    }
}

class WithEnvironment {
 public:
  WithEnvironment(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~WithEnvironment() { unsetenv(name_); }

 private:
  const char* name_;
};

TEST(MissingLibrary, SaysWhatNeedsItAndWhereWeLooked) {
  WithEnvironment nowhere("HETJIT_LIBDEVICE", "/nowhere");
  auto image = compile_for("cuda:sm_80", ir::parsed(math_text("Sin", 1, "f32")));
  ASSERT_FALSE(image.ok());
  EXPECT_EQ(image.error().code, ErrorCode::Unavailable);
  for (const char* part : {"'sin'", "libdevice.10.bc", "/nowhere", "HETJIT_LIBDEVICE"})
    EXPECT_NE(image.error().text.find(part), std::string::npos) << image.error().text;
  // What needs no library does not ask for it.
  EXPECT_TRUE(compile_for("cuda:sm_80", ir::parsed(math_text("Sqrt", 1, "f32"))).ok());
}

TEST(MissingLibrary, AFileThatIsNoBitcodeIsAnError) {
  WithEnvironment wrong("HETJIT_OCML", "/proc/self/exe");
  auto image = compile_for("hip:gfx942", ir::parsed(math_text("Sin", 1, "f32")));
  ASSERT_FALSE(image.ok());
  EXPECT_EQ(image.error().code, ErrorCode::Invalid) << image.error().text;
}

// ---- errors

TEST(UnknownArch, IsUnsupportedAndListsTheKnown) {
  for (const char* name : {"cuda:sm_69", "cuda:sm_61", "hip:gfx999", "hip:gfx803"}) {
    auto parsed = parse_target(name);
    ASSERT_TRUE(parsed.ok()) << name;
    auto found = target::find_target(*parsed);
    ASSERT_FALSE(found.ok()) << name;
    EXPECT_EQ(found.error().code, ErrorCode::Unsupported);
    EXPECT_NE(found.error().text.find("known are"), std::string::npos) << found.error().text;
  }
  auto nvidia = target::find_target({TargetKind::Nvidia, "sm_99"});
  EXPECT_NE(nvidia.error().text.find("sm_90a"), std::string::npos) << nvidia.error().text;
}

}  // namespace
}  // namespace hetjit
