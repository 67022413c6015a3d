"""`emu:sm_90` and `emu:gfx942` are devices: the real run time, its parameter blocks, streams, records of errors and prints, on a machine
for a driver."""

import pathlib
import signal
import subprocess
import sys
import threading

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import _core, device

TARGETS = {"emu:sm_90": "cuda:sm_90", "emu:gfx942": "hip:gfx942"}


def on_machines(test):
    return pytest.mark.always(pytest.mark.parametrize("where", TARGETS)(test))


def on_machine(array, where):
    return device.array(array, where)


@device.kernel
def saxpy(a, x, y):
    i = device.tid(1)
    if i < x.shape[0]:
        y[i] = a * x[i] + y[i]


@on_machines
def test_naming_it_makes_it_and_nothing_lists_it(where):
    x = on_machine(np.arange(1000, dtype=np.float32), where)
    y = device.zeros(1000, device.float32, where)
    saxpy[4, 256](2.0, x, y)
    assert (device.to_numpy(y) == 2 * np.arange(1000)).all()
    assert x.device == where and where not in device.devices() and device.info(where)["target"] == TARGETS[where]
    assert device.info("emu:sm_75")["target"] == "cuda:sm_75" and not hasattr(x, "__cuda_array_interface__")


@pytest.mark.parametrize("name", ["emu:", "emu:sm_9x", "emu:sm_35", "emu:gfx10"])
def test_other_names_are_refused(name):
    with pytest.raises(ValueError, match="is no device: machines are emu:sm_75"):
        device.zeros(1, int, name)


@device.kernel
def speaks(x):
    i = device.tid(1)
    if i < 2:
        print("thread", i, x[i])
    if i == 7:
        raise ValueError(f"seven {x[i]}")


@on_machines
def test_prints_and_errors_come_through_the_records(capsys, where):
    speaks[1, 32](on_machine(np.arange(32, dtype=np.int32), where))
    assert capsys.readouterr().out == ""  # nothing has run yet
    with pytest.raises(ValueError, match="seven 7") as caught:
        device.synchronize(where)
    assert "in 'speaks'" in caught.value.__notes__[0] or "kernel 'speaks'" in caught.value.__notes__[0]
    assert "thread (7, 0, 0) of block (0, 0, 0)" in caught.value.__notes__[0]
    assert capsys.readouterr().out == "thread 0 0\nthread 1 1\n"


@device.kernel
def reads_too_far(x):
    x[0] = device.shared_array(32, device.float32)[device.thread_idx.x]


@on_machines
def test_a_fault_is_a_device_error_with_its_words(where):
    x = device.zeros(4, device.float32, where)
    reads_too_far[1, 32](x)
    with pytest.raises(device.DeviceError, match="(?s)4 bytes of shared memory that nobody wrote.*in reads_too_far.*thread"):
        device.synchronize(where)
    saxpy[1, 4](1.0, x, x)
    device.synchronize(where)  # what comes after works


def calls_itself(n):
    return n if n < 2 else calls_itself(n - 1) + calls_itself(n - 2)


@device.kernel
def recursive(x):
    x[device.tid(1)] = calls_itself(device.tid(1))


@on_machines
def test_recursion_on_the_stack_that_the_run_time_asked_for(where):
    x = device.zeros(15, int, where)
    recursive[1, 15](x)
    assert device.to_numpy(x).tolist() == [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377]


@device.kernel
def sums(x, out):
    box = device.dynamic_shared_array(device.int64)
    i = device.thread_idx.x
    box[i] = x[device.tid(1)]
    device.syncthreads()
    if i == 0:
        total = 0
        for k in range(device.block_dim.x):
            total += box[k]
        device.atomic.add(out, 0, total)


@on_machines
def test_dynamic_shared_memory_and_cooperation(where):
    x = on_machine(np.arange(256, dtype=np.int64), where)
    out = device.zeros(1, device.int64, where)
    sums[4, 64, None, 64 * 8](x, out)
    assert device.to_numpy(out)[0] == 256 * 255 // 2
    sums[4, 64, None, 64 * 8, True](x, out)
    assert device.to_numpy(out)[0] == 256 * 255


