"""What code is compiled for: `if device.target(device.is_nvidia & device.provides(device.sm90)): ...`. A branch that the target
does not take is not compiled. On the host `target()` is true for the host. HETX-TS"""

__all__ = ["TargetDescription", "SMSelector", "target", "is_exactly", "provides", "is_host", "is_device", "is_nvidia",
           "is_amd", "any_target", "no_target", "machine_representation", "warp_size", "lane_id"]

from hetjit.device import lang as _lang

_LANGUAGE = _lang.__name__  # capture knows what belongs to the language by it
_NVIDIA = (75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121)
_FOR_ONE_ARCHITECTURE = 90   # from here on with a suffix: a, the features of one architecture
_FOR_ONE_FAMILY = 100        # from here on with a suffix: f, those of one family
_AMD = ("gfx900", "gfx906", "gfx908", "gfx90a", "gfx90c", "gfx940", "gfx941", "gfx942", "gfx950", "gfx1010", "gfx1011",
        "gfx1012", "gfx1030", "gfx1031", "gfx1032", "gfx1034", "gfx1035", "gfx1036", "gfx1100", "gfx1101", "gfx1102",
        "gfx1103", "gfx1150", "gfx1151", "gfx1152", "gfx1153", "gfx1200", "gfx1201")


class TargetDescription:
    """A set of targets. `|`, `&` and `~` make others of them."""

    __slots__ = ("_words", "__name__")
    __module__ = _LANGUAGE

    def __init__(self, words):
        self._words = tuple(words)  # postfix: ("is_nvidia", "provides_sm_90", "and")
        self.__name__ = ".".join(("target_description", *words))

    def __or__(self, other):
        return _combined(self, other, "or")

    def __and__(self, other):
        return _combined(self, other, "and")

    def __invert__(self):
        return TargetDescription((*self._words, "not"))

    def __bool__(self):
        raise TypeError("a TargetDescription is neither true nor false: ask device.target(description), and write ~description "
                        "for its opposite")

    def __eq__(self, other):
        return self._words == other._words if isinstance(other, TargetDescription) else NotImplemented

    def __hash__(self):
        return hash(self._words)

    def __repr__(self):
        return f"<device.TargetDescription {' '.join(self._words)}>"

    def __reduce__(self):
        return TargetDescription, (self._words,)


def _combined(one, other, word):
    if not isinstance(other, TargetDescription):
        return NotImplemented
    return TargetDescription((*one._words, *other._words, word))


class SMSelector:
    """An architecture, for is_exactly() and provides(): device.sm90, device.gfx942."""

    __slots__ = {"name": 'What targets call it: "sm_90".', "__name__": "for captures"}
    __module__ = _LANGUAGE

    def __init__(self, name):
        self.name = name
        self.__name__ = "target_selector." + name

    def __repr__(self):
        return f"device.{self.name.replace('_', '')}"

    def __eq__(self, other):
        return self.name == other.name if isinstance(other, SMSelector) else NotImplemented

    def __hash__(self):
        return hash(self.name)

    def __reduce__(self):
        return SMSelector, (self.name,)


any_target = TargetDescription(["any_target"])
no_target = TargetDescription(["no_target"])
is_host = TargetDescription(["is_host"])
is_device = TargetDescription(["is_device"])
is_nvidia = TargetDescription(["is_nvidia"])
is_amd = TargetDescription(["is_amd"])


def _name_of(function, sm):
    if not isinstance(sm, SMSelector):
        raise TypeError(f"device.{function}() takes an architecture such as device.sm90, not {type(sm).__name__}")
    return sm.name


def is_exactly(sm):
    """The targets of that architecture: `is_exactly(device.sm90)`."""
    return TargetDescription(["exactly_" + _name_of("is_exactly", sm)])


def provides(sm):
    """That architecture and all newer ones of the same vendor; of AMD's and of those with a suffix only that one (`a`) or
    its family (`f`)."""
    return TargetDescription(["provides_" + _name_of("provides", sm)])


def target(description):
    """Whether the code is compiled for one of the targets described. On the host: whether the host is one."""
    if not isinstance(description, TargetDescription):
        raise TypeError(f"device.target() takes a device.TargetDescription, not {type(description).__name__}")
    stack = []
    for word in description._words:
        if word == "not":
            stack.append(not stack.pop())
        elif word in ("and", "or"):
            last, first = stack.pop(), stack.pop()
            stack.append((first and last) if word == "and" else (first or last))
        else:
            stack.append(word in ("is_host", "any_target"))
    return stack.pop()


def machine_representation():
    """How values are laid out in memory: "itanium". HETX-MR-1"""
    return "itanium"


class _Threads:
    """A number that device code knows; the host has no warps."""

    __slots__ = ("__name__",)
    __module__ = _LANGUAGE

    def __init__(self, name):
        self.__name__ = name

    def _outside(self, *_):
        raise RuntimeError(f"device.{self.__name__} is only known inside a kernel, while it runs")

    __index__ = __int__ = __float__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _outside
    __floordiv__ = __mod__ = __rmod__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = _outside

    def __repr__(self):
        return f"device.{self.__name__}"

    def __reduce__(self):
        return self.__name__


warp_size = _Threads("warp_size")  # threads of a warp: 32, on AMD's gfx9 64. HETX-TP-3
lane_id = _Threads("lane_id")      # of the thread in its warp. HETX-TP-3


def _architectures():
    for number in _NVIDIA:
        yield f"sm_{number}"
        if number >= _FOR_ONE_ARCHITECTURE:
            yield f"sm_{number}a"
        if number >= _FOR_ONE_FAMILY:
            yield f"sm_{number}f"
    yield from _AMD


for _name in _architectures():
    _selector = SMSelector(_name)
    for _spelling in {_name, _name.replace("_", "")}:
        globals()[_spelling] = _selector
        __all__.append(_spelling)

for _function in (target, is_exactly, provides, machine_representation):
    _function.__module__ = _LANGUAGE
for _name in ("TargetDescription", "SMSelector", "target", "is_exactly", "provides", "machine_representation", "warp_size",
              "lane_id"):
    setattr(_lang, _name, globals()[_name])  # where a pickle looks for them
