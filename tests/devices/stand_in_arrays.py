"""Programs over a stand-in for a driver, as stand_in_programs.py has them: arrays of our own, their memory, their views."""

import gc

from hetjit import device
from stand_in_programs import ONE, OTHER, increment, numbers


def launches_of_a_view_are_waited_for_by_its_whole_array_and_keep_it(driver):
    x = numbers(driver.first)
    live = driver.live()["memory"]
    driver.pending(True)
    increment[1, 2, ONE](x[1:3])
    event = driver.calls("event_record")[0].words[0]
    x[:2].copy_out(bytearray(8))  # another view
    assert [call.words for call in driver.calls("stream_follow")] == [["0", event]]
    row = x[2:]
    del x
    gc.collect()
    assert driver.live()["memory"] == live
    del row
    gc.collect()
    numbers(driver.first)
    assert driver.live()["memory"] == live, "the launch uses it"
    driver.pending(False)
    device.synchronize(driver.first)
    numbers(driver.first)
    assert driver.live()["memory"] == live - 1


def parts_are_stored_alone(driver):
    """What lies between the elements of a view may be another launch's just now."""
    x = device.array([[1, 2, 3], [4, 5, 6]], driver.first, device.float32)
    driver.calls()
    x[:, 1:] = [[7, 8], [9, 10]]
    assert len(driver.calls("copy_in")) == 2
    assert x.tolist() == [[1, 7, 8], [4, 9, 10]] and x[:, 2].tolist() == [8, 10]


def others_are_lent_memory_that_their_stream_finds_ready(driver):
    x = numbers(driver.first)
    driver.pending(True)
    increment[1, 4, ONE](x)
    event = driver.calls("event_record")[0].words[0]
    capsule = x.__dlpack__(stream=OTHER, max_version=(1, 0))
    assert [call.words for call in driver.calls("stream_follow")] == [[str(OTHER), event]]
    assert x.__dlpack_device__() == (driver.kind, 0)
    x.__dlpack__(stream=-1)
    assert not driver.calls("stream_follow")
    live = driver.live()["memory"]
    driver.pending(False)
    device.synchronize(driver.first, ONE)
    del x
    gc.collect()
    assert driver.live()["memory"] == live, "the capsule keeps it"
    del capsule
    assert driver.live()["memory"] == live - 1
