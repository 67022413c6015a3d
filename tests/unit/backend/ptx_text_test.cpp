// PTX that others wrote, read as text and made part of ours.
#include "compiler/target/ptx_text.h"

#include <gtest/gtest.h>

namespace hetjit::target {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kHeading = ".version 8.8\n.target sm_90\n.address_size 64\n";

std::string with_heading(const std::string& body) { return kHeading + body; }

/// The one symbol of a text.
PtxSymbol symbol(const std::string& body) {
  const std::vector<PtxSymbol> all = symbols_of_ptx(with_heading(body));
  EXPECT_EQ(all.size(), 1u) << body;
  return all.empty() ? PtxSymbol{} : all.front();
}

TEST(PtxSymbols, HaveTheNameBehindAResultAndBeforeBracketsAndValues) {
  const struct {
    const char *text, *name;
    bool is_function, is_extern;
  } cases[] = {
      {".visible .func f() { ret; }", "f", true, false},
      {".func (.param .b32 func_retval0) g(.param .b64 g_param_0) { ret; }", "g", true, false},
      {".visible .entry k(.param .u64 .ptr .align 1 k_param_0) { ret; }", "k", true, false},
      {".extern .func (.param .align 16 .b8 r[16]) h(.param .b32 a);", "h", true, true},
      {".func (.param .b32 r) declared(.param .b32 a);", "declared", true, true},
      {".visible .global .align 4 .u32 count = 7;", "count", false, false},
      {".global .align 8 .b8 table[3] = {1, 2, 3};", "table", false, false},
      {".global .align 8 .u64 places[2] = {table, table+8};", "places", false, false},
      {".extern .shared .align 16 .b8 room[];", "room", false, true},
      {".weak .const .align 4 .f32 _ZN1a1bE = 0f3F800000;", "_ZN1a1bE", false, false},
      {".func $odd$name() { ret; }", "$odd$name", true, false},
  };
  for (const auto& [text, name, is_function, is_extern] : cases) {
    const PtxSymbol found = symbol(text);
    EXPECT_EQ(found.name, name);
    EXPECT_EQ(found.is_function, is_function) << text;
    EXPECT_EQ(found.is_extern, is_extern) << text;
  }
}

TEST(PtxSymbols, AreNotParted_ByBracesSemicolonsAndQuotesWithinThem) {
  const auto all = symbols_of_ptx(with_heading(R"(
    // .func not_one() { ret; }
    /* .global .u32 nor_this; */
    .func f() { { .reg .b32 %r<2>; } @%p bra L; L: ret; }
    .global .align 1 .b8 text[4] = {59, 125, 123, 0};
    .func g() { .pragma "nounroll; } {"; call (r), f, (); ret; })"));
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].name, "f");
  EXPECT_EQ(all[1].name, "text");
  EXPECT_EQ(all[2].name, "g");
  EXPECT_TRUE(all[2].text.ends_with("ret; }"));
}

TEST(PtxSymbols, OfWhatHasNoneOrIsCutOff) {
  for (const char* text :
       {"", "\n", ".version 8.8", kHeading, ".address_size 64", "/*", "\"", "//"})
    EXPECT_TRUE(symbols_of_ptx(text).empty()) << text;
  EXPECT_TRUE(symbols_of_ptx(with_heading(".func f() { ret;")).empty());
}

TEST(PtxNumbers, AreReadInEveryFormAndAreZeroWithoutOne) {
  EXPECT_EQ(number_in(symbol(".global .u32 n = 7;")), 7);
  EXPECT_EQ(number_in(symbol(".global .s64 n = -3;")), -3);
  EXPECT_EQ(number_in(symbol(".global .u64 n = 0xffffffffffffffff;")), -1);
  EXPECT_EQ(number_in(symbol(".global .u64 n = 18446744073709551615;")), -1);
  EXPECT_EQ(number_in(symbol(".global .u32 n;")), 0);
}

