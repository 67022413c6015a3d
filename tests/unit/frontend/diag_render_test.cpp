// Diagnostics: what they say and how they look.
#include <gtest/gtest.h>

#include <set>

#include "frontend/diag/render.h"

namespace hetjit {
namespace {

const std::vector<Source> kSources = {
    {"saxpy.py",
     3,
     {"def saxpy(a, n):", "    return a @ n", "\tx = \xC3\xA9\xE6\xBC\xA2 + b", "    total(a,",
      "          n)", "", "\x1b[31mred\xFF"}},
    {"gone.py", 10, {}},
    {"helpers.py", 120, {"scale = 2.5", "", "def unrelated(): pass"}},
};

// These are about the layout: without the remedy that each message has.
Diagnostics bare(const Diagnostics& from) {
  Diagnostics result;
  for (Diagnostic diagnostic : from.all()) {
    diagnostic.helps.clear();
    result.add(std::move(diagnostic));
  }
  return result;
}

Diagnostics one(Span where, std::vector<Label> labels = {}) {
  Diagnostics diags;
  auto builder = diags.error(Code::NoBinaryOperator, where, {"@", "float32", "int64"});
  for (Label& label : labels) builder.label(label.where, label.text);
  builder.report();
  return bare(diags);
}

TEST(DiagRender, MarksAndLabels) {
  Diagnostics diags;
  const bool went_on =
      diags.error(Code::NoBinaryOperator, {0, 4, 13, 4, 14}, {"@", "float32", "int64"})
          .label({0, 4, 11, 4, 12}, "this is float32")
          .label({0, 4, 15, 4, 16}, "this is int64, from the argument 'n'")
          .help("'@' multiplies arrays; for scalars use '*'")
          .report();
  EXPECT_FALSE(went_on);
  EXPECT_EQ(render(diags, kSources),
            "error[E0201]: cannot apply '@' to float32 and int64\n"
            "  --> saxpy.py:4:14\n"
            "   |\n"
            "4  |     return a @ n\n"
            "   |              ^\n"
            "   |            - this is float32\n"
            "   |                - this is int64, from the argument 'n'\n"
            "   = help: '@' multiplies arrays; for scalars use '*'\n");
}

Diagnostic with_edits(std::vector<Edit> edits) {
  Diagnostics diags;
  auto builder = diags.error(Code::NoBinaryOperator, {0, 4, 13, 4, 14}, {"@", "float32", "int64"});
  builder.help("write it so");
  for (Edit& edit : edits) builder.edit(edit.where, edit.text);
  builder.report();
  return diags.all()[0];
}

std::string last_lines(const Diagnostic& diagnostic) {
  const std::string text = render(diagnostic, kSources);
  return text.substr(text.find("= help") + sizeof("= help: write it so"));
}

TEST(DiagRender, EditsShowTheLinesThatTheyChange) {
  EXPECT_EQ(last_lines(with_edits({{{0, 4, 13, 4, 14}, "*"}})), "4  +     return a * n\n");
  // Several at one place stand in the order in which they were given.
  EXPECT_EQ(last_lines(with_edits({{{0, 4, 11, 4, 11}, "f("},
                                   {{0, 4, 16, 4, 16}, ")"},
                                   {{0, 4, 16, 4, 16}, "[0]"},
                                   {{0, 3, 13, 3, 14}, "n"}})),
            "3  + def saxpy(a, n):\n4  +     return f(a @ n)[0]\n");
  EXPECT_EQ(last_lines(with_edits({{{0, 5, 5, 5, 7}, "y"}})), "5  +     x = y\xE6\xBC\xA2 + b\n");
}

TEST(DiagRender, EditsWhoseTextIsNotAtHandAreNotShown) {
  EXPECT_EQ(last_lines(with_edits({{{1, 12, 4, 12, 9}, "*"}})), "");
  EXPECT_EQ(last_lines(with_edits({{{0, 6, 4, 7, 2}, "*"}})), "");  // over the end of a line
  EXPECT_EQ(last_lines(with_edits({{{0, 4, 13, 4, 900}, "*"}})), "");
  EXPECT_TRUE(with_edits({{{}, "*"}}).edits.empty());  // nobody knows where
}

TEST(DiagRender, LabelsOfOtherLinesAndFiles) {
  EXPECT_EQ(render(one({0, 6, 4, 6, 9}, {{{0, 3, 13, 3, 14}, "it is int64 here"},
                                         {{2, 120, 0, 120, 5}, "and this is float64"},
                                         {{1, 12, 0, 12, 1}, "not at hand"},
                                         {{}, "nowhere"}}),
                   kSources),
            "error[E0201]: cannot apply '@' to float32 and int64\n"
            "   --> saxpy.py:6:5\n"
            "    |\n"
            "3   | def saxpy(a, n):\n"
            "    |              - it is int64 here\n"
            "...\n"
            "6   |     total(a,\n"
            "    |     ^^^^^\n"
            "   ::: helpers.py:120:1\n"
            "    |\n"
            "120 | scale = 2.5\n"
            "    | ----- and this is float64\n"
            "    = note: nowhere\n"
            "    = note: gone.py:12: not at hand\n");
}

TEST(DiagRender, SeveralLinesBecomeTheFirst) {
  EXPECT_EQ(render(one({0, 6, 4, 7, 12}), kSources),
            "error[E0201]: cannot apply '@' to float32 and int64\n"
            "  --> saxpy.py:6:5\n"
            "   |\n"
            "6  |     total(a,\n"
            "   |     ^^^^^^^^...\n");
}

// Byte columns 5..10 are e acute and a character that takes two columns; the tab takes four.
TEST(DiagRender, TabsAndWideCharacters) {
  EXPECT_EQ(render(one({0, 5, 5, 5, 10}, {{{0, 5, 13, 5, 14}, "b"}}), kSources),
            "error[E0201]: cannot apply '@' to float32 and int64\n"
            "  --> saxpy.py:5:6\n"
            "   |\n"
            "5  |     x = \xC3\xA9\xE6\xBC\xA2 + b\n"
            "   |         ^^^\n"
            "   |               - b\n");
}

TEST(DiagRender, ControlCharactersDoNotReachTheTerminal) {
  EXPECT_EQ(render(one({0, 9, 5, 9, 8}), kSources),
            "error[E0201]: cannot apply '@' to float32 and int64\n"
            "  --> saxpy.py:9:6\n"
            "   |\n"
            "9  | \xEF\xBF\xBD[31mred\xEF\xBF\xBD\n"
            "   |      ^^^\n");
}

TEST(DiagRender, WithoutSourceText) {
  EXPECT_EQ(render(one({1, 12, 4, 12, 9}), kSources),
            "error[E0201]: cannot apply '@' to float32 and int64\n"
            "  --> gone.py:12\n");
  EXPECT_EQ(render(one({}), kSources),
            "error[E0201]: cannot apply '@' to float32 and int64\n"
            "  --> saxpy.py:3\n");
  EXPECT_EQ(render(one({}), {}), "error[E0201]: cannot apply '@' to float32 and int64\n");
  EXPECT_EQ(render(one({9, 1, 2, 3, 4}), kSources),
            "error[E0201]: cannot apply '@' to float32 and int64\n");
}

TEST(DiagRender, ColumnsOutOfRange) {
  for (const Span where : {Span{0, 4, 900, 4, 901}, Span{0, 4, 8, 4, 2}, Span{0, 8, 0, 8, 1},
                           Span{0, 4, 0, 3, 0}, Span{0, 4, UINT32_MAX, 5, UINT32_MAX}}) {
    const std::string text = render(one(where), kSources);
    EXPECT_NE(text.find('^'), std::string::npos) << text;
    EXPECT_LT(text.size(), 300u);
  }
}

TEST(DiagRender, NotesKeepTheirIndent) {
  Diagnostics diags;
  diags.error(Code::UnboundName, {}, {"x"}).note("two\nlines").report();
  EXPECT_EQ(render(bare(diags), {}),
            "error[E0301]: 'x' is not defined\n"
            "   = note: two\n"
            "     lines\n");
}

TEST(DiagRender, SeveralAreKeptApart) {
  Diagnostics diags = one({});
  diags.add_all(one({1, 12, 0, 12, 1}));
  EXPECT_EQ(diags.all().size(), 2u);
  EXPECT_EQ(render(diags, kSources),
            "error[E0201]: cannot apply '@' to float32 and int64\n"
            "  --> saxpy.py:3\n"
            "\n"
            "error[E0201]: cannot apply '@' to float32 and int64\n"
            "  --> gone.py:12\n");
}

TEST(DiagRender, ColourChangesNothingElse) {
  const Diagnostics diags = one({0, 4, 13, 4, 14}, {{{0, 3, 13, 3, 14}, "it is int64 here"}});
  const std::string coloured = render(diags, kSources, true);
  std::string plain;
  size_t escapes = 0;
  for (size_t i = 0; i < coloured.size(); ++i) {
    if (coloured[i] == '\x1b') {
      ++escapes;
      i = coloured.find('m', i);
    } else {
      plain += coloured[i];
    }
  }
  EXPECT_EQ(plain, render(diags, kSources));
  EXPECT_GT(escapes, 6u);
  EXPECT_EQ(escapes % 2, 0u);
}

TEST(Diagnostics, CodesHaveNamesNumbersAndTexts) {
  EXPECT_EQ(code_text(Code::TypesDisagree), "E0202");
  EXPECT_EQ(code_name(Code::TypesDisagree), "TypesDisagree");
  EXPECT_EQ(code_pattern(Code::TypesDisagree), "'{0}' is {1} on one path and {2} on another");
  std::set<std::string> seen;
#define DIAG(number, name, text)                                   \
  EXPECT_TRUE(seen.insert(code_text(Code::name)).second) << #name; \
  EXPECT_EQ(code_pattern(Code::name).back() == '.', false) << #name;
#include "frontend/diag/codes.def"
#undef DIAG
}

TEST(Diagnostics, PlaceholdersWithoutArgumentsStay) {
  Diagnostics diags;
  diags.error(Code::TypesDisagree, {}, {"x", "int"}).report();
  EXPECT_EQ(diags.all()[0].message, "'x' is int on one path and {2} on another");
}

TEST(Diagnostics, EachSaysWhatToWrite){
#define DIAG(number, name, text)                         \
  {                                                      \
    Diagnostics diags;                                   \
    diags.error(Code::name, {}).report();                \
    EXPECT_EQ(diags.all()[0].helps.size(), 1u) << #name; \
  }
#include "frontend/diag/codes.def"
#undef DIAG
}

TEST(Diagnostics, TheRemedyIsOfTheWordsOfTheMessage) {
  Diagnostics diags;
  diags.error(Code::UnsupportedInstruction, {}, {"a dict"}).report();
  diags.error(Code::UnsupportedInstruction, {}, {"'import'"}).help("its own").report();
  EXPECT_NE(diags.all()[0].helps[0].find("keys and values"), std::string::npos);
  EXPECT_EQ(diags.all()[1].helps, std::vector<std::string>{"its own"});
}

}  // namespace
}  // namespace hetjit
