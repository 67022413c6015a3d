#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "runtime/device.h"

namespace hetjit::runtime {
namespace {

DeviceInfo gpu() {
  DeviceInfo info;
  info.name = "cuda:0";
  return info;
}

std::string refusal(const Geometry& geometry) {
  const Status status = check_geometry(geometry, gpu());
  if (status.ok()) return "";
  EXPECT_EQ(status.error().code, ErrorCode::Invalid);
  return status.error().text;
}

TEST(Geometry, ThatFitsIsAccepted) {
  EXPECT_EQ(refusal({}), "");
  EXPECT_EQ(refusal({{2147483647, 65535, 65535}, {1, 1, 1}, 49152}), "");
  EXPECT_EQ(refusal({{2097151, 65535, 65535}, {1024, 1, 1}, 49152}), "");
  EXPECT_EQ(refusal({{1, 1, 1}, {4, 4, 64}, 0}), "");
}

TEST(Geometry, ZeroIsRefusedInEveryDimension) {
  EXPECT_EQ(refusal({{0, 1, 1}}), "grid is 0 in x: every dimension must be at least 1");
  EXPECT_EQ(refusal({{1, 0, 1}}), "grid is 0 in y: every dimension must be at least 1");
  EXPECT_EQ(refusal({{1, 1, 0}}), "grid is 0 in z: every dimension must be at least 1");
  EXPECT_EQ(refusal({{1, 1, 1}, {0, 1, 1}}), "block is 0 in x: every dimension must be at least 1");
  EXPECT_EQ(refusal({{1, 1, 1}, {1, 1, 0}}), "block is 0 in z: every dimension must be at least 1");
}

// What the compiler assumes of a thread's place (compiler/passes/value_ranges.h).
TEST(Geometry, PlacesAreIntsOf32Bits) {
  EXPECT_EQ(refusal({{2097152, 1, 1}, {1024, 1, 1}}),
            "grid times block is 2147483648 threads in x, more than an int of 32 bits can number "
            "(2147483647); let each thread do more");
}

TEST(Geometry, LimitsAreNamed) {
  EXPECT_EQ(refusal({{1, 65536, 1}}),
            "grid of 65536 in y is more than the 65535 that cuda:0 allows");
  EXPECT_EQ(refusal({{1, 1, 1}, {2000, 1, 1}}),
            "block of 2000 threads (2000, 1, 1) is more than the 1024 that cuda:0 allows: "
            "launch more blocks of fewer threads, or kernel.forall(n)");
  EXPECT_EQ(refusal({{1, 1, 1}, {32, 33, 1}}),
            "block of 1056 threads (32, 33, 1) is more than the 1024 that cuda:0 allows: "
            "launch more blocks of fewer threads, or kernel.forall(n)");
  EXPECT_EQ(refusal({{1, 1, 1}, {2, 2, 65}}),
            "block of 65 in z is more than the 64 that cuda:0 allows");
  EXPECT_EQ(refusal({{1, 1, 1}, {1, 1, 1}, 49153}),
            "49153 bytes of dynamic shared memory are more than the 49152 that cuda:0 allows");
}

TEST(Geometry, GridsAreOfWholeClusters) {
  const auto clustered = [](uint32_t x, uint32_t y, uint32_t z) {
    Geometry geometry{{32, 6, 4}};
    std::ranges::copy(std::array{x, y, z}, geometry.schedule.cluster);
    return geometry;
  };
  EXPECT_EQ(refusal(clustered(2, 1, 1)), "");
  EXPECT_EQ(refusal(clustered(4, 2, 2)), "");
  EXPECT_EQ(refusal(clustered(1, 0, 1)), "cluster is 0 in y: every dimension must be at least 1");
  EXPECT_EQ(refusal(clustered(2, 4, 1)),
            "grid of 6 blocks in y is no multiple of the cluster's 4: a grid is of whole clusters");
  EXPECT_EQ(refusal(clustered(32, 1, 1)),
            "cluster of 32 blocks is more than the 16 that cuda:0 allows");
  EXPECT_NE(refusal(clustered(0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF)), "");
  DeviceInfo old = gpu();
  old.target = *parse_target("cuda:sm_80");
  old.max_cluster = 1;
  EXPECT_TRUE(check_geometry({{3, 1, 1}}, old).ok());
  const Status refused = check_geometry(clustered(2, 1, 1), old);
  EXPECT_EQ(refused.error().code, ErrorCode::Unsupported);
  EXPECT_NE(refused.error().text.find("cuda:0 (sm_80) has no clusters"), std::string::npos);
}

TEST(Geometry, ProductThatDoesNotFitIsStillTooMany) {
  const uint32_t most = 0xFFFFFFFF;
  EXPECT_NE(refusal({{1, 1, 1}, {most, most, most}}).find("threads"), std::string::npos);
  // 2^22 * 2^22 * 2^20 = 2^64, 0 in 64 bits.
  EXPECT_NE(refusal({{1, 1, 1}, {1u << 22, 1u << 22, 1u << 20}}), "");
}

}  // namespace
}  // namespace hetjit::runtime
