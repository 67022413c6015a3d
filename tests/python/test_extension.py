"""What python/ext/handles gives an extension, on a small one (extension.cpp): types with structs, modules filled in steps."""

import gc
import sys
import types
import weakref

import pytest

from built import LEDGER, build, load
from hetjit import _core, device


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return build(tmp_path_factory.mktemp("extension"), "extension", *LEDGER)


@pytest.fixture
def extension(path):
    return load(path)


@pytest.mark.row("HPY-TYP-3")
def test_members_methods_and_attributes(extension):
    point = extension.Point(3, y=4)
    assert (point.x, point.y, point.norm(), repr(point)) == (3, 4, 25, "Point(3, 4)")
    point.x = 2
    assert point.x == 2
    for name, text in (("y", "readonly"), ("only_read", "only_read|not writable|readonly")):
        with pytest.raises(AttributeError, match=text):
            setattr(point, name, 1)
    point.z = 2 * 256 + 7 + 16
    assert (point.y, point.only_read) == (7, point.z)
    with pytest.raises(AttributeError, match="deleted"):
        del point.z
    point.both = 9
    assert (point.x, point.y) == (9, 9)
    with pytest.raises(AttributeError):
        point.both
    for name in ("x", "z", "both"):
        with pytest.raises(TypeError):
            setattr(point, name, "text")
    with pytest.raises(TypeError):
        extension.Point.norm(3)
    with pytest.raises(TypeError):
        extension.Point.z.__get__(3)


@pytest.mark.row("HPY-TYP-4")
def test_new_objects_begin_as_zeros(extension):
    """The extension looks before it writes; memory that was used before is given out again."""
    assert extension.Point(4, 5).z == 1045
    for _ in range(1000):
        assert extension.Point(-1, -1).norm() == 2
    for given, named in (((), {}), ((1,), {}), ((1, 2, 3), {}), ((1, "y"), {}), ((1, 2), {"x": 1}), ((1,), {"z": 2})):
        with pytest.raises(TypeError):
            extension.Point(*given, **named)

    class Named(extension.Point):
        def __init__(self, x, y):
            self.name = "named"
    assert Named(4, 5).z == 1045 and Named(1, 2).name == "named"


@pytest.mark.row("HPY-TYP-5")
def test_types_derived_from_builtin_ones(extension):
    """Our own that have a struct derive from `object` or from one another; a record's class and a dtype's are made in Python."""
    for derived, base, given in ((extension.Int, int, 7), (extension.Float, float, 1.5), (extension.Str, str, "text"),
                                 (extension.Tuple, tuple, (1, 2)), (extension.List, list, [1, 2])):
        made = derived(given)
        assert made == given and isinstance(made, base) and made.answer() == 42 and type(made).__mro__[1] is base

        class Further(derived):
            pass
        assert Further(given) == given and Further(given).answer() == 42

    class Record(metaclass=extension.Meta):
        pass
    assert type(Record) is extension.Meta and issubclass(extension.Meta, type) and Record.answer() == 42 and Record()
    ours = [one for one in vars(_core).values() if isinstance(one, type)]
    assert {base for one in ours for base in one.__bases__ if base not in ours} == {object}
    assert issubclass(type(device.float32), _core.DType)


@pytest.mark.row("HPY-MOD-3")
def test_a_module_is_filled_in_steps(path, monkeypatch):
    assert load(path).steps == ["first", "second", "third"]
    monkeypatch.setattr(sys, "failing_step", "second", raising=False)
    for _ in range(50):
        with pytest.raises(RuntimeError, match="second failed"):
            load(path)
    monkeypatch.setattr(sys, "failing_step", "third")
    with pytest.raises(RuntimeError, match="third failed"):
        load(path)
    monkeypatch.delattr(sys, "failing_step")
    again = load(path)
    assert again.steps == ["first", "second", "third"] and again.Point(4, 5).z == 1045


@pytest.mark.row("HPY-MOD-3")
def test_a_core_that_cannot_begin_leaves_nothing(monkeypatch):
    """Without the module `types`, which it asks while it is filled; the next one works."""
    from pathlib import Path
    core = Path(_core.__file__)
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "types", None)
        for _ in range(20):
            with pytest.raises(ImportError):
                load(core, "hetjit._core")
    again = load(core, "hetjit._core")
    assert isinstance(again, types.ModuleType) and again is not _core and int(again.Pointer(3)) == 3


@pytest.mark.row("HPY-MOD-2")
def test_types_of_a_module_that_has_gone_go(path):
    module = load(path)
    heard = weakref.ref(module.Point)
    point = module.Point(4, 5)
    del module
    gc.collect()
    assert point.z == 1045 and heard() is type(point)
    del point
    gc.collect()
    assert heard() is None
