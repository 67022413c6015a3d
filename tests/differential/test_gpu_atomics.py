"""Atomic operations of every kind, format, order and scope, from Python, against what the vendors' compilers make of the same
operations: nvcc of cuda::atomic_ref, clang of its scoped atomics for AMD. The instructions, their orders and scopes, the fences
and cache operations round them must be the same ones in the same order."""

import os
import re
import subprocess

import pytest
import tools

from hetjit import _core, device

pytestmark = pytest.mark.row("HETX-AT-2", "HETX-ORD-1", "HETX-SCO-1")

ORDERS = ("relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst")
LOAD_ORDERS = ("relaxed", "consume", "acquire", "seq_cst")
STORE_ORDERS = ("relaxed", "release", "seq_cst")
SCOPES = ("system", "device", "block")
CTYPES = {"int32": "int", "uint32": "unsigned", "int64": "long long", "uint64": "unsigned long long", "float32": "float",
          "float64": "double"}
INTEGERS = tuple(name for name in CTYPES if "int" in name)


def uses(operation, scopes=SCOPES):
    """The (order, scope) pairs that an operation may have."""
    orders = {"load": LOAD_ORDERS, "store": STORE_ORDERS}.get(operation, ORDERS)
    return [(order, scope) for order in orders for scope in scopes]


def cases(operations):
    """(format, operation) where the model has it."""
    for name in CTYPES:
        for operation in operations:
            if name in INTEGERS or operation not in ("and_", "or_", "xor", "max", "min"):
                yield name, operation


def snapshot_of(operation, scopes=SCOPES):
    """A kernel with the operation once per order and scope; each result is stored."""
    lines = ["def f(a, x, out):", "    ref = device.AtomicRef(a, 0)"]
    for i, (order, scope) in enumerate(uses(operation, scopes)):
        how = f"{order!r}, {scope!r}"
        call = {"load": f"ref.load({how})", "store": f"ref.store(x, {how})", "cas": f"ref.cas(x, x, {how})"}.get(
            operation, f"ref.{operation}(x, {how})")
        lines.append(f"    {call}" if operation == "store" else f"    out[{i}] = {call}")
    names = {"device": device}
    exec("\n".join(lines), names)
    return _core.capture(names["f"])


def signature_of(format):
    return f"({format}[::1], {format}, {format}[::1])"


# ---- NVIDIA

def nvcc():
    found = os.path.join(os.path.dirname(tools.find_ptxas() or ""), "nvcc")
    return found if os.access(found, os.X_OK) else pytest.skip("no nvcc on this machine (CUDA toolkit)")


CUDA_CALLS = {"add": "fetch_add(x, {o})", "sub": "fetch_sub(x, {o})", "and_": "fetch_and(x, {o})", "or_": "fetch_or(x, {o})",
              "xor": "fetch_xor(x, {o})", "max": "fetch_max(x, {o})", "min": "fetch_min(x, {o})", "exch": "exchange(x, {o})",
              "load": "load({o})", "store": "store(x, {o})"}


def cuda_source(every):
    """A kernel per case."""
    text = ["#include <cuda/atomic>"]
    for name, operation in every:
        ctype = CTYPES[name]
        text.append(f'extern "C" __global__ void {name}_{operation}({ctype}* a, {ctype} x, {ctype}* out) {{')
        for i, (order, scope) in enumerate(uses(operation)):
            order = f"cuda::memory_order_{order}"
            ref = f"cuda::atomic_ref<{ctype}, cuda::thread_scope_{scope}>(*a)"
            if operation == "cas":
                text.append(f"  {{ {ctype} e = x; {ref}.compare_exchange_strong(e, x, {order}); out[{i}] = e; }}")
            else:
                call = CUDA_CALLS[operation].format(o=order)
                text.append(f"  {ref}.{call};" if operation == "store" else f"  out[{i}] = {ref}.{call};")
        text.append("}")
    return "\n".join(text)


def ptx_operations(text):
    """Fences, atomic operations, ordered loads and stores in a form that does not depend on who wrote them."""
    found = []
    for line in re.findall(r"^\s*((?:fence|atom|ld|st)\.[.\w]*)", text, re.M):
        kind, *parts = line.split(".")
        if kind in ("ld", "st") and not {"relaxed", "acquire", "release"} & set(parts):
            continue
        parts = [part for part in parts if part != "global"]
        parts[-1] = re.sub(r"^[usb](?=\d)", "", parts[-1]) if not {"max", "min"} & set(parts) else parts[-1]
        # Behind the fence of a sequentially consistent store the store itself need not release.
        if kind == "st" and found and found[-1].startswith("fence.") and "sc" in found[-1].split("."):
            parts = ["relaxed" if part == "release" else part for part in parts]
        found.append(".".join([kind, *sorted(parts)]))
    return found


