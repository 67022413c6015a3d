"""What code is compiled for."""

from collections.abc import Iterable

__all__ = ["TargetDescription", "SMSelector", "target", "is_exactly", "provides", "is_host", "is_device", "is_nvidia", "is_amd",
           "any_target", "no_target", "machine_representation", "warp_size", "lane_id", "sm75", "sm_75", "sm80", "sm_80", "sm86",
           "sm_86", "sm87", "sm_87", "sm88", "sm_88", "sm89", "sm_89", "sm90", "sm_90", "sm90a", "sm_90a", "sm100", "sm_100",
           "sm100a", "sm_100a", "sm100f", "sm_100f", "sm103", "sm_103", "sm103a", "sm_103a", "sm103f", "sm_103f", "sm110",
           "sm_110", "sm110a", "sm_110a", "sm110f", "sm_110f", "sm120", "sm_120", "sm120a", "sm_120a", "sm120f", "sm_120f",
           "sm121", "sm_121", "sm121a", "sm_121a", "sm121f", "sm_121f", "gfx900", "gfx906", "gfx908", "gfx90a", "gfx90c",
           "gfx940", "gfx941", "gfx942", "gfx950", "gfx1010", "gfx1011", "gfx1012", "gfx1030", "gfx1031", "gfx1032", "gfx1034",
           "gfx1035", "gfx1036", "gfx1100", "gfx1101", "gfx1102", "gfx1103", "gfx1150", "gfx1151", "gfx1152", "gfx1153",
           "gfx1200", "gfx1201"]

class TargetDescription:
    __name__: str
    def __init__(self, words: Iterable[str]) -> None: ...
    def __or__(self, other: TargetDescription) -> TargetDescription: ...
    def __and__(self, other: TargetDescription) -> TargetDescription: ...
    def __invert__(self) -> TargetDescription: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

class SMSelector:
    __name__: str
    name: str
    def __init__(self, name: str) -> None: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

any_target: TargetDescription
no_target: TargetDescription
is_host: TargetDescription
is_device: TargetDescription
is_nvidia: TargetDescription
is_amd: TargetDescription

def is_exactly(sm: SMSelector) -> TargetDescription: ...
def provides(sm: SMSelector) -> TargetDescription: ...
def target(description: TargetDescription) -> bool: ...
def machine_representation() -> str: ...

warp_size: int
lane_id: int

sm75: SMSelector
sm_75: SMSelector
sm80: SMSelector
sm_80: SMSelector
sm86: SMSelector
sm_86: SMSelector
sm87: SMSelector
sm_87: SMSelector
sm88: SMSelector
sm_88: SMSelector
sm89: SMSelector
sm_89: SMSelector
sm90: SMSelector
sm_90: SMSelector
sm90a: SMSelector
sm_90a: SMSelector
sm100: SMSelector
sm_100: SMSelector
sm100a: SMSelector
sm_100a: SMSelector
sm100f: SMSelector
sm_100f: SMSelector
sm103: SMSelector
sm_103: SMSelector
sm103a: SMSelector
sm_103a: SMSelector
sm103f: SMSelector
sm_103f: SMSelector
sm110: SMSelector
sm_110: SMSelector
sm110a: SMSelector
sm_110a: SMSelector
sm110f: SMSelector
sm_110f: SMSelector
sm120: SMSelector
sm_120: SMSelector
sm120a: SMSelector
sm_120a: SMSelector
sm120f: SMSelector
sm_120f: SMSelector
sm121: SMSelector
sm_121: SMSelector
sm121a: SMSelector
sm_121a: SMSelector
sm121f: SMSelector
sm_121f: SMSelector
gfx900: SMSelector
gfx906: SMSelector
gfx908: SMSelector
gfx90a: SMSelector
gfx90c: SMSelector
gfx940: SMSelector
gfx941: SMSelector
gfx942: SMSelector
gfx950: SMSelector
gfx1010: SMSelector
gfx1011: SMSelector
gfx1012: SMSelector
gfx1030: SMSelector
gfx1031: SMSelector
gfx1032: SMSelector
gfx1034: SMSelector
gfx1035: SMSelector
gfx1036: SMSelector
gfx1100: SMSelector
gfx1101: SMSelector
gfx1102: SMSelector
gfx1103: SMSelector
gfx1150: SMSelector
gfx1151: SMSelector
gfx1152: SMSelector
gfx1153: SMSelector
gfx1200: SMSelector
gfx1201: SMSelector