@on_machines
def test_structures_and_views_are_passed_as_on_gpus(where):
    dtype = np.dtype([("a", "f4"), ("b", "i8"), ("c", "u1", 3)], align=True)

    @device.kernel
    def turn(records, pair):
        i = device.tid(1)
        r = records[i]
        records[i] = r.replace(a=pair[0], b=r.b * pair[1] + r.c[1])

    host = np.zeros(5, dtype)
    host["b"], host["c"] = np.arange(5), np.arange(15).reshape(5, 3)
    there = on_machine(host, where)
    turn[1, 5](there, (2.5, 3))
    back = device.to_numpy(there)
    assert back["a"].tolist() == [2.5] * 5 and back["b"].tolist() == [3 * i + 3 * i + 1 for i in range(5)]


@on_machines
def test_launches_without_arrays_go_where_use_says(where):
    before = device.current()
    try:
        assert device.use(where) == where == device.current()
    finally:
        device.use(before)


@on_machines
def test_several_threads_of_python(where):
    arrays = [device.zeros(100, device.float32, where) for _ in range(4)]
    one = on_machine(np.ones(100, np.float32), where)

    def work(x):
        for _ in range(20):
            saxpy[1, 128](1.0, one, x)
        device.synchronize(where)

    threads = [threading.Thread(target=work, args=(x,)) for x in arrays]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert [float(device.to_numpy(x)[0]) for x in arrays] == [20.0] * 4


@on_machines
def test_memory_that_is_freed_is_known_to_be(where):
    x = on_machine(np.zeros(4, np.float32), where)
    address = x.address
    del x
    from hetjit.emulation.devices import machine
    from hetjit.emulation.faults import AddressFault
    with pytest.raises(AddressFault, match="outside every allocation"):
        machine(where).arena.slice(address, 4)


class Interruption(Exception):
    pass


def interrupted_by(handler, wait, where):
    """Waits for two launches; the handler runs between them, in the middle of the machine's work. Gives the array that they add to."""
    from hetjit.emulation import devices
    before = signal.signal(signal.SIGALRM, handler)
    x, one = device.zeros(4, device.float32, where), on_machine(np.ones(4, np.float32), where)
    try:
        saxpy[1, 4](1.0, one, x)
        devices._MADE[where].queue(None, lambda: signal.raise_signal(signal.SIGALRM))
        saxpy[1, 4](1.0, one, x)
        wait(x, where)
    finally:
        signal.signal(signal.SIGALRM, before)
    return x


WAITS = {"synchronize": lambda x, where: device.synchronize(where), "to_numpy": lambda x, where: device.to_numpy(x)}


@pytest.mark.parametrize("wait", WAITS)
@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit, Interruption, KeyError])
@on_machines
def test_what_a_signal_handler_raises_ends_the_wait_as_itself(kind, wait, where):
    raised = kind("the user's")

    def handler(*_):
        raise raised
    with pytest.raises(kind) as caught:
        interrupted_by(handler, WAITS[wait], where)
    assert caught.value is raised
    x = on_machine(np.ones(4, np.float32), where)
    saxpy[1, 4](1.0, x, x)
    assert device.to_numpy(x).tolist() == [2.0] * 4  # and what comes after works


@pytest.mark.parametrize("use", ["launch", "synchronize", "to_numpy", "array"])
@on_machines
def test_a_signal_handler_hears_that_the_machine_is_in_the_middle_of_a_launch(use, where):
    y, said = on_machine(np.ones(10, np.float32), where), []
    saxpy[1, 10](0.0, y, y)  # its compiling is over
    uses = {"launch": lambda: saxpy[1, 10](1.0, y, y), "synchronize": lambda: device.synchronize(where),
            "to_numpy": lambda: said.append(device.to_numpy(y)), "array": lambda: on_machine(np.ones(3), where)}

    def handler(*_):
        try:
            uses[use]()
            said.append("done")
        except device.DeviceError as error:
            said.append(str(error))
    x = interrupted_by(handler, WAITS["synchronize"], where)
    assert len(said) == 1 and "in the middle of a launch" in said[0], said
    assert device.to_numpy(x).tolist() == [2.0] * 4 and device.to_numpy(y).tolist() == [1.0] * 10


