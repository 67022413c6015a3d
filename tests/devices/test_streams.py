"""Streams and events in wrong use, on every device and on machines in their place: a kernel that raises where its stream's `with` block does
too, and events that have no time."""

import pytest

pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import _core, device

on_every_device = pytest.mark.parametrize("where", [*_core.devices(), "emu:sm_90", "emu:gfx942", "emu:gfx1100"])
pytestmark = pytest.mark.always


@device.kernel
def increment(x):
    x[device.tid(1)] += 1


@device.kernel
def refuses(x):
    if x[device.tid(1)] == 0:
        raise ValueError("no number")


@on_every_device
def test_what_a_kernel_says_beside_an_exception_of_the_block(where):
    """It is a note there, and the device goes on."""
    with pytest.raises(KeyError, match="mine") as raised:
        with device.Stream(where) as stream:
            try:
                refuses[1, 1, stream](device.zeros(1, device.int32, where))
            except ValueError as error:  # of a device whose launches are done when they return
                assert where == "cpu" and "no number" in str(error)
            raise KeyError("mine")
    notes = getattr(raised.value, "__notes__", [])
    assert where == "cpu" or len(notes) == 1 and "ValueError: no number" in notes[0]
    device.synchronize(where)
    x = device.zeros(4, device.int32, where)
    increment[1, 4](x)
    assert x.tolist() == [1] * 4


@on_every_device
def test_events_that_have_no_time(where):
    with device.Stream(where) as stream:
        recorded, untimed = stream.record(), stream.record(device.Event(where, timed=False))
        stream.synchronize()
        for first, last in ((device.Event(where), recorded), (recorded, device.Event(where)), (recorded, untimed), (untimed, recorded)):
            with pytest.raises((ValueError, RuntimeError), match=where):  # RuntimeError: a driver's own words
                first.elapsed(last)
            assert first.done and last.done


@on_every_device
def test_nothing_cannot_be_followed(where):
    with device.Stream(where) as stream, pytest.raises(TypeError, match="a stream or an event is needed, not NoneType"):
        stream.follow(None)


@pytest.mark.parametrize("where", ["emu:sm_90", "emu:gfx942", "emu:gfx1100"])
def test_a_device_is_waited_for_with_all_its_streams(where):
    out, streams = [device.zeros(64, device.int32, where) for _ in range(3)], [device.Stream(where), 0, device.Stream(where)]
    for x, stream in zip(out, streams):
        increment[1, 128 if x is out[0] else 64, stream](x)  # one goes beyond its array's end
    with pytest.raises(device.DeviceError, match="outside every allocation"):
        device.synchronize(where)
    device.synchronize(where)
    refuses[1, 1, streams[2]](device.zeros(1, device.int32, where))
    with pytest.raises(ValueError, match="no number"):
        device.synchronize(where)
    streams[2].synchronize()  # nothing is raised twice
