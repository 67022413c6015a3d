"""Atomic operations on elements of plain arrays: `device.atomic.add(a, i, v)` is `device.AtomicRef(a, i).add(v)`, but relaxed and of
scope device unless `memory` and `scope` say otherwise, as CUDA's functions are. Those that change the number return what it was
before. HETX-AT-2"""

from hetjit.device.atomics import AtomicRef as _AtomicRef

_OPERATIONS = {"load": "", "store": "val, ", "exch": "val, ", "cas": "old, val, ", "add": "val, ", "sub": "val, ", "and_": "val, ",
               "or_": "val, ", "xor": "val, ", "max": "val, ", "min": "val, ", "nanmax": "val, ", "nanmin": "val, ", "wait": "old, ",
               "notify_one": "", "notify_all": ""}
__all__ = list(_OPERATIONS)


def _function(name):
    method = getattr(_AtomicRef, name)

    def function(array, index, *values, **options):
        return method(_AtomicRef(array, index), *values, **options)
    function.__name__ = function.__qualname__ = name
    function.__hetjit_builtin__ = f"hetjit.device.atomic.{name}"
    function.__doc__ = f"{name}(array, index, {_OPERATIONS[name]}memory='relaxed', scope='device'): {method.__doc__}"
    return function


for _name in _OPERATIONS:
    globals()[_name] = _function(_name)
