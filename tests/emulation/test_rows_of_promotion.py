"""What two formats become, as kernels find it on every target: `.dtype` and values, of numbers and of arrays without dimensions."""

import itertools
import random

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
hypothesis = pytest.importorskip("hypothesis", reason="hypothesis is not installed for this Python")

from hypothesis import strategies as draw

from everywhere import everywhere, launched
from hetjit import _core, device
from promotion import NAMES, RULES, TABLE

pytestmark = pytest.mark.filterwarnings("ignore::hetjit.device.PrecisionWarning")  # that is what promotion does
MIXING = [name for name in NAMES if "float8" not in name]
PYTHON = ("bool", "int", "float", "complex")
FIXED = [name for name in MIXING if name not in PYTHON]
IN_NUMPY = [name for name in FIXED if name != "bfloat16"]
LONG = {"b": "bool_", "f16": "float16", "bf": "bfloat16", "f32": "float32", "f64": "float64", "c64": "complex64", "c128": "complex128",
        **{f"{sign}{bits}": f"{word}{bits}" for sign, word in (("i", "int"), ("u", "uint")) for bits in (8, 16, 32, 64)}}
SIX, TWO = 6, 2


def made(name, number):
    """An expression of that type, of a number that is known at run time only."""
    return f"{name}({number})" if name in PYTHON else f"device.{name}({number})"


def value(name, number):
    return bool(number) if name in ("bool", "bool_") else number


def kernel_of(lines, parameters):
    scope = {"device": device}
    exec(compile(f"def kernel({parameters}):\n" + "".join(f"    {line}\n" for line in lines), "<made>", "exec"), scope)
    return scope["kernel"]


class Sums:
    """Expressions of one kernel: each has a type and a value; bfloat16 is a format of device code alone here."""

    def __init__(self):
        self.lines, self.want = [], []

    def add(self, expression, type, number):
        k = len(self.want)
        self.lines += [f"v{k} = {expression}", f"same[{k}] = v{k}.dtype == device.{type}", f"values[{k}] = v{k}"]
        self.want.append(number)

    def check(self, where, arrays=(), names=""):
        kernel = kernel_of(self.lines, f"n, m, same, values{names}")
        same, values, *_ = launched(where, kernel, SIX, TWO, np.zeros(len(self.want), np.bool_), np.zeros(len(self.want), np.complex128), *arrays)
        wrong = [line for line, right in zip(self.lines[::3], same) if not right]
        assert not wrong and values.tolist() == self.want, wrong


@everywhere
@pytest.mark.row("HET-PROM-1", "HET-PROM-2", "HET-PROM-3", "HET-PROM-4", "HET-PROM-5", "HET-PROM-6", "HET-PROM-8", "HET-PROM-9", "HET-PROM-10")
@pytest.mark.parametrize("a", MIXING)
def test_a_type_with_every_other(a, where):
    """As numbers, and as elements of arrays without dimensions."""
    sums = Sums()
    for b in MIXING:
        for operator, number in (("+", value(a, SIX) + value(b, TWO)), ("/", value(a, SIX) / value(b, TWO))):
            type = LONG.get(RULES[operator](a, b))
            if type:
                sums.add(f"{made(a, 'n')} {operator} {made(b, 'm')}", type, number)
                if b in IN_NUMPY:
                    sums.add(f"{made(a, 'n')} {operator} a_{b}[()]", type, number)
    arrays = [np.full((), TWO, np.dtype(name.rstrip("_"))) for name in IN_NUMPY]
    sums.check(where, arrays, "".join(f", a_{name}" for name in IN_NUMPY))


# ---- order and grouping


def joined(a, b):
    """The format of two, or None where there is none."""
    return a and b and LONG.get(TABLE[a, b])


def groupings(a, b, c):
    """[(expression, its format)] of three in every order and grouping that is defined; bools are numbers only in company."""
    found = []
    for p, q, r in itertools.permutations((a, b, c)):
        if {p, q} == {"bool_"} or {q, r} == {"bool_"}:
            continue
        p_, q_, r_ = (made(name, "n") for name in (p, q, r))
        found.append((f"({p_} + {q_}) + {r_}", joined(joined(p, q), r)))
        found.append((f"{p_} + ({q_} + {r_})", joined(p, joined(q, r))))
    return [(expression, type) for expression, type in found if type]


TRIPLES = draw.lists(draw.tuples(*[draw.sampled_from(FIXED)] * 3), min_size=12, max_size=12)


@pytest.mark.row("HET-PROM-7")
def test_the_tables_triples():
    for triple in itertools.product(FIXED, repeat=3):
        assert len({type for _, type in groupings(*triple)}) <= 1, triple


@everywhere
@pytest.mark.row("HET-PROM-7")
@hypothesis.settings(max_examples=5, deadline=None, derandomize=True, phases=(hypothesis.Phase.generate,))
@hypothesis.given(triples=TRIPLES)
def test_kernels_find_one_format_for_random_triples(where, triples):
    sums = Sums()
    for triple in triples:
        for expression, type in groupings(*triple):
            sums.add(expression, type, sum(value(name, SIX) for name in triple))
    if sums.want:
        sums.check(where)


@pytest.mark.row("HET-PROM-7", "HET-PROM-10")
@pytest.mark.parametrize("target", ["cpu:x86-64-v3", "cuda:sm_90", "hip:gfx942"])
def test_typed_graphs_have_one_format_for_random_triples(target):
    chosen = random.Random(7)
    functions = [_core.capture(kernel_of([f"return {text}"], "a, b, c")) for text in ("(a + b) + c", "a + (b + c)", "(c + a) + b", "b + (c + a)")]
    for _ in range(150):
        a, b, c = (chosen.choice(FIXED) for _ in range(3))
        types = {result(function, f"({a}, {b}, {c})", target) for function in functions} - {None}
        assert len(types) <= 1, (a, b, c, types)
        wanted = {type for _, type in groupings(a, b, c)}
        assert len(types) == len(wanted) or "bool_" in (a, b, c), (a, b, c, types, wanted)


def result(function, signature, target):
    """How the typed graph writes the result's type; None where the sum is refused."""
    try:
        return _core.show(function, "typed", signature, target, kernel=False).split(") -> ")[1].split()[0]
    except device.CompileError as error:
        assert error.code in ("E0204", "E0206"), error
        return None