def test_nvidia_as_nvcc_has_it(tmp_path):
    compiler = nvcc()
    every = list(cases(("add", "sub", "and_", "or_", "xor", "max", "min", "exch", "cas", "load", "store")))
    source = tmp_path / "atomics.cu"
    source.write_text(cuda_source(every))
    subprocess.run([compiler, "-arch=sm_90", "-ptx", "-std=c++17", str(source), "-o", str(tmp_path / "atomics.ptx")], check=True)
    theirs = dict(re.findall(r"\.entry (\w+)\((.*?\n\})", (tmp_path / "atomics.ptx").read_text(), re.S))
    for name, operation in every:
        ours = _core.show(snapshot_of(operation), "ptx", signature_of(name), "cuda:sm_90", kernel=True)
        wanted = ptx_operations(theirs[f"{name}_{operation}"])
        assert len(wanted) >= len(uses(operation))
        assert ptx_operations(ours) == wanted, f"{operation} of {name}"


@pytest.mark.parametrize("arch", ["sm_75", "sm_80", "sm_90", "sm_100"])
def test_ptxas_takes_all(arch):
    ptxas = tools.find_ptxas() or pytest.skip("no ptxas on this machine (CUDA toolkit)")
    if arch not in tools.architectures(ptxas):
        pytest.skip(f"this ptxas does not know {arch}")
    operations = ("add", "sub", "and_", "or_", "xor", "max", "min", "exch", "cas", "load", "store", "nanmax", "nanmin")
    # One instruction differs between formats of a size; all of them are looked at above.
    for name, operation in cases(operations):
        if name in ("int32", "float32", "float64") or operation == "max":
            image = _core.compile(snapshot_of(operation), signature_of(name), f"cuda:{arch}")
            tools.assemble(image["code"], arch)


# ---- AMD

CLANG = "clang-22"
CLANG_CALLS = {"add": "__scoped_atomic_fetch_add(a, x, {o}, {s})", "sub": "__scoped_atomic_fetch_sub(a, x, {o}, {s})",
               "and_": "__scoped_atomic_fetch_and(a, x, {o}, {s})", "or_": "__scoped_atomic_fetch_or(a, x, {o}, {s})",
               "xor": "__scoped_atomic_fetch_xor(a, x, {o}, {s})", "max": "__scoped_atomic_fetch_max(a, x, {o}, {s})",
               "min": "__scoped_atomic_fetch_min(a, x, {o}, {s})", "exch": "__scoped_atomic_exchange_n(a, x, {o}, {s})",
               "load": "__scoped_atomic_load_n(a, {o}, {s})", "store": "__scoped_atomic_store_n(a, x, {o}, {s})"}
CLANG_SCOPES = {"system": "__MEMORY_SCOPE_SYSTEM", "device": "__MEMORY_SCOPE_DEVICE", "block": "__MEMORY_SCOPE_WRKGRP"}


def amd_scopes(name, operation):
    """clang takes all memory for the device's own. We do not where the scope is the machine's, and only these have an instruction
    for all memory."""
    return SCOPES if name in INTEGERS and operation in ("add", "exch") else SCOPES[1:]


def clang_source(every):
    text = []
    for name, operation in every:
        ctype = CTYPES[name]
        where = f"__attribute__((address_space(1))) {ctype}*"
        text.append(f"__attribute__((amdgpu_kernel)) void {name}_{operation}({where} a, {ctype} x, {where} out) {{")
        for i, (order, scope) in enumerate(uses(operation, amd_scopes(name, operation))):
            call = CLANG_CALLS[operation].format(o=f"__ATOMIC_{order.upper()}", s=CLANG_SCOPES[scope])
            text.append(f"  {call};" if operation == "store" else f"  out[{i}] = {call};")
        text.append("}")
    return "\n".join(text)


