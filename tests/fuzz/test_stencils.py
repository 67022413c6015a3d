"""A few random stencils, on every run of the tests; `./dev fuzz --stencils N` runs as many as wanted (run.py)."""

import random
import zlib

import pytest

import compare_stencils
import run
import stencils

KERNELS = 25
ON_MACHINES = {"emu:sm_90": 6, "emu:gfx942": 3}


def drawn(seed):
    chance = random.Random(seed)
    return run.drawn("stencils", lambda options: chance.randrange(options))


def test_random_stencils_agree():
    verdicts, refusals, report = run.hunt(KERNELS, seed=22, kind="stencils")
    assert not report, report
    assert verdicts["same"] >= 0.9 * KERNELS, refusals


@pytest.mark.always
@pytest.mark.parametrize("where", ON_MACHINES)
def test_random_stencils_agree_on_a_machine(where):
    count = ON_MACHINES[where]
    verdicts, refusals, report = run.hunt(count, seed=zlib.crc32(where.encode()), kind="stencils", where=where)
    assert not report, report
    assert verdicts["same"] >= 0.8 * count, refusals


def test_indices_are_inside_often_enough():
    found = [len(compare_stencils.tried(drawn(seed), seed)) for seed in range(30)]
    assert sum(found) >= 0.6 * compare_stencils.ARGUMENTS * len(found), found


def test_every_form_appears(monkeypatch):
    used, pick = set(), stencils.Maker.pick
    monkeypatch.setattr(stencils.Maker, "pick", lambda self, options: used.add(repr(made := pick(self, options))) or made)
    kernels = list(map(drawn, range(1500)))
    for forms in (*stencils.FORMS.values(), *stencils.STATEMENTS.values(), stencils.STEPS, stencils.SHRINK, stencils.UNSIGNED, stencils.ASKED, stencils.PLACES,
                  stencils.INSIDE, *stencils.BOUNDS.values(), stencils.UNIFORM, stencils.ELEMENTS, stencils.SUMS):
        assert used.issuperset(map(repr, forms)), forms
    text = "\n".join(kernel.source for kernel in kernels)
    for word in ("if i < n:", "if i >= n:", " and ", " or ", "return", "while ", "range(-1, 2)", "range(-r, r + 1)", "device.uint32(i",
                 "device.int64(", "% p", "% 12", "if device.uint8(", "if device.int8(", "s = max(s, ", "places[", "y[", "x0.shape[0]", "n - 1 - ",
                 "-1 - i] = s", "% h, ", "continue", "break", ", -1):", ", p):", "if not (0 <= l", "+ 2 * k", "* 3", "(-2) * k", "+ 1) * 5", "elif ", "device.tid(2)", "2 * i"):
        assert word in text, word


@pytest.mark.parametrize("right, wrong", [("max({e}, 0)", "max({e}, 1)"), ("({e} + {n}) % {n}", "({e} + {n} + 1) % {n}"), ("abs({e})", "-{e}"),
                                          ("min({e}, {n} - 1)", "min({e}, {n} - 2)"), ("0 <= {l} < {n}", "0 <= {l} < {n} - 1")])
def test_a_wrong_meaning_of_a_form_is_found(monkeypatch, right, wrong):
    """What Python is told is another form than what is compiled."""
    def meant(kernel, lengths, arguments):
        return by_meaning(meanings.get(kernel.source, kernel), lengths, arguments)
    by_meaning, meanings = compare_stencils.by_meaning, {}
    kernels = []
    for seed in range(400):
        kernel = drawn(seed)
        with monkeypatch.context() as patch:
            for table in ("FORMS", "BOUNDS"):
                patch.setattr(stencils, table, {ends: tuple(wrong if form == right else form for form in forms)
                                                for ends, forms in getattr(stencils, table).items()})
            other = drawn(seed)
        if other.source != kernel.source:
            meanings[kernel.source] = other
            kernels.append((seed, kernel))
    monkeypatch.setattr(compare_stencils, "by_meaning", meant)
    assert any(compare_stencils.compare_kernel(kernel, seed).verdict == "different" for seed, kernel in kernels[:12]), len(kernels)