@on_machines
def test_a_free_does_not_hide_a_fault(where):
    x, y = device.zeros(4, device.float32, where), on_machine(np.ones(4, np.float32), where)
    reads_too_far[1, 32](x)
    del y  # waits, and has nobody to tell
    with pytest.raises(device.DeviceError, match="shared memory that nobody wrote"):
        device.synchronize(where)
    device.synchronize(where)


@on_machines
def test_a_stream_that_is_none_is_an_error(where):
    with pytest.raises(device.DeviceError, match="0x3039 is no stream"):
        device.synchronize(where, 0x3039)


@on_machines
def test_arrays_that_come_and_go_leave_nothing_behind(where):
    from hetjit.emulation.devices import machine
    arena, host = machine(where).arena, np.ones(1000)
    kept = [on_machine(host, where)]
    before = len(arena.starts)
    for k in range(300):
        x = on_machine(host, where)
        if k % 100 == 0:
            kept.append(x)
    del x
    assert len(arena.starts) == len(arena.sizes) <= before + 8 and len(arena.freed) <= before + 8
    assert all((device.to_numpy(x) == 1).all() for x in kept)


PROGRAM = """
import numpy
from hetjit import device
x = device.array(numpy.zeros(3, numpy.float32), "emu:sm_90")


@device.kernel
def fill(x):
    x[device.tid(1)] = 1


class Kept:
    kernel = fill


Kept.itself = Kept  # ends with the interpreter
fill[1, 3](x)
print(device.to_numpy(x).tolist())
"""


@on_machines
def test_a_program_ends_with_arrays_alive(where):
    done = subprocess.run([sys.executable, "-c", PROGRAM.replace("emu:sm_90", where)], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "[1.0, 1.0, 1.0]\n", "")


def test_nothing_is_imported_before_it_is_named():
    code = "import sys, hetjit; from hetjit import device; device.devices(); print([m for m in sys.modules if 'emulation' in m or m == 'numpy'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


def test_what_is_no_ptx_is_refused_with_its_words():
    from hetjit.emulation.ptx.driver import BAD_PTX, Driver
    import ctypes
    driver, module = Driver(90), ctypes.c_uint64()
    log, options = ctypes.create_string_buffer(256), (ctypes.c_int * 2)(5, 6)
    values = (ctypes.c_uint64 * 2)(ctypes.addressof(log), 256)
    text = ctypes.create_string_buffer(b".version 9.0 .target sm_90 .wonder 3;")
    code = driver.calls["cuModuleLoadDataEx"](ctypes.addressof(module), ctypes.addressof(text), 2,
                                              ctypes.addressof(options), ctypes.addressof(values))
    assert code == BAD_PTX and log.value == b"line 1: directive '.wonder'"


@pytest.mark.always
@pytest.mark.parametrize("where", ["emu:gfx942"])
def test_what_is_no_code_object_is_refused_with_its_words(where):
    from hetjit.emulation.amd.driver import INVALID_IMAGE, NO_BINARY, Driver
    import ctypes
    driver, module = Driver(where[4:]), ctypes.c_uint64()

    def loaded(image):
        held = ctypes.create_string_buffer(bytes(image))
        code = driver.calls["hipModuleLoadData"](ctypes.addressof(module), ctypes.addressof(held))
        return code, ctypes.string_at(driver.calls["hipGetErrorString"](code) or ctypes.addressof(ctypes.create_string_buffer(1)))
    code, words = loaded(b"__CLANG_OFFLOAD_BUNDLE__" + bytes(100))
    assert code == INVALID_IMAGE and b"no code object: it begins with b'__CLANG" in words
    names = [driver.calls["hipGetErrorName"](number) for number in (INVALID_IMAGE, 12345)]
    assert ctypes.string_at(names[0]) == b"hipErrorInvalidImage" and names[1] is None  # and no number that is no address

    def nothing(x):
        x[0] = 1
    code, words = loaded(_core.compile(_core.capture(nothing), "(array[int32, 1, contiguous, index32])", "hip:gfx1100")["code"])
    assert code == NO_BINARY and b"is for gfx1100, not for gfx942" in words


