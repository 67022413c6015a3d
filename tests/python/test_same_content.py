"""What was compiled is found again by its content: an equal global, a helper that was executed again, a factory."""

import gc
import textwrap
import threading
import time
import traceback

import pytest

from hetjit import _core, device

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

pytestmark = pytest.mark.differs("counts compilations")

SOURCE = textwrap.dedent("""
    from hetjit import device

    N = 1000

    def helper(x):
        assert x < 5, "too large"
        return x * N

    @device.kernel
    def kernel(out):
        i = device.tid(1)
        out[i] = helper(i) + TAG
""")
tags = iter(range(10_000, 20_000))


def cell(scope, above=0, path="cell"):
    """Executes the source in a scope as a notebook would, with so many lines above it."""
    exec(compile("\n" * above + SOURCE, path, "exec"), scope)
    return scope["kernel"]


@pytest.fixture
def scope():
    """Of a kernel that no other test compiles: a constant of its own."""
    return {"TAG": next(tags)}


def run(kernel, threads=4):
    out = np.zeros(threads, np.int32)
    kernel[1, threads](out)
    return out.tolist()


class Compilations:
    """How many there were meanwhile."""

    def __enter__(self):
        self.before = _core.compilations()
        return self

    def __exit__(self, *raised):
        self.count = _core.compilations() - self.before


def expected(scope, threads=4):
    return [i * scope["N"] + scope["TAG"] for i in range(threads)]


def test_an_equal_global(scope):
    kernel = cell(scope)
    run(kernel)
    with Compilations() as compilations:
        for value in (int("1000"), int("1000"), 1000):
            scope["N"] = value
            assert run(kernel) == expected(scope)
    assert compilations.count == 0
    with Compilations() as compilations:
        for value in (7, 1000, 7, 1000):
            scope["N"] = value
            assert run(kernel) == expected(scope)
    assert compilations.count == 1


@pytest.mark.parametrize("value, other", [(2.0, -2.0), (0.0, -0.0), ((1, 2.5), (1, 2)), ("a", "b"), (True, 1), (1, 1.0),
                                          (np.float32(1), np.float64(1)), (np.int8(3), np.int16(3))])
def test_equal_is_of_type_and_bits(value, other):
    """What Python calls equal may be another number here: 0.0 and -0.0, 1 and 1.0, an int8 and an int16."""
    kernel = device.kernel(lambda out: None)
    scope = {"device": device, "TAG": next(tags)}
    exec("def f(out):\n    x = N\n    out[0] = TAG\n", scope)
    kernel = device.kernel(scope["f"])
    counts = []
    for now in (value, value, other, value, other):
        scope["N"] = now if isinstance(now, (bool, str)) else type(now)(now)
        with Compilations() as compilations:
            assert run(kernel, 1) == [scope["TAG"]]
        counts.append(compilations.count)
    assert counts == [1, 0, 1, 0, 0]


def test_a_counter_that_comes_round(scope):
    """More values than a kernel keeps generations for."""
    kernel = device.kernel(cell(scope).underlying)
    scope["helper"] = scope["TAG"]
    with Compilations() as first:
        exec("def f(out):\n    out[0] = COUNT + TAG\n", scope)
        kernel = device.kernel(scope["f"])
        for i in range(70):
            scope["COUNT"] = i
            assert run(kernel, 1) == [i + scope["TAG"]]
    with Compilations() as again:
        for i in range(70):
            scope["COUNT"] = i
            assert run(kernel, 1) == [i + scope["TAG"]]
    assert (first.count, again.count) == (70, 0)


def test_a_cell_executed_again(scope):
    run(cell(scope))
    with Compilations() as compilations:
        for above in (0, 5, 2):
            assert run(cell(scope, above, f"cell {above}")) == expected(scope)
    assert compilations.count == 0


def test_only_the_helper_executed_again(scope):
    kernel = cell(scope)
    run(kernel)
    with Compilations() as compilations:
        for _ in range(3):
            exec(compile("\n\n" + SOURCE.split("@device.kernel")[0], "another", "exec"), scope)
            assert run(kernel) == expected(scope)
    assert compilations.count == 0
    exec("def helper(x):\n    return x - N", scope)
    assert run(kernel) == [i - 1000 + scope["TAG"] for i in range(4)]


