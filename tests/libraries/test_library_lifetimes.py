"""Every destructor is called once: in every order of release, from other threads, at the end of the interpreter; and nothing grows."""

import copy
import gc
import itertools
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

import library_pointers as pointers
from hetjit import interop


@pytest.fixture(scope="module")
def lib(compiled):
    return interop.bind(pointers.DECLARATIONS, compiled(pointers.SOURCE), language="c", destructors=pointers.DESTRUCTORS)


@pytest.mark.row("SHROUD-OWN-2")
@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
def test_every_order_of_release(lib, order):
    start = lib.countAllocations()
    array = lib.allocate(8)
    held = [array, array[2:5], array.base, memoryview(array.base)]
    del array
    for which in order:
        assert lib.countAllocations() == start + 1
        held[which] = None
    gc.collect()
    assert lib.countAllocations() == start


@pytest.mark.row("SHROUD-OWN-3")
def test_release_by_several_threads_at_a_time(lib):
    start = lib.countAllocations()
    for _ in range(50):
        array = lib.allocate(4)
        threads = [threading.Thread(target=array.base.delete) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert lib.countAllocations() == start
        del array
    held = [lib.allocate(3) for _ in range(10)]
    thread = threading.Thread(target=held.clear)
    thread.start()
    thread.join()
    gc.collect()
    assert lib.countAllocations() == start


@pytest.mark.row("SHROUD-OWN-2")
def test_ten_thousand_come_and_go(lib):
    start = lib.countAllocations()
    lib.allocate(1000)

    def kilobytes():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4
    before = kilobytes()
    for _ in range(10_000):
        view = lib.allocate(1000)[5:9]
        assert view[0] == 5
    del view
    assert lib.countAllocations() == start and kilobytes() - before < 8_000


AT_EXIT = """
import sys
sys.path[:0] = {paths!r}
import library_pointers as pointers
from hetjit import interop
lib = interop.bind(pointers.DECLARATIONS, {library!r}, language="c", headers=["<stdio.h>"],
                   destructors={{"release": 'release(ptr); puts("released"); fflush(stdout);'}})
kept, sys.kept = lib.allocate(3), lib.allocate(4)
early = lib.allocate(5)
early.base.delete()
"""


@pytest.mark.row("SHROUD-OWN-2")
def test_at_the_end_of_the_interpreter(compiled):
    program = AT_EXIT.format(paths=[each for each in sys.path if each], library=str(compiled(pointers.SOURCE)))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=os.environ)
    assert (done.returncode, done.stdout) == (0, "released\n" * 3), done.stderr


def test_what_else_is_done_with_an_array(lib):
    a = lib.allocate(4)
    again = pickle.loads(pickle.dumps(a))
    assert type(again) is np.ndarray and again.tolist() == [0, 1, 2, 3]
    assert copy.deepcopy(a).tolist() == again.tolist() and a.astype(float).sum() == 6 and (a @ a) == 14
    assert str(a) == "[0 1 2 3]" and repr(a) == "array([0, 1, 2, 3], dtype=int32)" and repr(lib.allocate) == "<allocate() of a library>"
    a.base.delete()
    assert repr(a) == str(a) == "<array of released memory, (4,)>"
    for use in (lambda: pickle.dumps(a), lambda: copy.copy(a), lambda: a @ a, lambda: a == a, lambda: a.reshape(2, 2)[0], lambda: a.T.tolist()):
        with pytest.raises(interop.ReleasedError):
            use()


def test_views_of_the_library_s_own_memory_are_plain_arrays(lib):
    assert type(lib.returnFixed()) is np.ndarray
