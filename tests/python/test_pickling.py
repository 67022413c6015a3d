"""Kernels, functions, structs, bound kernels and arrays of a device in pickles: by reference with a look at the content, and by value."""

import copy
import os
import pickle
import subprocess
import sys
import textwrap

import pytest

from hetjit import device

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

FACTOR = 3


@device.func
def times(a):
    return a * FACTOR


@device.kernel
def scale(x):
    i = device.tid(1)
    if i < len(x):
        x[i] = times(x[i])


@device.struct
class Line:
    slope: float
    at: float = 0

    def of(self, x):
        return self.slope * x + self.at


def elsewhere(code, folder, data=b""):
    """Standard output of another process, whose modules are in that folder."""
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], input=data, capture_output=True, cwd=folder, timeout=300,
                          env={**os.environ, "PYTHONPATH": f"{folder}:{os.environ.get('PYTHONPATH', '')}"})
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


LOAD = """
    import pickle, sys, numpy as np
    try:
        kernel = pickle.load(sys.stdin.buffer)
        x = np.ones(2)
        kernel[1, 2](x)
        print(x[0], end="")
    except Exception as error:
        print(type(error).__name__, error, end="")
"""
DUMP = "import pickle, sys, scaling; sys.stdout.buffer.write(pickle.dumps(scaling.scale))"
SCALING = """
from hetjit import device
FACTOR = 3
@device.func
def times(a):
    return a * FACTOR
@device.kernel
def scale(x):
    x[device.tid(1)] = times(x[device.tid(1)])
"""


@pytest.mark.parametrize("one", [scale, times, Line, scale.on("cpu"), device.Struct], ids=repr)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_what_a_module_has_is_found_there(one, protocol):
    assert pickle.loads(pickle.dumps(one, protocol)) is one
    assert copy.copy(one) is one and copy.deepcopy(one) is one


@pytest.mark.parametrize("config", [(2, 5), ((2, 3), (4, 1, 2)), (1, 8, None, 64), (1, 8, None, 0, True)])
def test_bound_kernels(config):
    bound = scale[config]
    again = pickle.loads(pickle.dumps(bound))
    assert again.kernel is scale and again.stream is None
    for name in ("grid", "block", "shared", "cooperative"):
        assert getattr(again, name) == getattr(bound, name)


@pytest.mark.parametrize("stream", [0x7000, device.Stream("cpu")], ids=["handle", "own"])
def test_a_stream_is_of_one_process(stream):
    bound = scale[1, 1, stream]
    assert bound.stream is stream
    with pytest.raises(TypeError, match="bound to a stream.*pickle scale, and bind it where"):
        pickle.dumps(bound)
    with pytest.raises(TypeError, match="cannot pickle 'Stream'"):
        pickle.dumps(device.Stream("cpu"))


def written(folder, text):
    (folder / "scaling.py").write_text(text)
    return folder


def test_the_same_module_elsewhere(tmp_path):
    (tmp_path / "here").mkdir(), (tmp_path / "there").mkdir()
    data = elsewhere(DUMP, written(tmp_path / "here", SCALING))
    moved = "# a comment, which moves every line\n\n" + SCALING
    assert elsewhere(LOAD, written(tmp_path / "there", moved), data) == b"3.0"


@pytest.mark.parametrize("old, new", [("FACTOR = 3", "FACTOR = 4"), ("a * FACTOR", "a + FACTOR"), ("x[device.tid(1)] = ", "x[device.tid(1)] += "),
                                      ("@device.kernel", "@device.kernel(contract=False)"), ("FACTOR = 3", "FACTOR = 3.0")])
def test_another_version_of_a_module_is_refused(tmp_path, old, new):
    data = elsewhere(DUMP, written(tmp_path, SCALING))
    assert SCALING.replace(old, new) != SCALING
    found = elsewhere(LOAD, written(tmp_path, SCALING.replace(old, new)), data)
    assert found.startswith(b"UnpicklingError 'scaling.scale' is not what was pickled") and b"the same version" in found


