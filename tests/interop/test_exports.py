"""C++ that calls functions of Python: every kind of value, as parameter and as result, with the symbols and conventions of C++ compilers."""

import os
import random
import re
import subprocess

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed for this Python")

import matrix
from hetjit import device, toolchain

RECORDS = matrix.records(90, seed=9)
ARRAYS = [getattr(device, name)[(slice(None),) * rank] for name in ("int8", "float32", "complex128") for rank in (1, 2, 3, 4)]


def _signatures():
    """(types, which of them comes back; None: all, as a tuple). Arrays do not leave a function."""
    draw = random.Random(23)
    plain = matrix.SCALARS + matrix.VECTORS
    for t in [*plain, *RECORDS]:
        yield [t], 0
    for t in ARRAYS:
        yield [t, device.int64], 1
    for number in range(180):
        types = draw.sample([*plain, *RECORDS, *ARRAYS], 2 + number % 7)
        types.insert(number % len(types), RECORDS[number % len(RECORDS)] if number % 2 else plain[number % len(plain)])
        yield types, number % (len(types) - 1)
    for number in range(60):
        yield draw.sample(plain, 2 + number % 4), None


SIGNATURES = list(_signatures())
SHARES = 8
RUN = range(SHARES if os.environ.get("HETJIT_MACHINES") == "all" else 2)  # ./dev test --all: every signature


def function(number, types, back):
    """The Python function of a signature: gives back one of its parameters, or all."""
    names = [f"p{i}" for i in range(len(types))]
    result = names[back] if back is not None else "(" + ", ".join(names) + ")"
    scope = {}
    exec(f"def give{number}({', '.join(names)}):\n    return {result}\n", scope)
    return device.func(interop=True)(scope[f"give{number}"])


def program(share):
    """C++ that calls each and compares leaf by leaf what comes back."""
    includes, calls = [], []
    for number, types, back in share:
        includes.append(f'#include "give{number}.hpp"')
        calls.append(f"  test({number}, {-1 if back is None else back}, give{number});")
    return "\n".join([*includes, matrix.SOURCE, """
#include <cstdio>
#include <tuple>
template <class V> void fill(V& v, unsigned long long seed) {
  writer to{seed};
  if constexpr (requires { v.strides; }) {
    to.leaf((void*)&v.data, 8), to.leaf((void*)v.shape, sizeof v.shape), to.leaf((void*)v.strides, sizeof v.strides);
  } else {
    each(to, v);
  }
}
template <class V> void take(reader& to, const V& v) {
  if constexpr (requires { v.strides; }) {
    to.leaf(&v.data, 8), to.leaf(v.shape, sizeof v.shape), to.leaf(v.strides, sizeof v.strides);
  } else {
    each(to, v);
  }
}
int wrong = 0;
template <class R, class... P> void test(int number, int which, R (*call)(P...)) {
  unsigned long long seed = 1000ull * number, want = 0;
  int place = 0;
  reader all;
  auto next = [&]<class V>(V v) {
    fill(v, ++seed);
    reader one;
    take(one, v), take(all, v);
    if (place++ == which) want = one.hash;
    return v;
  };
  std::tuple<P...> given{next(P())...};
  R made = std::apply(call, given);
  reader got;
  take(got, made);
  if (which < 0) want = all.hash;
  if (got.hash != want) std::printf("give%d\\n", number), ++wrong;
}
int main() {""", *calls, "  return wrong != 0;", "}"])


def shares(per):
    numbered = [(number, *row) for number, row in enumerate(SIGNATURES)]
    return [numbered[i::per] for i in range(per)]


def exported(share, target, kind, folder):
    return [function(number, types, back).compile(tuple(types), target=target, kind=kind).write(folder)
            for number, types, back in share]


def run(command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)
    assert done.returncode == 0, done.stderr[-4000:] + done.stdout[-2000:]
    return done.stdout


@pytest.mark.row("HETX-IF-1")
@pytest.mark.row("HETX-IF-2")
@pytest.mark.row("HETX-IF-3")
@pytest.mark.row("HETX-FN-3")
@pytest.mark.row("HET-NUM-7")
@pytest.mark.row("HET-VEC-21")
@pytest.mark.row("HET-TUP-5")
@pytest.mark.parametrize("share", RUN)
def test_host_compilers_call_each(share, tmp_path):
    rows = shares(SHARES)[share]
    objects = exported(rows, "cpu:x86-64-v2", "object", tmp_path)
    (tmp_path / "main.cpp").write_text(program(rows))
    for compiler in ("g++", "clang++-22"):
        for level in ("-O0", "-O2"):
            run([compiler, "-std=c++20", level, "-w", "-I", tmp_path, tmp_path / "main.cpp", *objects, "-o", tmp_path / "main"])
            assert run([tmp_path / "main"]) == ""


