"""What was compiled for a library is found on disk: by the text, the headers and the library, and by nothing less."""

import pytest

from hetjit import interop
from hetjit.interop import build


@pytest.fixture
def compilations(monkeypatch, tmp_path):
    """How often clang was run, as a list that grows."""
    monkeypatch.setenv("HETJIT_CACHE", "on")
    monkeypatch.setenv("HETJIT_CACHE_DIR", str(tmp_path / "cache"))
    done, compile = [], build._compile
    monkeypatch.setattr(build, "_compile", lambda *given: done.append(1) or compile(*given))
    return done


def test_a_second_bind_compiles_nothing(compilations, tmp_path):
    (tmp_path / "three.h").write_text("#define THREE 3\n")
    text = "inline int three() { return THREE; }"

    def bound(text=text, **more):
        return interop.bind(text, headers=["three.h"], include=tmp_path, **more).three()
    assert bound() == 3 and bound() == 3 and len(compilations) == 1
    (tmp_path / "three.h").write_text("#define THREE 33\n")
    assert bound() == 33 and len(compilations) == 2
    assert bound(text.replace("THREE", "THREE + 1")) == 34 and len(compilations) == 3
    assert bound(options=["-DFOUR"]) == 33 and len(compilations) == 4
    (tmp_path / "three.h").write_text("#define THREE 3\n")
    assert bound() == 3 and len(compilations) == 4


def test_another_library_of_that_name_is_another(compilations, tmp_path):
    import shutil
    import subprocess
    if not shutil.which("g++"):
        pytest.skip("g++ is not installed")
    found = []
    for value in (1, 2):
        (tmp_path / "a.cpp").write_text(f'extern "C" int value() {{ return {value}; }}')
        subprocess.run(["g++", "-shared", "-fPIC", str(tmp_path / "a.cpp"), "-o", str(tmp_path / f"{value}.so")], check=True)
        found.append(interop.bind("int value();", tmp_path / f"{value}.so", language="c").value())
    assert found == [1, 2]


def test_damaged_files_are_made_anew(compilations, tmp_path):
    text = "inline int five() { return 5; }"
    assert interop.bind(text).five() == 5
    for path in (tmp_path / "cache").rglob("*"):
        if path.is_file():
            path.chmod(0o666)
    with pytest.warns(UserWarning, match="write"):
        assert interop.bind(text).five() == 5
    assert len(compilations) == 2