@pytest.mark.parametrize("text, said", [("scale = 3", b"AttributeError a pickle names the kernel 'scale' of module 'scaling', which has none here"),
                                        (None, b"ModuleNotFoundError No module named 'scaling'")])
def test_a_module_without_the_kernel(tmp_path, text, said):
    data = elsewhere(DUMP, written(tmp_path, SCALING))
    (tmp_path / "other").mkdir()
    if text:
        written(tmp_path / "other", text)
    assert elsewhere(LOAD, tmp_path / "other", data).startswith(said)


def test_a_global_that_was_set_since(monkeypatch):
    """What compiled code sees counts, not what the source says."""
    data = pickle.dumps(scale)
    monkeypatch.setitem(globals(), "FACTOR", 5)
    with pytest.raises(pickle.UnpicklingError, match="a global that it names differ"):
        pickle.loads(data)
    assert pickle.loads(pickle.dumps(scale)) is scale


STRUCTS = """
from hetjit import device
@device.struct
class Line:
    slope: float
    at: float = 0
    def of(self, x):
        return self.slope * x + self.at
"""


@pytest.mark.parametrize("old, new", [("slope: float\n    at: float = 0", "at: float = 0\n    slope: float = 0"), ("slope: float", "slope: int"),
                                      ("+ self.at", "- self.at"), ("at: float = 0", "at: float = 1")])
def test_another_version_of_a_struct_is_refused(tmp_path, old, new):
    code = "import pickle, sys, scaling; sys.stdout.buffer.write(pickle.dumps(scaling.Line(2)))"
    load = "import pickle, sys\ntry: print(pickle.load(sys.stdin.buffer).of(1), end='')\nexcept Exception as e: print(type(e).__name__, e, end='')"
    data = elsewhere(code, written(tmp_path, STRUCTS))
    assert elsewhere(load, tmp_path, data) == b"2.0"
    assert elsewhere(load, written(tmp_path, STRUCTS.replace(old, new)), data).startswith(b"UnpicklingError struct 'scaling.Line' is not what")


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_the_program_itself(tmp_path, start):
    """What `__main__` has is in the processes of multiprocessing, too, there and back."""
    (tmp_path / "program.py").write_text(SCALING + textwrap.dedent(f"""
        import multiprocessing, numpy as np
        @device.struct
        class Line:
            slope: float
        def work(kernel, line):
            x = np.ones(2)
            kernel[1, 2](x)
            return kernel, line, float(x[0] * line.slope)
        if __name__ == "__main__":
            with multiprocessing.get_context("{start}").Pool(1) as pool:
                kernel, line, found = pool.apply(work, (scale, Line(2)))
            print(kernel is scale, type(line) is Line, found)
        """))
    done = subprocess.run([sys.executable, str(tmp_path / "program.py")], capture_output=True, text=True, timeout=300)
    assert done.stdout == "True True 6.0\n", done.stderr


def test_a_program_elsewhere_is_said_to_need_cloudpickle(tmp_path):
    (tmp_path / "program.py").write_text(SCALING + "import pickle, sys\nsys.stdout.buffer.write(pickle.dumps(scale))\n")
    data = subprocess.run([sys.executable, str(tmp_path / "program.py")], capture_output=True, check=True).stdout
    assert b"'__main__', which has none here: cloudpickle takes by value" in elsewhere(LOAD, tmp_path, data)


NOTEBOOK = SCALING + """
import cloudpickle, sys
@device.func
def down(n):
    return 1.0 if n <= 0 else down(n - 1) * FACTOR      # names itself
@device.struct
class Line:
    slope: float
    def of(self, x):
        return self.slope * times(x)
@device.kernel
def lines(x, line: Line):
    x[device.tid(1)] = line.of(x[device.tid(1)]) + down(2)
"""


def notebook(tmp_path, what):
    """What a program sends by cloudpickle."""
    pytest.importorskip("cloudpickle", reason="cloudpickle is not installed for this Python")
    (tmp_path / "program.py").write_text(NOTEBOOK + f"sys.stdout.buffer.write({what})\n")
    return subprocess.run([sys.executable, str(tmp_path / "program.py")], capture_output=True, check=True).stdout


