// Builds and runs tests/abi/mdspan_round_trip.cpp with each C++ library that has an mdspan: CUDA's,
// through nvcc (the program runs on the host), and the standard ones, of which one is enough.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "tests/source_dir.h"

namespace {

bool succeeds(const std::string& command) { return std::system(command.c_str()) == 0; }

/// `as`: how the compiler is told the language.
void round_trip(const std::string& compiler, const std::string& as) {
  std::string folder = (std::filesystem::temp_directory_path() / "hetjit-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  std::string program = folder + "/program";
  EXPECT_TRUE(succeeds(compiler + " -I'" HETJIT_SOURCE_DIR "' " + as +
                       " '" HETJIT_SOURCE_DIR "/tests/abi/mdspan_round_trip.cpp' -o " + program));
  EXPECT_TRUE(succeeds(program));
  std::filesystem::remove_all(folder);
}

bool has_mdspan(const std::string& compiler) {
  return succeeds("echo '#include <mdspan>\nstatic_assert(__cpp_lib_mdspan);' | " + compiler +
                  " -fsyntax-only -x c++ - >/dev/null 2>&1");
}

TEST(Mdspan, OfCudas_HET_DSC_3_HET_DSC_4_HET_DSC_5) {
  if (!succeeds("command -v nvcc >/dev/null 2>&1")) GTEST_SKIP() << "no nvcc here";
  round_trip("nvcc -std=c++20", "-x cu");
}

TEST(Mdspan, OfTheStandardLibrary_HET_DSC_3_HET_DSC_4_HET_DSC_5) {
  int tested = 0;
  for (const std::string compiler : {"g++ -std=c++23", "clang++-22 -std=c++23 -stdlib=libc++"}) {
    if (!has_mdspan(compiler)) continue;
    round_trip(compiler, "-x c++");
    ++tested;
  }
  if (!tested) GTEST_SKIP() << "neither g++'s library nor libc++ of clang++-22 has an mdspan here";
}

}  // namespace
