"""Atomics on the host: Atomic(T) as a type and as an object, AtomicRef on NumPy arrays, device.atomic, the ticket mutex."""

import copy
import pathlib
import pickle
import re
import threading

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device


@device.struct
class ticket_mutex:
    line: device.Atomic(int, align=16)
    current: device.Atomic(int, align=16)

    @device.func
    def lock(self):
        my = self.line.add(1)
        while True:
            now = self.current.load()
            if now == my:
                break
            self.current.wait(now)

    @device.func
    def unlock(self):
        self.current.add(1)
        self.current.notify_all()


def in_threads(count, work):
    threads = [threading.Thread(target=work, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)


@pytest.mark.row("HET-ATM-1")
def test_ticket_mutex_has_the_layout_of_cxx():
    layout = device.abi(ticket_mutex)
    assert (layout.size, layout.align) == (32, 16)
    assert [offset for _, offset, _ in layout.fields] == [0, 16]
    dtype = device.numpy_dtype(ticket_mutex)
    assert (dtype.itemsize, dtype.fields["current"][1]) == (32, 16)


@pytest.mark.row("HETX-AT-1")
@pytest.mark.parametrize("hint, size, align", [
    (bool, 4, 4), (device.int8, 4, 4), (device.float16, 4, 4), (int, 4, 4), (float, 4, 4), (device.int64, 8, 8),
    (device.float64, 8, 8), (complex, 8, 8), (device.complex128, 16, 16)])
def test_sizes_are_those_of_cuda_atomic(hint, size, align):
    layout = device.abi(device.Atomic(hint))
    assert (layout.size, layout.align) == (size, align)


@pytest.mark.row("HETX-AT-1")
def test_atomic_is_a_type():
    assert device.Atomic(int) is device.Atomic[int] is device.Atomic(int)
    assert device.Atomic(int) is not device.Atomic(device.int32)
    assert repr(device.Atomic(int)) == "device.Atomic[int]"
    assert repr(device.Atomic(int, align=16)) == "device.Atomic(int, align=16)"
    for wrong in (device.float32x2, ticket_mutex, str, device.Atomic(int)):
        with pytest.raises(TypeError):
            device.Atomic(wrong)
    with pytest.raises(ValueError, match="power of two"):
        device.Atomic(int, align=3)
    assert pickle.loads(pickle.dumps(device.Atomic(int, align=16))) is device.Atomic(int, align=16)
    assert pickle.loads(pickle.dumps(device.Atomic)) is device.Atomic


@pytest.mark.row("HETX-AT-2", "HET-ATM-2", "HET-ATM-3")
def test_operations_return_what_was_there():
    for number in (device.Atomic(int)(5), device.AtomicRef(np.array([0, 5], np.int32), 1)):
        assert number.dtype == device.int32
        assert number.add(3) == 5 and number.load() == 8
        assert number.sub(1) == 8 and number.exch(12) == 7
        assert number.cas(11, 1) == 12 and number.cas(12, 6) == 12 and number.load() == 6
        assert number.and_(3) == 6 and number.or_(8) == 2 and number.xor(1) == 10
        assert number.max(20) == 11 and number.min(4) == 20 and number.load() == 4
        assert number.nanmax(9) == 4 and number.nanmin(1) == 9
        number.store(2**31 - 1, memory="release", scope="block")
        assert number.add(1) == 2**31 - 1 and number.load() == -2**31


@pytest.mark.row("HETX-AT-2")
def test_nan_is_a_missing_value_for_nanmax_alone():
    a = np.array([np.nan, 1.0])
    assert np.isnan(device.atomic.max(a, 1, np.nan)) is np.False_ and np.isnan(a[1])
    device.atomic.nanmin(a, 1, 3.0)
    assert a[1] == 3.0
    device.atomic.nanmax(a, 1, np.nan)
    assert a[1] == 3.0


@pytest.mark.row("HETX-AT-2")
@pytest.mark.parametrize("format, operation", [
    (device.bool_, "add"), (device.complex64, "max"), (device.float32, "and_"), (device.complex128, "exch"),
    (device.complex128, "cas"), (device.float8e4m3, "add")])
def test_operations_have_their_formats(format, operation):
    if format is device.float8e4m3:
        pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed for this Python")
    number = device.Atomic(format)()
    with pytest.raises(TypeError, match="atomic"):
        getattr(number, operation)(*[0] * (1 + (operation == "cas")))


@pytest.mark.row("HETX-ORD-1", "HETX-SCO-1", "HETX-AT-4")
def test_orders_and_scopes():
    number = device.Atomic(int)(0)
    for memory in ("relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"):
        for scope in ("system", "device", "block", "thread"):
            number.add(1, memory=memory, scope=scope)
            device.threadfence(memory, scope)
    for wrong in ("none", "SEQ_CST", None, 5):
        with pytest.raises(ValueError, match="memory"):
            number.add(1, memory=wrong)
        with pytest.raises(ValueError, match="scope"):
            number.add(1, scope=wrong)
        with pytest.raises(ValueError, match="scope"):
            device.threadfence(scope=wrong)
    with pytest.raises(ValueError, match="memory='release'"):
        number.load("release")
    with pytest.raises(ValueError, match="memory='acquire'"):
        number.store(1, "acquire")


@pytest.mark.row("HET-ATM-4", "HET-ATM-5", "HETX-AT-3")
@pytest.mark.parametrize("make", [lambda: device.Atomic(int)(0), lambda: device.AtomicRef(np.zeros(1, np.int64), 0)])
def test_wait_returns_when_the_number_changes(make):
    number, seen = make(), []

    def work(i):
        if i == 0:
            number.wait(0)
            seen.append(int(number.load()))
        else:
            number.store(1)
            number.notify_all()
            number.notify_one()
    in_threads(2, work)
    assert seen == [1]


@pytest.mark.row("HET-ATM-2", "HET-ATM-6")
def test_the_mutex_on_the_host():
    mutex, count = ticket_mutex(), [0]

    def work(_):
        for _ in range(300):
            mutex.lock()
            count[0] = count[0] + 1
            mutex.unlock()
    in_threads(4, work)
    assert count == [1200] and mutex.line.load() == 1200
    assert ticket_mutex().line.load() == 0  # each has its own numbers


@pytest.mark.row("HET-ATM-7")
def test_the_example_as_printed_is_no_python():
    source = pathlib.Path(__file__).read_text()
    corrected = re.search(r"@device.struct\nclass ticket_mutex:.*?\n\n\n", source, re.S)[0]
    compile(corrected, "ticket_mutex.py", "exec")
    with pytest.raises(SyntaxError):
        compile(corrected.replace("if now == my:\n                break", "if (now == my) break"), "printed.py", "exec")


@pytest.mark.row("HET-ATM-8")
def test_an_atomic_is_not_copied():
    number = device.Atomic(float)(1.5)
    for copied in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="an Atomic.* cannot be copied"):
            copied(number)

    @device.kernel
    def kernel(mutex, out):
        out[0] = mutex.line.load()
    with pytest.raises(device.CompileError, match="ticket_mutex lives in memory only, but is passed to 'kernel'"):
        kernel[1, 1](ticket_mutex(), np.zeros(1, np.int32))


def test_structs_with_atomics_go_to_other_processes():
    cloudpickle = pytest.importorskip("cloudpickle", reason="cloudpickle is not installed")

    @device.struct
    class Counter:
        hits: device.Atomic(device.int64, align=32)

        def hit(self):
            return self.hits.add(1)
    there = pickle.loads(cloudpickle.dumps(Counter))
    assert there().hit() == 0
    assert there.__hetjit_type__ == Counter.__hetjit_type__
