"""A binding as a package: imported without clang, and known to type checkers."""

import importlib.util
import os
import subprocess
import sys

import pytest

import library_pointers as pointers
import library_texts as texts
from hetjit.__main__ import main

PROGRAM = """
import sys
import numpy as np
import bound
assert "hetjit.interop.libclang" not in sys.modules or not __import__("hetjit.interop.libclang").interop.libclang._loaded.cache_info().currsize
assert bound.Sum([1, 2, 3]) == 6 and bound.iota_dimension(2).tolist() == [1, 2]
a = bound.allocate(3)
assert a.tolist() == [0, 1, 2] and bound.countAllocations() == 1
a.base.delete()
assert bound.countAllocations() == 0
print("well")
"""


@pytest.fixture
def package(compiled, tmp_path):
    pytest.importorskip("yaml", reason="PyYAML is not installed for this Python")
    (tmp_path / "pointers.yaml").write_text("language: c\ndestructors: {release: release(ptr);}\ndeclarations:\n"
                                            + "".join(f"- decl: {line!r}\n" for line in pointers.DECLARATIONS.strip().split("\n")))
    library = compiled(pointers.SOURCE)
    assert main(["bind", str(tmp_path / "pointers.yaml"), "--library", str(library), "-o", str(tmp_path / "bound")]) == 0
    return tmp_path


def python(folder, *command, **environment):
    path = os.pathsep.join([str(folder), *(each for each in sys.path if each)])
    return subprocess.run([sys.executable, *command], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": path, **environment})


def test_a_package_needs_no_clang(package):
    done = python(package, "-c", PROGRAM, HETJIT_CLANG="/nowhere", HETJIT_LIBCLANG="/nowhere")
    assert (done.returncode, done.stdout) == (0, "well\n"), done.stderr


def test_type_checkers_know_it(package):
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not installed (PyPI has it)")
    (package / "use.py").write_text("import numpy as np\nimport bound\nx: int = bound.Sum([1, 2])\ny: float = bound.sumSixteen(np.ones(16))\n"
                                    "z: str = bound.intargs_out()\nbound.Sum('a', 2)\nbound.incrementIntArray([1])\n")
    done = python(package, "-m", "mypy", "--strict", "use.py", "bound/__init__.pyi", MYPYPATH=str(package))
    wrong = [line.split(":")[1] for line in done.stdout.splitlines() if ": error:" in line]
    assert wrong == ["5", "6", "7"], done.stdout + done.stderr


def test_classes_and_namespaces(compiled, tmp_path):
    from hetjit.interop import library, package
    made = library.prepare(texts.DECLARATIONS, compiled(texts.SOURCE), destructors=texts.DESTRUCTORS)
    package.write(made, tmp_path / "bound")
    done = python(tmp_path, "-c", "import bound; c = bound.Class1(3); c.m_flag += 1; print(c.method(2), bound.app.inner.half(1.0), bound.echo('é'))")
    assert (done.returncode, done.stdout) == (0, "8 0.5 é\n"), done.stderr
    compile((tmp_path / "bound" / "__init__.pyi").read_text(), "stub", "exec")


def test_derived_classes_and_overloads(tmp_path):
    from hetjit.interop import library, package
    package.write(library.prepare("""
        enum class Color { red = 3 };
        class Base { public: Base() {} int one() { return 1; } };
        class Derived : public Base { public: Derived() {} };
        inline int which(int a) { return 1; }
        inline int which(const char* a) { return 2; }
    """), tmp_path / "bound")
    use = "import bound\nprint(bound.Derived().one(), bound.which(1), bound.which('a'), bound.Color.red)\n"
    done = python(tmp_path, "-c", use)
    assert (done.returncode, done.stdout) == (0, "1 1 2 3\n"), done.stderr
    stub = (tmp_path / "bound" / "__init__.pyi").read_text()
    compile(stub, "stub", "exec")
    assert "class Derived(Base):" in stub and stub.count("@overload\ndef which(") == 2
    if importlib.util.find_spec("mypy") is not None:
        (tmp_path / "use.py").write_text(use + "bound.which(1.5)\n")
        done = python(tmp_path, "-m", "mypy", "--strict", "use.py", MYPYPATH=str(tmp_path))
        assert [line.split(":")[1] for line in done.stdout.splitlines() if ": error:" in line] == ["3"], done.stdout


def test_fields(tmp_path):
    from hetjit.interop import library, package
    package.write(library.prepare("""
        #include <string>
        #include <vector>
        struct point { float x, y; };
        class Box { public: Box() {} int n = 0; double v[3]; const int fixed[2] = {1, 2}; char name[8]; std::vector<double> all; std::string words[2]; double* to +dimension(n);
                    point at; const char* text = nullptr; Box* next = nullptr; };
        struct Open { int n; double* to; };
    """), tmp_path / "bound")
    use = """
import numpy as np
import bound
b = bound.Box()
b.n = 2
b.v = [1.0, 2.0, 3.0]
b.name, b.all, b.words, b.to, b.next, b.text = "abc", np.ones(2), ["x", "y"], np.ones(2), b, "text"
x: str = b.name
assert bound.Open(n=3).n == 3
w: tuple[str, ...] = b.words
print(b.v.sum(), b.name, b.all.sum(), b.words, b.to.sum(), b.fixed.tolist(), b.next.text)
"""
    done = python(tmp_path, "-c", use)
    assert (done.returncode, done.stdout) == (0, "6.0 abc 2.0 ('x', 'y') 2.0 [1, 2] text\n"), done.stderr
    compile((tmp_path / "bound" / "__init__.pyi").read_text(), "stub", "exec")
    if importlib.util.find_spec("mypy") is not None:
        (tmp_path / "use.py").write_text(use + "b.fixed = [1, 2]\nb.name = 3\nb.n = 'x'\n")
        done = python(tmp_path, "-m", "mypy", "--strict", "use.py", MYPYPATH=str(tmp_path))
        wrong = {line.split(":")[1] for line in done.stdout.splitlines() if ": error:" in line}
        assert sorted(wrong) == [str(use.count("\n") + i) for i in (1, 2, 3)], done.stdout


def test_what_is_wrong_is_told(tmp_path, capsys):
    (tmp_path / "wrong.hpp").write_text("int* f() +rank(1);")
    assert main(["bind", str(tmp_path / "wrong.hpp"), "-o", str(tmp_path / "bound")]) == 1
    assert "wrong.hpp:1:10: error B121" in capsys.readouterr().err
    assert main(["bind", str(tmp_path / "nothing.hpp"), "-o", str(tmp_path / "bound")]) == 2
    assert "bind: " in capsys.readouterr().err
