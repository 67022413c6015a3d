"""The cache on disk: what was compiled is found by the next process, and what differs never is."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import textwrap
import time

import pytest

pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

# The numbers at the top are what tests change; a run prints the results and how many kernels it compiled.
SOURCE = textwrap.dedent("""
    import numpy as np
    from hetjit import _core, device

    SCALE = 3

    def helper(x):
        return x * SCALE

    @device.kernel
    def kernel(a, limit: device.int32 = 100):
        i = device.tid(1)
        if a[i] > limit:
            raise ValueError(f"{a[i]} is too large")
        a[i] = helper(a[i]) + 1

    def main(values=(1, 2, 3)):
        a = np.array(values, np.int32)
        kernel[1, len(a)](a)
        print(*a, "compiled", _core.compilations())

    if __name__ == "__main__":
        main()
""")


class Home:
    """A folder for the cache, and programs that use it."""

    def __init__(self, path):
        self.path = path
        self.cache = path / "cache"

    def environment(self, **more):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("HETJIT_")}
        return {**kept, "HETJIT_CACHE_DIR": str(self.cache), **more}

    def run(self, source=SOURCE, name="program.py", cwd=None, arguments=(), **environment):
        """(what it printed, how many kernels it compiled, what it said on stderr)"""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
        done = subprocess.run([sys.executable, *arguments, str(path)], capture_output=True, text=True, cwd=cwd or self.path,
                              env=self.environment(**environment))
        assert done.returncode == 0, done.stderr
        result, _, compiled = done.stdout.strip().rpartition(" compiled ")
        return result, int(compiled), done.stderr

    def files(self):
        return sorted(path for path in self.cache.glob("?/*") if path.is_file())

    def command(self, *arguments, **environment):
        done = subprocess.run([sys.executable, "-m", "hetjit", "cache", *arguments], capture_output=True, text=True,
                              env=self.environment(**environment))
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture
def home(tmp_path):
    return Home(tmp_path)


def expect_found(home, *given, result="4 7 10", **more):
    assert home.run(*given, **more) == (result, 0, "")


def expect_compiled(home, *given, result="4 7 10", **more):
    assert home.run(*given, **more) == (result, 1, "")


class TestTheSame:
    def test_is_found_by_another_process(self, home):
        expect_compiled(home)
        expect_found(home)
        assert len(home.files()) == 1

    def test_in_another_folder_and_file(self, home):
        expect_compiled(home)
        expect_found(home, name="elsewhere/another.py")

    def test_from_another_working_directory(self, home, tmp_path_factory):
        expect_compiled(home)
        expect_found(home, cwd=tmp_path_factory.mktemp("there"))

    @pytest.mark.parametrize("old, new", [
        ("def helper(x):", "# a comment\n\ndef helper(x):"),
        ("return x * SCALE", "return x * SCALE  # three times"),
        ("    return x * SCALE", "    # three times\n\n    return x * SCALE"),
        ("    i = device.tid(1)\n", "\n    i = device.tid(1)\n    # which must not be\n"),
        ("        raise", "        # more than that\n        raise"),
        ("    a[i] = helper(a[i]) + 1\n", "    a[i] = helper(a[i]) + 1\n    # done\n"),
        ("SCALE = 3", "SCALE = 1 + 2\nOTHER = 5"),
        ("import numpy as np", "import os\nimport numpy as np"),
        ('if __name__', 'def unused():\n    return 7\n\nif __name__'),
    ])
    def test_with_what_does_not_matter(self, home, old, new):
        expect_compiled(home)
        assert old in SOURCE
        expect_found(home, SOURCE.replace(old, new, 1))

    def test_through_an_import(self, home):
        expect_compiled(home)
        (home.path / "program.py").rename(home.path / "module.py")
        expect_found(home, "import module; module.main()", name="using.py")


class TestWhatDiffers:
    @pytest.mark.parametrize("old, new, result", [
        ("return x * SCALE", "return x * SCALE + 1", "5 8 11"),  # a function that is called
        ("SCALE = 3", "SCALE = 4", "5 9 13"),                     # a captured constant
        ("SCALE = 3", "SCALE = True", "2 3 4"),
        ("+ 1\n", "+ 2\n", "5 8 11"),
        ("@device.kernel", "@device.kernel(check='bounds')", "4 7 10"),
        ("@device.kernel", "@device.kernel(contract=False)", "4 7 10"),
        ("@device.kernel", "@device.kernel(fastmath=True)", "4 7 10"),
        ("@device.kernel", "@device.kernel(name='other')", "4 7 10"),
        ("np.array(values, np.int32)", "np.array(values, np.int64)", "4 7 10"),
        ("limit: device.int32 = 100", "limit: device.int64 = 100", "4 7 10"),
        ("is too large", "is much too large", "4 7 10"),
    ])
    def test_is_compiled(self, home, old, new, result):
        expect_compiled(home)
        assert old in SOURCE
        expect_compiled(home, SOURCE.replace(old, new, 1), result=result)
        expect_found(home)
        expect_found(home, SOURCE.replace(old, new, 1), result=result)

    @pytest.mark.parametrize("name, value", [("HETJIT_CHECK", "bounds"), ("HETJIT_LANES", "8"), ("HETJIT_TIER", "threads")])
    def test_variables_are_options(self, home, name, value):
        expect_compiled(home)
        expect_compiled(home, **{name: value})
        expect_found(home, **{name: value})
        expect_found(home)

    def test_another_python_compiles_its_own(self, home):
        """Its bytecode is another: what is kept says for which one it is."""
        expect_compiled(home)
        assert f"python    {sys.version_info[0]}.{sys.version_info[1]}" in home.command("explain")


class TestOtherTargets:
    """What GPUs need is kept, too, for devices that are not here."""

    AHEAD = SOURCE.replace("main()\n", """
        kernel.precompile([(device.int32[::1], device.int32)], ["cuda:sm_90", "hip:gfx942"])
        print("done", "compiled", _core.compilations())
    """.replace("\n    ", "\n"))

    def test_are_found(self, home):
        for compiled in (2, 0):
            assert home.run(self.AHEAD) == ("done", compiled, "")

    def test_on_a_machine_that_stands_in(self, home):
        source = SOURCE.replace("np.array(values, np.int32)", "device.array(np.array(values, np.int32), 'emu:sm_90')")
        source = source.replace("print(*a,", "print(*device.to_numpy(a),")
        expect_compiled(home, source)
        expect_found(home, source)

    def test_the_vendors_library_counts_by_its_content(self, home):
        for name, content in (("one", b"one"), ("another", b"another"), ("one", b"two")):
            (home.path / name).write_bytes(content)
            variables = {"HETJIT_LIBDEVICE": str(home.path / name)}
            assert home.run(self.AHEAD.replace(', "hip:gfx942"', ""), **variables) == ("done", 1, "")
            assert home.run(self.AHEAD.replace(', "hip:gfx942"', ""), **variables) == ("done", 0, "")
        shutil.copy(home.path / "one", home.path / "copy")
        assert home.run(self.AHEAD.replace(', "hip:gfx942"', ""), HETJIT_LIBDEVICE=str(home.path / "copy")) == ("done", 0, "")


class TestMessages:
    RAISES = SOURCE.replace("main()\n", """
        import traceback
        try:
            main((1, 200))
        except ValueError as error:
            print(error, *error.__notes__, "compiled", _core.compilations())
    """.replace("\n    ", "\n"))

    def test_name_the_true_line(self, home):
        """Of the file and the line where the function stands now."""
        result, compiled, _ = home.run(self.RAISES)
        line = self.RAISES.split("\n").index('        raise ValueError(f"{a[i]} is too large")') + 1
        assert (result, compiled) == (f"200 is too large raised by kernel 'kernel' at {home.path}/program.py:{line}, "
                                      "thread (1, 0, 0) of block (0, 0, 0)", 1)
        moved, compiled, _ = home.run("# above\n\n" + self.RAISES, name="moved.py")
        assert (moved, compiled) == (result.replace(f"program.py:{line}", f"moved.py:{line + 2}"), 0)
        commented = self.RAISES.replace("    i = device", "    # which\n\n    i = device").replace("        raise ValueError", "\n        raise ValueError")
        found, compiled, _ = home.run(commented)
        assert (found, compiled) == (result.replace(f":{line}", f":{line + 3}"), 0)

    WARNS = textwrap.dedent("""
        import numpy as np
        from hetjit import _core, device

        @device.kernel
        def kernel(a, f):
            a[0] = a[0] * f

        a = np.ones(1)
        kernel[1, 1](a, 0.1)
        print(len(a), "compiled", _core.compilations())
    """)

    def test_warnings_come_again_at_their_place(self, home):
        result, compiled, first = home.run(self.WARNS)
        assert (result, compiled) == ("1", 1) and "W0711" in first
        _, compiled, again = home.run("\n\n" + self.WARNS)
        assert compiled == 0
        line = self.WARNS.split("\n").index("    a[0] = a[0] * f") + 1
        assert f"program.py:{line}:" in first and f"program.py:{line + 2}:" in again
        assert again.replace(f":{line + 2}", f":{line}") .split("\n")[0] == first.split("\n")[0]
        _, compiled, inside = home.run(self.WARNS.replace("    a[0] =", "    # rounded\n    a[0] ="))
        assert compiled == 0 and f"program.py:{line + 1}:" in inside


class TestFiles:
    def test_damaged_ones_are_written_anew(self, home):
        expect_compiled(home)
        (file,) = home.files()
        good = file.read_bytes()
        damaged = [b"", good[:20], good[:len(good) // 2], good + b"x", b"GIF89a" + good[6:],
                   good[:8] + b"\x63" + good[9:], good[:-100] + bytes(100)]
        for content in damaged:
            file.write_bytes(content)
            result, compiled, said = home.run()
            assert (result, compiled) == ("4 7 10", 1)
            assert said.count("CacheWarning") == 1 and f"{file} is not used: " in said
            assert file.read_bytes() == good
        expect_found(home)

    def test_another_kernels_file_is_not_taken(self, home):
        expect_compiled(home)
        (first,) = home.files()
        expect_compiled(home, SOURCE.replace("SCALE = 3", "SCALE = 4"), result="5 9 13")
        (other,) = set(home.files()) - {first}
        shutil.copy(other, first)
        result, compiled, said = home.run()
        assert (result, compiled) == ("4 7 10", 1) and "kept under another name" in said

    @pytest.mark.parametrize("what", ["folder", "part", "file"])
    def test_that_others_may_write_are_not_used(self, home, what):
        expect_compiled(home)
        (file,) = home.files()
        path = {"folder": home.cache, "part": file.parent, "file": file}[what]
        path.chmod(path.stat().st_mode | 0o002)
        result, compiled, said = home.run()
        assert (result, compiled) == ("4 7 10", 1)
        assert f"{path} is not used: other users may write it" in said

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
    def test_of_another_user_are_not_used(self, home):
        expect_compiled(home)
        (file,) = home.files()
        os.chown(file, 1, 1)
        result, compiled, said = home.run()
        assert (result, compiled) == ("4 7 10", 1) and f"{file} is not used: it belongs to another user" in said
        expect_found(home)  # written anew

    def test_a_filter_makes_an_exception_of_the_warning(self, home):
        expect_compiled(home)
        (file,) = home.files()
        file.write_bytes(b"")
        source = SOURCE.replace("    main()\n", "    try:\n        main()\n    except device.CacheWarning:\n        main()\n")
        result, compiled, said = home.run(source, arguments=["-W", "error"])
        assert (result, compiled, said) == ("4 7 10", 1, "")


class TestSettings:
    def test_off(self, home):
        for _ in range(2):
            expect_compiled(home, HETJIT_CACHE="off")
        assert not home.cache.exists()

    def test_read_only(self, home):
        expect_compiled(home, HETJIT_CACHE="read")
        assert not home.cache.exists()
        expect_compiled(home)
        expect_found(home, HETJIT_CACHE="read")

    def test_the_usual_folder(self, home):
        expect_compiled(home, HETJIT_CACHE_DIR="", XDG_CACHE_HOME=str(home.path / "xdg"))
        assert len(list((home.path / "xdg/hetjit").glob("?/*"))) == 1

    @pytest.mark.parametrize("value", ["/proc/nowhere", "/dev/null/cache"])
    def test_a_folder_that_cannot_be(self, home, value):
        expect_compiled(home, HETJIT_CACHE_DIR="", HOME=value, XDG_CACHE_HOME="")  # nobody asked for it: not a word
        result, compiled, said = home.run(HETJIT_CACHE_DIR=value)
        assert (result, compiled) == ("4 7 10", 1)
        assert said.count("CacheWarning: compiled kernels are not kept: cannot make") == 1

    def test_no_home(self, home):
        expect_compiled(home, HETJIT_CACHE_DIR="", HOME="", XDG_CACHE_HOME="")

    def test_a_shared_folder(self, home):
        expect_compiled(home)
        shared = home.cache.rename(home.path / "shared")
        expect_found(home, HETJIT_CACHE_SHARED=str(shared))
        assert not home.cache.exists(), "what is shared is not copied"
        changed = SOURCE.replace("SCALE = 3", "SCALE = 4")
        expect_compiled(home, changed, result="5 9 13", HETJIT_CACHE_SHARED=str(shared))
        assert len(home.files()) == 1 and len(list(shared.glob("?/*"))) == 1

    def test_a_shared_folder_that_is_not_there(self, home):
        missing = str(home.path / "nowhere")
        result, compiled, said = home.run(HETJIT_CACHE_SHARED=missing)
        assert (result, compiled) == ("4 7 10", 1)
        assert said.count(f"CacheWarning: HETJIT_CACHE_SHARED is no folder: {missing}") == 1
        expect_found(home, HETJIT_CACHE_SHARED=missing)

    @pytest.mark.parametrize("name, value", [("HETJIT_CACHE", "maybe"), ("HETJIT_CACHE_SIZE", "much")])
    def test_values_that_mean_nothing(self, home, name, value):
        source = SOURCE.replace("    main()\n", "    try:\n        main()\n    except ValueError as e:\n        print(e, 'compiled', 0)\n")
        assert home.run(source, **{name: value})[0].startswith(f"{name} is '{value}'; ")

    def test_one_kernel_is_left_out(self, home):
        source = SOURCE.replace("@device.kernel", "@device.kernel(cache=False)")
        for _ in range(2):
            expect_compiled(home, source)
        assert home.files() == []
        expect_compiled(home)
        expect_compiled(home, source)

    @pytest.mark.parametrize("variable", [{"HETJIT_VERIFY": "1"}, {"HETJIT_SHOW": "typed"}, {"HETJIT_SHOW": "time"}])
    def test_who_watches_sees_a_compilation(self, home, variable):
        expect_compiled(home)
        result, compiled, _ = home.run(**variable)
        assert (result, compiled) == ("4 7 10", 1)

    def test_size(self, home):
        many = SOURCE.replace("    main()\n", "    for SCALE in range(60):\n        main()\n")
        home.run(many, HETJIT_CACHE_SIZE="400K")
        assert 0 < sum(path.stat().st_size for path in home.files()) <= 400 << 10


class TestCommand:
    def test_info(self, home):
        assert "kept    0 kernels" in home.command("info")
        expect_compiled(home)
        said = home.command("info", HETJIT_CACHE_SIZE="5M")
        assert f"folder  {home.cache}\nuse     on\nkept    1 kernels, " in said and "of 5.0 MiB" in said
        assert "use     off" in home.command("info", HETJIT_CACHE="off")

    def test_list(self, home):
        expect_compiled(home)
        expect_compiled(home, SOURCE.replace("kernel", "other").replace("device.other", "device.kernel"))
        listed = home.command("list")
        assert listed.count("\n") == 2 and "other(" in listed and "program.py:" in listed
        assert home.command("list", "oth").count("\n") == 1
        constant = SOURCE.replace("def kernel(", "def constant(n: device.ConstExpr, ").replace("kernel[", "constant[").replace("](", "](3, ")
        home.run(constant)
        assert "  constant(3, array[" in home.command("list")
        home.files()[0].write_bytes(b"rubbish")
        assert "not used: it is not a file of hetjit's" in home.command("list")

    def test_explain(self, home):
        expect_compiled(home)
        time.sleep(1.1)  # the order is that of seconds
        expect_compiled(home, SOURCE.replace("SCALE = 3", "SCALE = 4"), result="5 9 13")
        time.sleep(1.1)
        expect_compiled(home, SOURCE.replace("@device.kernel", "@device.kernel(fastmath=True)"))
        said = home.command("explain", "kernel")
        assert "- name      helper: SCALE = 3\n  + name      helper: SCALE = 4" in said
        assert "options   contract fastmath" in said.replace("kernel contract", "contract")

    def test_clear_and_prune(self, home):
        for scale in range(3):
            home.run(SOURCE.replace("SCALE = 3", f"SCALE = {scale}"))
        assert home.command("prune") == "removed 0 kernels\n"
        size = sum(path.stat().st_size for path in home.files())
        assert home.command("prune", str(size)) == "removed 0 kernels\n"
        assert home.command("prune", str(size - 1)) == "removed 1 kernels\n"
        assert home.command("clear") == "removed 2 kernels\n"
        assert home.files() == []

    def test_a_size_that_means_nothing(self, home):
        done = subprocess.run([sys.executable, "-m", "hetjit", "cache", "prune", "lots"], capture_output=True, text=True,
                              env=home.environment())
        assert done.returncode == 2 and "'lots' is no number of bytes" in done.stderr

    @pytest.mark.parametrize("variable", ["HETJIT_CACHE", "HETJIT_CACHE_SIZE"])
    @pytest.mark.parametrize("command", ["info", "list", "explain", "clear", "prune"])
    def test_nonsense_in_the_environment(self, home, command, variable):
        done = subprocess.run([sys.executable, "-m", "hetjit", "cache", command], capture_output=True, text=True,
                              env={**home.environment(), variable: "maybe"})
        assert (done.returncode, done.stdout) == (2, "") and f"{variable} is 'maybe'" in done.stderr

    def test_functions(self, home):
        program = SOURCE.replace('compiled", _core.compilations())', 'end")').replace("    main()\n", textwrap.indent(
            textwrap.dedent("""
                main()
                entry, = device.cache.entries()
                print(entry, entry.first("target"), device.cache.info()["files"], device.cache.prune("1G"), device.cache.clear(),
                      device.cache.info()["files"], "compiled", _core.compilations())
            """), "    "))
        result, _, _ = home.run(program)
        assert result.endswith("cpu:native 1 0 1 0") and "of kernel(" in result


MANY = textwrap.dedent("""
    import sys
    import numpy as np
    from hetjit import device

    def make(number):
        @device.kernel
        def kernel(a):
            i = device.tid(1)
            a[i] = a[i] * number + i
        return kernel

    order = np.random.default_rng(int(sys.argv[1])).permutation(int(sys.argv[2]))
    for number in map(int, order):
        a = np.arange(32, dtype=np.int32)
        make(number)[1, 32](a)
        assert (a == np.arange(32) * number + np.arange(32)).all(), number
    print("done")
