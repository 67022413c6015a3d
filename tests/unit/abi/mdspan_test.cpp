// Builds and runs tests/abi/mdspan_round_trip.cpp with each C++ library that has an mdspan: CUDA's,
// through nvcc (the program runs on the host), and the standard ones.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace {

struct Library {
  const char* name;
  const char* compiler;
  const char* as;  // how the compiler is told the language
};

class Mdspan : public ::testing::TestWithParam<Library> {};

bool succeeds(const std::string& command) { return std::system(command.c_str()) == 0; }

TEST_P(Mdspan, RoundTrip_HET_DSC_3_HET_DSC_4) {
  const Library& library = GetParam();
  std::string compiler = library.compiler, as = library.as;
  // A probe in plain C++ for the standard libraries; nvcc brings its own mdspan.
  bool is_cuda = as == "-x cu";
  std::string probe = is_cuda ? "command -v nvcc"
                              : "echo '#include <mdspan>\nstatic_assert(__cpp_lib_mdspan);' | " +
                                    compiler + " -fsyntax-only -x c++ -";
  if (!succeeds(probe + " >/dev/null 2>&1")) GTEST_SKIP() << compiler << " has no mdspan here";
  std::string folder = (std::filesystem::temp_directory_path() / "hetjit-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  std::string program = folder + "/program";
  EXPECT_TRUE(succeeds(compiler + " -I'" HETJIT_SOURCE_DIR "' " + as +
                       " '" HETJIT_SOURCE_DIR "/tests/abi/mdspan_round_trip.cpp' -o " + program));
  EXPECT_TRUE(succeeds(program));
  std::filesystem::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(Libraries, Mdspan,
                         ::testing::Values(Library{"cuda", "nvcc -std=c++20", "-x cu"},
                                           Library{"libstdcxx", "g++ -std=c++23", "-x c++"},
                                           Library{"libcxx", "clang++-22 -std=c++23 -stdlib=libc++",
                                                   "-x c++"}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
