"""What is released while an exception is on its way does not lose it."""

import ctypes
import gc

import pytest

from hetjit import device

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

import producers

EMULATED = "emu:sm_90"


@device.kernel
def copy(a, b):
    a[0] = b[0]


def zeros():
    return device.zeros(3, device.float32, EMULATED)


RELEASED = {"launch": lambda: copy[1, 1](zeros(), "s"), "missing argument": lambda: copy[1, 1](zeros()),
            "conversion": lambda: int(zeros()), "unpacking": lambda: (lambda: 0)(zeros()),
            "two arrays": lambda: copy[1, 1](zeros(), "s", zeros())}


@pytest.mark.parametrize("way", RELEASED)
def test_arrays_of_a_machine_in_python(way):
    """Their memory is given back by Python code."""
    with pytest.raises(TypeError):
        RELEASED[way]()


def test_a_kernel_of_a_machine_in_python():
    """Unloading is Python code as well: the last reference goes while an exception is raised."""
    def launched():
        @device.kernel
        def put(out):
            out[0] = 1
        put[1, 1](zeros())
        return put
    for use in (lambda: int(launched()), lambda: launched()[1, 1](), lambda: launched()[1, 1]("s")):
        with pytest.raises(TypeError):
            use()


@pytest.mark.filterwarnings("error::hetjit.device.UnsignedWarning")
def test_a_kernel_that_is_not_kept():
    """A warning that is an error comes when the kernel has been loaded."""
    @device.kernel
    def kernel(out):
        x = device.thread_idx.x
        if x - 1 >= 0:
            out[0] = 1
    with pytest.raises(device.UnsignedWarning):
        kernel[1, 1](zeros())


def caught():
    try:
        raise LookupError
    except LookupError:
        return gc.collect()


@pytest.mark.parametrize("then", ["raise", "catch", "clear"])
@pytest.mark.parametrize("old", [False, True])
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_deleters(then, old):
    """A deleter may run Python code, which raises, catches, or clears what is raised."""
    class Lent(producers.Producer):
        def delete(self, pointer):
            self.deleted += 1
            if then == "raise":
                raise LookupError("in a deleter")
            if then == "catch":
                caught()

    lent = Lent(np.zeros(3, np.float32), old=old)
    if then == "clear":
        lent.managed.deleter = ctypes.cast(ctypes.pythonapi.PyErr_Clear, producers.DELETER)
    with pytest.raises(TypeError, match="argument 'b' is a str"):
        copy[1, 1](lent, "s")
    copy[1, 1](np.zeros(1, np.float32), lent)  # and leaves none
    assert then == "clear" or lent.deleted == 2
