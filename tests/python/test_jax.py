"""JAX's arrays as arguments: docs/jax.md as it stands, and what a user of JAX would try next."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

from hetjit import device

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
jax = pytest.importorskip("jax", reason="JAX is not installed for this Python", exc_type=ImportError)
jnp = jax.numpy

from lent_kernels import copy, double

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_the_document():
    text = (ROOT / "docs" / "jax.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 8
    scope = {"__name__": "jax_document"}
    for block in blocks:
        exec(compile(block, "docs/jax.md", "exec"), scope)


@pytest.mark.parametrize("name", ["bool", "int8", "int32", "uint8", "uint16", "uint32", "float16", "bfloat16", "float32",
                                  "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "complex64"])
def test_element_types(name):
    x = jnp.arange(8).astype(name)
    out = np.zeros(8, x.dtype)
    copy[1, 8](x, out)
    assert (out == np.asarray(x)).all()
    with pytest.raises(device.ReadOnlyError):
        copy[1, 8](out, x)
    assert (np.asarray(x) == np.arange(8).astype(x.dtype)).all()


def test_formats_that_no_kernel_reads():
    with pytest.raises(Exception, match="DLPack") as caught:
        copy[1, 8](jnp.zeros(8, "int4"), np.zeros(8))
    assert any("argument 'x'" in note for note in caught.value.__notes__)
    with pytest.raises(BufferError, match="argument 'x'"):
        copy[1, 8](jnp.zeros(8, "float8_e4m3b11fnuz"), np.zeros(8))
    with pytest.raises(TypeError, match="argument 'x' is a jax"):
        copy[1, 8](jax.random.key(0), np.zeros(8))


def test_its_aliases_are_safe():
    x = jnp.arange(8.0)
    alias, host = x[:], np.asarray(x)
    with pytest.raises(device.ReadOnlyError, match=r"argument 'x' is a jaxlib\.\S+, whose library does not say.*device\.writable\(copy\)"
                       .replace(".*", r"[\s\S]*")):
        double[1, 8](x)
    with pytest.raises(device.ReadOnlyError):
        double[1, 8](host)
    assert (alias == jnp.arange(8.0)).all() and (host == np.arange(8)).all()


def test_in_tuples_and_structs():
    @device.struct
    class Pair:
        a: device.float32[:]
        b: device.float32[:]

    @device.kernel
    def by_struct(p): p.b[0] = p.a[0]

    @device.kernel
    def by_tuple(t): t[1][0] = t[0][7]
    x, out = jnp.arange(8.0), np.zeros(8, np.float32)
    by_tuple[1, 1]((x, out))
    assert out[0] == 7
    with pytest.raises(device.ReadOnlyError, match=r"argument 't'\[1\] is a jaxlib"):
        by_tuple[1, 1]((out, x))
    with pytest.raises(TypeError, match=r"argument 'p'\.a is a jaxlib.*: it is read-only"):
        by_struct[1, 1](Pair(x, out))
    by_struct[1, 1](Pair(device.writable(x), out))
    assert out[0] == 0


def test_shapes():
    out = np.full(8, 5, np.float32)
    copy[1, 8](jnp.zeros((0,)), out)
    assert (out == 5).all()

    @device.kernel
    def of_rank_0(x, out): out[0] = x[()]
    of_rank_0[1, 1](jnp.float32(3), out)
    assert out[0] == 3

    @device.kernel
    def transposed(x, out):
        i, j = device.tid(2)
        out[i, j] = x[i, j]
    x, out = jnp.arange(12.0).reshape(3, 4).T[::2], np.zeros((2, 3), np.float32)
    transposed[1, (2, 3)](x, out)
    assert (out == np.asarray(x)).all()


def test_what_is_being_computed_is_waited_for():
    x = jnp.ones((700, 700))
    for _ in range(4):
        x = x @ x / 700
    out = np.zeros(700, np.float32)

    @device.kernel
    def row(x, out):
        i = device.tid(1)
        if i < 700:
            out[i] = x[0, i]
    row[3, 256](x, out)
    assert np.allclose(out, 1)


def test_traced_arrays():
    with pytest.raises(BufferError, match="argument 'x'.*is being traced.*jax.pure_callback"):
        jax.jit(lambda x: copy[1, 8](x, np.zeros(8)))(jnp.arange(8.0))
    with pytest.raises(BufferError, match="is being traced"):
        jax.grad(lambda x: copy[1, 8](x, np.zeros(8)))(jnp.arange(8.0))


def test_deleted_arrays():
    x = jnp.arange(8.0)
    x.delete()
    for launch in (lambda: copy[1, 8](x, np.zeros(8)), lambda: double[1, 8](device.writable(x))):
        with pytest.raises(BufferError, match="argument 'x', a jaxlib.*has been deleted: it was donated"):
            launch()


SHARDED = """
import jax, numpy as np
from hetjit import device
from jax.sharding import Mesh, NamedSharding, PartitionSpec

@device.kernel
def copy(x, out):
    i = device.tid(1)
    if i < x.size:
        out[i] = x[i]

assert len(jax.devices()) == 2
mesh = Mesh(np.array(jax.devices()), ("i",))
x = jax.device_put(jax.numpy.arange(8.0), NamedSharding(mesh, PartitionSpec("i")))
out = np.zeros(8, np.float32)
try:
    copy[1, 8](x, out)
except BufferError as error:
    assert "sharded" in str(error) and "argument 'x'" in error.__notes__[0], error
else:
    raise AssertionError
for shard in x.addressable_shards:
    copy[1, 8](shard.data, out[shard.index])
assert out.tolist() == list(range(8))
"""


def test_sharded_arrays(tmp_path):
    (tmp_path / "sharded.py").write_text(SHARDED)
    environment = {**os.environ, "XLA_FLAGS": "--xla_force_host_platform_device_count=2", "JAX_PLATFORMS": "cpu"}
    done = subprocess.run([sys.executable, tmp_path / "sharded.py"], env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def test_what_was_read_is_given_back():
    """Its buffer is held for a launch and no longer: JAX may take the memory for something else afterwards."""
    x, out = jnp.arange(8.0), np.zeros(8, np.float32)
    for _ in range(5):
        copy[1, 8](x, out)
    assert (out == np.arange(8)).all()
    jax.jit(lambda x: x + 1, donate_argnums=0)(x)
    assert x.is_deleted()


def test_arrays_of_ours():
    """As NumPy's: by asarray() and array(), and as operands."""
    ours = device.asarray(np.arange(6, dtype=np.float32).reshape(2, 3))
    for taken in (jnp.array(ours), jnp.asarray(ours), ours + jnp.zeros((2, 3))):
        assert isinstance(taken, jax.Array) and taken.dtype == np.float32
        np.testing.assert_array_equal(taken, np.arange(6).reshape(2, 3))
    copied = jnp.array(ours)
    ours[0, 0] = 9.0
    assert copied[0, 0] == 0, "array() copies"
    half = device.asarray(np.arange(6, dtype=np.float16))[1::2]
    np.testing.assert_array_equal(jnp.array(half), [1, 3, 5])
