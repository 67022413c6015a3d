"""Functions that only ever call themselves are told of (E0323); those that end, by a return or an exception, are not."""

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device

ENDLESS = {
    "itself": "def f(n):\n    return f(n + 1)", "a product": "def f(n):\n    return n * f(n - 1)", "two calls": "def f(n):\n    return f(n - 1) + f(n - 2)",
    "on both paths": "def f(n):\n    if n > 3:\n        return f(n - 1)\n    return f(n + 1)", "by a name": "def f(n):\n    m = f(n - 1)\n    return m",
}
ENDS = {
    "a base": "def f(n):\n    return 1 if n < 1 else n * f(n - 1)", "an exception": "def f(n):\n    if n > 3:\n        raise ValueError('done')\n    return f(n + 1)",
    "an assertion": "def f(n):\n    assert n < 3\n    return f(n + 1)", "what it calls raises": "def check(n):\n    if n > 5:\n        raise ValueError('stop')\ndef f(n):\n    check(n)\n    return f(n + 1)",
    "the other returns": "def g(n):\n    return f(n - 1)\ndef f(n):\n    if n == 0:\n        return 7\n    return g(n - 1)",
    "the other is asked first": "def f(n):\n    return g(n - 1)\ndef g(n):\n    if n < 1:\n        return 7\n    return f(n - 1)",
    "the other's opposite": "def f(n):\n    return 1 if n == 0 else g(n - 1)\ndef g(n):\n    return not f(n)",
    "the other raises": "def f(n):\n    return g(n)\ndef g(n):\n    if n < 0:\n        raise ValueError('done')\n    return f(n - 1)",
    "nothing": "def f(n):\n    if n > 0:\n        f(n - 1)", "a loop": "def f(n):\n    for k in range(n):\n        f(k)\n    return 3",
}


def kernel(source):
    given = {"device": device}
    exec(source, given)
    exec("def body(o, n):\n    f(n)\n    o[0] = 1", given)
    return device.kernel(given["body"])


@pytest.mark.parametrize("case", ENDLESS)
def test_what_never_returns_is_told(case):
    with pytest.raises(device.CompileError, match="E0323.*'f' never returns: every path of it calls it again"):
        kernel(ENDLESS[case])[1, 1](np.zeros(1, np.int32), 3)


@pytest.mark.parametrize("case", ENDS)
def test_what_ends_is_not(case):
    o = np.zeros(1, np.int32)
    try:
        kernel(ENDS[case])[1, 1](o, 2)
    except (ValueError, AssertionError) as ended:
        assert not isinstance(ended, device.CompileError)
    else:
        assert o[0] == 1


def test_another_mistake_stands_alone():
    with pytest.raises(device.CompileError) as told:
        kernel("def f(n):\n    if n < 1:\n        return n.foo\n    return f(n - 1)")[1, 1](np.zeros(1, np.int32), 3)
    assert "E0309" in str(told.value) and "E0323" not in str(told.value)
