#include "abi/target_name.h"

#include <gtest/gtest.h>

namespace hetjit {
namespace {

TEST(TargetName, GoesThereAndBack) {
  for (std::string text :
       {"cpu:native", "cpu:x86-64", "cpu:x86-64-v2", "cpu:x86-64-v3", "cpu:x86-64-v4", "cuda:sm_75",
        "cuda:sm_90", "cuda:sm_90a", "cuda:sm_120f", "hip:gfx942", "hip:gfx90a", "hip:gfx1100",
        "hip:gfx9-4-generic"}) {
    Result<TargetName> target = parse_target(text);
    ASSERT_TRUE(target.ok()) << target.error().text;
    EXPECT_EQ(to_text(*target), text);
  }
  EXPECT_EQ(to_text(*parse_target("cpu")), "cpu:native");
  EXPECT_EQ(parse_target("hip:gfx942")->kind, TargetKind::Amd);
  EXPECT_EQ(parse_target("cuda:sm_90")->kind, TargetKind::Nvidia);
  EXPECT_EQ(parse_target("cuda:sm_90")->arch, "sm_90");
}

TEST(TargetName, KnowsItsWarp) {
  for (std::string text : {"hip:gfx900", "hip:gfx90a", "hip:gfx942", "hip:gfx9-4-generic"})
    EXPECT_EQ(warp_size(*parse_target(text)), 64u) << text;
  for (std::string text : {"hip:gfx1030", "hip:gfx1201", "hip:gfx11-generic", "cuda:sm_90", "cpu"})
    EXPECT_EQ(warp_size(*parse_target(text)), 32u) << text;
}

TEST(TargetName, RefusesAndSaysWhatToWrite) {
  for (std::string text : {"", "cuda", "cuda:", "cuda:90", "cuda:sm_", "cuda:sm_9x", "cuda:sm_9",
                           "hip:gfx", "hip:gfx94z", "hip:sm_90", "cpu:znver4", "cpu:", "vulkan:1",
                           "cuda:sm_90 ", "hip:gfx942:xnack+"}) {
    Result<TargetName> target = parse_target(text);
    ASSERT_FALSE(target.ok()) << text;
    EXPECT_EQ(target.error().code, ErrorCode::Invalid);
    EXPECT_NE(target.error().text.find("write "), std::string::npos) << target.error().text;
  }
}

}  // namespace
}  // namespace hetjit