def test_a_share_is_no_small_thing():
    assert len(SIGNATURES) >= 400 and sum(map(len, shares(SHARES))) == len(SIGNATURES)


# ---- what only a driver could run: both sides say alike how each is called

def _prototypes(ptx, word):
    """Function -> (result, parameters) of PTX, without names."""
    found = {}
    for match in re.finditer(word + r" \.func\s*(\([^)]*\))?\s*(give\d+)\s*(\([^)]*\))", ptx):
        plain = [re.sub(r"\s+", " ", re.sub(r"(\.b\d+|\.f\d+) \w+", r"\1", part or "()")).replace("( ", "(").replace(" )", ")").strip()
                 for part in (match[1], match[3])]
        found[match[2]] = tuple(plain)
    return found


def _caller(rows):
    """Device code that calls each, so that what C++ thinks of it is in its PTX or LLVM IR."""
    lines = [f'#include "give{number}.hpp"' for number, _, _ in rows]
    for number, _, _ in rows:
        lines.append(f"template <class R, class... P> __device__ void call{number}(R (*)(P...), void* const* at) {{\n  int i = 0;\n"
                     f"  *(R*)at[0] = give{number}(*(P*)at[++i]...);\n}}")
        lines.append(f'extern "C" __device__ void use{number}(void* const* at) {{ call{number}(give{number}, at); }}')
    return "\n".join(lines)


@pytest.mark.parametrize("share", RUN)
def test_nvcc_declares_each_alike(share, tmp_path):
    nvcc = toolchain.find("nvcc")
    if not nvcc:
        pytest.skip("nvcc is not installed")
    rows = shares(SHARES)[share]
    ours = {}
    for path in exported(rows, "cuda:sm_90", "ptx", tmp_path):
        ours.update(_prototypes(path.read_text(), r"\.visible"))
    (tmp_path / "caller.cu").write_text(_caller(rows))
    run([nvcc, "-std=c++20", "-rdc=true", "-arch=sm_90", "-w", "-ptx", "-I", tmp_path, "-o", tmp_path / "caller.ptx", tmp_path / "caller.cu"])
    theirs = _prototypes((tmp_path / "caller.ptx").read_text(), r"\.extern")
    assert len(ours) == len(rows) and ours == theirs


def test_nvlink_links_a_cubin(tmp_path):
    nvcc, nvlink = toolchain.find("nvcc"), toolchain.find("nvlink")
    if not nvcc or not nvlink:
        pytest.skip("nvcc and nvlink are not installed")
    rows = shares(SHARES)[0][:12]
    cubins = exported(rows, "cuda:sm_90", "cubin", tmp_path)
    (tmp_path / "caller.cu").write_text(_caller(rows))
    run([nvcc, "-std=c++20", "-rdc=true", "-arch=sm_90", "-w", "-cubin", "-I", tmp_path, "-o", tmp_path / "caller.cubin", tmp_path / "caller.cu"])
    run([nvlink, "--arch=sm_90", tmp_path / "caller.cubin", *cubins, "-o", tmp_path / "linked.cubin"])


def _llvm_types(text, word):
    """Function -> its type in LLVM IR, without names and what may differ between caller and callee."""
    structs = dict(re.findall(r"^(%\S+|%\".*?\") = type (.*)$", text, re.M))

    def spelled(part):
        known = re.search(r'%"[^"]*"|%struct[\w.:]*', part)
        return spelled(part.replace(known[0], structs[known[0]])) if known else part

    found = {}
    for match in re.finditer(rf"^{word} (.*?)@(give\d+)\((.*?)\)( local_unnamed_addr)?( #\d+)?( align \d+)?( \{{)?$", text, re.M):
        plain = [re.sub(r"%(?!struct|\")[\w.]+|\b(dso_local|hidden|protected|local_unnamed_addr|convergent|noundef|noalias|nocapture|writable|dead_on_unwind|"
                        r"readonly|captures\(none\)|initializes\(.*?\)\)|dereferenceable\(\d+\)|nonnull|writeonly|readnone|range\(.*?\)|nofpclass\(.*?\))", "", part)
                 for part in (match[1], match[3])]
        found[match[2]] = tuple(re.sub(r"\s+", " ", spelled(part)).replace(" ,", ",").strip() for part in plain)
    return found


