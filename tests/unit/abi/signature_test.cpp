#include "abi/signature.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "tests/unit/abi/random_types.h"

namespace hetjit {
namespace {

TEST(Signature, TextForm) {
  for (std::string text : {
           "()",
           "(float32[:, ::1], int, float64)",
           "(float32[::1])",
           "(bool, int, float, complex)",
           "(bool_, int32, float32, complex64)",
           "(array[f32, 2, contiguous, index32])",
           "(array[f32, 0, contiguous, index32], float32[()])",
           "(weak (i32, f32), tuple[int32, float32], weak i64)",
           "(struct Body {pos: f32x3, mass: f32}, array[struct Body {pos: f32x3, mass: f32}, 1])",
           "(Pointer[float32x4], None)",
       }) {
    Result<Signature> signature = parse_signature(text);
    ASSERT_TRUE(signature.ok()) << signature.error().text;
    EXPECT_EQ(to_text(*signature), text);
  }
}

TEST(Signature, AlsoReadsOurTypeText) {
  Result<Signature> ours = parse_signature("( array[f32,2,contiguous] , int , f64 , )");
  ASSERT_TRUE(ours.ok()) << ours.error().text;
  EXPECT_EQ(*ours, *parse_signature("(float32[:, ::1], int, float64)"));
}

TEST(Signature, OnlyBareBuiltinNamesAreWeak) {
  Result<Signature> signature = parse_signature("(int, float[:], tuple[int, float], int32, bool)");
  ASSERT_TRUE(signature.ok());
  std::vector<bool> weak;
  for (const Parameter& parameter : signature->parameters) weak.push_back(parameter.weak);
  EXPECT_EQ(weak, (std::vector<bool>{true, false, false, false, true}));
  EXPECT_EQ(signature->types()[0], signature->types()[3]);
}

TEST(Signature, Refuses) {
  for (std::string text :
       {"", "(", "int", "(int", "(int int)", "(int))", "(foo)", "(,)", "(weak)", "(int) x"}) {
    Result<Signature> signature = parse_signature(text);
    ASSERT_FALSE(signature.ok()) << text;
    EXPECT_EQ(signature.error().code, ErrorCode::Invalid);
    EXPECT_NE(signature.error().text.find("column"), std::string::npos);
  }
}

TEST(Signature, RandomSignaturesGoThereAndBack) {
  std::mt19937 random(11);
  std::set<uint64_t> hashes;
  std::set<std::string> texts;
  for (int i = 0; i < 1000; ++i) {
    Signature signature;
    for (uint32_t n = random() % 5; n > 0; --n)
      signature.parameters.push_back({testing_types::random_type(random, 3), random() % 2 == 0});
    std::string text = to_text(signature);
    Result<Signature> back = parse_signature(text);
    ASSERT_TRUE(back.ok()) << back.error().text;
    EXPECT_EQ(*back, signature) << text;
    EXPECT_EQ(back->hash(), signature.hash());
    hashes.insert(signature.hash());
    texts.insert(text);
  }
  EXPECT_EQ(hashes.size(), texts.size());
}

// The hash names files that other processes read: these numbers must never change.
TEST(Signature, HashIsStable) {
  EXPECT_EQ(parse_signature("()")->hash(), 0x07E11F07B4A6665Aull);
  EXPECT_EQ(parse_signature("(float32[:, ::1], int, float64)")->hash(), 0x3A2CB8FD32441A51ull);
}

}  // namespace
}  // namespace hetjit