TEST(PtxTexts, EndAtTheirFirstZeroOrWithTheirValues) {
  EXPECT_EQ(text_in(symbol(".global .b8 t[3] = {104, 105, 0};")), "hi");
  EXPECT_EQ(text_in(symbol(".global .b8 t[5] = {104, 105, 0, 104, 105};")), "hi");
  EXPECT_EQ(text_in(symbol(".global .b8 t[2] = {104, 105};")), "hi");
  EXPECT_EQ(text_in(symbol(".global .b8 t[1] = {0};")), "");
  EXPECT_EQ(text_in(symbol(".global .b8 t[4];")), "");
  EXPECT_EQ(text_in(symbol(".global .b8 t[2] = {195, 164};")), "\xc3\xa4");
}

/// What a function with one address does with it: "k" keeps, "c" changes.
std::string done_with(const std::string& instructions, size_t which = 0, size_t count = 1) {
  const PtxAddresses found = addresses_in(
      symbol(".func (.param .b64 func_retval0) f(.param .b64 f_param_0, .param .b64 f_param_1)\n{"
             "ld.param.u64 %rd1, [f_param_0]; ld.param.u64 %rd9, [f_param_1];" +
             instructions + "ret;}"),
      count);
  return std::string(found.kept.at(which) ? "k" : "") + (found.changed.at(which) ? "c" : "");
}

TEST(PtxAddresses, ThatAreOnlyReadAreNeitherKeptNorChanged) {
  EXPECT_EQ(done_with("ld.u32 %r1, [%rd1]; st.u32 [%rd7], %r1;"), "");
  EXPECT_EQ(done_with("add.s64 %rd2, %rd1, 8; ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd2];"), "");
  EXPECT_EQ(done_with("prefetch.global.L2 [%rd1];"), "");
}

TEST(PtxAddresses, ThatAreWrittenThroughAreChanged) {
  for (const char* writes : {
           "st.u32 [%rd1], %r1;",
           "st.global.v2.f32 [%rd1+8], {%f1, %f2};",
           "add.s64 %rd2, %rd1, 8; st.u32 [%rd2], 1;",
           "cvta.to.global.u64 %rd2, %rd1; mov.b64 %rd3, %rd2; st.u32 [%rd3], 1;",
           "selp.b64 %rd2, %rd1, %rd9, %p1; st.u32 [%rd2], 1;",
           "@%p1 st.u32 [%rd1], 1;",
           "@!%p1 st.u32 [%rd1], 1;",
           "L1: st.u32 [%rd1], 1;",
           "L1: L2: @%p1 st.u32 [%rd1], 1;",
           "{ .reg .b64 %rd4; add.s64 %rd4, %rd1, 4; { st.u8 [%rd4], 0; } }",
           "atom.global.add.u32 %r1, [%rd1], 1;",
           "red.global.add.u32 [%rd1], 1;",
       })
    EXPECT_EQ(done_with(writes), "c") << writes;
}

TEST(PtxAddresses, AreFollowedRoundALoopWhateverTheOrder) {
  EXPECT_EQ(done_with("L1: st.u32 [%rd4], 1; mov.b64 %rd4, %rd3; mov.b64 %rd3, %rd2;"
                      "mov.b64 %rd2, %rd1; @%p1 bra L1;"),
            "c");
}

TEST(PtxAddresses, ThatAreStoredReturnedOrHandedOnAreKept) {
  EXPECT_EQ(done_with("st.u64 [%rd7], %rd1;"), "k");
  EXPECT_EQ(done_with("atom.global.exch.b64 %rd2, [%rd7], %rd1;"), "k");
  EXPECT_EQ(done_with("atom.global.exch.b64 %rd2, [%rd1], %rd1;"), "kc");
  EXPECT_EQ(done_with("atom.global.cas.b64 %rd2, [%rd7], %rd8, %rd1;"), "k");
  EXPECT_EQ(done_with("st.param.b64 [func_retval0], %rd1;"), "kc");
  EXPECT_EQ(done_with("st.param.b64 [param0], %rd1; call.uni g, (param0);"), "kc");
}

TEST(PtxAddresses, AreEachSeenAlone) {
  const std::string body = "st.u32 [%rd9], 1; st.u64 [%rd9], %rd1;";
  EXPECT_EQ(done_with(body, 0, 2), "k");
  EXPECT_EQ(done_with(body, 1, 2), "c");
}

TEST(PtxAddresses, BeyondWhatIsFollowedMayBeAnything) {
  EXPECT_EQ(done_with("", 63, 65), "");
  EXPECT_EQ(done_with("", 64, 65), "kc");
}

