"""Functions of Python's and NumPy's that are written in Python here, and compiled when a kernel calls them.

`FUNCTIONS` says which: capture (python/ext/capture/capture_names.cpp) puts ours in the place of the function of that qualified name. A name
between angle brackets accompanies a builtin of the compiler, which calls it when it needs it, as numpy.exp does for complex numbers. On the host nothing changes: there the
user's `cmath.exp` is Python's own.
"""

from hetjit.library import complex_numbers as _complex
from hetjit.library import floats as _floats
from hetjit.library import integers as _integers

FUNCTIONS = {"<builtins.pow>": _integers.power_modulo}

for _name in ("power", "reciprocal", "fmod"):
    FUNCTIONS[f"<numpy.{_name}>"] = getattr(_integers, _name)
FUNCTIONS["<numpy.pow>"] = _integers.power
for _module in ("math", "numpy", "hetjit.device"):
    FUNCTIONS[f"<{_module}.nextafter>"] = _floats.next_of_sixteen_bits

for _name in ("exp", "log", "log10", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh", "asin", "acos", "atan", "asinh",
              "acosh", "atanh", "isclose"):
    FUNCTIONS["cmath." + _name] = getattr(_complex, _name)
    if _name != "isclose":
        FUNCTIONS[f"<numpy.{_name}>"] = FUNCTIONS[f"<numpy.arc{_name[1:]}>"] = getattr(_complex, _name)
for _name in ("gcd", "lcm", "isqrt", "factorial", "comb", "perm"):
    FUNCTIONS["math." + _name] = getattr(_integers, _name)
for _name in ("gcd", "lcm"):
    FUNCTIONS["numpy." + _name] = getattr(_integers, _name)
for _name in ("isclose", "modf", "frexp", "ldexp", "ulp", "prod", "dist", "fsum", "sumprod"):
    FUNCTIONS["math." + _name] = getattr(_floats, _name)
for _name in ("modf", "frexp", "ldexp", "spacing", "logaddexp", "logaddexp2", "heaviside", "sinc", "nan_to_num"):
    FUNCTIONS["numpy." + _name] = getattr(_floats, _name)
