"""`python -m hetjit`: what each command prints, as text and as JSON, and with which status it ends."""

import json
import os
import subprocess
import sys

import pytest

from hetjit import __main__ as commands
from hetjit import toolchain
from hetjit.commands import remarks

pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

PROGRAM = '''
import sys
import numpy as np
from hetjit import device

@device.kernel
def scale(x, factor):
    i = device.tid(1)
    if i < x.shape[0]:
        x[i] = x[i] * factor

@device.kernel(contract=False)
def column(matrix: device.float32[:, ::1], out: device.float32[::1]) -> None:
    i = device.tid(1)
    if i < out.shape[0]:
        out[i] = matrix[i, 0] * 2.0 + out[i]

@device.func
def unused(a, b):
    return a + b

@device.kernel
def shifted(x):
    i = device.tid(1)
    x[i] = x[i + 1]

if __name__ == "__main__":
    x = np.ones(64, np.float64)
    scale[1, 64](x, 2.0)
    scale[1, 64](x.astype(np.int32), 2)
    print("the program's own", sys.argv[1:])
    if "shift" in sys.argv:
        shifted[1, 64](x)
    if "raise" in sys.argv:
        raise KeyError("mine")
    sys.exit("leave" in sys.argv and 7)
'''


@pytest.fixture
def program(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    return str(tmp_path / "program.py")


def run(*arguments, **environment):
    return subprocess.run([sys.executable, "-m", "hetjit", *arguments], text=True, capture_output=True, timeout=300,
                          env={**os.environ, "HETJIT_CHECK": "", **environment})


def test_every_command_has_help(capsys):
    for name in commands.COMMANDS:
        with pytest.raises(SystemExit) as left:
            commands.main([name, "--help"])
        assert left.value.code == 0 and f"python -m hetjit {name}" in capsys.readouterr().out
    assert commands.main(["--help"]) == 0
    said = capsys.readouterr().out
    assert all(f"  {name}" in said for name in commands.COMMANDS)


def test_a_page_that_cannot_be_written(program, tmp_path):
    for path in (tmp_path, tmp_path / "nowhere" / "out.html"):
        done = run("show", f"{program}:column", "--html", str(path))
        assert done.returncode == 2 and done.stderr.startswith(f"show: {path} cannot be written: "), done.stderr


def test_without_a_command(capsys):
    assert commands.main([]) == 2
    assert commands.main(["shwo"]) == 2
    said = capsys.readouterr().err
    assert "there is no command 'shwo'" in said and all(f"  {name}" in said for name in commands.COMMANDS)


def test_info():
    text = run("info")
    found = json.loads(run("info", "--json").stdout)
    assert text.returncode == 0
    assert found["devices"]["cpu"]["max_threads_per_block"] >= 1 and found["libraries"]["numpy"][0].isdigit()
    assert found["targets"]["cpu"].startswith("compiles for")
    assert all(name in found["absent"] or any(device.startswith(kind) for device in found["devices"])
               for name, kind in (("NVIDIA", "cuda"), ("AMD", "hip")))
    for words in (found["hetjit"], found["python"], *found["absent"].values()):
        assert words in text.stdout


@pytest.mark.parametrize("phase, says", [("bytecode", "global       device"), ("ssa", "getattr tid"), ("typed", "array[f64, 1, contiguous"),
                                         ("optimized", "mul"), ("plan", "plan way: rows"), ("llvm", "define"), ("host", "scale"),
                                         ("ptx", ".entry scale"), ("amdgcn", "s_endpgm"), ("explain", "store: contiguous, float64")])
def test_show_of_what_the_program_launches(program, phase, says):
    done = run("show", f"{program}:scale", "--phase", phase)
    assert done.returncode == 0, done.stderr
    assert says in done.stdout and "the program's own" not in done.stdout


def test_show_of_hints(program):
    """Whose hints are complete needs no run."""
    done = run("show", f"{program}:column", "--phase", "optimized", "--json")
    found = json.loads(done.stdout)
    assert found["signature"] == "(float32[:, ::1], float32[::1])" and " fma " not in found["phases"]["optimized"]


HINTS = """{future}
import numpy as np
from hetjit import device

@device.struct
class Body(device.Struct):
    x: device.float32

@device.kernel
def texts(x: device.float32[:], n: int, pair: tuple[int, device.float64], bodies: device.Array[Body, :], body: Body) -> None:
    x[0] = n + bodies[0].x + body.x

@device.kernel
def half(x: device.Array, n: int) -> None:
    x[0] = n

@device.kernel
def constant(x: device.float32[:], n: device.ConstExpr) -> None:
    x[0] = n

@device.kernel
def nothing() -> None:
    pass

if __name__ == "__main__":
    half[1, 1](np.zeros(3, np.int16), 3)
    constant[1, 1](np.zeros(3, np.float32), 3)
"""


@pytest.mark.parametrize("future", ["", "from __future__ import annotations"])
@pytest.mark.parametrize("name, says", [("texts", "n: i32, pair: (weak i32, f64), bodies: array[struct"), ("half", "half(x: array[i16, 1, contiguous"),
                                        ("constant", "constant(x: array[f32, 1, contiguous"), ("nothing", "nothing() -> none")])
def test_show_of_all_kinds_of_hints(tmp_path, future, name, says):
    (tmp_path / "hints.py").write_text(HINTS.replace("{future}", future))
    done = run("show", f"{tmp_path}/hints.py:{name}")
    assert done.returncode == 0, done.stderr
    assert says in done.stdout


def test_show_of_everything(program):
    done = run("show", f"{program}:column", "--phase", "all")
    assert [line for line in done.stdout.splitlines() if line.startswith("====")] == [f"==== {phase}" for phase in (
        "bytecode", "ssa", "typed", "optimized", "plan", "llvm", "host", "ptx", "sass", "amdgcn")]


def test_show_for_a_signature(program):
    done = run("show", f"{program}:unused", "--for", "(int, float64)")
    assert done.returncode == 0 and done.stdout.startswith("unused(a: i32, b: f64) -> f64")


@pytest.mark.parametrize("arguments, status, says", [
    (["show", "{program}:unused"], 2, "launches no unused(): say what its arguments are"),
    (["show", "{program}:nothing"], 2, "has no function 'nothing'"),
    (["show", "{program}:np"], 2, "is a module, not a function"),
    (["show", "{program}"], 2, "is not of the form FILE:FUNCTION"),
    (["show", "nowhere.py:f"], 2, "there is no file nowhere.py"),
    (["show", "{program}:scale", "--for", "(int, int)"], 1, "error[E"),
    (["show", "{program}:scale", "--for", "(int"], 1, ""),
    (["show", "{program}:scale", "--target", "cuda:sm_5", "--for", "(float32[:], float)", "--phase", "ptx"], 1, "sm_5"),
    (["explain", "{program}:nothing"], 2, "has no function 'nothing'"),
    (["explain", "nowhere.py"], 2, "there is no file nowhere.py"),
    (["explain", "{program}", "--for", "(float32[:])"], 2, "say which, "),
    (["check", "nowhere.py"], 2, "there is no file nowhere.py"),
    (["check", "--checks", "bonds", "{program}"], 2, "there is no check bonds"),
])
def test_misuse(program, arguments, status, says):
    done = run(*(argument.format(program=program) for argument in arguments))
    assert (done.returncode, done.stdout) == (status, "") and says in done.stderr and "Traceback" not in done.stderr


def test_a_program_that_fails_before_it_launches(tmp_path):
    (tmp_path / "wrong.py").write_text("from hetjit import device\n@device.kernel\ndef f(x): pass\n"
                                       "if __name__ == '__main__':\n    raise ValueError('early')\n")
    done = run("show", f"{tmp_path}/wrong.py:f")
    assert done.returncode == 2 and "ends with status 1 before it launches a kernel" in done.stderr and "early" in done.stderr


def test_what_a_file_prints_is_not_what_show_prints(tmp_path):
    (tmp_path / "talks.py").write_text("print('talking')\ndef f(a: int):\n    return a\n")
    done = run("show", f"{tmp_path}/talks.py:f", "--json")
    assert json.loads(done.stdout)["function"] == "f" and "talking" in done.stderr


def test_the_cache_as_json(program, tmp_path):
    here = {"HETJIT_CACHE": "on", "HETJIT_CACHE_DIR": str(tmp_path / "cache"), "HETJIT_VERIFY": "", "HETJIT_KEEP": ""}
    assert json.loads(run("cache", "list", "--json", **here).stdout) == []
    subprocess.run([sys.executable, program], check=True, capture_output=True, env={**os.environ, "HETJIT_CHECK": "", **here})
    kept = json.loads(run("cache", "list", "--json", **here).stdout)
    assert [(one["kernel"], one["target"], one["fault"]) for one in kept] == [("scale", "cpu:native", "")] * 2
    found = json.loads(run("cache", "info", "--json", **here).stdout)
    assert found["files"] == 2 and found["bytes"] == sum(one["bytes"] for one in kept)


def test_sass(monkeypatch, program):
    monkeypatch.setattr(toolchain, "find", lambda tool: None)
    with pytest.raises(toolchain.Missing, match="no ptxas here for SASS: .*nvidia-cuda-nvcc"):
        toolchain.disassemble("", "sm_90")
    monkeypatch.undo()
    done = run("show", f"{program}:column", "--phase", "sass")
    if not toolchain.find("ptxas") or not toolchain.find("nvdisasm"):
        assert done.returncode == 2 and "for SASS" in done.stderr
        pytest.skip("no ptxas or no nvdisasm here (PyPI: nvidia-cuda-nvcc, nvidia-cuda-nvdisasm)")
    assert done.returncode == 0 and "STG.E" in done.stdout


def test_explain_all_kernels_of_a_program(program):
    done = run("explain", program)
    assert done.returncode == 0 and done.stdout.count(" on cpu:native") == 2
    found = json.loads(run("explain", program, "--json", "--target", "cuda:sm_90").stdout)
    assert [(one["kernel"], one["target"]) for one in found] == [("scale", "cuda:sm_90")] * 2
    store = next(one for one in found[0]["remarks"] if one["what"] == "store: contiguous, float64")
    assert PROGRAM.splitlines()[store["line"] - 1][store["column"]:store["end_column"]] == "x[i]"


def test_remarks_of_several_lines():
    text = "k() on cpu:native\n  --> a.py:9:5\n   |\n9  |     for i in x:\n   |     -------... loop: uniform\n 12|         y\n  --> b.py:3:1\n   |\n" \
           "3  | z\n   | - load: gather, float32\n"
    assert [tuple(one) for one in remarks.of(text)] == [("a.py", 9, 4, 11, "loop: uniform"), ("b.py", 3, 0, 1, "load: gather, float32")]


@pytest.mark.parametrize("arguments, status, says", [([], 0, "nothing was found"), (["shift"], 1, "BoundsError: index 64"),
                                                     (["raise"], 1, "KeyError: 'mine'"), (["leave"], 7, "")])
def test_check(program, arguments, status, says):
    done = run("check", "--checks", "bounds", program, *arguments)
    assert done.returncode == status, done.stderr
    assert f"the program's own {arguments}" in done.stdout and says in done.stderr


def test_check_as_json(program):
    found = json.loads(run("check", "--json", program).stdout.splitlines()[-1])
    assert found["found"] is None
    found = json.loads(run("check", "--json", program, "shift").stdout.splitlines()[-1])["found"]
    assert (found["kind"], found["kernel"], found["path"]) == ("RaceError", "shifted", program) or found["kind"] == "BoundsError"
    assert PROGRAM.splitlines()[found["line"] - 1] == "    x[i] = x[i + 1]"


def test_check_of_a_program_without_launches(tmp_path):
    program = tmp_path / "nothing.py"
    program.write_text("from hetjit import device\n@device.kernel\ndef f(x):\n    x[0] = 1\n")
    done = run("check", str(program))
    assert done.returncode == 2 and f"{program} ran and launched no kernel, so nothing was checked" in done.stderr
    done = run("check", "--json", str(program))
    assert done.returncode == 2 and json.loads(done.stdout)["found"] is None and "so nothing was checked" in done.stderr


def test_check_gives_the_change_that_a_message_offers(tmp_path):
    program = tmp_path / "half.py"
    program.write_text("import numpy as np\nfrom hetjit import device\n@device.kernel\ndef half(é):\n    é[len(é) / 2] = 0\nhalf[1, 1](np.zeros(4))\n")
    found = json.loads(run("check", "--json", str(program)).stdout.splitlines()[-1])["found"]
    assert (found["kind"], found["code"], found["path"], found["line"]) == ("CompileError", "E0402", str(program), 5)
    (edit,) = found["edits"]
    line = program.read_text().splitlines()[edit["line"] - 1].encode()
    assert (line[:edit["column"]] + edit["text"].encode() + line[edit["end_column"]:]).decode() == "    é[len(é) // 2] = 0"


@pytest.mark.parametrize("command", ["show {}:f", "bench {}", "check {}", "explain {}"])
def test_a_program_that_python_cannot_read(command, tmp_path):
    """Its own line is shown, and nothing of ours."""
    program = tmp_path / "program.py"
    program.write_text("def f(x):\n    x[ = 3\n")
    done = subprocess.run([sys.executable, "-m", "hetjit", *command.format(program).split()], text=True, capture_output=True, timeout=300)
    assert done.returncode == 2 and "SyntaxError" in done.stderr and f'"{program}", line 2' in done.stderr
    assert "Traceback" not in done.stderr and "runpy" not in done.stderr


@pytest.mark.parametrize("phase, target", [("ptx", "cpu"), ("ptx", "hip:gfx942"), ("sass", "hip:gfx942"), ("amdgcn", "cuda:sm_90"), ("host", "cuda:sm_90")])
def test_a_phase_of_another_kind_of_machine(phase, target, tmp_path):
    (tmp_path / "program.py").write_text("def f(x):\n    x[0] = 1\n")
    done = subprocess.run([sys.executable, "-m", "hetjit", "show", f"{tmp_path}/program.py:f", "--for", "(float32[:])", "--phase", phase,
                           "--target", target], text=True, capture_output=True, timeout=300)
    assert done.returncode == 2 and f"show: --phase {phase} is code for " in done.stderr and f"not for {target}" in done.stderr
