"""Kernels on processes of dask.distributed: one compilation for a machine, the same bits, and workers that are killed."""

import pathlib
import sys

import numpy as np
import pytest

pytest.importorskip("distributed", reason="dask.distributed is not installed for this Python")
import dask.array
from distributed import Client, LocalCluster

from hetjit import device

sys.path.insert(0, str(pathlib.Path(__file__).parent))  # workers get it, too
import sums

NUMBERS = np.arange(4000, dtype=np.float64)


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"HETJIT_CACHE": "on", "HETJIT_CACHE_DIR": str(tmp_path_factory.mktemp("cache") / "kernels")}.items():
            patch.setenv(name, value)
        for name in ("HETJIT_VERIFY", "HETJIT_KEEP", "HETJIT_SHOW"):  # who looks at compilations gets one
            patch.delenv(name, raising=False)
        yield device.cache


@pytest.fixture(scope="module")
def client(cache):
    with LocalCluster(2, threads_per_worker=1, dashboard_address=None, silence_logs="CRITICAL") as cluster, Client(cluster) as client:
        yield client


def test_a_machine_compiles_a_kernel_once(client, cache):
    sums.square.precompile([(NUMBERS,)])
    (kept,) = cache.entries()
    parts = dask.array.from_array(NUMBERS, chunks=250).map_blocks(sums.squared, meta=NUMBERS[:0])
    assert np.array_equal(parts.compute(), NUMBERS * NUMBERS + 1)
    counts = client.run(sums.compilations)
    assert len(counts) == 2 and sum(count for _, count in counts.values()) == 0
    assert [entry.name for entry in cache.entries()] == [kept.name]


def test_kernels_that_no_worker_can_import(client):
    """As a notebook's: by value. Arrays of a device and bound kernels as arguments of tasks."""
    def local(x, factor):
        i = device.tid(1)
        if i < len(x):
            x[i] *= factor
    kernel = device.kernel(local)
    kernel.__module__ = kernel.underlying.__module__ = "__main__"

    def launched(bound, x):
        bound(x, 3.0)
        return x
    x = device.array(NUMBERS[:8], "emu:sm_90")
    found = client.submit(launched, kernel[1, 8], x).result()
    assert np.array_equal(device.to_numpy(found), 3 * NUMBERS[:8]) and found.device == "emu:sm_90"
    assert np.array_equal(device.to_numpy(x), NUMBERS[:8])


def test_a_killed_worker_takes_nothing_with_it(client, cache, tmp_path):
    before = client.run(sums.compilations)
    parts = dask.array.from_array(NUMBERS, chunks=250).map_blocks(sums.squared_by_the_killed, str(tmp_path / "killed"), meta=NUMBERS[:0])
    assert np.array_equal(parts.compute(), NUMBERS * NUMBERS + 1)
    assert (tmp_path / "killed").exists()
    client.wait_for_workers(2)
    after = client.run(sums.compilations)
    assert {pid for pid, _ in before.values()} != {pid for pid, _ in after.values()}  # it was one of those
    assert not any(entry.fault for entry in cache.entries())
