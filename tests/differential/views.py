"""What tests of views share: kernels made of text, run by the interpreter and the host target."""

import numpy as np
import pytest

from hetjit import _core, device

import tools


def compiled(body, parameters="x, out, p, q, r"):
    """A kernel of these lines."""
    source = f"def kernel({parameters}):\n" + "".join(f"    {line}\n" for line in body)
    namespace = {"np": np, "device": device}
    exec(source, namespace)
    return namespace["kernel"]


def by_each(kernel, *arguments):
    """Runs on copies of the arguments, which they return: by the interpreter, and on the host."""
    def run(launch):
        copies = tuple(map(tools.fresh, arguments))
        launch(copies)
        return copies

    return [lambda: run(lambda a: _core.interpret(_core.capture(kernel), a, 1, 1)), lambda: run(lambda a: device.kernel(kernel)[1, 1](*a))]


def on_both(kernel, *arguments):
    """The arguments after the interpreter ran the kernel on copies of them, and after the host did."""
    return [run() for run in by_each(kernel, *arguments)]


def refused(kernel, *arguments):
    with pytest.raises(device.CompileError) as caught:
        device.kernel(kernel)[1, 1](*arguments)
    return str(caught.value)


def numbers(shape, dtype):
    count = int(np.prod(shape, dtype=np.int64))
    values = np.arange(1, count + 1)
    return (values % 2 if dtype == np.bool_ else values).astype(dtype).reshape(shape)
