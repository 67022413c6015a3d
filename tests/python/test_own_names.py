"""What a message advises is written in the names of the module that it is about: `import hetjit.device as hd` makes `hd.int64(…)`."""

import warnings

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device

IMPORTS = {"device": "from hetjit import device", "hd": "import hetjit.device as hd", "d": "from hetjit import device as d", "hetjit.device": "import hetjit.device"}
MISTAKES = {"a sum": "t = 0\n    for k in range(n):\n        t += k * k\n    o[0] = t + {0}.int32(0) * 0", "a conversion": "o[0] = int(x[{0}.thread_idx.x])", "a narrow sum": "o[{0}.thread_idx.x] = b[0] * b[1]",
            "a text's bits": "o[0] = x[{0}.thread_idx.x] & 1"}


@pytest.mark.parametrize("mistake", MISTAKES)
@pytest.mark.parametrize("name", IMPORTS)
def test_advice_names_device_as_the_module_does(name, mistake, tmp_path):
    path = tmp_path / "module.py"
    path.write_text(f"{IMPORTS[name]}\n\ndef body(o, x, b, n):\n    {MISTAKES[mistake].format(name)}\n")
    given = {}
    exec(compile(path.read_text(), str(path), "exec"), given)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            device.kernel(given["body"])[1, 1](np.zeros(4, np.int64), np.zeros(4), np.zeros(4, np.int8), 3)
        except device.CompileError as error:
            advice = [error]
        else:
            advice = [each.message for each in told]
    (one,) = advice
    help = " ".join(one.notes)
    assert f"{name}." in help
    for text in (help, *(edit.text for edit in one.edits)):
        assert text.replace(name + ".", "").count("device.") == 0


def test_what_names_nothing_of_device_is_told_of_device(tmp_path):
    path = tmp_path / "module.py"
    path.write_text("def body(o, x):\n    o[0] = int(x[0])\n")
    given = {}
    exec(compile(path.read_text(), str(path), "exec"), given)
    with pytest.warns(device.OverflowWarning) as told:
        device.kernel(given["body"])[1, 1](np.zeros(4, np.int64), np.zeros(4))
    assert [edit.text for edit in told[0].message.edits] == ["device.int64"]
