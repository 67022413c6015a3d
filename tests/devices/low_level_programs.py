"""Programs over a stand-in for a driver (stand_in_programs.py): what hetjit.driver asks of it."""

import ctypes
import gc
import weakref

from hetjit import device
from hetjit import driver as low_level

ONE = 0x1230  # a stream of another library


def low_level_calls_are_the_vendors(driver):
    calls, before, room = low_level.open(driver.first), driver.live(), bytearray(8)
    driver.calls()
    memory, other = calls.malloc(8), calls.malloc(8)
    assert [call.words for call in driver.calls("allocate")] == [["8"]] * 2
    for copy, name in ((lambda *stream: calls.memcpy(memory, room, 8, "default", *stream), "copy_in"),
                       (lambda *stream: calls.memcpy(room, memory, 8, "default", *stream), "copy_out"),
                       (lambda *stream: calls.memcpy(other, memory, 8, "default", *stream), "copy_within"),
                       (lambda *stream: calls.memset(memory, 7, 8, *stream), "fill")):
        copy()
        asked = driver.calls(name, "stream_wait")
        assert [(call.name, call.words) for call in asked] == [(name, ["0"]), ("stream_wait", ["0"])], asked
        copy(ONE)
        asked = driver.calls(name, "stream_wait")
        assert [(call.name, call.words) for call in asked] == [(name, [str(ONE)])], asked
    calls.memcpy(int(memory), ctypes.c_void_p(int(other)), 8)  # whose memory it is, the driver knows
    assert [call.name for call in driver.calls("pointer_attribute", "copy_within", "copy_in")] == ["pointer_attribute"] * 2 + ["copy_within"]
    calls.device_synchronize()
    calls.free(memory)
    calls.free(int(other))
    device.synchronize(driver.first, ONE)
    assert driver.live() == before


def low_level_memory_is_kept(driver):
    class Bytes(bytearray):
        pass
    calls, source = low_level.open(driver.first), Bytes(8)
    memory, ended = calls.malloc(8), weakref.ref(source)
    driver.pending(True)
    calls.memcpy_htod(memory, source, 8, ONE)
    try:
        source.append(0)
    except BufferError:
        del source
    gc.collect()
    calls.free(calls.malloc(8))  # asks what is done
    assert ended() is not None
    driver.pending(False)
    device.synchronize(driver.first, ONE)
    assert ended() is None
    calls.free(memory)


def low_level_calls_tell_why_they_failed(driver):
    calls, memory = low_level.open(driver.first, errors="tuple"), low_level.open(driver.first).malloc(8)
    for name, code, reason, call in (("allocate", 2, "out_of_memory", lambda: calls.malloc(8)), ("fill", 719, "driver_failed", lambda: calls.memset(memory, 0, 8)),
                                     ("copy_within", 719, "driver_failed", lambda: calls.memcpy_dtod(memory, memory, 8)),
                                     ("release", 719, "driver_failed", lambda: calls.free(memory))):
        driver.fail(name, code)
        error = call()[0]
        assert error.name == reason and error == getattr(low_level.Error, reason) and f"({code})" in error.text, error
    assert calls.free(memory) == (low_level.Error.success,)
