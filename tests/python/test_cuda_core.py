"""What cuda.core has beside arrays: its launch configurations and streams, by objects of the shape that its documents give, and by its own
where it is installed."""

import types

import pytest

from hetjit import device


@device.kernel
def places(out):
    out[device.tid(1)] = device.block_dim.x * 100 + device.block_idx.x


@device.kernel
def shares(out):
    words = device.dynamic_shared_array(device.int32)
    words[device.thread_idx.x] = device.thread_idx.x
    device.syncthreads()
    out[device.thread_idx.x] = words[device.block_dim.x - 1 - device.thread_idx.x]


def config(grid, block, **more):
    """As LaunchConfig holds them: shapes of three extents."""
    return types.SimpleNamespace(**{"grid": grid, "cluster": None, "block": block, "shmem_size": 0, "is_cooperative": False, **more})


class Stream:
    def __cuda_stream__(self):
        return 0, 0


def test_a_configuration_takes_the_place_of_grid_and_block():
    for given in (config((3, 1, 1), (4, 1, 1)), (config((3, 1, 1), (4, 1, 1)), Stream()), (config(3, 4), None)):
        out = device.zeros(12, int, "cpu")
        places[given](out)
        assert out.tolist() == [400 + i // 4 for i in range(12)]
    out = device.zeros(4, int, "cpu")
    shares[config((1, 1, 1), (4, 1, 1), shmem_size=16)](out)
    assert out.tolist() == [3, 2, 1, 0]


def test_it_is_read_each_time():
    changed = config((1, 1, 1), (2, 1, 1))
    first = places[changed]
    changed.block = (4, 1, 1)
    assert first.block == (2, 1, 1) and places[changed].block == (4, 1, 1)


@pytest.mark.parametrize("name", ["is_cooperative", "cooperative_launch"])  # as it is called now, and was
def test_cooperative(name):
    given = config((1, 1, 1), (4, 1, 1), **{name: True})
    if name == "cooperative_launch":
        del given.is_cooperative
    assert places[given].cooperative and places[given].shared == 0


def test_its_grid_counts_clusters():
    bound = places[config((3, 1, 1), (2, 1, 1), cluster=(2, 1, 1), programmatic_stream_serialization=True)]
    assert bound.grid == (6, 1, 1) and bound.cluster == (2, 1, 1) and bound.programmatic
    out = device.zeros(12, int, "cpu")
    places[config((3, 1, 1), (2, 1, 1), cluster=(2, 1, 1))](out)
    assert out.tolist() == [200 + i // 2 for i in range(12)]


@pytest.mark.parametrize("wrong, kind, text", [
    (config((1 << 31, 1, 1), (4, 1, 1), cluster=(2, 1, 1)), ValueError, "more blocks than fit"), (config(1, 1, cluster="two"), TypeError, "cluster is a str"),
    (config("all", (4, 1, 1)), TypeError, "grid is a str"), (config((1, 1, 1, 1), 4), ValueError, "grid has 4 extents"),
    (config(1, 1, shmem_size=-1), ValueError, "shared has an extent of -1"), (config(1, 1, is_cooperative=2), TypeError, "cooperative is an int"),
    (types.SimpleNamespace(grid=1), TypeError, r"places\[...\] takes grid, block")])
def test_mistakes(wrong, kind, text):
    with pytest.raises(kind, match=text):
        places[wrong]


def test_what_raises_is_raised():
    class Config:
        block = (1, 1, 1)

        @property
        def grid(self):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        places[Config()]


def test_of_the_library_itself():
    core = pytest.importorskip("cuda.core", reason="cuda.core is not installed for this Python")
    library = core if hasattr(core, "LaunchConfig") else pytest.importorskip("cuda.core.experimental", reason="cuda.core has no LaunchConfig")
    try:
        given = library.LaunchConfig(grid=3, block=4, shmem_size=16)
    except Exception as error:  # what it raises where there is no driver differs with its version
        pytest.skip(f"cuda.core makes no configuration here: {error}")
    out = device.zeros(12, int, "cpu")
    places[given](out)
    assert out.tolist() == [400 + i // 4 for i in range(12)] and places[given].shared == 16
