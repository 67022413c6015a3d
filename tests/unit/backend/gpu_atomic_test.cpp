// Atomic operations on GPUs: each with its order and scope, as the vendors' compilers write them.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <vector>

#include "tests/unit/backend/compiled.h"
#include "tests/unit/backend/programs.h"
#include "tests/unit/ir/run_text.h"

namespace hetjit {
namespace {

constexpr const char* kOrders[] = {"relaxed", "consume", "acquire",
                                   "release", "acq_rel", "seq_cst"};
constexpr const char* kScopes[] = {"system", "device", "block"};

/// `body` may use v0 (a pointer), v1 (a value), v2 (another pointer); values from v10 on are its
/// own.
ir::Module kernel(const std::string& type, const std::string& body) {
  const std::string pointer = "ptr[" + type + "]";
  return ir::parsed("k(p: " + pointer + ", x: " + type + ", q: " + pointer +
                    ") -> none\nb0(v0: " + pointer + ", v1: " + type + ", v2: " + pointer + "):\n" +
                    body + "  v9: none = none\n  return v9\n");
}

/// One instruction per order and scope, scope fastest.
template <class Write>
std::string for_each_order_and_scope(Write write) {
  std::string body;
  int next = 10;
  for (const char* order : kOrders)
    for (const char* scope : kScopes) body += write(next++, std::string(order) + " " + scope);
  return body;
}

/// Updates of every order and scope; each result is stored, so that none is dropped.
ir::Module updates(const std::string& type, const std::string& operation) {
  return kernel(type, for_each_order_and_scope([&](int value, const std::string& how) {
                  std::string name = "v" + std::to_string(value);
                  return "  " + name + ": " + type + " = atomicupdate " + operation + " " + how +
                         " v0, v1\n  store v2, " + name + "\n";
                }));
}

// ---- NVIDIA

std::string ptx_scope(const std::string& scope) {
  return scope == "system" ? "sys" : scope == "device" ? "gpu" : "cta";
}
/// The order of an operation; a sequentially consistent one stands behind a fence.
std::string ptx_order(const std::string& order) {
  return order == "consume" || order == "seq_cst" ? "acquire" : order;
}

constexpr const char* kPtxPattern =
    "(fence|atom|ld\\.(relaxed|acquire)|st\\.(relaxed|release))"
    "[.\\w]*";

/// What PTX has for an operation `rest` of every order and scope; `before` is what is there
/// independent of the order.
template <class Write>
std::vector<std::string> expected_ptx(Write write) {
  std::vector<std::string> expected;
  for (std::string order : kOrders)
    for (const char* name : kScopes) {
      std::string scope = ptx_scope(name);
      write(expected, order, scope);
    }
  return expected;
}

struct Updated {
  const char *type, *operation, *ptx;
};
void PrintTo(const Updated& it, std::ostream* out) { *out << it.type << " " << it.operation; }

class NvidiaUpdate : public ::testing::TestWithParam<Updated> {};
INSTANTIATE_TEST_SUITE_P(
    Native, NvidiaUpdate,
    ::testing::Values(Updated{"i32", "add", "add.u32"}, Updated{"i32", "sub", "add.u32"},
                      Updated{"i32", "exch", "exch.b32"}, Updated{"i32", "and", "and.b32"},
                      Updated{"i32", "or", "or.b32"}, Updated{"i32", "xor", "xor.b32"},
                      Updated{"i32", "max", "max.s32"}, Updated{"i32", "min", "min.s32"},
                      Updated{"u32", "add", "add.u32"}, Updated{"u32", "max", "max.u32"},
                      Updated{"u32", "nanmin", "min.u32"}, Updated{"i64", "add", "add.u64"},
                      Updated{"i64", "sub", "add.u64"}, Updated{"i64", "and", "and.b64"},
                      Updated{"i64", "or", "or.b64"}, Updated{"i64", "xor", "xor.b64"},
                      Updated{"i64", "min", "min.s64"}, Updated{"u64", "max", "max.u64"},
                      Updated{"u64", "exch", "exch.b64"}, Updated{"f32", "add", "add.f32"},
                      Updated{"f32", "sub", "add.f32"}, Updated{"f32", "exch", "exch.b32"},
                      Updated{"f64", "add", "add.f64"}, Updated{"f64", "sub", "add.f64"},
                      Updated{"f64", "exch", "exch.b64"}));

TEST_P(NvidiaUpdate, HasItsOrderAndScope_HETX_AT_2_HETX_ORD_1_HETX_SCO_1) {
  const Updated& it = GetParam();
  std::string ptx = assembly_for("cuda:sm_90", updates(it.type, it.operation));
  auto expected = expected_ptx([&](auto& to, const std::string& order, const std::string& scope) {
    if (order == "seq_cst") to.push_back("fence.sc." + scope);
    to.push_back("atom." + ptx_order(order) + "." + scope + ".global." + it.ptx);
  });
  EXPECT_EQ(lines(ptx, kPtxPattern), expected) << ptx;
}

class NvidiaLoop : public ::testing::TestWithParam<Updated> {};
INSTANTIATE_TEST_SUITE_P(CompareExchange, NvidiaLoop,
                         ::testing::Values(Updated{"f32", "max", "b32"},
                                           Updated{"f32", "min", "b32"},
                                           Updated{"f32", "nanmax", "b32"},
                                           Updated{"f64", "nanmin", "b64"},
                                           Updated{"f64", "max", "b64"}));

TEST_P(NvidiaLoop, HasItsOrderAndScope_HETX_AT_2) {
  const Updated& it = GetParam();
  std::string ptx = assembly_for("cuda:sm_90", updates(it.type, it.operation));
  auto expected = expected_ptx([&](auto& to, const std::string& order, const std::string& scope) {
    to.push_back("ld.relaxed." + scope + ".global." + it.ptx);
    if (order == "seq_cst") to.push_back("fence.sc." + scope);
    to.push_back("atom." + ptx_order(order) + "." + scope + ".global.cas." + it.ptx);
  });
  EXPECT_EQ(lines(ptx, kPtxPattern), expected) << ptx;
}

// Small ones go through the word that holds them.
class NvidiaSmall : public ::testing::TestWithParam<Updated> {};
INSTANTIATE_TEST_SUITE_P(InTheirWord, NvidiaSmall,
                         ::testing::Values(Updated{"i8", "add", ""}, Updated{"u16", "max", ""},
                                           Updated{"i16", "exch", ""}, Updated{"f16", "add", ""},
                                           Updated{"bf16", "max", ""}, Updated{"u8", "or", ""}));

TEST_P(NvidiaSmall, GoThroughTheWordThatHoldsThem_HETX_AT_2) {
  const Updated& it = GetParam();
  std::string ptx = assembly_for("cuda:sm_90", updates(it.type, it.operation));
  std::vector<std::string> atoms = lines(ptx, "atom[.\\w]*");
  for (const std::string& atom : atoms) EXPECT_TRUE(atom.ends_with(".b32")) << atom;
  // A loop, or one instruction, of each order and scope; or LLVM's form, fences round a relaxed
  // one.
  for (std::string order : kOrders)
    for (const char* name : kScopes) {
      const std::string scope = ptx_scope(name);
      const std::string fence = order == "seq_cst" ? "fence.sc." : "fence.acq_rel.";
      const std::string atom = "atom." + ptx_order(order) + "." + scope;
      const bool found = std::any_of(atoms.begin(), atoms.end(), [&](const std::string& line) {
        return line.starts_with(atom);
      });
      const bool fenced = ptx.find(fence + scope) != std::string::npos;
      EXPECT_TRUE(order == "seq_cst" ? fenced : found || fenced) << atom << ptx;
    }
  EXPECT_EQ(atoms.size(), 18u) << ptx;
}

TEST(NvidiaAtomic, CompareExchange_HETX_AT_2) {
  for (const char* type : {"i32", "u64", "f32", "f64"}) {
    std::string bits = std::string(type).ends_with("32") ? "b32" : "b64";
    std::string ptx = assembly_for(
        "cuda:sm_90", kernel(type, for_each_order_and_scope([&](int value, const std::string& how) {
                               std::string name = "v" + std::to_string(value);
                               return "  " + name + ": " + type + " = atomiccas " + how +
                                      " v0, v1, v1\n  store v2, " + name + "\n";
                             })));
    auto expected = expected_ptx([&](auto& to, const std::string& order, const std::string& scope) {
      if (order == "seq_cst") to.push_back("fence.sc." + scope);
      to.push_back("atom." + ptx_order(order) + "." + scope + ".global.cas." + bits);
    });
    EXPECT_EQ(lines(ptx, kPtxPattern), expected) << ptx;
  }
}

std::string ptx_load_order(const std::string& order) {
  return order == "relaxed" || order == "release" ? "relaxed" : "acquire";
}
std::string ptx_store_order(const std::string& order) {
  return order == "release" || order == "acq_rel" || order == "seq_cst" ? "release" : "relaxed";
}

struct Moved {
  const char *type, *ptx;
};
void PrintTo(const Moved& it, std::ostream* out) { *out << it.type; }
class NvidiaMove : public ::testing::TestWithParam<Moved> {};
INSTANTIATE_TEST_SUITE_P(Sizes, NvidiaMove,
                         ::testing::Values(Moved{"i8", "b8"}, Moved{"bool", "b8"},
                                           Moved{"f16", "b16"}, Moved{"i32", "b32"},
                                           Moved{"f32", "b32"}, Moved{"f64", "b64"},
                                           Moved{"f32x2", "b64"}, Moved{"(i32, f32)", "b64"},
                                           Moved{"c128", "b128"}, Moved{"f32x4", "b128"}));

TEST_P(NvidiaMove, LoadsAndStores_HETX_AT_1_HETX_AT_2) {
  const Moved& it = GetParam();
  std::string type = it.type;
  std::string ptx = assembly_for(
      "cuda:sm_90", kernel(type, for_each_order_and_scope([&](int value, const std::string& how) {
                             std::string name = "v" + std::to_string(value);
                             return "  " + name + ": " + type + " = atomicload " + how +
                                    " v0\n  atomicstore " + how + " v2, " + name + "\n";
                           })));
  auto expected = expected_ptx([&](auto& to, const std::string& order, const std::string& scope) {
    std::string tail = "." + scope + ".global." + it.ptx;
    for (bool load : {true, false}) {
      if (order == "seq_cst") to.push_back("fence.sc." + scope);
      to.push_back((load ? "ld." + ptx_load_order(order) : "st." + ptx_store_order(order)) + tail);
    }
  });
  std::regex in_braces("\\{ \\.reg \\.b128 %whole; (mov\\.b128 %whole, \\{[^}]*\\}; )?");
  EXPECT_EQ(lines(std::regex_replace(ptx, in_braces, ""), kPtxPattern), expected) << ptx;
  EXPECT_EQ(ptxas_complaint("sm_90", ptx), "");
}

TEST(NvidiaAtomic, Fences_HETX_AT_4) {
  std::string text = for_each_order_and_scope(
      [](int, const std::string& how) { return "  store v0, v1\n  fence " + how + "\n"; });
  std::string ptx = assembly_for("cuda:sm_90", kernel("i32", text + "  fence seq_cst thread\n"));
  auto expected = expected_ptx([&](auto& to, const std::string& order, const std::string& scope) {
    const std::string fence = order == "seq_cst" ? "fence.sc." : "fence.acq_rel.";
    if (order != "relaxed") to.push_back(fence + scope);
  });
  EXPECT_EQ(lines(ptx, kPtxPattern), expected) << ptx;
}

TEST(NvidiaAtomic, ScopeThreadIsPlain_HETX_SCO_1) {
  std::string ptx =
      assembly_for("cuda:sm_90", kernel("f32", R"(  v10: f32 = atomicload seq_cst thread v0
  v11: f32 = atomicupdate add seq_cst thread v0, v10
  v12: f32 = atomicupdate nanmax seq_cst thread v0, v1
  v13: f32 = atomiccas seq_cst thread v0, v11, v12
  atomicstore seq_cst thread v2, v13
)"));
  EXPECT_EQ(lines(ptx, kPtxPattern), std::vector<std::string>{}) << ptx;
  EXPECT_NE(ptx.find("st.global.b32"), std::string::npos) << ptx;
}

TEST(NvidiaAtomic, SharedMemoryIsKnownToBeShared) {
  std::string ptx =
      assembly_for("cuda:sm_90", kernel("i32", R"(  v10: ptr[i32] = sharedmemory 0 128 4
  v11: i64 = const 32
  v12: array[i32, 1, contiguous] = makearray v10, v11
  v13: u32 = threadindex 0
  v14: i64 = convert v13
  v15: ptr[i32] = element v12, v14
  v16: i32 = atomicupdate add relaxed block v15, v1
  v17: i32 = atomiccas acquire block v15, v1, v1
  v18: i32 = atomicload relaxed block v15
  v19: i32 = add v16, v17
  v20: i32 = add v18, v19
  store v2, v20
)"));
  EXPECT_EQ(lines(ptx, kPtxPattern), (std::vector<std::string>{"atom.relaxed.cta.shared.add.u32",
                                                               "atom.acquire.cta.shared.cas.b32",
                                                               "ld.relaxed.cta.shared.b32"}))
      << ptx;
}

TEST(NvidiaAtomic, SixteenBytesAreForEveryArchitecture_HETX_AT_1) {
  for (const char* arch : {"sm_70", "sm_80", "sm_90", "sm_100"}) {
    auto module = kernel("f32x4",
                         "  v10: f32x4 = atomicload seq_cst system v0\n"
                         "  atomicstore release block v2, v10\n");
    auto image = compile_for(std::string("cuda:") + arch, module);
    ASSERT_TRUE(image.ok()) << image.error().text;
    EXPECT_EQ(ptxas_complaint(arch, code_text(*image).c_str()), "") << arch;
  }
}

TEST(NvidiaAtomic, EveryArchitectureTakesThem_HETX_AT_2) {
  if (ptxas().empty()) GTEST_SKIP() << "no ptxas: PTX was made but not assembled";
  struct Type {
    const char* name;
    std::vector<const char*> operations;
  };
  const std::vector<const char*> all = {"exch", "add", "sub", "and",    "or",
                                        "xor",  "max", "min", "nanmax", "nanmin"};
  const std::vector<const char*> arithmetic = {"exch", "add",    "sub",   "max",
                                               "min",  "nanmax", "nanmin"};
  const Type types[] = {{"i32", all},        {"u32", all},        {"i64", all}, {"u64", all},
                        {"f32", arithmetic}, {"f64", arithmetic}, {"u8", all},  {"i16", all},
                        {"f16", arithmetic}, {"bf16", arithmetic}};
  for (const char* arch : {"sm_70", "sm_80", "sm_90", "sm_100"})
    for (const Type& type : types) {
      std::string body;
      int value = 10;
      for (const char* operation : type.operations)
        for (const char* how : {"relaxed block", "release device", "acq_rel system",
                                "seq_cst system", "seq_cst thread"}) {
          std::string name = "v" + std::to_string(value++);
          body += "  " + name + ": " + type.name + " = atomicupdate " + operation + " " + how +
                  " v0, v1\n  store v2, " + name + "\n";
        }
      auto image = compile_for(std::string("cuda:") + arch, kernel(type.name, body));
      ASSERT_TRUE(image.ok()) << image.error().text;
      EXPECT_EQ(ptxas_complaint(arch, code_text(*image).c_str()), "") << arch << type.name;
    }
}

// ---- AMD

class AmdAtomic : public ::testing::TestWithParam<const char*> {
 protected:
  std::string assembly(const ir::Module& module) {
    return assembly_for(std::string("hip:") + GetParam(), module);
  }
};
INSTANTIATE_TEST_SUITE_P(Archs, AmdAtomic,
                         ::testing::Values("gfx90a", "gfx942", "gfx1100", "gfx1201"),
                         [](const auto& param) { return std::string(param.param); });

TEST_P(AmdAtomic, UpdatesOfEveryOrderAndScope_HETX_AT_2_HETX_ORD_1_HETX_SCO_1) {
  for (const char* type : {"i32", "u64"}) {
    std::string text = assembly(updates(type, "add"));
    // One lane adds for all.
    EXPECT_EQ(lines(text, "global_atomic_add\\w*").size(), 18u) << text;
  }
  for (const char* operation : {"exch", "and", "or", "xor", "sub", "min", "max"})
    EXPECT_FALSE(lines(assembly(updates("i32", operation)), "global_atomic_\\w*").empty())
        << operation;
  for (const char* type : {"f32", "f64", "f16", "bf16", "u8", "i16"})
    for (const char* operation : {"add", "sub", "max", "nanmin", "exch"}) {
      auto image = compile_for(std::string("hip:") + GetParam(), updates(type, operation));
      EXPECT_TRUE(image.ok()) << type << operation << image.error().text;
    }
}

TEST_P(AmdAtomic, LdsIsKnownToBeLds) {
  std::string text = assembly(kernel("i32", R"(  v10: ptr[i32] = sharedmemory 0 128 4
  v11: i64 = const 32
  v12: array[i32, 1, contiguous] = makearray v10, v11
  v13: u32 = threadindex 0
  v14: i64 = convert v13
  v15: ptr[i32] = element v12, v14
  v16: i32 = atomicupdate add relaxed block v15, v1
  v17: i32 = atomiccas acquire block v15, v1, v1
  v18: i32 = atomicload relaxed block v15
  v19: i32 = add v16, v17
  v20: i32 = add v18, v19
  store v2, v20
)"));
  EXPECT_EQ(lines(text, "ds_add\\w*").size(), 1u) << text;
  EXPECT_EQ(lines(text, "ds_cmp\\w*").size(), 1u) << text;
  EXPECT_EQ(lines(text, "flat_\\w*").size(), 0u) << text;
}

// No instruction of theirs moves sixteen bytes as a whole.
TEST(AmdAtomic16, IsAnErrorAndNotTheEndOfTheProcess_HETX_AT_1) {
  auto module = kernel("f32x4",
                       "  v10: f32x4 = atomicload seq_cst system v0\n"
                       "  atomicstore release block v2, v10\n");
  auto image = compile_for("hip:gfx942", module);
  ASSERT_FALSE(image.ok());
  EXPECT_EQ(image.error().code, ErrorCode::Internal) << image.error().text;
}

// The fence that each scope needs, by what the architecture has for it.
TEST(AmdFence, WritesBackAndInvalidates_HETX_AT_4) {
  auto fences = [](const char* arch, const char* how) {
    auto module = kernel("i32", "  store v0, v1\n  fence " + std::string(how) +
                                    "\n  v10: i32 = load v2\n  store v0, v10\n");
    return lines(assembly_for(std::string("hip:") + arch, module),
                 "buffer_(wbl2|inv|gl0_inv|gl1_inv|wbinvl1_vol|invl2)( sc\\d)*|global_(inv|wb).*");
  };
  using Lines = std::vector<std::string>;
  EXPECT_EQ(fences("gfx942", "seq_cst system"),
            (Lines{"buffer_wbl2 sc0 sc1", "buffer_inv sc0 sc1"}));
  EXPECT_EQ(fences("gfx942", "acq_rel device"), (Lines{"buffer_wbl2 sc1", "buffer_inv sc1"}));
  EXPECT_EQ(fences("gfx942", "acq_rel block"), Lines{});
  EXPECT_EQ(fences("gfx90a", "release system"), Lines{"buffer_wbl2"});
  EXPECT_EQ(fences("gfx1100", "acquire device"), (Lines{"buffer_gl1_inv", "buffer_gl0_inv"}));
}

}  // namespace
}  // namespace hetjit
