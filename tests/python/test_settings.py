"""A decorator's options hold wherever its function is compiled: for a launch, device.emit, compile(), `python -m hetjit show`."""

import math

import pytest

from hetjit import device
from hetjit.commands import programs

SIGNATURE = "(float32[::1], float32[::1], int)"
TARGET = "cuda:sm_90"

OPTIONS = {  # what of the PTX shows that it holds, and whether by being there
    "contract": (False, "", None),  # its text is another one
    "fastmath": (True, "div.approx", True),
    "portable_math": (True, "", None),
    "check": ("bounds", "", None),
    "launch_bounds": (128, ".maxntid", True),
    "max_registers": (40, ".maxnreg", True),
    "debug": ("lines", "\t.loc\t", True),
    "name": ("renamed", "renamed", True),
}
OF_KERNELS = ("launch_bounds", "max_registers")


def body(x, y, n):
    x[n] = x[n + 1] * y[n] + y[n + 1] / x[n + 2]
    y[n] = math.exp(y[n])


def texts(decorated):
    yield "emit", device.emit(decorated, SIGNATURE, TARGET)
    yield "compile", decorated.compile(SIGNATURE, target=TARGET, kind="ptx").code.decode()
    yield "show", programs.request_of(decorated, SIGNATURE, TARGET).show("ptx")


@pytest.mark.parametrize("decorate, option", [(device.kernel, option) for option in OPTIONS] + [(device.func, option) for option in OPTIONS if option not in OF_KERNELS])
def test_an_option_holds(decorate, option):
    value, sign, is_there = OPTIONS[option]
    plain, said = dict(texts(decorate(interop=True)(body))), dict(texts(decorate(interop=True, **{option: value})(body)))
    for way, text in said.items():
        assert text != plain[way], way
        assert is_there is None or (sign in text, sign in plain[way]) == (is_there, not is_there), (way, text)


def test_another_contract_than_the_decorators():
    plain, apart = device.kernel(body), device.kernel(contract=False)(body)
    assert device.emit(apart, SIGNATURE, TARGET, contract=True) == device.emit(plain, SIGNATURE, TARGET)
    assert device.emit(plain, SIGNATURE, TARGET, contract=False) == device.emit(apart, SIGNATURE, TARGET)


def test_an_unknown_check():
    made = device.kernel(body)
    made.options["check"] = "fast"
    with pytest.raises(ValueError, match="check='fast': known are bounds, race"):
        device.emit(made, SIGNATURE, TARGET)