@pytest.mark.always
@pytest.mark.parametrize("where", ["emu:gfx942"])
def test_blocks_that_are_too_large_are_refused(where):
    x = on_machine(np.arange(256, dtype=np.int64), where)
    with pytest.raises((device.DeviceError, ValueError), match="of shared memory|shared bytes|bytes of dynamic shared"):
        sums[1, 64, None, 66000](x, device.zeros(1, device.int64, where))


def test_without_its_tables_a_machine_says_what_to_install(monkeypatch):
    import importlib.metadata
    from hetjit.emulation import devices

    def missing(name):
        raise importlib.metadata.PackageNotFoundError(name)
    monkeypatch.setattr(importlib.metadata, "version", missing)
    with pytest.raises(ImportError, match=r"emu:gfx90a needs AMD's instruction tables of tinygrad 0.14.0 \(pip install tinygrad==0.14.0\); it is not installed"):
        devices.maker_of("emu:gfx90a")
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "0.13.0")
    with pytest.raises(ImportError, match="here is 0.13.0"):
        devices.maker_of("emu:gfx90a")


def test_the_extension_knows_no_machine_that_nobody_made():
    with pytest.raises(Exception, match="has no cuInit: it is too old"):
        import ctypes
        nothing = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_char_p)(lambda symbol: None)
        _core.add_emulated("emu:none", ctypes.cast(nothing, ctypes.c_void_p).value)


def test_one_version_of_the_tables_is_asked_for():
    root = pathlib.Path(__file__).resolve().parents[2]
    from hetjit.emulation.devices import TINYGRAD
    for file in ("pyproject.toml", "requirements-emulation.txt"):
        assert f"tinygrad=={TINYGRAD}" in (root / file).read_text(), file


def test_arrays_of_two_machines():
    @device.kernel
    def kernel(x, y):
        x[0] = y[0]

    x, y = (device.array(np.zeros(4, np.float32), where) for where in ("emu:sm_90", "emu:sm_75"))
    with pytest.raises(ValueError, match="'x' is on emu:sm_90 but 'y' is on emu:sm_75"):
        kernel[1, 1](x, y)
    with pytest.raises(ValueError, match="'x' is on emu:sm_90 but 'y' is on the CPU"):
        kernel[1, 1](x, np.zeros(4, np.float32))


@on_machines
def test_places_of_one_axis_in_blocks_of_several(where):
    """A kernel that asks for places along x alone gets them so, whatever the block's shape."""
    @device.kernel
    def places(out):
        out[device.tid(1)] = device.thread_idx.x

    for block in ((32, 3), (5, 2, 2), (1, 4), (64, 1, 3)):
        out = device.zeros(2 * block[0], device.int32, where)
        places[2, block](out)
        assert out.copy_to_host().tolist() == 2 * list(range(block[0]))


LAST = """
from hetjit import device
@device.kernel
def wrong(x):
    print("said", x[0])
    if x[0] == 1:
        raise ValueError("lost")
wrong[1, 1](device.array([1], {where!r}, device.int32))
"""


@on_machines
def test_what_the_last_kernel_says_is_not_lost(where, tmp_path):
    program = tmp_path / "last.py"
    program.write_text(LAST.format(where=where))
    done = subprocess.run([sys.executable, str(program)], text=True, capture_output=True, timeout=300)
    assert done.stdout == "said 1\n" and "ValueError: lost" in done.stderr
