"""k.explain(*args): how a launch would run. What it says of each kind of kernel: tests/golden/explain."""

import re

import pytest

from hetjit import device

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")


@device.kernel
def saxpy(a, x, y):
    i = device.tid(1)
    if i < x.shape[0]:
        y[i] = a * x[i] + y[i]


@device.kernel
def with_target(x, target):
    i = device.tid(1)
    x[i] = target


@device.func
def twice(x):
    return x + x


def arrays(step=1):
    return np.zeros(64, np.float32)[::step], np.zeros(64, np.float32)[::step]


def remarks(text, line):
    """What is said below the line of source that contains `line`."""
    lines = text.split("\n")
    start = next(number for number, found in enumerate(lines) if re.match(r"\d+ +\|", found) and line in found)
    found = []
    for row in lines[start + 1:]:
        mark = re.match(r" +\| +-+(?:\.\.\.)? (.*)", row)
        if not mark:
            break
        found.append(mark[1])
    return found


def test_places_and_words():
    text = saxpy.explain(2.0, *arrays(), target="cpu:x86-64-v3")
    assert text.startswith("saxpy(a: float, x: float32[::1], y: float32[::1]) on cpu:x86-64-v3\n")
    assert remarks(text, "if i <") == ["branch: divergent"]
    assert sorted(remarks(text, "y[i] =")) == ["load: contiguous, float32", "load: contiguous, float32",
                                               "store: contiguous, float32"]
    assert "vectors of 16 lanes" in text
    assert "test_explain.py:" in text


def test_types_stand_for_arguments():
    of_arrays = saxpy.explain(2.0, *arrays(), target="cuda:sm_90")
    of_types = saxpy.explain(2.0, device.float32[::1], y=device.float32[::1], target="cuda:sm_90")
    assert of_types == of_arrays
    assert saxpy.explain(float, device.float32[:], device.float32[:]).startswith("saxpy(a: float, x: float32[:], y: float32[:]) on cpu:native\n")


def test_constants_are_shown_by_their_values():
    @device.kernel
    def applied(x, f: device.ConstExpr, n: device.ConstExpr):
        x[0] = f(x[n])
    assert applied.explain(device.float32[:], twice, 3).startswith("applied(x: float32[:], f: twice, n: 3) on cpu:native\n")


def test_types_of_the_arguments_decide():
    text = saxpy.explain(2.0, *arrays(step=2), target="cpu:x86-64-v3")
    assert all("strided" in remark for remark in remarks(text, "y[i] ="))
    matrix = np.zeros((4, 4), np.float32)
    with pytest.raises(device.CompileError):
        saxpy.explain(2.0, matrix, matrix)


def test_keywords_and_defaults_as_at_a_launch():
    x, y = arrays()
    assert saxpy.explain(2.0, y=y, x=x) == saxpy.explain(2.0, x, y)
    assert with_target.explain(x, 3).startswith("with_target(x: float32[::1], target: int) on cpu:")
    for wrong in (lambda: saxpy.explain(2.0, x), lambda: saxpy.explain(2.0, x, y, z=1)):
        with pytest.raises(TypeError, match="saxpy"):
            wrong()


def test_without_a_target_the_arrays_decide():
    text = saxpy.explain(2.0, *arrays())
    assert re.match(r"saxpy\(.*\) on cpu:", text)


@pytest.mark.parametrize("target, warp", [("cuda:sm_90", 32), ("hip:gfx942", 64), ("hip:gfx1100", 32)])
def test_gpus(target, warp):
    text = saxpy.explain(2.0, *arrays(), target=target)
    assert f"on {target}\n" in text
    assert f"warps of {warp} threads" in text
    assert "store: contiguous, float32" in text
    assert "vectors" not in text


