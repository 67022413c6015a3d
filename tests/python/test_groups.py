"""What is known in kernels only, asked on the host; WarpMask there."""

import inspect
import pickle

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device

IN_KERNELS = ("shared_array", "local_array", "dynamic_shared_array", "syncthreads", "syncthreads_count", "syncthreads_and",
              "syncthreads_or", "syncgrid", "grid_dependency_synchronize", "trigger_launch_completion", "activemask", "lanemask_lt", "syncwarp", "all_sync", "any_sync", "eq_sync", "ballot_sync",
              "shfl_sync", "shfl_up_sync", "shfl_down_sync", "shfl_xor_sync", "match_any_sync", "match_all_sync")


@pytest.mark.row("HETX-GEN-2", "HETX-MEM-1", "HETX-MEM-2", "HETX-BS-1", "HETX-WS-2")
@pytest.mark.parametrize("name", IN_KERNELS)
def test_on_the_host_there_are_no_threads_to_ask(name):
    function = getattr(device, name)
    needed = [p for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    with pytest.raises(RuntimeError, match=f"device.{name}.*inside a kernel"):
        function(*[1] * len(needed))
    assert function.__doc__


@pytest.mark.row("HETX-WS-1")
def test_a_mask_is_an_int_with_a_bit_per_lane():
    mask = device.WarpMask(0b101)
    assert isinstance(mask, int) and mask == 5
    assert [mask[i] for i in range(4)] == [True, False, True, False]
    assert mask.replace(1, True) == 7 and mask.replace(0, False) == 4 and mask == 5
    assert device.FULL_MASK[0] and device.FULL_MASK[31] and device.FULL_MASK[63]
    assert mask & 4 == 4 and {5: "found"}[mask] == "found"
    assert pickle.loads(pickle.dumps(mask)) == mask
    with pytest.raises(TypeError, match="immutable"):
        mask[0] = False
    for lane in (-1, 64):
        with pytest.raises(IndexError):
            mask[lane]
    with pytest.raises(OverflowError):
        device.WarpMask(1 << 64)


@pytest.mark.parametrize("lanes, count, length", [(0, 0, 0), (0b1010, 2, 4), (-1, 32, 32), (1 << 31, 1, 32), (-1 << 31, 1, 32), (1 << 63, 1, 64), ((1 << 64) - 1, 64, 64)])
def test_bits_of_masks_are_lanes(lanes, count, length):
    """The highest lane's bit is the sign of an integer, of which Python counts the magnitude's."""
    mask = device.WarpMask(lanes)
    assert (mask.bit_count(), mask.bit_length()) == (count, length)


@pytest.mark.row("HETX-WS-1")
def test_bits_of_masks_with_others_are_masks():
    """They are Python's ints: a negative one names all lanes that follow, as many as there are."""
    mask, full, top = device.WarpMask, device.FULL_MASK, device.WarpMask(1 << 31)
    for made, lanes in ((mask(10) | top, 0x8000000A), (mask(10) & top, 0), (top | 1, 0x80000001), (1 | top, 0x80000001), (3 & full, 3), (full & 3, 3), (full & 0xFFFFFFFF, 0xFFFFFFFF),
                        (top | 0, 1 << 31), (top | mask(1 << 40), 1 << 31 | 1 << 40), (top ^ mask(1 << 40), 1 << 31 | 1 << 40), (mask(0xFFFFFFFF) & mask(1 << 40), 0), (mask(3) & True, 1)):
        assert type(made) is mask and made == lanes and made.bit_count() == bin(lanes).count("1"), made
    for made, count in ((~mask(10), 30), (~top, 31), (~full, 0), (full ^ mask(10), 30), (3 ^ full, 30), (~mask(0xFFFFFFFF), 0), (~mask(1 << 63), 63), (~mask((1 << 64) - 1), 0)):
        assert type(made) is mask and made.bit_count() == count, made
    assert (~top)[40] and (~mask(1 << 30))[40] and not (top | 1)[40] and ~~mask(10) == 10
    assert mask(3) | 1 << 64 == 3 + (1 << 64) and mask(3) & (1 << 70) - 1 == 3
    for wrong in (1.0, "1", None):
        with pytest.raises(TypeError):
            mask(10) | wrong


@pytest.mark.row("HETX-WS-1")
def test_bits_of_masks_are_lanes_in_kernels():
    def votes(o, n):
        t = device.thread_idx.x
        mask = device.ballot_sync(device.FULL_MASK, t >= n)
        o[t, 0], o[t, 1] = mask.bit_count(), mask.bit_length()

    for n in (0, 1, 5, 31):
        out = np.zeros((32, 2), np.int32)
        device.kernel(votes)[1, 32](out, n)
        assert (out == [32 - n, 32]).all()