""")


def test_many_processes_that_are_killed(home):
    """Processes that compile the same kernels in one folder, of which some are killed at any moment: no wrong result, no word, and a
    folder in which everything is whole. HETJIT_MACHINES=all (./dev test --all): 64 processes of 50 kernels."""
    whole = os.environ.get("HETJIT_MACHINES") == "all"
    processes, kernels = (64, 50) if whole else (10, 12)
    (home.path / "many.py").write_text(MANY)

    def start(number):
        return subprocess.Popen([sys.executable, str(home.path / "many.py"), str(number), str(kernels)], text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=home.environment())
    running = {number: start(number) for number in range(processes)}
    killed = set(range(0, processes, 2))
    for number in sorted(killed):
        time.sleep(0.05 + 0.013 * (number % 7))
        running[number].send_signal(signal.SIGKILL)
    for number, process in running.items():
        out, error = process.communicate()
        assert error == ""
        assert number in killed or (process.returncode, out) == (0, "done\n")
    files = home.files()
    assert len([file for file in files if not file.name.startswith(".new-")]) == kernels
    assert home.command("list").count("\n") == kernels and "not used" not in home.command("list")
    done = start(1000)
    assert done.communicate() == ("done\n", "")
    assert {file for file in home.files() if not file.name.startswith(".new-")} == {file for file in files if not file.name.startswith(".new-")}


def command_on(folder, *words):
    """`python -m hetjit cache` on a folder of that name."""
    environment = {**os.environb, b"HETJIT_CACHE": b"on", b"HETJIT_CACHE_DIR": os.fsencode(folder)}
    return subprocess.run([sys.executable, "-m", "hetjit", "cache", *words], env=environment, text=True, capture_output=True, errors="surrogateescape")


def test_a_file_in_the_part_of_another_is_not_counted(tmp_path):
    (tmp_path / "0").mkdir(0o700)
    (tmp_path / "0" / ("a" * 40)).write_bytes(b"something")
    tmp_path.chmod(0o700)
    assert "kept    0 kernels" in command_on(tmp_path, "info").stdout
    assert command_on(tmp_path, "clear").stdout == "removed 0 kernels\n" and (tmp_path / "0" / ("a" * 40)).exists()


@pytest.mark.parametrize("words", [["list"], ["clear"], ["info"]])
def test_a_folder_that_others_may_write(tmp_path, words):
    tmp_path.chmod(0o777)
    done = command_on(tmp_path, *words)
    assert done.returncode == 1 and "cache: nothing is read here: " in done.stderr and str(tmp_path) in done.stderr


def test_a_folder_whose_name_is_no_utf8(tmp_path):
    folder = os.fsencode(tmp_path) + b"/\xff"
    for word in ("info", "list", "clear"):
        done = command_on(folder, word)
        assert done.returncode == 0 and not done.stderr, done.stderr
