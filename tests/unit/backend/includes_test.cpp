// Which files a text includes, where no preprocessor tells.
#include "compiler/cxx/includes.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace hetjit::cxx {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

TEST(Includes, OfALine) {
  EXPECT_EQ(included_by("#include <a/b.h>  // c"), "<a/b.h");
  EXPECT_EQ(included_by("\t#  include \"a.h\""), "\"a.h");
  EXPECT_EQ(included_by("#include_next <a.h>"), "?");
  EXPECT_EQ(included_by("#include HEADER"), "?");
  for (const char* other : {"", "int include;", "#define include <a.h>", "// #include <a.h>", "#"})
    EXPECT_EQ(included_by(other), "") << other;
}

TEST(Includes, FoldersOfOptions) {
  const Words options = {"-Ifirst", "-O2",      "-I", "second", "-iquote",
                         "quotes",  "-isystem", "no", "-I"};
  EXPECT_EQ(folders_for_quotes(options), (Words{"quotes", "first", "second"}));
}

class IncludedFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    write("lib/part/a.h", "#include \"b.h\"\n#include <c.h>\n");
    write("lib/part/b.h", "#include \"../top.h\"\n#include \"a.h\"\n");
    write("lib/top.h", "#include \"d.h\"");
    write("lib/b.h", "wrong: a.h has one beside it");
    write("more/c.h", "#include \"e.h\"");
    write("more/d.h", "");
    write("more/e.h", "");
    write("vendor/v.h", "#include \"w.h\"");
    write("vendor/w.h", "");
  }
  void TearDown() override { fs::remove_all(folder); }

  void write(const std::string& name, const std::string& text) {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << text;
  }
  std::string at(const std::string& name) const { return (folder / name).string(); }
  Words found(Includes::Places places, const std::string& text) const {
    Includes includes(std::move(places));
    includes.look_into(text, at("lib"));
    Words names;
    for (const Includes::File& file : includes.files)
      names.push_back(fs::path(file.path).lexically_relative(folder).string());
    return names;
  }
  const fs::path folder = fs::path(::testing::TempDir()) / "hetjit-includes-test";
};

TEST_F(IncludedFiles, ByQuotesAreFoundBesideTheFileThenInFolders) {
  EXPECT_EQ(found({.quotes = {at("more")}, .brackets = {}, .others = {}},
                  "#include \"part/a.h\"\n#include \"nowhere.h\"\n"),
            (Words{"lib/part/a.h", "lib/part/b.h", "lib/top.h", "more/d.h"}));
}

TEST_F(IncludedFiles, ByBracketsAreNotBesideIt) {
  EXPECT_EQ(found({.quotes = {}, .brackets = {at("more")}, .others = {}},
                  "#include <c.h>\n#include <top.h>\n"),
            (Words{"more/c.h", "more/e.h"}));
}

TEST_F(IncludedFiles, OfOthersOnlyTheFirstIsKnown) {
  EXPECT_EQ(found({.quotes = {}, .brackets = {}, .others = {at("vendor")}}, "#include <v.h>"),
            (Words{"vendor/v.h"}));
}

TEST_F(IncludedFiles, ATextThatIsNoFileHasNothingBesideIt) {
  Includes includes({});
  includes.look_into("#include \"top.h\"\n#include MORE\n", "");
  EXPECT_TRUE(includes.files.empty());
  EXPECT_FALSE(includes.all_known);
}

}  // namespace
}  // namespace hetjit::cxx