@pytest.mark.parametrize("share", RUN)
def test_clang_declares_each_alike_for_amd(share, tmp_path):
    rows = shares(SHARES)[share]
    ours = {}
    for path in exported(rows, "hip:gfx942", "llvm", tmp_path):
        ours.update(_llvm_types(path.read_text(), "define"))
    (tmp_path / "caller.hip").write_text("#define __device__ __attribute__((device))\n" + _caller(rows))
    run(["clang++-22", "-x", "hip", "--offload-arch=gfx942", "--offload-device-only", "-nogpulib", "-nogpuinc", "-fgpu-rdc", "-std=c++20", "-O1", "-w",
         "--rocm-path=" + str(tmp_path),  # where HIP is installed clang puts wrappers round <new>, which ask for what -nogpuinc leaves out
         "-I", tmp_path, "-S", "-emit-llvm", "-o", tmp_path / "caller.ll", tmp_path / "caller.hip"])
    assert len(ours) == len(rows) and ours == _llvm_types((tmp_path / "caller.ll").read_text(), "declare")


# ---- what a caller sees


def interop(function):
    return device.func(interop=True)(function)


def built(folder, source, *objects):
    (folder / "main.cpp").write_text(source)
    run(["g++", "-std=c++20", "-I", folder, folder / "main.cpp", *objects, "-o", folder / "main"])
    return run([folder / "main"])


@pytest.mark.row("HET-NONE-3")
def test_none_goes_both_ways(tmp_path):
    @interop
    def pick(nothing, x):
        return (nothing, x + 1)

    code = pick.compile((type(None), int)).write(tmp_path)
    assert built(tmp_path, '#include <cstdio>\n#include "pick.hpp"\nint main() { auto r = pick((void*)1, 4); std::printf("%d %d", r.m0 == nullptr, r.m1); }',
                 code) == "1 5"


def test_a_thread_of_the_host_is_where_cxx_says(tmp_path):
    @interop
    def place():
        return (device.tid(1), device.block_dim.x)

    code = place.compile(()).write(tmp_path)
    source = """#include <cstdio>
        #include "place.hpp"
        void show() { auto p = place(); std::printf("%d %d\\n", int(p.m0), int(p.m1)); }
        int main() { show(); hetjit_place.thread[0] = 5; hetjit_place.block[0] = 2; hetjit_place.block_dimension[0] = 32; show(); }"""
    assert built(tmp_path, source, code) == "0 1\n69 32\n"


def test_elements_of_arrays_are_read_and_written(tmp_path):
    @interop
    def turn(x, i):
        last = x[-1, i]
        x[0, i] = last * 2
        return last

    code = turn.compile((device.float32[:, :], int)).write(tmp_path)
    source = """#include <cstdio>
        #include "turn.hpp"
        int main() {
          float data[6] = {1, 2, 3, 4, 5, 6};
          float last = turn({data, {3, 2}, {2, 1}}, 1), other = turn({data + 5, {3, 2}, {hetjit::uint64(-2), hetjit::uint64(-1)}}, 0);
          std::printf("%g %g %g %g", last, data[1], other, data[5]);
        }"""
    source = source.replace("turn({data", "turn(made(data").replace("}}, 1)", "}), 1)").replace("}}, 0)", "}), 0)")
    source = source.replace("int main", """hetjit::interoperable_array_descriptor<float, 2> made(float* at, const hetjit::uint64 (&shape)[2], const hetjit::uint64 (&strides)[2]) {
          hetjit::interoperable_array_descriptor<float, 2> a;
          a.data = at;
          for (int i = 0; i < 2; ++i) a.shape[i] = shape[i], a.strides[i] = strides[i];
          return a;
        }
        int main""")
    assert built(tmp_path, source, code) == "6 12 12 24"


@pytest.mark.parametrize("rank", [1, 2, 3, 4])
def test_descriptors_of_each_rank(rank, tmp_path):
    scope = {}
    exec(f"def ends(a):\n    return (a[{', '.join(['-1'] * rank)}], {', '.join(f'a.shape[{axis}]' for axis in range(rank))})\n", scope)
    code = interop(scope["ends"]).compile((ARRAYS[4 + rank - 1],)).write(tmp_path)
    last = sum((axis + 1) * (100 >> axis) for axis in range(rank))
    parts = " && ".join(["got.m0 == 7", *(f"got.m{axis + 1} == {axis + 2}" for axis in range(rank))])
    source = f"""#include "ends.hpp"
        int main() {{
          static float data[1000];
          data[{last}] = 7;
          hetjit::interoperable_array_descriptor<float, {rank}> a;
          a.data = data;
          for (int i = 0; i < {rank}; ++i) a.shape[i] = i + 2, a.strides[i] = 100 >> i;
          auto got = ends(a);
          return !({parts});
        }}"""
    built(tmp_path, source, code)


