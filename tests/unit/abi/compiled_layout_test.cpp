// Layouts against C++ compilers: random structs and tuples are written out as C++ with a
// static_assert for every size, alignment and offset, and compiled with every compiler that is
// here.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>
#include <unordered_map>

#include "abi/layout.h"
#include "tests/source_dir.h"
#include "tests/unit/abi/random_types.h"

namespace hetjit {
namespace {

// Writes types as C++ over abi/interop.hpp; each struct and tuple once, after its parts.
class CppWriter {
 public:
  CppWriter() { text_ << "#include \"abi/interop.hpp\"\n"; }

  // How C++ spells the type; defines what it needs first.
  std::string name(TypeId id) {
    const Type& it = type(id);
    std::string_view scalar = info(it.scalar).python_name;
    switch (it.kind) {
      case TypeKind::None:
        return "void*";
      case TypeKind::Scalar:
        return it.scalar == Scalar::Bool ? "bool" : "hetjit::" + std::string(scalar);
      case TypeKind::Vector:
        return "hetjit::" + to_python(id);
      case TypeKind::Pointer:
        return name(it.element) + "*";
      case TypeKind::Array:
        return "hetjit::interoperable_array_descriptor<" + name(it.element) + ", " +
               std::to_string(it.rank) + ">";
      case TypeKind::Tuple:
      case TypeKind::Struct:
        return record(id);
      case TypeKind::Aligned:
        return name(it.element);  // the alignment stands on the member
    }
    return "";
  }

  std::string text() const { return text_.str(); }
  int asserts() const { return asserts_; }

 private:
  // Ours is a least alignment; C++ refuses one that is below the natural one.
  static std::string alignas_text(uint32_t align, uint32_t natural) {
    return align > natural ? "alignas(" + std::to_string(align) + ") " : "";
  }

  static uint32_t natural_align(const Type& record) {
    uint32_t natural = 1;
    for (const Field& field : record.fields)
      natural = std::max({natural, layout(field.type).align, field.align});
    return natural;
  }

  std::string record(TypeId id) {
    if (auto found = names_.find(id); found != names_.end()) return found->second;
    const Type it = type(id);
    std::vector<std::string> members;
    for (const Field& field : it.fields) members.push_back(name(field.type));
    std::string name = "Record" + std::to_string(names_.size());
    names_[id] = name;
    text_ << "\n// " << to_text(id) << "\nstruct " << alignas_text(it.align, natural_align(it))
          << name << " {\n";
    for (size_t i = 0; i < members.size(); ++i) {
      const Field& field = it.fields[i];
      text_ << "  " << alignas_text(field.align, layout(field.type).align) << members[i] << " m"
            << i << ";\n";
    }
    text_ << "};\n";
    Layout at = layout(id);
    require("sizeof(" + name + ")", at.size);
    require("alignof(" + name + ")", at.align);
    for (size_t i = 0; i < members.size(); ++i)
      require("offsetof(" + name + ", m" + std::to_string(i) + ")", at.offsets[i]);
    text_ << "static_assert(hetjit::interop_detail::library::is_standard_layout<" << name
          << ">::value, \"\");\n";
    return name;
  }

  void require(const std::string& what, uint32_t is) {
    text_ << "static_assert(" << what << " == " << is << ", \"\");\n";
    ++asserts_;
  }

  std::ostringstream text_;
  std::unordered_map<TypeId, std::string> names_;
  int asserts_ = 0;
};

struct Compiler {
  const char* test;     // what the test is called by
  const char* program;  // skipped when this is not installed
  const char* options;  // those that check and write nothing
  const char* suffix;
};

class CompiledLayout : public ::testing::TestWithParam<Compiler> {
 protected:
  void SetUp() override {
    std::string find = "command -v " + std::string(GetParam().program) + " >/dev/null 2>&1";
    if (std::system(find.c_str()) != 0) GTEST_SKIP() << GetParam().program << " is not installed";
    std::string pattern = (std::filesystem::temp_directory_path() / "hetjit-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override {
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }

  // Empty when it compiles, else what the compiler said.
  std::string compile(const std::string& text) {
    std::string file = folder_ / ("layout" + std::string(GetParam().suffix));
    std::string log = folder_ / "log";
    std::ofstream(file) << text;
    std::string command = std::string(GetParam().program) + " -std=c++20 " + GetParam().options +
                          " -I'" HETJIT_SOURCE_DIR "' " + file + " >" + log + " 2>&1";
    if (std::system(command.c_str()) == 0) return "";
    std::ifstream said(log);
    return "failed:\n" + std::string(std::istreambuf_iterator<char>(said), {});
  }

  std::filesystem::path folder_;
};

TEST_P(CompiledLayout, RandomRecords_HET_TUP_4_HET_STR_8_HET_STR_14_HET_DSC_1) {
  std::mt19937 random(42);
  CppWriter cpp;
  for (int records = 0; records < 200;) {
    TypeId id = testing_types::random_type(random, 3);
    if (type(id).kind != TypeKind::Struct && type(id).kind != TypeKind::Tuple) continue;
    cpp.name(id);
    ++records;
  }
  EXPECT_GT(cpp.asserts(), 1000);
  EXPECT_EQ(compile(cpp.text()), "");
}

// All 17 scalars and 56 vectors, each behind a byte, so that its alignment shows in an offset.
TEST_P(CompiledLayout, EveryScalarAndVector_HET_VEC_20) {
  CppWriter cpp;
  TypeId byte = scalar_type(Scalar::Int8);
  for (const ScalarInfo& row : kScalars) {
    for (uint8_t lanes = 0; lanes <= 4; ++lanes) {
      if (lanes && (row.category == Category::Bool || row.category == Category::Complex)) continue;
      TypeId id = lanes ? vector_type(row.scalar, lanes) : scalar_type(row.scalar);
      TypeId parts[] = {byte, id, byte};
      cpp.name(tuple_type(parts));
    }
  }
  EXPECT_EQ(cpp.asserts(), (19 + 64) * 5);
  EXPECT_EQ(compile(cpp.text()), "");
}

// Without this, a compiler that checks nothing would pass.
TEST_P(CompiledLayout, AWrongLayoutDoesNotCompile) {
  CppWriter cpp;
  std::string name = cpp.name(*parse_type("(bool, f32x3, f64)"));
  EXPECT_EQ(compile(cpp.text()), "");
  EXPECT_NE(compile(cpp.text() + "static_assert(offsetof(" + name + ", m1) == 16, \"\");\n"), "");
}

// HIP's device pass alone is clang for amdgcn, with the host's C++ library but without ROCm's.
INSTANTIATE_TEST_SUITE_P(
    Compilers, CompiledLayout,
    ::testing::Values(Compiler{"gcc", "g++", "-fsyntax-only", ".cpp"},
                      Compiler{"clang", "clang++-22", "-fsyntax-only", ".cpp"},
                      Compiler{"amdgcn", "clang++-22",
                               "-x hip --offload-device-only --offload-arch=gfx942 -nogpulib "
                               "-nogpuinc -fsyntax-only",
                               ".hip"},
                      Compiler{"nvcc", "nvcc", "-ptx -o /dev/null", ".cu"}),
    [](const auto& info) { return std::string(info.param.test); });

}  // namespace
}  // namespace hetjit
