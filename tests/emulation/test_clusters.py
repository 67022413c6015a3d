"""Blocks of a launch in clusters, as their threads are told; what they do together is not there."""

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit.emulation import faults
from hetjit.emulation.ptx.machine import Machine
from texts import kernel

REGISTERS = "cluster_ctaid", "cluster_nctaid", "clusterid", "nclusterid", "ctaid"


def told(grid, cluster):
    """Of each block: what each register says along x, y and z, and whether the cluster was asked for."""
    words = [f"mov.u32 %r1, %{name}.{axis}; st.global.u32 [%rd2+{4 * (3 * i + j)}], %r1;" for i, name in enumerate(REGISTERS) for j, axis in enumerate("xyz")]
    words.append("mov.pred %p1, %is_explicit_cluster; selp.u32 %r1, 1, 0, %p1; st.global.u32 [%rd2+60], %r1;")
    number = "mov.u32 %r2, %ctaid.z; mov.u32 %r3, %nctaid.y; mov.u32 %r4, %ctaid.y; mad.lo.u32 %r2, %r2, %r3, %r4; mov.u32 %r3, %nctaid.x; mov.u32 %r4, %ctaid.x; mad.lo.u32 %r2, %r2, %r3, %r4; "
    machine = Machine()
    loaded = machine.load(kernel(number + "mul.wide.u32 %rd3, %r2, 64; add.u64 %rd2, %rd0, %rd3; " + " ".join(words)))
    blocks = int(np.prod(grid))
    out = machine.arena.allocate(64 * blocks)
    loaded.launch("main", grid, 1, [out, out, np.uint32(0)], cluster=cluster)
    return machine.arena.slice(out, 64 * blocks).view(np.uint32).reshape(blocks, 16).tolist()


@pytest.mark.parametrize("cluster", [(1, 1, 1), (2, 1, 1), (1, 3, 1), (2, 3, 2), (4, 1, 2)])
def test_registers(cluster):
    grid = 4, 3, 2
    places = [(x, y, z) for z in range(2) for y in range(3) for x in range(4)]
    for place, said in zip(places, told(grid, cluster), strict=True):
        inside = [p % c for p, c in zip(place, cluster)]
        which, count = [p // c for p, c in zip(place, cluster)], [g // c for g, c in zip(grid, cluster)]
        assert said == [*inside, *cluster, *which, *count, *place, int(cluster != (1, 1, 1))]


def test_what_they_do_together_is_refused_by_name():
    with pytest.raises(faults.UnknownCode, match="barrier.cluster"):
        Machine().load(kernel("barrier.cluster.arrive; barrier.cluster.wait;")).launch("main", 1, 1, [0, 0, np.uint32(0)])