def test_lanes_that_were_asked_for(monkeypatch):
    monkeypatch.setenv("HETJIT_LANES", "8")
    assert "vectors of 8 lanes, as was asked for" in saxpy.explain(2.0, *arrays())
    monkeypatch.setenv("HETJIT_LANES", "1")
    assert "thread by thread: one lane was asked for" in saxpy.explain(2.0, *arrays())


@device.kernel
def turn_round(x):
    tile = device.shared_array(64, device.float32)
    i = device.thread_idx.x
    tile[i] = x[i]
    device.syncthreads()
    x[i] = tile[63 - i]


def test_a_tier_that_was_asked_for(monkeypatch):
    x, _ = arrays()
    monkeypatch.delenv("HETJIT_TIER", raising=False)
    assert "tier Whole: all threads of a block come to the same barriers" in turn_round.explain(x, target="cpu:x86-64-v3")
    monkeypatch.setenv("HETJIT_TIER", "threads")
    assert "tier Threads: it was asked for" in turn_round.explain(x, target="cpu:x86-64-v3")


def test_the_text_is_a_str_that_prints_well():
    text = saxpy.explain(2.0, *arrays())
    assert isinstance(text, str)
    assert repr(text) == str(text) == text
    assert type(text).__name__ == "Explanation"


def test_nothing_runs_or_is_kept():
    @device.kernel
    def fill(x):
        x[device.tid(1)] = 1
    x = np.zeros(4, np.float32)
    fill.explain(x)
    assert not x.any()
    assert fill.specializations == 0
    fill[1, 4](x)
    assert x.all()
    fill.explain(x)
    assert fill.specializations == 1


def test_a_rebound_name_is_seen():
    scope = {"device": device, "COUNT": 1}
    exec("def f(x):\n    i = device.tid(1)\n    if i < 4:\n        x[i * COUNT] = 1\n", scope)
    kernel = device.kernel(scope["f"])
    x = np.zeros(8, np.float32)
    assert "contiguous" in kernel.explain(x)
    scope["COUNT"] = 3
    assert "<string>:4: store: strided, float32, 12 bytes apart" in kernel.explain(x)  # a source without text


def test_errors():
    x, y = arrays()
    with pytest.raises(TypeError, match="a target's name is a str, not int"):
        saxpy.explain(2.0, x, y, target=90)
    with pytest.raises(ValueError, match="nowhere"):
        saxpy.explain(2.0, x, y, target="nowhere:sm_90")
    with pytest.raises(ValueError, match="sm_5"):
        saxpy.explain(2.0, x, y, target="cuda:sm_5")
    with pytest.raises(TypeError):
        saxpy.explain(2.0, object(), y)
    assert not hasattr(twice, "explain")


def test_show_explains_too(capsys, tmp_path):
    from hetjit.commands import show
    file = tmp_path / "some_kernel.py"
    file.write_text("from hetjit import device\n\n@device.kernel\ndef k(x):\n    x[device.tid(1)] = 1\n")
    assert show.main([f"{file}:k", "--phase", "explain", "--for", "(float32[::1])"]) == 0
    printed = capsys.readouterr().out
    assert remarks(printed, "x[device.tid(1)]") == ["store: contiguous, float32"]


def test_a_prompt_shows_the_text():
    """Called bare, in a terminal and where IPython shows a cell's value."""
    import code
    import contextlib
    import io
    console = code.InteractiveConsole({"saxpy": saxpy, "arguments": (2.0, *arrays())})
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        console.push("saxpy.explain(*arguments)")
    assert printed.getvalue().rstrip("\n") == str(saxpy.explain(2.0, *arrays())).rstrip("\n")
    assert "\n" in printed.getvalue() and "\\n" not in printed.getvalue()


def test_a_notebook_shows_the_text():
    formatters = pytest.importorskip("IPython.core.formatters", reason="IPython is not installed (PyPI has it)")
    text = saxpy.explain(2.0, *arrays())
    assert formatters.DisplayFormatter().format(text)[0]["text/plain"] == str(text).rstrip()