def test_a_factory():
    tag = next(tags)

    def make(factor):
        @device.kernel
        def kernel(out):
            out[device.tid(1)] = factor * device.tid(1) + tag
        return kernel

    first = make(3)
    assert run(first) == [3 * i + tag for i in range(4)]
    with Compilations() as compilations:
        for _ in range(5):
            assert run(make(3)) == [3 * i + tag for i in range(4)]
    assert compilations.count == 0
    assert run(make(4)) == [4 * i + tag for i in range(4)]
    del first
    gc.collect()
    with Compilations() as compilations:
        assert run(make(3)) == [3 * i + tag for i in range(4)]
    assert compilations.count == 0


def note_of(kernel):
    with pytest.raises(AssertionError, match="too large") as raised:
        run(kernel, 8)
    return raised.value.__notes__[0]


def test_messages_say_where_it_stands_now(scope):
    first, above = cell(scope, 0, "first"), []
    assert "at first:7 in 'helper'" in note_of(first)
    with Compilations() as compilations:
        for lines in (3, 40):
            above.append(cell(dict(scope), lines, f"moved {lines}"))
            assert f"at moved {lines}:{7 + lines} in 'helper'" in note_of(above[-1])
        assert "at first:7 in 'helper'" in note_of(first)
        assert "at moved 3:10 in 'helper'" in note_of(above[0])
    assert compilations.count == 0


def test_functions_that_moved_apart(scope):
    """Only the helper is edited elsewhere: each function's messages name its own place."""
    kernel = cell(scope, 0, "first")
    note_of(kernel)
    exec(compile("\n" * 30 + SOURCE.split("@device.kernel")[0], "second", "exec"), scope)
    with Compilations() as compilations:
        assert "at second:37 in 'helper'" in note_of(kernel)
    assert compilations.count == 0


def test_a_comment_on_a_line(scope):
    run(cell(scope))
    with Compilations() as compilations:
        commented = SOURCE.replace("return x * N", "return x * N  # scaled").replace("\ndef helper", "\n# the helper\ndef helper")
        exec(compile(commented, "commented", "exec"), scope)
        assert run(scope["kernel"]) == expected(scope)
    assert compilations.count == 0


def test_warnings_are_of_the_newer_function(tmp_path, recwarn):
    """They are found with the image."""
    source = f"def f(out):\n    x = device.thread_idx.x\n    if x - 1 >= 0:\n        out[x] = {next(tags)}\n"
    for name, above in (("one.py", 0), ("two.py", 3)):
        path = tmp_path / name
        path.write_text("\n" * above + source)
        scope = {"device": device}
        exec(compile(path.read_text(), str(path), "exec"), scope)
        with Compilations() as compilations:
            run(device.kernel(scope["f"]))
        told = [str(warning.message) for warning in recwarn.list]
        assert len(told) == 1 and f"{name}:{3 + above}" in told[0], told
        recwarn.clear()
    assert compilations.count == 0


def test_options_are_part_of_the_key(scope):
    function = cell(scope).underlying
    with Compilations() as compilations:
        for options in ({}, {"fastmath": True}, {"contract": False}, {"check": "bounds"}, {"name": "other"}):
            assert run(device.kernel(**options)(function)) == expected(scope)
    assert compilations.count == 5


def test_threads_that_miss_one_key_compile_once(scope):
    kernels = [cell(dict(scope), i) for i in range(4)] * 2
    start, failed = threading.Barrier(8), []

    def launch(kernel):
        start.wait()
        try:
            assert run(kernel) == [i * 1000 + scope["TAG"] for i in range(4)]
        except BaseException:
            failed.append(traceback.format_exc())

    threads = [threading.Thread(target=launch, args=(kernel,)) for kernel in kernels]
    with Compilations() as compilations:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not failed, failed[0]
    assert compilations.count == 1


def test_threads_that_miss_what_cannot_compile():
    """Each has its own exception."""
    scope = {}
    exec("def f(out):\n    out[0] = missing\n", scope)
    start, messages = threading.Barrier(8), []

    def launch():
        start.wait()
        with pytest.raises(device.CompileError) as raised:
            run(device.kernel(scope["f"]), 1)
        messages.append(str(raised.value))

    threads = [threading.Thread(target=launch) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(messages) == 8 and all("'missing' is not defined" in message for message in messages)


def test_it_takes_little_time(scope):
    """Half a millisecond on a quiet machine; here the least of many, with room."""
    kernel = cell(scope)
    out = np.zeros(4, np.int32)
    kernel[1, 4](out)
    least = 1.0
    for _ in range(50):
        scope["N"] = int("1000")
        start = time.perf_counter()
        kernel[1, 4](out)
        least = min(least, time.perf_counter() - start)
    assert least < 2e-3
