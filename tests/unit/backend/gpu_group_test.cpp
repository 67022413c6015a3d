// What threads of a block and lanes of a warp do together on GPUs, and the memory they share: the
// instructions that come out, and that the vendors' assemblers take them.
#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/backend/compiled.h"
#include "tests/unit/backend/programs.h"
#include "tests/unit/ir/run_text.h"

namespace hetjit {
namespace {

using Lines = std::vector<std::string>;

/// out is v0, u32; v3 the address of this thread's element. Values from v10 on are `body`'s, which
/// leaves the one to store in v99.
ir::Module kernel(const std::string& body) {
  return ir::parsed(
      "k(out: array[u32, 1, contiguous], x: f64, n: i32) -> none\n"
      "b0(v0: array[u32, 1, contiguous], v7: f64, v8: i32):\n"
      "  v1: u32 = threadindex 0\n"
      "  v2: i64 = convert v1\n"
      "  v3: ptr[u32] = element v0, v2\n"
      "  v4: u32 = load v3\n"
      "  v5: u32 = const 7\n"
      "  v6: bool = compare lt v4, v5\n" +
      body + "  store v3, v99\n  v98: none = none\n  return v98\n");
}

ir::Module barrier_votes() {
  return kernel(R"(  barrier
  v10: i32 = barriervote count v6
  v11: bool = barriervote and v6
  v12: bool = barriervote or v6
  v13: u32 = convert v10
  v14: u32 = convert v11
  v15: u32 = convert v12
  v16: u32 = add v13, v14
  v99: u32 = add v16, v15
)");
}

std::string masked(const std::string& type, const std::string& body) {
  return "  v10: " + type + " = activemask\n" + body;
}
/// Everything that lanes do, with masks of a type.
ir::Module warp_ops(const std::string& mask) {
  return kernel(masked(mask,
                       "  warpbarrier v10\n  v11: bool = vote all v10, v6\n"
                       "  v12: bool = vote any v10, v6\n  v13: bool = vote equal v10, v6\n"
                       "  v14: " +
                           mask +
                           " = ballot v10, v6\n"
                           "  v15: u32 = laneindex\n"
                           "  v16: " +
                           mask +
                           " = match any v10, v4\n"
                           "  v17: " +
                           mask +
                           " = match all v10, v4\n"
                           "  v18: u32 = convert v11\n  v19: u32 = convert v12\n"
                           "  v20: u32 = convert v13\n  v21: u32 = convert v14\n"
                           "  v22: u32 = convert v16\n  v23: u32 = convert v17\n"
                           "  v24: u32 = add v18, v19\n  v25: u32 = add v24, v20\n"
                           "  v26: u32 = add v25, v21\n  v27: u32 = add v26, v22\n"
                           "  v28: u32 = add v27, v23\n  v99: u32 = add v28, v15\n"));
}
ir::Module shuffles(const std::string& mask, const std::string& type) {
  std::string value = type == "u32" ? "v4" : "v20";
  std::string body = type == "u32" ? "" : "  v20: " + type + " = convert v4\n";
  body += "  v11: " + type + " = shuffle index v10, " + value + ", v8\n";
  body += "  v12: " + type + " = shuffle up v10, v11, v8\n";
  body += "  v13: " + type + " = shuffle down v10, v12, v8\n";
  body += "  v14: " + type + " = shuffle xor v10, v13, v8\n  v99: u32 = convert v14\n";
  return kernel(masked(mask, body));
}

ir::Module memory() {
  return kernel(R"(  v10: ptr[u32] = sharedmemory 0 4096 16
  v11: ptr[u32] = dynamicshared
  v12: u32 = dynamicsharedbytes
  v13: ptr[u32] = localmemory 0 64 4
  v14: i64 = const 16
  v15: array[u32, 1, contiguous] = makearray v10, v14
  v16: array[u32, 1, contiguous] = makearray v11, v14
  v17: array[u32, 1, contiguous] = makearray v13, v14
  v18: i64 = convert v4
  v19: ptr[u32] = element v15, v2
  store v19, v4
  v20: ptr[u32] = element v16, v2
  store v20, v4
  v21: ptr[u32] = element v17, v18
  store v21, v4
  barrier
  v22: ptr[u32] = element v15, v18
  v23: u32 = load v22
  v24: ptr[u32] = element v16, v18
  v25: u32 = load v24
  v26: ptr[u32] = element v17, v2
  v27: u32 = load v26
  v28: u32 = add v23, v25
  v29: u32 = add v28, v27
  v99: u32 = add v29, v12
)");
}

const char* const kGrid = "  store v3, v4\n  gridbarrier\n  v99: u32 = load v3\n";

/// Matches of a type of integers.
ir::Module matches(const std::string& mask, const std::string& type) {
  return kernel(masked(mask, "  v11: " + type + " = convert v4\n  v12: " + mask +
                                 " = match any v10, v11\n  v13: " + mask +
                                 " = match all v10, v11\n  v14: u32 = convert v12\n"
                                 "  v15: u32 = convert v13\n  v99: u32 = add v14, v15\n"));
}

// ---- NVIDIA

TEST(NvidiaGroup, BarriersAndTheirVotes_HETX_BS_1) {
  std::string ptx = assembly_for("cuda:sm_90", barrier_votes());
  EXPECT_EQ(lines(ptx, "bar[.\\w]*"),
            (Lines{"bar.sync", "bar.red.popc.u32", "bar.red.and.pred", "bar.red.or.pred"}))
      << ptx;
}

TEST(NvidiaGroup, VotesBallotsMatches_HETX_WS_2) {
  std::string ptx = assembly_for("cuda:sm_90", warp_ops("u32"));
  EXPECT_EQ(lines(ptx, "(activemask|bar\\.warp|vote|match)[.\\w]*"),
            (Lines{"activemask.b32", "bar.warp.sync", "vote.sync.all.pred", "vote.sync.any.pred",
                   "vote.sync.uni.pred", "vote.sync.ballot.b32", "match.any.sync.b32",
                   "match.all.sync.b32"}))
      << ptx;
  EXPECT_NE(ptx.find("%laneid"), std::string::npos) << ptx;
}

TEST(NvidiaGroup, MatchesOf64Bits_HETX_WS_2) {
  std::string ptx = assembly_for("cuda:sm_90", matches("u32", "i64"));
  EXPECT_EQ(lines(ptx, "match[.\\w]*"), (Lines{"match.any.sync.b64", "match.all.sync.b64"})) << ptx;
  EXPECT_EQ(ptxas_complaint("sm_90", ptx), "");
}

TEST(NvidiaGroup, Shuffles_HETX_WS_2) {
  const Lines once = {"shfl.sync.idx.b32", "shfl.sync.up.b32", "shfl.sync.down.b32",
                      "shfl.sync.bfly.b32"};
  for (const char* type : {"u32", "i8", "f16", "bf16", "f32", "bool"}) {
    std::string ptx = assembly_for("cuda:sm_90", shuffles("u32", type));
    EXPECT_EQ(lines(ptx, "shfl[.\\w]*"), once) << type << ptx;
  }
  for (const char* type : {"f64", "i64"}) {
    std::string ptx = assembly_for("cuda:sm_90", shuffles("u32", type));
    EXPECT_EQ(lines(ptx, "shfl[.\\w]*").size(), 8u) << type << ptx;
  }
}

TEST(NvidiaGroup, SharedAndLocalMemory_HETX_MEM_1_HETX_MEM_2) {
  std::string ptx = assembly_for("cuda:sm_90", memory());
  EXPECT_EQ(lines(ptx, "\\.(shared|extern|local)[^;]*"),
            (Lines{".extern .shared .align 16 .b8 hetjit_dynamic_shared[]",
                   ".local .align 4 .b8 \t__local_depot0[64]",
                   ".shared .align 16 .b8 hetjit_$_shared_$_0[4096]"}))
      << ptx;
  EXPECT_EQ(lines(ptx, "(ld|st)\\.(shared|local)[.\\w]*").size(), 6u) << ptx;
  EXPECT_EQ(lines(ptx, "(ld|st)\\.b32").size(), 0u) << "a generic access\n" << ptx;
  EXPECT_NE(ptx.find("%dynamic_smem_size"), std::string::npos) << ptx;
}

TEST(NvidiaGroup, TheGridMeetsAtACounter) {
  std::string ptx = assembly_for("cuda:sm_90", kernel(kGrid));
  EXPECT_EQ(lines(ptx, "(bar\\.sync|atom|ld\\.acquire)[.\\w]*"),
            (Lines{"bar.sync", "atom.acq_rel.gpu.global.add.u32", "ld.acquire.gpu.global.b32",
                   "bar.sync"}))
      << ptx;
}

TEST(NvidiaGroup, EveryArchitectureTakesThem) {
  if (ptxas().empty()) GTEST_SKIP() << "no ptxas: PTX was made but not assembled";
  const ir::Module modules[] = {
      barrier_votes(), warp_ops("u32"), shuffles("u32", "f64"),
      memory(),        kernel(kGrid),   kernel("  pause\n  v99: u32 = add v4, v5\n")};
  for (const char* arch : {"sm_70", "sm_80", "sm_90", "sm_100", "sm_120"})
    for (const ir::Module& module : modules) {
      auto image = compile_for(std::string("cuda:") + arch, module);
      ASSERT_TRUE(image.ok()) << image.error().text;
      EXPECT_EQ(ptxas_complaint(arch, code_text(*image).c_str()), "");
    }
}

// A vote that both ways of a branch hold stays one of each: together they would be another vote.
TEST(NvidiaGroup, NothingMovesToOtherThreads) {
  ir::Module module = ir::parsed(R"(k(out: array[u32, 1, contiguous]) -> none
b0(v0: array[u32, 1, contiguous]):
  v1: u32 = threadindex 0
  v2: i64 = convert v1
  v3: ptr[u32] = element v0, v2
  v4: u32 = load v3
  v5: u32 = const 7
  v6: bool = compare lt v4, v5
  branch v6, b1, b2
b1():
  v7: u32 = activemask
  jump b3(v7)
b2():
  v8: u32 = activemask
  jump b3(v8)
b3(v9: u32):
  store v3, v9
  v10: none = none
  return v10
)");
  EXPECT_EQ(lines(assembly_for("cuda:sm_90", module), "activemask.b32").size(), 2u);
}

// ---- AMD

class AmdGroup : public ::testing::TestWithParam<const char*> {
 protected:
  std::string assembly(const ir::Module& module) {
    EXPECT_TRUE(compile_for(target(), module).ok());
    return assembly_for(target(), module);
  }
  std::string target() const { return std::string("hip:") + GetParam(); }
  bool is_wide() const { return std::string(GetParam()).starts_with("gfx9"); }
  std::string mask() const { return is_wide() ? "u64" : "u32"; }
};
INSTANTIATE_TEST_SUITE_P(Archs, AmdGroup,
                         ::testing::Values("gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201"),
                         [](const auto& param) { return std::string(param.param); });

TEST_P(AmdGroup, BarriersAndTheirVotes_HETX_BS_1) {
  std::string text = assembly(barrier_votes());
  // Each vote: all have read the one before, the count is zero, all have added.
  EXPECT_EQ(lines(text, "s_barrier(_signal -1)?$").size(), 10u) << text;
  EXPECT_EQ(lines(text, "ds_add\\w*").size(), 3u) << text;
  EXPECT_NE(text.find(is_wide() ? "s_bcnt1_i32_b64" : "s_bcnt1_i32_b32"), std::string::npos);
}

TEST_P(AmdGroup, VotesBallotsMatches_HETX_WS_2) {
  std::string text = assembly(warp_ops(mask()));
  EXPECT_EQ(lines(text, "v_mbcnt_hi_u32_b32").size(), is_wide() ? 1u : 0u) << text;
  EXPECT_NE(text.find("v_readfirstlane_b32"), std::string::npos) << text;
  EXPECT_NE(text.find("ds_bpermute_b32"), std::string::npos) << text;
}

// A turn per value: the lanes that have it leave with their mask in a register of their own.
TEST_P(AmdGroup, MatchesAreALoop_HETX_WS_2) {
  for (const char* type : {"u32", "i64"}) {
    std::string text = assembly(matches(mask(), type));
    EXPECT_EQ(lines(text, "v_readfirstlane_b32").size(), type == std::string("u32") ? 1u : 2u);
    EXPECT_EQ(lines(text, "s_cbranch_execnz").size(), 1u) << text;
    EXPECT_FALSE(lines(text, "ds_bpermute_b32").empty()) << text;
  }
}

TEST_P(AmdGroup, Shuffles_HETX_WS_2) {
  for (const char* type : {"u32", "i8", "f16", "f32"})
    EXPECT_EQ(lines(assembly(shuffles(mask(), type)), "ds_bpermute_b32").size(), 4u) << type;
  EXPECT_EQ(lines(assembly(shuffles(mask(), "f64")), "ds_bpermute_b32").size(), 8u);
}

TEST_P(AmdGroup, SharedAndLocalMemory_HETX_MEM_1_HETX_MEM_2) {
  std::string text = assembly(memory());
  EXPECT_EQ(lines(text, "ds_(read|write|load|store)\\w*").size(), 4u) << text;
  EXPECT_EQ(lines(text, "flat_\\w*").size(), 0u) << text;
  EXPECT_NE(text.find(".group_segment_fixed_size: 4096"), std::string::npos) << text;
}

TEST_P(AmdGroup, TheGridMeetsAtACounter) {
  std::string text = assembly(kernel(kGrid));
  EXPECT_EQ(lines(text, "s_barrier(_signal -1)?$").size(), 2u) << text;
  EXPECT_EQ(lines(text, "global_atomic_add\\w*").size(), 1u) << text;
}

}  // namespace
}  // namespace hetjit
