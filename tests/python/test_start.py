"""What a small program loads on its way to a first result: little."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import sys
from hetjit import device

@device.kernel
def kernel(a, n):
    i = device.tid(1)
    assert n > 0, "n must be positive"
    a[i] = n

a = device.zeros(4, device.float32)
kernel[1, 4](a, 3)
assert a.tolist() == [3.0] * 4
print(*(name for name in sys.modules if name in sys.argv[1:]))
"""
HEAVY = ["numpy", "re", "linecache", "tokenize", "inspect", "ast", "traceback", "typing", "functools", "collections", "threading",
         "concurrent.futures", "asyncio", "json", "tempfile", "subprocess", "argparse"]


def run(path, *arguments):
    return subprocess.run([sys.executable, "-S", "-X", "utf8", str(path), *arguments], capture_output=True, text=True, env=dict(os.environ))


def test_nothing_heavy_is_imported(tmp_path):
    (tmp_path / "empty.py").write_text(PROGRAM.split("\n\n")[0].replace("from hetjit import device", "")
                                       + "\nprint(*(name for name in sys.modules if name in sys.argv[1:]))")
    (tmp_path / "program.py").write_text(PROGRAM)
    before, after = (run(tmp_path / name, *HEAVY) for name in ("empty.py", "program.py"))
    assert after.returncode == 0, after.stderr
    assert set(after.stdout.split()) <= set(before.stdout.split())


class TestText:
    """Messages show the lines of a function, whoever reads them."""

    WRONG = PROGRAM.replace("a[i] = n\n", "a[i] = n @ n  # {}\n")

    @pytest.mark.parametrize("first", ["", "import linecache\n"])
    @pytest.mark.parametrize("encoding, coding, word", [("utf-8", "", "größer"), ("utf-8-sig", "", "größer"),
                                                        ("latin-1", "# -*- coding: latin-1 -*-\n", "größer")])
    def test_of_files(self, tmp_path, first, encoding, coding, word):
        (tmp_path / "program.py").write_bytes((coding + first + self.WRONG.format(word)).encode(encoding))
        done = run(tmp_path / "program.py")
        assert done.returncode == 1
        assert f"a[i] = n @ n  # {word}" in done.stderr and "^" in done.stderr

    def test_of_archives(self, tmp_path):
        import zipfile
        with zipfile.ZipFile(tmp_path / "archive.zip", "w") as archive:
            archive.writestr("inside.py", self.WRONG.format("zipped"))
        (tmp_path / "program.py").write_text(f"import sys; sys.path.insert(0, {str(tmp_path / 'archive.zip')!r}); import inside")
        assert "a[i] = n @ n  # zipped" in run(tmp_path / "program.py").stderr

    def test_of_a_file_that_changes(self, tmp_path):
        """A module is read again where it was executed again."""
        (tmp_path / "program.py").write_text(f"""
import importlib, os, sys
sys.path.insert(0, {str(tmp_path)!r})
sys.dont_write_bytecode = True
from hetjit import device
for word in ("first", "second time"):
    with open({str(tmp_path / 'module.py')!r}, "w") as file:
        file.write({self.WRONG!r}.replace("{{}}", word))
    try:
        importlib.reload(sys.modules["module"]) if "module" in sys.modules else importlib.import_module("module")
    except device.CompileError as error:
        print(error)
    sys.modules.setdefault("module", type(sys)("module")).__spec__ = importlib.util.spec_from_file_location("module", {str(tmp_path / 'module.py')!r})
""".replace("import importlib,", "import importlib.util,"))
        done = run(tmp_path / "program.py")
        assert "n @ n  # first" in done.stdout and "n @ n  # second time" in done.stdout, done.stderr

    def test_of_what_is_executed(self, tmp_path):
        (tmp_path / "program.py").write_text(f"exec(compile({self.WRONG!r}, '<cell>', 'exec'))")
        assert "<cell>:9" in run(tmp_path / "program.py").stderr
        (tmp_path / "program.py").write_text(
            f"import linecache\ntext = {self.WRONG!r}\nlinecache.cache['<cell>'] = (len(text), None, text.splitlines(True), '<cell>')\n"
            "exec(compile(text, '<cell>', 'exec'))")
        assert "a[i] = n @ n" in run(tmp_path / "program.py").stderr