def test_by_value(tmp_path):
    data = notebook(tmp_path, "cloudpickle.dumps((lines, Line(2), lines[1, 2], scale.on('cpu'), down))")
    kernel, line, bound, there, function = pickle.loads(data)
    x = np.ones(2)
    bound(x, line)
    assert x.tolist() == [15.0, 15.0] and bound.kernel is kernel and function(2) == 9
    assert there.on("cpu") is not None and "on cpu" in repr(there)
    again = pickle.loads(data)
    assert again[0] is kernel and again[4] is function, "one that comes again is the one that is here"


def test_by_value_with_another_global(tmp_path):
    """The second is another kernel: what it names has changed in between."""
    data = notebook(tmp_path, "pickle.dumps((cloudpickle.dumps(scale), exec('FACTOR = 4'), cloudpickle.dumps(scale)))".replace(
        "pickle.dumps(", "__import__('pickle').dumps(", 1))
    first, _, second = map(lambda one: one and pickle.loads(one), pickle.loads(data))
    found = []
    for kernel in (first, second, first):
        kernel[1, 2](x := np.ones(2))
        found.append(x[0])
    assert first is not second and found == [3, 4, 3]


def test_modules_that_are_registered_to_go_by_value(tmp_path):
    cloudpickle = pytest.importorskip("cloudpickle", reason="cloudpickle is not installed for this Python")
    written(tmp_path, SCALING)
    code = ("import cloudpickle, sys, scaling; cloudpickle.register_pickle_by_value(scaling); "
            "sys.stdout.buffer.write(cloudpickle.dumps(scaling.scale))")
    data = elsewhere(code, tmp_path)
    (tmp_path / "scaling.py").unlink()
    assert elsewhere(LOAD, tmp_path, data) == b"3.0"
    assert cloudpickle.loads(cloudpickle.dumps(scale)) is scale


@pytest.mark.parametrize("where", ["emu:sm_90", "emu:gfx942"])
def test_arrays_of_a_device(where):
    if "gfx" in where:
        pytest.importorskip("tinygrad", reason="tinygrad is not installed for this Python")
    for source in (np.arange(6.0).reshape(2, 3), np.zeros((0, 3), np.int8), np.array(5, np.float16), np.array([True, False])):
        x = device.array(source, where)
        for again in (pickle.loads(pickle.dumps(x)), copy.deepcopy(x)):
            assert (again.shape, again.format, again.device, again.dtype) == (x.shape, x.format, where, source.dtype)
            assert np.array_equal(device.to_numpy(again), source) and (again.address != x.address or not x.size)
    lines = device.array(np.array([(1, 2), (3, 4)], device.numpy_dtype(Line)), where)
    again = pickle.loads(pickle.dumps(lines))
    assert again.dtype == lines.dtype and device.to_numpy(again).tolist() == [(1, 2), (3, 4)]
    scale.forall(6)(x := device.array(np.ones(6), where))
    assert device.to_numpy(pickle.loads(pickle.dumps(x))).tolist() == [3.0] * 6, "after the launches that use it"


def test_arrays_go_out_of_band():
    x = device.array(np.arange(100_000.0), "emu:sm_90")
    parts = []
    data = pickle.dumps(x, protocol=5, buffer_callback=parts.append)
    assert len(data) < 500 and [len(part.raw()) for part in parts] == [800_000]
    assert np.array_equal(device.to_numpy(pickle.loads(data, buffers=parts)), np.arange(100_000.0))


def test_arrays_of_a_device_that_is_not_here():
    rebuild, (shape, format, dtype, _, data) = device.array(np.ones(2), "emu:sm_90").__reduce_ex__(4)
    if "hip:7" in device.devices():
        pytest.skip("this machine has eight GPUs of AMD")
    with pytest.raises(device.DeviceError, match="comes back to the device that it was on, hip:7: .*; send device.to_numpy"):
        rebuild(shape, format, dtype, "hip:7", data)
