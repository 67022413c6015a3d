// Kernels whose threads wait for one another, on the host against the interpreter: every block size
// that leaves warps whole, in part, or spread over rows.
#include <gtest/gtest.h>

#include "tests/unit/backend/compiled.h"
#include "tests/unit/ir/run_grid.h"

namespace hetjit {
namespace {

struct Case {
  const char* name;
  const char* element;
  const char* body;
  size_t multiple = 1;  // of threads: lanes that nobody has give nothing
};

Geometry launch(uint32_t blocks, uint32_t x, uint32_t y, uint32_t z) {
  Geometry made = ir::geometry(blocks, x, 1024);
  made.block[1] = y;
  made.block[2] = z;
  return made;
}

const Geometry kLaunches[] = {launch(1, 1, 1, 1),   launch(3, 8, 1, 1),  launch(2, 37, 1, 1),
                              launch(2, 64, 1, 1),  launch(1, 16, 4, 1), launch(2, 5, 3, 2),
                              launch(1, 100, 2, 1), launch(1, 256, 1, 1)};

/// Bodies may use v50, the thread's number in its block (i64), and v51, how many it has. With its
/// index along y beside it, blocks are no rows to it (plan/flat_blocks.h).
std::string with_number(const Case& it) {
  std::string text = R"(  v40: u32 = threadindex 1
  v41: u32 = threadindex 2
  v42: u32 = blockdim 1
  v43: u32 = blockdim 2
  v44: u32 = mul v42, v41
  v45: u32 = add v44, v40
  v46: u32 = mul v6, v45
  v56: u32 = add v46, v1
  v57: u32 = sub v40, v40
  v47: u32 = add v56, v57
  v50: i64 = convert v47
  v48: u32 = mul v42, v43
  v49: u32 = mul v6, v48
  v51: i64 = convert v49
  v52: u32 = mul v5, v49
  v53: u32 = add v52, v47
  v54: i64 = convert v53
  v55: ptr[ELEMENT] = element v0, v54
)";
  std::string element = it.element;
  text.replace(text.find("ELEMENT"), 7, element);
  return ir::whole_kernel(element, text + it.body);
}

template <class T>
void compare(const Case& it, unsigned lanes) {
  ir::Module module = ir::parsed(with_number(it));
  ASSERT_FALSE(module.functions.empty()) << it.name;
  target::Target& cpu = find("cpu:native");
  auto image = target::emit(lowered(module, planned(module, cpu, lanes), "kernel", cpu), cpu, {});
  ASSERT_TRUE(image.ok());
  auto code = link(image->code);
  ASSERT_TRUE(code.ok());
  auto entry = reinterpret_cast<HostEntry>((*code)->find(image->entry));
  for (const Geometry& geometry : kLaunches) {
    size_t threads = size_t{geometry.block[0]} * geometry.block[1] * geometry.block[2];
    if (threads % it.multiple) continue;
    std::vector<T> expected(threads * geometry.grid[0]);
    for (size_t i = 0; i < expected.size(); ++i) expected[i] = static_cast<T>(i * 37 % 101);
    std::vector<T> computed = expected, start = expected;
    Status status = ir::run_on(with_number(it), expected, geometry);
    ASSERT_TRUE(status.ok()) << it.name << ": " << status.error().text;
    ir::Arguments arguments(module);
    arguments.put(ir::array_of(computed, {static_cast<int64_t>(computed.size())}));
    entry(arguments.bytes().data(), &geometry, 0, geometry.grid[0]);
    EXPECT_EQ(expected, computed) << it.name << ", " << lanes << " lanes, " << geometry.block[0]
                                  << " x " << geometry.block[1] << " x " << geometry.block[2];
  }
}

constexpr Case kCases[] = {
    {"reverse", "i32", R"(  v60: ptr[i32] = sharedmemory 0 4096 4
  v61: array[i32, 1, contiguous] = makearray v60, v51
  v62: i32 = load v55
  v63: ptr[i32] = element v61, v50
  store v63, v62
  barrier
  v64: i64 = const 1
  v65: i64 = sub v51, v64
  v66: i64 = sub v65, v50
  v67: ptr[i32] = element v61, v66
  v68: i32 = load v67
  store v55, v68
)"},
    // A tree: a loop that all threads go through alike, with a barrier in each turn.
    {"tree", "i32", R"(  v60: ptr[i32] = sharedmemory 0 8192 4
  v61: i64 = const 2048
  v62: array[i32, 1, contiguous] = makearray v60, v61
  v63: i32 = load v55
  v64: ptr[i32] = element v62, v50
  store v64, v63
  v80: i64 = const 1024
  v81: i64 = add v50, v80
  v82: ptr[i32] = element v62, v81
  v83: i32 = const 0
  store v82, v83
  v65: i64 = const 512
  v66: i64 = const 0
  v67: i64 = const 1
  jump b1(v65)
b1(v68: i64):
  v69: bool = compare gt v68, v66
  branch v69, b2, b5
b2():
  barrier
  v70: bool = compare lt v50, v68
  branch v70, b3, b4
b3():
  v71: i64 = add v50, v68
  v84: bool = compare lt v71, v51
  v85: i64 = select v84, v71, v80
  v72: ptr[i32] = element v62, v85
  v73: i32 = load v72
  v74: i32 = load v64
  v75: i32 = add v73, v74
  store v64, v75
  jump b4
b4():
  v76: i64 = shr v68, v67
  jump b1(v76)
b5():
  barrier
  v77: ptr[i32] = element v62, v66
  v78: i32 = load v77
  store v55, v78
)"},
    // A loop over memory in which warps take turns.
    {"sweep", "i32", R"(  v60: ptr[i32] = sharedmemory 0 4096 4
  v61: array[i32, 1, contiguous] = makearray v60, v51
  v62: i64 = const 0
  v63: i64 = const 1
  v64: i64 = const 5
  v65: i32 = const 0
  jump b1(v62, v65)
b1(v66: i64, v67: i32):
  v68: bool = compare lt v66, v64
  branch v68, b2, b3
b2():
  v69: i64 = and v66, v62
  v70: i64 = add v54, v69
  v71: ptr[i32] = element v0, v70
  v72: i32 = load v71
  v73: i32 = add v67, v72
  v74: i32 = convert v66
  v75: i32 = xor v73, v74
  v76: i64 = add v66, v63
  jump b1(v76, v75)
b3():
  v77: ptr[i32] = element v61, v50
  store v77, v67
  barrier
  v78: i64 = sub v51, v63
  v79: i64 = sub v78, v50
  v80: ptr[i32] = element v61, v79
  v81: i32 = load v80
  store v55, v81
)"},
    // A barrier behind a condition in a loop: the phase behind it begins inside of the loop.
    {"sometimes", "i32", R"(  v60: ptr[i32] = sharedmemory 0 4096 4
  v61: array[i32, 1, contiguous] = makearray v60, v51
  v62: i64 = const 0
  v63: i64 = const 1
  v64: i64 = const 6
  v65: i32 = load v55
  jump b1(v62, v65)
b1(v66: i64, v67: i32):
  v68: bool = compare lt v66, v64
  branch v68, b2, b6
b2():
  v69: i64 = and v66, v63
  v70: bool = compare eq v69, v62
  branch v70, b3, b4
b3():
  v71: ptr[i32] = element v61, v50
  store v71, v67
  barrier
  v72: i64 = add v50, v63
  v73: i64 = mod v72, v51
  v74: ptr[i32] = element v61, v73
  v75: i32 = load v74
  barrier
  jump b5(v75)
b4():
  v76: i32 = add v67, v67
  jump b5(v76)
b5(v77: i32):
  v78: i64 = add v66, v63
  v79: i32 = convert v66
  v80: i32 = add v77, v79
  jump b1(v78, v80)
b6():
  store v55, v67
)"},
    // Some threads are done before the others wait.
    {"leavers", "i32", R"(  v60: ptr[i32] = sharedmemory 0 4096 4
  v61: array[i32, 1, contiguous] = makearray v60, v51
  v62: i32 = load v55
  v63: ptr[i32] = element v61, v50
  store v63, v62
  v64: i64 = const 3
  v65: i64 = mod v50, v64
  v66: i64 = const 1
  v67: bool = compare eq v65, v66
  branch v67, b2, b1
b1():
  barrier
  v68: i64 = const 0
  v69: i64 = add v50, v66
  v70: i64 = mod v69, v51
  v71: ptr[i32] = element v61, v70
  v72: i32 = load v71
  v73: i32 = add v72, v62
  barrier
  store v55, v73
  jump b2
b2():
)"},
    {"votes", "i32", R"(  v60: i32 = load v55
  v61: i32 = const 50
  v62: bool = compare lt v60, v61
  v63: i32 = barriervote count v62
  v64: bool = barriervote and v62
  v65: bool = barriervote or v62
  v66: i32 = convert v64
  v67: i32 = convert v65
  v68: i32 = const 1000
  v69: i32 = mul v66, v68
  v70: i32 = add v69, v67
  v71: i32 = mul v63, v68
  v72: i32 = add v71, v70
  store v55, v72
)"},
    {"launch", "u32", R"(  v60: ptr[u32] = dynamicshared
  v61: u32 = dynamicsharedbytes
  v62: i64 = const 256
  v63: array[u32, 1, contiguous] = makearray v60, v62
  v64: ptr[u32] = element v63, v50
  store v64, v47
  barrier
  v65: i64 = const 0
  v66: ptr[u32] = element v63, v65
  v67: u32 = load v66
  v68: u32 = load v64
  v69: u32 = add v67, v68
  v70: u32 = add v69, v61
  store v55, v70
)"},
    // A thread's own array, over a barrier.
    {"own", "i32", R"(  v60: ptr[i32] = localmemory 0 16 4
  v61: i64 = const 4
  v62: array[i32, 1, contiguous] = makearray v60, v61
  v63: i64 = mod v50, v61
  v64: ptr[i32] = element v62, v63
  v65: i32 = load v55
  store v64, v65
  barrier
  v66: i32 = load v64
  v67: i32 = add v66, v66
  store v55, v67
)"},
    {"shuffles", "i32", R"(  v60: u32 = const 4294967295
  v61: i32 = load v55
  v62: i32 = const 1
  v63: i32 = shuffle down v60, v61, v62
  v64: i32 = shuffle up v60, v63, v62
  v65: i32 = const 3
  v66: i32 = shuffle xor v60, v64, v65
  v67: i32 = const 0
  v68: i32 = shuffle index v60, v66, v67
  v69: u32 = laneindex
  v70: i32 = convert v69
  v71: i32 = and v70, v65
  v72: i32 = shuffle index v60, v66, v71
  v73: i32 = add v68, v72
  v74: i32 = add v73, v70
  store v55, v74
)",
     4},
    {"ballots", "u32", R"(  v60: u32 = activemask
  v61: u32 = load v55
  v62: u32 = const 3
  v63: u32 = and v61, v62
  v64: u32 = const 1
  v65: bool = compare eq v63, v64
  v66: u32 = ballot v60, v65
  v67: u32 = match any v60, v63
  v68: u32 = match all v60, v63
  v69: bool = vote any v60, v65
  v70: bool = vote all v60, v65
  v71: bool = vote equal v60, v65
  v72: u32 = convert v69
  v73: u32 = convert v70
  v74: u32 = convert v71
  v75: u32 = xor v66, v67
  v76: u32 = add v75, v68
  v77: u32 = add v72, v73
  v78: u32 = add v77, v74
  v79: u32 = add v76, v78
  store v55, v79
)"},
    {"histogram", "i32", R"(  v60: ptr[i32] = sharedmemory 0 64 4
  v61: i64 = const 16
  v62: array[i32, 1, contiguous] = makearray v60, v61
  v63: i64 = mod v50, v61
  v64: ptr[i32] = element v62, v63
  v65: i32 = const 0
  store v64, v65
  barrier
  v66: i32 = load v55
  v67: i32 = const 15
  v68: i32 = and v66, v67
  v69: i64 = convert v68
  v70: ptr[i32] = element v62, v69
  v71: i32 = const 1
  v72: i32 = atomicupdate add relaxed block v70, v71
  v73: i64 = const 0
  v74: ptr[i32] = element v62, v73
  v75: i32 = atomicupdate max seq_cst system v74, v65
  barrier
  v76: i32 = load v70
  store v55, v76
)",
     16},
};

TEST(Phases, HostIsTheInterpreter_HETX_MEM_1_HETX_MEM_2_HETX_BS_1_HETX_WS_2) {
  for (const Case& it : kCases)
    for (unsigned lanes : {8u, 16u, 32u, 1u})
      it.element[0] == 'u' ? compare<uint32_t>(it, lanes) : compare<int32_t>(it, lanes);
}

}  // namespace
}  // namespace hetjit