TEST(PtxMadeInternal, RenamesAllButTheFunctionsAndHidesThem) {
  const std::string made = made_internal(with_heading(R"(
.visible .global .u32 count = 1;
.visible .func helper() { ret; }
.weak .func f() { call helper, (); st.global.u32 [count], 1; ret; }
.extern .func vprintf(.param .b64 a);)"),
                                         {"f"}, "p_");
  EXPECT_NE(made.find(".func p_helper()"), std::string::npos) << made;
  EXPECT_NE(made.find("call p_helper, ();"), std::string::npos) << made;
  EXPECT_NE(made.find("[p_count]"), std::string::npos) << made;
  EXPECT_NE(made.find(".func f()"), std::string::npos) << made;
  EXPECT_NE(made.find(".extern .func vprintf("), std::string::npos) << made;
  for (const char* word : {".visible", ".weak"})
    EXPECT_EQ(made.find(word), std::string::npos) << word;
  EXPECT_TRUE(made.starts_with(kHeading)) << made;
}

TEST(PtxMadeInternal, LeavesInstructionsTextsAndCommentsThatAreNamedAlike) {
  const std::string made = made_internal(with_heading(R"(
.func add() { ret; }
.func ret() { ret; }
.func f() {
  // add
  .pragma "add";
  add.s32 %r1, %r1, 1;
  call add, ();
  @%p1 call ret, ();
  @!%p1 ret;
  { ret; }
  L: ret;
})"),
                                         {"f"}, "p_");
  EXPECT_NE(made.find("\"add\""), std::string::npos) << made;
  EXPECT_NE(made.find("  add.s32"), std::string::npos) << made;
  EXPECT_NE(made.find("call p_add, ();"), std::string::npos) << made;
  EXPECT_NE(made.find("@%p1 call p_ret, ();"), std::string::npos) << made;
  for (const char* whole : {"@!%p1 ret;", "{ ret; }", "L: ret;", ".func p_add() { ret; }"})
    EXPECT_NE(made.find(whole), std::string::npos) << whole << made;
}

TEST(PtxMadeInternal, RenamesALabelThatHasAFunctionsName) {
  const std::string made =
      made_internal(with_heading(".func g() { ret; }\n.func f() { bra g; g: ret; }"), {"f"}, "p_");
  EXPECT_NE(made.find("bra p_g; p_g: ret;"), std::string::npos) << made;
}

TEST(PtxVersion, IsTheOneOfItsHeading) {
  EXPECT_EQ(ptx_version(kHeading), "8.8");
  EXPECT_EQ(ptx_version("//\n.version 9.0"), "9.0");
  EXPECT_EQ(ptx_version(""), "");
}

TEST(PtxWithDefinitions, TakesTheirPlaceOfDeclarationsBehindTheHeading) {
  const std::string ours = with_heading(
      "\n.extern .func (.param .b32 r) f(.param .b32 a);\n.extern .func other(.param .b64 b);\n"
      ".visible .entry k() { call (r), f, (a); ret; }\n");
  const std::string made = with_definitions(
      ours, with_heading("\n.func (.param .b32 r) f(.param .b32 a) { ret; }\n"), {"f"});
  EXPECT_EQ(made.find(".extern .func (.param .b32 r) f"), std::string::npos) << made;
  EXPECT_NE(made.find(".extern .func other("), std::string::npos) << made;
  EXPECT_LT(made.find(".func (.param .b32 r) f"), made.find(".visible .entry k")) << made;
  EXPECT_EQ(made.find(".version"), made.rfind(".version")) << made;
}

TEST(PtxWithDefinitions, IsOfTheNewerVersionByItsNumber) {
  const auto version = [](const char* ours, const char* theirs) {
    const auto text = [](std::string of) {
      return ".version " + of + "\n.target sm_90\n.address_size 64\n.func f() { ret; }\n";
    };
    return ptx_version(with_definitions(text(ours), text(theirs), {}));
  };
  EXPECT_EQ(version("8.8", "9.0"), "9.0");
  EXPECT_EQ(version("9.0", "8.8"), "9.0");
  EXPECT_EQ(version("9.0", "10.1"), "10.1");
  EXPECT_EQ(version("8.8", "8.10"), "8.10");
}

}  // namespace
}  // namespace hetjit::target
