"""What a launch may have beside grid, block, stream and shared memory: clusters, a priority, an early beginning."""

import pickle
import struct

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device

MACHINES = ["cpu", "null", "emu:sm_80", "emu:sm_90"]


@device.kernel
def double(x):
    x[device.tid(1)] *= 2
    device.trigger_launch_completion()


@device.kernel
def add(x, y):
    i = device.tid(1)
    device.grid_dependency_synchronize()
    y[i] += x[i]


@device.func
def late(x, i):
    device.grid_dependency_synchronize()
    return x[i]


@device.kernel
def add_in_a_function(x, y):
    i = device.tid(1)
    if i < y.shape[0]:
        y[i] += late(x, i)


@device.kernel
def place(cluster, priority):
    cluster[device.tid(1)] = priority


def numbers(where, count=8):
    return device.array(np.arange(count, dtype=np.float32), where)


def test_options_stand_behind_the_others():
    bound = double[8, 2, None, 0, False, (4, 2), -1, True]
    assert (bound.cluster, bound.priority, bound.programmatic) == ((4, 2, 1), -1, True)
    usual = double[8, 2]
    assert (usual.cluster, usual.priority, usual.programmatic) == ((1, 1, 1), None, False)
    none = double[8, 2, None, 0, False, None, None, False]
    assert (none.cluster, none.priority, none.programmatic) == ((1, 1, 1), None, False)


def test_options_are_pickled():
    again = pickle.loads(pickle.dumps(double[8, 2, None, 0, False, 2, 3, True]))
    assert (again.grid, again.cluster, again.priority, again.programmatic) == ((8, 1, 1), (2, 1, 1), 3, True)


@pytest.mark.parametrize("second", [add, add_in_a_function])
@pytest.mark.parametrize("options", [{}, {"programmatic": True}, {"priority": -1}, {"priority": 0, "programmatic": True}])
@pytest.mark.parametrize("where", MACHINES)
def test_what_may_overlap_is_in_order(where, options, second):
    if where == "null":
        return device.launch(second.on("null"), np.zeros(8), np.zeros(8), grid=4, block=2, **options)
    x, y = numbers(where), numbers(where)
    for _ in range(3):
        device.launch(double, x, grid=4, block=2)
        device.launch(second, x, y, grid=4, block=2, **options)
    assert device.to_numpy(y).tolist() == [15 * i for i in range(8)]


@pytest.mark.parametrize("where", ["cpu", "emu:sm_90"])
def test_clusters_change_no_number(where):
    x = numbers(where)
    device.launch(double, x, grid=4, block=2, cluster=2)
    double[(2, 2), 2, None, 0, False, (2, 2)](x)  # two blocks for each place along x
    assert device.to_numpy(x)[4:].tolist() == [8, 10, 12, 14]


def test_where_there_are_no_clusters():
    with pytest.raises(device.DeviceError, match="sm_80.*has no clusters"):
        device.launch(double, numbers("emu:sm_80"), grid=4, block=2, cluster=2)
    device.launch(double, numbers("emu:sm_80"), grid=4, block=2, cluster=1)


def test_code_for_an_older_gpu_comes_in_its_turn():
    """It has no instruction to wait by, so nobody may let it begin early: gpu_device_test.cpp asks a driver."""
    from hetjit import driver
    older, newer = driver.open("emu:sm_80"), driver.open("emu:sm_90")
    x, y = numbers("emu:sm_90"), numbers("emu:sm_90")
    image = older.compile(add, x, y)
    assert b"griddepcontrol" not in image and b"griddepcontrol" in newer.compile(add, x, y)
    module = newer.module_load_data(image)
    newer.module_launch_kernel(newer.module_get_function(module, "add"), 4, 2, extra=b"".join(struct.pack("<Qqq", a.address, 8, 1) for a in (x, y)), programmatic=True)
    assert device.to_numpy(y).tolist() == [2 * i for i in range(8)]


def test_a_kernel_that_does_not_wait_is_not_launched_early():
    x = numbers("cpu")
    with pytest.raises(ValueError, match=r"programmatic=True.*grid_dependency_synchronize"):
        device.launch(double, x, grid=4, block=2, programmatic=True)
    assert x.tolist() == list(range(8))


@pytest.mark.parametrize("options, kind, text", [
    ({"cluster": 3}, ValueError, "no multiple of the cluster's 3"), ({"cluster": 0}, ValueError, "cluster is 0 in x"),
    ({"cluster": (1, 1, 1, 1)}, ValueError, "cluster has 4 extents"), ({"cluster": 1.0}, TypeError, "cluster is a float"),
    ({"cluster": 32}, ValueError, "more than the 16"), ({"priority": "high"}, TypeError, "priority is a str"),
    ({"priority": 1 << 40}, ValueError, "priority is 1099511627776"), ({"priority": 0.5}, TypeError, "priority is a float"),
    ({"programmatic": 1}, TypeError, "programmatic is an int"), ({"programmatic": None}, TypeError, "programmatic is None")])
def test_mistakes(options, kind, text):
    with pytest.raises(kind, match=text):
        device.launch(double, numbers("cpu", 64), grid=32, block=2, **options)


def test_too_many():
    with pytest.raises(TypeError, match="stream, shared, cooperative, cluster, priority and programmatic, 9 were given"):
        double[1, 2, None, 0, False, 1, None, False, 3]


def test_a_parameter_of_such_a_name_is_passed_by_position():
    out = np.zeros(4, np.int32)
    device.launch(place, out, 7, grid=2, block=2, cluster=2, priority=1)
    assert out.tolist() == [7] * 4
    place[2, 2](cluster=out, priority=8)
    assert out.tolist() == [8] * 4


@pytest.mark.parametrize("target, there", [("cuda:sm_80", False), ("cuda:sm_90", True), ("cuda:sm_120", True), ("hip:gfx942", False), ("cpu:x86-64-v3", False)])
def test_the_instructions(target, there):
    signature = "(array[float32, 1, contiguous, index32], array[float32, 1, contiguous, index32])"
    text = device.emit(add, signature, target)
    assert ("griddepcontrol.wait;" in text) == there
    if there:  # what comes behind it may not go before it
        assert text.index("griddepcontrol.wait;") < text.index("ld.global")
    text = device.emit(double, "(array[float32, 1, contiguous, index32],)", target)
    assert ("griddepcontrol.launch_dependents;" in text) == there


def test_graphs_take_them_in():
    x, y = numbers("emu:sm_90"), numbers("emu:sm_90")
    device.launch(add, x, y, grid=4, block=2, programmatic=True)
    with device.Graph("emu:sm_90") as graph:
        device.launch(double, x, grid=4, block=2, priority=-1)
        device.launch(add, x, y, grid=4, block=2, programmatic=True)
    for _ in range(2):
        graph.replay()
    assert device.to_numpy(y).tolist() == [8 * i for i in range(8)]


def test_they_are_shown():
    assert repr(double[4, 2]) == "<double[grid=(4, 1, 1), block=(2, 1, 1)]>"
    shown = repr(double[4, 2, device.Stream("cpu"), 64, True, 2, -1, True])
    assert all(word in shown for word in ("stream=a hetjit.streams.Stream", "shared=64", "cooperative=True", "cluster=(2, 1, 1)", "priority=-1", "programmatic=True"))
