"""The extension in its process: import, threads, fork, sub-interpreters, leaks, stubs."""

import ast
import gc
import inspect
import json
import os
import pathlib
import subprocess
import sys
import threading
import tracemalloc

import pytest

import hetjit
from hetjit import _core, device

ROOT = pathlib.Path(hetjit.__file__).parent


def python(code, *options, timeout=300, **environment):
    done = subprocess.run([sys.executable, *options, "-c", code], capture_output=True, text=True, timeout=timeout,
                          env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_import_is_light():
    """No NumPy, no driver, nothing heavy. The time (<= 30 ms here) is measured by ./dev bench; this bound is for gross
    mistakes on a busy machine."""
    code = """
import sys, time, json
before = set(sys.modules)
started = time.process_time()
import hetjit
took = time.process_time() - started
modules = sorted(set(sys.modules) - before)
with open("/proc/self/maps") as file:
    maps = file.read()
print(json.dumps([took, modules, [d for d in ("libcuda", "libamdhip", "libnvrtc") if d in maps]]))
"""
    found = [json.loads(python(code)) for _ in range(5)]
    assert min(took for took, _, _ in found) < 0.3
    _, modules, drivers = found[0]
    assert not drivers
    assert {m.split(".")[0] for m in modules} <= {"hetjit", "types", "math", "_math_integer", "fractions", "operator",
                                                   "_operator"}, modules


def test_decorating_touches_nothing():
    python("""
import sys
from hetjit import device
@device.kernel
def f(x):
    x[0] = 1
f[1, 1]
assert "numpy" not in sys.modules and "libcuda" not in open("/proc/self/maps").read()
""")


@pytest.mark.row("HPY-ABI-3")
def test_the_binary_says_what_it_is():
    assert _core.__file__.endswith("_core.abi3.so")
    assert _core.__spec__.name == "hetjit._core"


@pytest.mark.row("HPY-ABI-1")
def test_the_binary_uses_the_limited_api_only():
    nm = subprocess.run(["nm", "-D", "--undefined-only", _core.__file__], capture_output=True, text=True)
    if nm.returncode:
        pytest.skip("no nm on this machine (binutils)")
    names = {line.split()[-1].split("@")[0] for line in nm.stdout.splitlines() if "Py" in line.split()[-1]}
    private = {name for name in names if name.startswith("_Py") and not name.endswith("_SizeT")} - {"_Py_NoneStruct", "_Py_TrueStruct",
                                                                    "_Py_FalseStruct", "_Py_EllipsisObject",
                                                                    "_Py_Dealloc", "_Py_NotImplementedStruct"}
    assert not private
    defined = subprocess.run(["nm", "-D", "--defined-only", _core.__file__], capture_output=True, text=True).stdout
    exported = {line.split()[-1] for line in defined.splitlines()}
    assert "PyInit__core" in exported
    assert not [name for name in exported if "llvm" in name.lower() or "hetjit" in name]


@pytest.mark.row("HPY-TYP-1")
def test_types_are_heap_types_of_the_module():
    for name in ("Kernel", "Bound", "DType", "DeviceArray"):
        kind = getattr(_core, name)
        assert kind.__flags__ & (1 << 9) and kind.__module__ == "hetjit._core"
    with pytest.raises(TypeError):
        _core.Bound()


@pytest.mark.row("HPY-MOD-2")
def test_importing_again_gives_an_independent_module():
    python("""
import sys
import hetjit
from hetjit import _core as first, device
kept = device.kernel(lambda x: None)
for name in [n for n in sys.modules if n.startswith("hetjit")]:
    del sys.modules[name]
from hetjit import _core as second, device as again
assert first is not second and first.Kernel is not second.Kernel
assert isinstance(kept, first.Kernel) and not isinstance(kept, second.Kernel)
again.kernel(lambda x: None)[1, 1]
kept[1, 1]
""")


@pytest.mark.row("HPY-SUB-1")
def test_sub_interpreters():
    """Declared: one module per interpreter, its own GIL allowed since 3.12."""
    if sys.version_info < (3, 12):
        module = pytest.importorskip("_xxsubinterpreters", reason="no sub-interpreters in this Python")
        make, run = module.create, module.run_string
    else:
        name = "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
        module = pytest.importorskip(name, reason="no sub-interpreters in this Python")
        make, run = module.create, getattr(module, "run_string")
    code = f"import sys; sys.path[:] = {sys.path!r}\nfrom hetjit import _core\n" \
           "assert _core.call(_core.capture(lambda x: x + 1), (41,)) == 42\n"
    for _ in range(2):
        interpreter = make()
        assert not run(interpreter, code)
        module.destroy(interpreter)
    assert _core.call(_core.capture(lambda x: x + 1), (1,)) == 2


def test_threads():
    np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

    @device.kernel
    def add(x, n):
        i = device.tid(1)
        if i < len(x):
            x[i] = x[i] + n

    errors, barrier = [], threading.Barrier(8)

    def work(k):
        kinds = [np.float32, np.float64, np.int32, np.int64]
        x = np.zeros(1000, kinds[k % 4])
        barrier.wait()
        for _ in range(50):
            add[4, 256](x, 1)
        if not (x == 50).all():
            errors.append(k)
    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors and add.specializations == 4


def test_threads_rebind_while_others_launch():
    np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
    scope = {"n": 0}
    exec("def f(out):\n    out[0] = n\n", scope)
    kernel = device.kernel(scope["f"])
    stop, wrong = threading.Event(), []

    def launch():
        out = np.zeros(1, np.int64)
        while not stop.is_set():
            kernel[1, 1](out)
            if not 0 <= out[0] < 40:
                wrong.append(int(out[0]))
    threads = [threading.Thread(target=launch) for _ in range(3)]
    for thread in threads:
        thread.start()
    for n in range(40):
        scope["n"] = n
        out = np.zeros(1, np.int64)
        kernel[1, 1](out)
        assert out[0] == n
    stop.set()
    for thread in threads:
        thread.join()
    assert not wrong


def test_the_gil_is_released_while_the_host_works():
    np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

    @device.kernel
    def spin(x, n):
        t = x[0] - x[0]
        for i in range(n):
            t = t * 1.0000001 + i
        x[0] = t
    x = np.zeros(1)
    spin[1, 1](x, 1)
    counts, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counts[0] += 1
    thread = threading.Thread(target=count)
    thread.start()
    before = counts[0]
    spin[1, 1](x, 50_000_000)
    during = counts[0] - before
    done.set()
    thread.join()
    assert during > 1000


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_fork():
    pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
    out = python("""
import os, sys, warnings
import numpy as np
from hetjit import device
warnings.simplefilter("ignore")
@device.kernel
def f(x, n):
    i = device.tid(1)
    if i < len(x):
        x[i] = n
x = np.zeros(100000)
f[1000, 100](x, 1)              # the pool's threads are running now
for k in range(3):
    pid = os.fork()
    if pid == 0:
        f[1000, 100](x, 2)      # ready
        assert (x == 2).all()
        f[1000, 100](x, 2.5)    # compiled in the child
        os._exit(0 if (x == 2.5).all() else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
f[1000, 100](x, 3)
print((x == 3).all())
""", timeout=120)
    assert out.strip() == "True"


def test_multiprocessing():
    pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
    folder = str(pathlib.Path(__file__).parent)
    out = python(f"""
import sys
sys.path.insert(0, {folder!r})
import multiprocessing, work_for_processes
if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        print(pool.map(work_for_processes.run, [(work_for_processes.add, n) for n in (1, 2, 3)]))
""", timeout=300)
    assert out.strip() == "[10.0, 20.0, 30.0]"


def growth(action, rounds=200):
    """Bytes of Python memory that `rounds` calls leave behind, once CPython's own free lists hold traced memory. The least of three
    measurements: what is lost is lost each time, and other threads of the process (the test runner's, a library's) are traced too."""
    tracemalloc.start()
    try:
        for _ in range(6 * rounds):
            action()
        left = []
        for _ in range(3):
            gc.collect()
            before = tracemalloc.get_traced_memory()[0]
            for _ in range(rounds):
                action()
            gc.collect()
            left.append(tracemalloc.get_traced_memory()[0] - before)
        return min(left)
    finally:
        tracemalloc.stop()


def test_control_c_stops_a_host_kernel():
    """Between blocks: the launch ends with KeyboardInterrupt long before the grid does, and the process goes on."""
    pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
    code = """
import _thread, threading, time
import numpy as np
from hetjit import device
@device.kernel
def slow(out, n):
    x = 0.5
    for i in range(n):
        x = x * 0.999 + out[0]
    out[0] = x
out = np.zeros(1, np.float32)
slow[1, 1](out, 10)
started = time.perf_counter(); slow[1, 1](out, 1000000); one = time.perf_counter() - started
blocks = max(8, int(60 / one))
started = time.perf_counter()
try:
    threading.Timer(0.3, _thread.interrupt_main).start()
    slow[blocks, 1](out, 1000000)
except KeyboardInterrupt:
    print(time.perf_counter() - started)
slow[1, 1](out, 10)
"""
    assert float(python(code)) < 15


@pytest.mark.differs("counts what is alive")
@pytest.mark.row("HPY-HND-4")
def test_launches_leak_nothing():
    np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

    @device.kernel
    def f(x, n, m=2):
        x[0] = n * m
    x = np.zeros(4, np.float32)
    f[1, 1](x, 1)
    objects = (x, None, True, f, f.underlying, 1)
    before = [sys.getrefcount(o) for o in objects]
    for _ in range(1000):
        f[1, 1](x, 1)
        f[1, 1](x, n=1, m=2)
        f[(1, 1), (1, 1)](n=1, x=x)
    after = [sys.getrefcount(o) for o in objects]
    # A launch may keep its last configuration, and immortal objects do not count.
    assert all(abs(a - b) < 20 for a, b in zip(after, before)), (before, after)
    assert growth(lambda: f[1, 1](x, 1), 1000) < 16_000


def test_failed_launches_leak_nothing():
    np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

    @device.kernel
    def f(x, n):
        x[0] = n
    x = np.zeros(4, np.float32)

    def fail():
        for arguments in (([1], 1), (x,), (x, 2**40), (x, x), (x, "s")):
            try:
                f[1, 1](*arguments)
            except (TypeError, OverflowError, device.CompileError):
                pass
        try:
            f[0, 1](x, 1)
        except ValueError:
            pass
    assert growth(fail, 1000) < 60_000  # caches keep a little, once; a leak would be far more


def test_kernels_are_collected():
    def make():
        k = object()

        def f(x):
            x[0] = 1 if k is None else 2
        return device.kernel(f)
    kernel = make()
    kernel[1, 1]
    gc.collect()
    import weakref
    alive = weakref.ref(kernel.underlying)
    del kernel
    gc.collect()
    assert alive() is None


def test_capture_and_tools_leak_nothing():
    def f(x, y=2):
        return x + y
    text = _core.capture(f)
    assert growth(lambda: _core.capture(f), 1000) < 16_000
    assert growth(lambda: _core.call(text, (1, 2)), 1000) < 16_000


def stub_names():
    tree = ast.parse((ROOT / "_core.pyi").read_text())
    functions = {n.name: n for n in tree.body if isinstance(n, ast.FunctionDef)}
    classes = {n.name: {m.name for m in n.body if isinstance(m, ast.FunctionDef)} for n in tree.body
               if isinstance(n, ast.ClassDef)}
    return functions, classes


def test_stubs_say_what_is_there():
    functions, classes = stub_names()
    public = {name for name in dir(_core) if not name.startswith("_")}
    assert public == functions.keys() | classes.keys()
    for name, members in classes.items():
        kind = getattr(_core, name)
        compared = {m for m in {*vars(kind), *members} if not m.startswith("__") or m in ("__call__", "__getitem__", "__new__")}
        own = compared & vars(kind).keys()
        own -= {"__new__"} - members
        assert own == compared & members, name
        assert all(hasattr(kind, m) for m in members), name


def test_stubs_name_the_keywords():
    functions, _ = stub_names()
    for name, node in functions.items():
        for argument in (a.arg for a in node.args.kwonlyargs):
            with pytest.raises((TypeError, ValueError)) as caught:
                getattr(_core, name)(**{argument: 1})
            assert f"'{argument}' is an invalid keyword" not in str(caught.value), (name, argument)


def test_the_package_is_typed():
    assert (ROOT / "py.typed").exists()
    for name in device.__all__:
        thing = getattr(device, name)
        if inspect.isfunction(thing) or inspect.isclass(thing):
            assert thing.__doc__, name


def show(*arguments):
    return subprocess.run([sys.executable, "-m", "hetjit", *arguments], capture_output=True, text=True, timeout=300)


def test_show_to_a_reader_that_goes_away(tmp_path):
    file = tmp_path / "k.py"
    file.write_text("def f(x):\n" + "    x[0] += 1\n" * 3000)
    command = [sys.executable, "-m", "hetjit", "show", f"{file}:f", "--phase", "bytecode"]
    shown = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert shown.stdout.readline().startswith("bytecode f")
    shown.stdout.close()
    assert (shown.wait(300), shown.stderr.read()) == (141, "")


def test_show(tmp_path):
    file = tmp_path / "k.py"
    file.write_text("from hetjit import device\n@device.kernel\ndef f(x, n):\n    x[device.tid(1)] = n\n"
                    "def g(a):\n    return a + 1\n")
    typed = show("show", f"{file}:f", "--phase", "typed", "--for", "(float32[::1], int)")
    assert typed.returncode == 0 and "store" in typed.stdout, typed.stderr
    every = show("show", f"{file}:f", "--phase", "all", "--for", "(float32[::1], int)")
    headings = [line.split()[1] for line in every.stdout.split("\n") if line.startswith("==== ")]
    assert headings == ["bytecode", "ssa", "typed", "optimized", "plan", "llvm", "host", "ptx", "sass", "amdgcn"], every.stderr
    assert "-> i32" in show("show", f"{file}:g", "--for", "(int)").stdout
    wrong = show("show", f"{file}:g", "--for", "(float32[:])")
    assert wrong.returncode == 1 and "error[E0" in wrong.stderr
    assert "there is no file" in show("show", "nowhere.py:f").stderr
    assert "has no function 'h'" in show("show", f"{file}:h").stderr
    assert "'device' in " in show("show", f"{file}:device").stderr
    assert "FILE:FUNCTION" in show("show", "nothing").stderr
    assert show().returncode == 2
