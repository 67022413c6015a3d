"""The tests of ./dev test --rows themselves: what is repeated on machines, and how a row's tests are summed up."""

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from everywhere import double, on_machines

import repeated
import rows
from hetjit import _core, device


@pytest.fixture
def noted(monkeypatch):
    return repeated.Noted(monkeypatch)


def use(x, y):
    double[1, 8](x, y)
    device.launch(double, x[::-2], y[1::2], grid=1, block=8)
    _core.interpret(_core.capture(double.underlying), (x, y), 1, 8)
    _core.call(_core.capture(lambda a, b: (a + b, a > b)), (2, 0.5))


@on_machines
def test_launches_interpreted_kernels_and_calls_are_repeated(noted, where):
    use(np.arange(8.0), np.zeros(8))
    assert len(noted.runs) == 4 and noted.repeat(where) == ("run", "")


@on_machines
@pytest.mark.parametrize("which", range(4))
def test_another_result_is_found(noted, where, which):
    use(np.arange(8.0), np.zeros(8))
    out = noted.runs[which].left[0 if which == 3 else 1]
    out[0] += 1
    outcome, why = noted.repeat(where)
    assert outcome == "failed" and "is not" in why


def test_what_cannot_be_repeated_is_left_out(noted):
    x = np.arange(8.0)
    double[1, 8](x, x)
    device.kernel(fastmath=True)(double.underlying)[1, 8](x, np.zeros(8))
    with pytest.raises(TypeError):
        double[1, 8](x, "text")
    assert not noted.runs


@pytest.mark.parametrize("outcomes, word", [
    (["run", "run"], "run"), (["run", "compiled"], "run"), (["compiled"], "compiled"), (["run", "skipped"], "partly"),
    (["compiled", "skipped"], "partly"), (["skipped"], "skipped"), (["run", "failed", "skipped"], "failed"), ([], "-")])
def test_one_word_for_a_row(outcomes, word):
    assert rows.verdict(outcomes) == word


@pytest.mark.parametrize("case, targets", [
    ({"classname": "Layout"}, {"host": "run"}), ({"classname": "All/NvidiaMove"}, {"nvptx": "compiled"}),
    ({"classname": "AmdGroup"}, {"amdgpu": "compiled"}),
    ({"classname": "Targets/Layout", "targets": "nvptx amdgpu"}, {"nvptx": "compiled", "amdgpu": "compiled"})])
def test_google_tests_say_their_targets(case, targets):
    assert rows.google_targets(case, "run") == targets


def test_tests_that_are_not_there_are_listed():
    everything = {test for tests in rows.collect().values() for test in tests}
    python = {test for test in everything if ".py::" in test}
    google = {test.partition("::")[2] for test in everything if ".cpp::" in test}
    assert rows.not_there(python | google) == {}
    assert rows.not_there(python)["HET-DSC-5"] == [
        f"tests/unit/abi/mdspan_test.cpp::Mdspan.{of}_HET_DSC_3_HET_DSC_4_HET_DSC_5" for of in ("OfCudas", "OfTheStandardLibrary")]