def amd_operations(text):
    """Atomic operations and what is done to the caches, with the bits that say how far."""
    found = []
    for line in text.splitlines():
        line = line.split(";")[0].strip()
        if re.match(r"global_atomic|buffer_(wbl2|inv|gl|wbinv)|global_(inv|wb)", line):
            words = [word.strip(",") for word in line.split()]
            found.append(" ".join(words[:1] + [w for w in words[1:] if re.match(r"(sc\d|glc|scope|nt|slc)", w)]))
    return found


@pytest.mark.parametrize("arch", ["gfx90a", "gfx942", "gfx1100", "gfx1201"])
def test_amd_as_clang_has_it(arch, tmp_path):
    from shutil import which
    compiler = which(CLANG) or pytest.skip(f"no {CLANG} on this machine")
    every = [case for case in cases(("add", "sub", "and_", "or_", "xor", "max", "min", "exch")) if case[0] in INTEGERS]
    every += [("float32", "add"), ("float64", "add")]
    source = tmp_path / "atomics.c"
    source.write_text(clang_source(every))
    subprocess.run([compiler, "--target=amdgcn-amd-amdhsa", f"-mcpu={arch}", "-nogpulib", "-O2", "-S", str(source), "-o",
                    str(tmp_path / "atomics.s")], check=True)
    theirs = dict(re.findall(r"^(\w+):\s*; @\w+\n(.*?)s_endpgm", (tmp_path / "atomics.s").read_text(), re.S | re.M))
    for name, operation in every:
        ours = _core.show(snapshot_of(operation, amd_scopes(name, operation)), "amdgcn", signature_of(name), f"hip:{arch}", kernel=True)
        wanted = amd_operations(theirs[f"{name}_{operation}"])
        assert wanted, f"{operation} of {name}"
        assert amd_operations(ours) == wanted, f"{operation} of {name}"


@device.func
def counting_down(n, x):
    if n < 2:
        return 1.0
    device.atomic.add(x, n, 1.0)
    return n * counting_down(n - 1, x)


@device.func
def there(n, x, tile):
    if n < 2:
        return 1.0
    device.atomic.add(x, n, 1.0)
    return back(n - 1, x[1:], tile)


@device.func
def back(n, x, tile):
    device.atomic.add(tile, n, 1.0)
    return n * there(n - 1, x, tile)


@device.func
def taken_in_late(x, i):
    t = device.random.normal(7, i, 0) + device.random.normal(7, i, 1) + device.random.normal(7, i, 2)
    device.atomic.add(x, i, t)
    taken_in_too(x, i)


@device.func
def taken_in_too(x, i):
    device.atomic.max(x, i + 1, device.random.normal(7, i, 3))


def recursive(x, n):
    x[1] = counting_down(n[0], x)


def in_turns(x, n):
    x[1] = there(n[0], x, device.shared_array(64, device.float64))


def long_helpers(x, n):
    taken_in_late(x, n[0])
    taken_in_late(x, n[1])


def of_either(x, n):
    """One function for memory of both kinds, which has to ask at run time."""
    x[1] = there(n[0], device.shared_array(64, device.float64), device.shared_array(64, device.float64)) + there(n[1], x, x)


@pytest.mark.parametrize("kernel", [recursive, in_turns, long_helpers], ids=lambda each: each.__name__)
def test_callees_know_the_memory(kernel):
    """Whose address a function gets, when all its callers agree: no address of unknown memory."""
    signature = "(array[float64, 1, contiguous, index32], array[int32, 1, contiguous, index32])"
    snapshot = _core.capture(kernel)
    ptx = _core.show(snapshot, "ptx", signature, "cuda:sm_90", kernel=True)
    accesses = re.findall(r"^\s+(?:@!?%p\d+ )?((?:atom|ld|st)\.\S+)", ptx, re.M)
    assert any(each.startswith("atom") for each in accesses)
    assert all(re.search(r"\.(global|shared|param|local|const)", each) for each in accesses), accesses
    assert "flat_" not in re.sub(r"amdhsa\S*|\.\w*flat_\S*", "", _core.show(snapshot, "amdgcn", signature, "hip:gfx942", kernel=True))


def test_callers_that_differ():
    signature = "(array[float64, 1, contiguous, index32], array[int32, 1, contiguous, index32])"
    ptx = _core.show(_core.capture(of_either), "ptx", signature, "cuda:sm_90", kernel=True)
    assert re.search(r"atom\.relaxed\.gpu\.add\.f64", ptx)
