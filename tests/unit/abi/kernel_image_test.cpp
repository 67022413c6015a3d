#include "abi/kernel_image.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "abi/bytes.h"

namespace hetjit {
namespace {

KernelImage example() {
  KernelImage image;
  image.target = *parse_target("cuda:sm_90");
  image.kind = ImageKind::Ptx;
  image.entry = "step_3a2cb8fd";
  image.signature = *parse_signature(
      "(array[struct Body align 16 {pos: f32x3, mass: f32}, 1, contiguous, index32], int)");
  image.parameter_bytes = 28;
  image.stack_bytes = 4096;
  image.least_shared = 16;
  image.grid_barrier = true;
  image.grid_dependency = true;
  image.stored = ArraySet::of(3);
  image.sites.push_back({SiteKind::Raise, "ValueError", true, {{"no", {}, false}}, "f", "a.py", 7});
  image.sites.push_back(
      {SiteKind::Print, "", false, {{"x=", {}, false}, {">8", Scalar::Float32, true}}, "g", "", 0});
  for (int i = 0; i < 300; ++i) image.code.push_back(static_cast<std::byte>(i));
  return image;
}

void expect_equal(const KernelImage& a, const KernelImage& b) {
  EXPECT_EQ(a.target, b.target);
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.entry, b.entry);
  EXPECT_EQ(a.signature, b.signature);
  EXPECT_EQ(a.parameter_bytes, b.parameter_bytes);
  EXPECT_EQ(a.stack_bytes, b.stack_bytes);
  EXPECT_EQ(a.least_shared, b.least_shared);
  EXPECT_EQ(a.grid_barrier, b.grid_barrier);
  EXPECT_EQ(a.grid_dependency, b.grid_dependency);
  EXPECT_EQ(a.stored.bits, b.stored.bits);
  EXPECT_EQ(a.sites, b.sites);
  EXPECT_EQ(a.code, b.code);
}

TEST(KernelImage, GoesThereAndBack) {
  KernelImage image = example();
  Result<KernelImage> back = load_image(save_image(image));
  ASSERT_TRUE(back.ok()) << back.error().text;
  expect_equal(*back, image);
  Result<KernelImage> empty = load_image(save_image({}));
  ASSERT_TRUE(empty.ok()) << empty.error().text;
  expect_equal(*empty, {});
}

TEST(KernelImage, SameImageSameBytes) { EXPECT_EQ(save_image(example()), save_image(example())); }

void expect_invalid(std::span<const std::byte> bytes, std::string_view why = "") {
  Result<KernelImage> image = load_image(bytes);
  ASSERT_FALSE(image.ok());
  EXPECT_EQ(image.error().code, ErrorCode::Invalid);
  EXPECT_NE(image.error().text.find(why), std::string::npos) << image.error().text;
}

TEST(KernelImage, EveryChangedBitIsFound) {
  std::vector<std::byte> bytes = save_image(example());
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
    expect_invalid(bytes);
    bytes[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
  }
  EXPECT_TRUE(load_image(bytes).ok());
}

TEST(KernelImage, EveryLengthIsFound) {
  std::vector<std::byte> bytes = save_image(example());
  for (size_t size = 0; size < bytes.size(); ++size) expect_invalid(std::span(bytes).first(size));
  bytes.push_back({});
  expect_invalid(bytes, "length");
}

TEST(KernelImage, OtherVersionsAreNamed) {
  std::vector<std::byte> bytes = save_image(example());
  uint32_t version = kImageVersion + 1;
  std::memcpy(bytes.data() + 8, &version, 4);
  expect_invalid(bytes, "version " + std::to_string(version));
}

// Past the checksum: a payload that was written wrong, not one that rotted.
void fix_checksum(std::vector<std::byte>& bytes) {
  const uint64_t hash = checksum(std::span<const std::byte>(bytes).subspan(28));
  std::memcpy(bytes.data() + 20, &hash, 8);
}

TEST(KernelImage, MalformedPayloadIsAnErrorNotACrash) {
  std::mt19937 random(3);
  const std::vector<std::byte> good = save_image(example());
  constexpr size_t kText = 28 + 1 + 8 + 10 + 8 + 13 + 8 + 80;  // most of what is not code
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::vector<std::byte> bytes = good;
    for (uint32_t edits = 1 + random() % 4; edits > 0; --edits)
      bytes[28 + random() % (kText - 28)] = static_cast<std::byte>(random());
    fix_checksum(bytes);
    Result<KernelImage> image = load_image(bytes);
    if (image.ok()) continue;
    ++refused;
    EXPECT_EQ(image.error().code, ErrorCode::Invalid);
  }
  EXPECT_GT(refused, 5000);
}

TEST(KernelImage, UnknownKindIsRefused) {
  std::vector<std::byte> bytes = save_image(example());
  fix_checksum(bytes);
  ASSERT_TRUE(load_image(bytes).ok());
  bytes[28] = std::byte{17};
  fix_checksum(bytes);
  expect_invalid(bytes, "kind");
}

}  // namespace
}  // namespace hetjit
