"""Bound libraries in a Python under AddressSanitizer: the library is compiled for it, and every allocation of the process is watched."""

import os
import shutil
import subprocess
import sys

import pytest

import library_pointers as pointers

OBJECTS = r"""
#include <string>
#include <vector>
class Box {
 public:
  Box(int n) : values(n, n) {}
  virtual ~Box() { values.assign(values.size(), -1); }
  Box& add(int x) { values.push_back(x); return *this; }
  const std::vector<int>& all() { return values; }
  int& at(int i) { return values.at(i); }
 private:
  std::vector<int> values;
};
class Tall : public Box { public: Tall(int n) : Box(n) {} };
inline const std::string& longer(const std::string& a, const std::string& b) { return a.size() < b.size() ? b : a; }
inline std::vector<std::string> words(int n) { return std::vector<std::string>(n, "a word that is longer than an object of its class"); }
inline std::vector<double> many(int n) { return std::vector<double>(n, 0.5); }
inline int* failing(int n) +dimension(n - 5)+owner(caller)+destructor_name(drop) { return new int[8]; }
"""

PROGRAM = """
import sys
sys.path[:0] = {paths!r}
import numpy as np
import library_pointers as pointers
from hetjit import interop
lib = interop.bind(pointers.DECLARATIONS, {library!r}, language="c", destructors=pointers.DESTRUCTORS)
objects = interop.bind({objects!r}, destructors={{"drop": "delete[] static_cast<int*>(ptr);"}})
for turn in range({turns}):
    a = lib.allocate(16)
    part = a[3:9]
    assert part.sum() == 33 and lib.incrementIntArray(a) is a
    if turn % 3 == 1:
        a.base.delete()
        a.base.delete()
    del a
    box = objects.Box(3).add(4) if turn % 2 else objects.Tall(3).add(4)
    numbers, one = box.all(), box.at(1)
    del box
    assert numbers.tolist() == [3, 3, 3, 4] and one == 3
    assert objects.longer("a" * 40, "b") == "a" * 40 and len(objects.words(3)) == 3
    kept = objects.many(100)
    try:
        objects.failing(1)
    except ValueError:
        pass
assert lib.countAllocations() == 1  # of `part`
memory = interop.memory.memory_of(part)
{more}
print("well")
"""


ADAPTERS = """
import ctypes, gc
from hetjit import types
class P(ctypes.Structure):
    _fields_ = [("x", ctypes.c_int), ("y", ctypes.c_double)]
record = types.record(P)
for turn in range(2000):
    p = record(turn, y=2.0)
    q, r = types.Pointer(p), record.from_object(p)
    del p
    assert lib.useVoid(q) == turn == r.x == lib.useVoid(types.Pointer(record(turn)))
    r = record.from_object(bytearray(bytes(P(turn, 1.0))))
    assert lib.useVoid(r) == turn
    numbers = types.ListOfInt([turn, 1])
    assert lib.Sum(numbers) == turn + 1 and lib.useVoid(types.Pointer(numbers)) == turn
    assert lib.checkInt2d(types.ListOfPointer([types.ListOfInt([1, 2]), types.ListOfInt([3, 4, 5])])) == 15
    numbers.__init__([turn])
    del q, r, numbers
gc.collect()
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Runs a program with a library under the sanitizer: what it said."""
    compiler = shutil.which("g++")
    # With C++'s own, for it asks that one at once where exceptions are thrown.
    runtimes = [subprocess.run([compiler or "true", f"-print-file-name={name}"], capture_output=True, text=True).stdout.strip()
                for name in ("libasan.so", "libstdc++.so")]
    if not all(map(os.path.isabs, runtimes)):
        pytest.skip("the runtime of g++'s AddressSanitizer is not installed")
    folder = tmp_path_factory.mktemp("sanitized")
    (folder / "library.cpp").write_text(pointers.SOURCE)
    subprocess.run([compiler, "-fsanitize=address", "-g", "-O1", "-fPIC", "-shared", str(folder / "library.cpp"), "-o", str(folder / "library.so")], check=True)

    def run(turns, more=""):
        program = PROGRAM.format(paths=[each for each in sys.path if each], library=str(folder / "library.so"), objects=OBJECTS, turns=turns, more=more)
        # The interpreter's own memory is not freed at its end: what leaks is told by the counts.
        environment = {**os.environ, "LD_PRELOAD": " ".join(runtimes), "ASAN_OPTIONS": "detect_leaks=0", "PYTHONMALLOC": "malloc"}
        return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
    return run


@pytest.mark.row("SHROUD-OWN-1")
@pytest.mark.row("SHROUD-OWN-2")
@pytest.mark.row("SHROUD-VEC-2")
def test_ten_thousand_turns(run):
    done = run(10_000)
    assert (done.returncode, done.stdout) == (0, "well\n"), done.stderr[:3000]


@pytest.mark.row("HIPPY-GEN-6")
@pytest.mark.row("HIPPY-PTR-3")
def test_what_adapters_own_ends_once(run):
    """And not before the last that was made of it."""
    done = run(1, ADAPTERS)
    assert (done.returncode, done.stdout) == (0, "well\n"), done.stderr[:3000]


@pytest.mark.parametrize("more, said", [
    ("from hetjit.types import ListOfInt; at = int(ListOfInt([7])); lib.useVoid(at)", "heap-use-after-free"),
    ("lib.release(int(memory)); memory.delete()", "attempting double-free"),
    ("at = int(memory); memory.delete(); lib.useVoid(at)", "heap-use-after-free"),
])
def test_what_is_wrong_is_found(run, more, said):
    """So the first test can fail."""
    done = run(1, more)
    assert done.returncode and said in done.stderr, done.stderr[:2000]