def test_a_function_without_a_result_is_void(tmp_path):
    """Nothing is stored for its None: there is no place."""
    @interop
    def doubled(x):
        for i in range(x.shape[0]):
            x[i] *= 2

    code = doubled.compile((device.float32[:],)).write(tmp_path)
    source = """#include <cstdio>
        #include "doubled.hpp"
        int main() {
          float data[3] = {1, 2, 3};
          hetjit::interoperable_array_descriptor<float, 1> x;
          x.data = data, x.shape[0] = 3, x.strides[0] = 1;
          doubled(x);
          std::printf("%g %g %g", data[0], data[1], data[2]);
        }"""
    assert built(tmp_path, source, code) == "2 4 6"
    for target in ("cuda:sm_90", "hip:gfx942"):
        assert b"fmul" in doubled.compile((device.float32[:],), target=target, kind="llvm").code


def test_what_cannot_be_called_is_refused():
    @interop
    def waiting(x):
        device.syncthreads()
        return x

    with pytest.raises(device.CompileError, match="waits for others"):
        waiting.compile((int,))
    assert b".visible .func" in waiting.compile((int,), target="cuda:sm_90", kind="ptx").code


def test_kinds_and_targets_that_there_are_not():
    @interop
    def one(x):
        return x

    with pytest.raises(ValueError, match="for hip it is one of"):
        one.compile((int,), target="hip:gfx942", kind="ltoir")
    with pytest.raises(ValueError, match="one of"):
        one.compile((int,), kind="cubin")
    with pytest.raises(ValueError, match="a target is"):
        one.compile((int,), target="nowhere")
    with pytest.raises(TypeError, match="interop=True"):
        device.func(lambda x: x).compile((int,))


def test_the_symbol_is_the_functions_name_or_what_is_said():
    @device.func(interop=True, name="other")
    def one(x):
        return x

    made = one.compile((int,), kind="asm")
    assert made.symbol == "other" and b"other:" in made.code and "int32 other(" in made.header


@pytest.mark.row("HETX-KF-2")
def test_kernels_are_global_functions(tmp_path):
    nvcc = toolchain.find("nvcc")
    if not nvcc:
        pytest.skip("nvcc is not installed")

    @device.kernel(interop=True)
    def fill(x, v, flag, n, small):
        i = device.tid(1)
        if i < n and flag:
            x[i] = v.x + small

    made = fill.compile((device.float32[:], device.float32x4, bool, device.int64, device.float16), target="cuda:sm_90", kind="ptx")
    made.write(tmp_path)
    (tmp_path / "same.cu").write_text('#include "fill.hpp"\nextern "C" __global__ void fill(hetjit::interoperable_array_descriptor<float, 1> x, hetjit::float32x4 v, '
                                      'bool flag, hetjit::int64 n, hetjit::float16 small) { if (flag) x.data[n] = v.x; }')
    run([nvcc, "-std=c++20", "-arch=sm_90", "-ptx", "-I", tmp_path, "-o", tmp_path / "same.ptx", tmp_path / "same.cu"])

    def entry(ptx):
        """(alignment, bytes) of each parameter, which is how a launch lays them out."""
        for part in re.search(r"\.entry fill\s*\(([^)]*)\)", ptx)[1].split(","):
            whole = re.search(r"\.align (\d+) .*\[(\d+)\]", part)
            bits = int(re.search(r"\.[usbf](\d+)", part)[1])
            yield (int(whole[1]), int(whole[2])) if whole else (bits // 8, bits // 8)

    assert list(entry(made.code.decode())) == list(entry((tmp_path / "same.ptx").read_text()))


def test_limits_and_names_of_kernels_hold():
    @device.kernel(interop=True, launch_bounds=128, name="other")
    def fill(x):
        x[device.tid(1)] = 1

    made = fill.compile((device.float32[:],), target="cuda:sm_90", kind="ptx")
    assert made.symbol == "other" and "__global__ void other(" in made.header
    assert re.search(rb"\.entry other\([^)]*\)\s*\.maxntid 128", made.code)
