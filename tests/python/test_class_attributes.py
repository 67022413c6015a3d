"""Attributes of classes and named tuples and tuples of functions are constants of a compilation, too: never a stale answer."""

import collections

import pytest

from hetjit import device

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")


def run(kernel):
    out = np.zeros(1, np.int32)
    kernel[1, 1](out)
    return int(out[0])


def class_kernel(**names):
    scope = {"device": device, **names}
    exec("def f(out):\n    out[0] = Settings.COUNT\n", scope)
    return scope, device.kernel(scope["f"])


def test_class_attributes():
    class Settings:
        COUNT = 4

    scope, kernel = class_kernel(Settings=Settings)
    assert run(kernel) == 4
    for value in (5, 4, 5):
        Settings.COUNT = value
        assert run(kernel) == value
    assert kernel.specializations == 2
    del Settings.COUNT
    with pytest.raises(device.CompileError, match="'Settings' cannot be used"):
        run(kernel)
    Settings.COUNT = 6
    assert run(kernel) == 6
    scope["Settings"] = type("Settings", (), {"COUNT": 7})
    assert run(kernel) == 7


def test_inherited_class_attributes():
    class Base:
        COUNT = 1

    class Other:
        COUNT = 2

    class Between(Base):
        pass

    class Settings(Between):
        pass

    scope, kernel = class_kernel(Settings=Settings)
    assert run(kernel) == 1
    Base.COUNT = 3
    assert run(kernel) == 3
    Between.COUNT = 4
    assert run(kernel) == 4
    Settings.COUNT = 5
    assert run(kernel) == 5
    del Settings.COUNT, Between.COUNT
    assert run(kernel) == 3
    Settings.__bases__ = (Other,)
    assert run(kernel) == 2
    Settings.__bases__ = (Between,)
    Between.__bases__ = (Other,)
    Base.COUNT = 9
    assert run(kernel) == 2


def test_static_methods_and_classes_in_classes():
    class Settings:
        class Inner:
            COUNT = 1

        @staticmethod
        def value():
            return Settings.Inner.COUNT * 10

    names = {"Settings": Settings, "device": device}
    exec("def f(out):\n    out[0] = Settings.value() + Settings.Inner.COUNT\n", names)
    kernel = device.kernel(names["f"])
    assert run(kernel) == 11
    Settings.Inner.COUNT = 2
    assert run(kernel) == 22
    Settings.value = staticmethod(lambda: 5)
    assert run(kernel) == 7
    Settings.value.__code__ = (lambda: 6).__code__
    assert run(kernel) == 8
    Settings.Inner = type("Inner", (), {"COUNT": 3})
    assert run(kernel) == 9
    Settings.value = lambda: 7
    assert run(kernel) == 10


def test_a_property_is_not_read_as_a_value():
    class Settings:
        COUNT = 4

    _, kernel = class_kernel(Settings=Settings)
    assert run(kernel) == 4
    Settings.COUNT = property(lambda self: 5)
    with pytest.raises(device.CompileError, match="'Settings' cannot be used"):
        run(kernel)


def test_a_metaclass_may_say_otherwise():
    class Meta(type):
        @property
        def COUNT(cls):
            return 5

    class Settings(metaclass=Meta):
        vars()["COUNT"] = 4

    assert Settings.COUNT == 5
    with pytest.raises(device.CompileError, match="'Settings' cannot be used"):
        run(class_kernel(Settings=Settings)[1])


def test_a_named_tuple_that_is_rebound():
    point = collections.namedtuple("point", "COUNT other")
    scope, kernel = class_kernel(Settings=point(1, 2))
    assert run(kernel) == 1
    scope["Settings"] = point(3, 2)
    assert run(kernel) == 3


def test_functions_in_a_tuple():
    def double(x):
        return x * 2
    scope = {"device": device, "F": (double, lambda x: x + 1)}
    exec("def f(out):\n    x = 5\n    for g in F: x = g(x)\n    out[0] = x\n", scope)
    kernel = device.kernel(scope["f"])
    assert run(kernel) == 11
    double.__code__ = (lambda x: x * 3).__code__
    assert run(kernel) == 16
    scope["F"] = scope["F"][:1]
    assert run(kernel) == 15


def test_a_named_tuples_class():
    """What its field is the class says."""
    class Point(collections.namedtuple("Point", "COUNT")):
        pass

    _, kernel = class_kernel(Settings=Point(4))
    assert run(kernel) == 4
    Point.COUNT = property(lambda self: 55)
    with pytest.raises(device.CompileError, match="'COUNT'|'Settings'"):
        run(kernel)
    del Point.COUNT
    assert run(kernel) == 4
