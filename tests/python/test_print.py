"""PYTEST_DONT_REWRITE: kernels here have asserts of their own.

print() in kernels: what is printed is what Python prints of the same numbers, through sys.stdout."""

import sys

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import _core, device


def printed(capsys, function, *arguments, grid=1, block=1):
    """What the host target prints, which the interpreter prints, too."""
    capsys.readouterr()
    _core.interpret(_core.capture(function), arguments, grid, block)
    interpreted = capsys.readouterr().out
    device.kernel(function)[grid, block](*arguments)
    native = capsys.readouterr().out
    assert interpreted == native
    return native


def test_numbers_strings_and_tuples(capsys):
    def kernel(i, f, x):
        print("i is", i, "and f", f)
        print()
        print(x[0], x[1], sep=", ", end=";\n")
        print((i, "a'b", (f,), ()), None, True, x[0] > x[1])
        print("é", 1, -2, 0.1, 1e20, 1e16, 1e-5, sep="|")

    out = printed(capsys, kernel, 3, 0.5, np.array([1.5, 2.25]))
    assert out.split("\n") == ["i is 3 and f 0.5", "", "1.5, 2.25;", "(3, \"a'b\", (0.5,), ()) None True False",
                               "é|1|-2|0.1|1e+20|1e+16|1e-05", ""]


def test_f_strings(capsys):
    def kernel(i, f):
        print(f"{i:05d} {i:+} {i:x} {f:.3f} {f:10.2e}| {f!r:>8} {i!s:<4}| {'ab':>4}|{'ab':^5}|{'abc':.2}| {i=}")
        print(f"{0.1:.20f} {7:03d} {i > 3} {f}" + f" and {i}" + "!")
        print(str(i) + repr("x") + format(f, ".1f"))

    out = printed(capsys, kernel, 42, 0.25)
    i, f = 42, 0.25
    assert out == (f"{i:05d} {i:+} {i:x} {f:.3f} {f:10.2e}| {f!r:>8} {i!s:<4}| {'ab':>4}|{'ab':^5}|{'abc':.2}| {i=}\n"
                   f"{0.1:.20f} {7:03d} {i > 3} {f} and {i}!\n" + str(i) + repr("x") + format(f, ".1f") + "\n")


def test_every_format_of_number(capsys):
    def kernel(a, b, c, d, e, f, g, h, x, y, z, t):
        print(a[0], b[0], c[0], d[0], e[0], f[0], g[0], h[0], x[0], y[0], z[0], t[0])

    arrays = [np.array([np.iinfo(t).min if t.startswith("i") else np.iinfo(t).max], t)
              for t in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")]
    arrays += [np.array([0.1], t) for t in ("float16", "float32", "float64")] + [np.array([True])]
    assert printed(capsys, kernel, *arrays) == " ".join(str(a[0]) for a in arrays) + "\n"


def test_functions_and_loops_print_in_their_order(capsys):
    @device.func
    def say(n):
        for i in range(n):
            print("step", i)
        return n

    def kernel(x):
        print("begin")
        x[0] = say(3)
        print("end", x[0])

    assert printed(capsys, kernel, np.zeros(1, np.int32)) == "begin\nstep 0\nstep 1\nstep 2\nend 3\n"


def test_every_thread_prints(capsys):
    def kernel(x):
        i = device.tid(1)
        print(i, x[i], sep=":")

    x = np.arange(1000, dtype=np.int32) * 7
    lines = printed_lines(capsys, kernel, x)
    assert lines == sorted(f"{i}:{7 * i}" for i in range(1000))


def printed_lines(capsys, kernel, x):
    device.kernel(kernel)[10, 100](x)
    return sorted(capsys.readouterr().out.split())


def test_what_does_not_fit_is_counted(capsys):
    def kernel(n):
        print(device.tid(1))

    for launch in (1, 2):
        device.kernel(kernel)[1000, 100](1)
        lines = capsys.readouterr().out.split("\n")
        kept = [int(line) for line in lines if line.isdigit()]
        assert len(kept) == len(set(kept)) == (2**20 - 16) // 40
        lost = 100_000 - len(kept)
        assert lines[-2] == f"[hetjit: {lost} more texts printed by kernel 'kernel' did not fit the buffer of 1 MiB]"


def test_what_was_printed_comes_before_the_exception(capsys):
    def kernel(x):
        print("about to fail")
        assert x[0] > 0, "failed"
        print("not reached")

    with pytest.raises(AssertionError, match="failed"):
        device.kernel(kernel)[1, 1](np.zeros(1))
    assert capsys.readouterr().out == "about to fail\n"


def test_a_stdout_that_fails_fails_the_launch(monkeypatch):
    class Broken:
        def write(self, text):
            raise OSError("full")

    def kernel(n):
        print(n)

    monkeypatch.setattr("sys.stdout", Broken())
    with pytest.raises(OSError, match="full"):
        device.kernel(kernel)[1, 1](1)
    monkeypatch.setattr("sys.stdout", None)
    device.kernel(kernel)[1, 1](1)


def test_constant_strings_fold(capsys):
    def kernel(x):
        name = "ab" + "é" * 2
        x[0] = len(name)
        x[1] = name == "abéé"
        x[2] = "é" in name and "z" not in name
        x[3] = "a" < "b" <= "b" > "a"
        x[4] = name[2] == "é" and name[-1] == "é"
        x[5] = f"{name:>6}" == "  abéé"
        x[6] = f"{3}-{'x'}" == "3-x"
        x[7] = len("") == 0 and not ""

    x = np.zeros(8, np.int32)
    printed(capsys, kernel, x)
    assert x.tolist() == [4, 1, 1, 1, 1, 1, 1, 1]


@pytest.mark.parametrize("body, code, says", [
    ("print(x)", "E0318", "has no text"),
    ("print(x[0], file=1)", "E0306", "no parameter 'file'"),
    ("print(x[0], sep=x[0])", "E0212", "a constant string"),
    ("x[0] = f'{x[0]}' == 'a'", "E0205", "cannot compare"),
    ("x[0] = len(f'{x[0]}')", "E0212", "str"),
    ("print(f'{x[0]:{x[1]}}')", "E0505", "a constant"),
    ("print(f'{x[0]:d}')", "E0319", "'d' is no format of float32"),
    ("print('a' + x[0])", "E0201", "'+'"),
    *((f"print({text})", "E0318", "the repr() of a str that has numbers of run time")
      for text in ("f'{[str(x[0])]}'", "[str(x[0])]", "(str(x[0]), 1)", "[f'{x[0]}']", "f'{str(x[0])!r}'", "repr(str(x[0]))", "str([str(x[0])])", "((1, f'{x[0]}'),)")),
    *((f"print({text})", "E0319", "'>10' is no format of a str of several parts")
      for text in ("f'{[1, x[0]]!r:>10}'", "f'{(x[0], x[0])!s:>10}'", "format(str([x[0]]), '>10')", "f'{str((1, x[0])):>10}'")),
    ("print(*((x[0],) * 65))", "E0101", "more than 64 numbers"),
])
def test_what_cannot_be_printed_is_said(body, code, says):
    scope = {}
    exec(compile(f"def kernel(x):\n    {body}\n", "<made>", "exec"), scope)
    with pytest.raises(device.CompileError) as found:
        _core.show(_core.capture(scope["kernel"]), "typed", "(float32[:])")
    assert found.value.code == code and says in str(found.value)


def test_print_compiles_for_every_gpu():
    def kernel(x):
        i = device.tid(1)
        print(f"{i}: {x[i]:.2f}")

    snapshot = _core.capture(kernel)
    assert "hetjit_print[1048576]" in _core.show(snapshot, "ptx", "(float32[:])", "cuda:sm_90", kernel=True)
    assert "hetjit_print" in _core.show(snapshot, "amdgcn", "(float32[:])", "hip:gfx942", kernel=True)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_complex_numbers(capsys, dtype):
    def kernel(z):
        for k in range(z.shape[0]):
            print(z[k])
        print(f"{z[0]:.2f}|{z[0]!s:>12}", (z[0], 1), 2j)

    z = np.array([0.1 + 2j, 0.2j, -0.0 + 1j, 1 - 0j, 1e20 - 1e-7j, complex("nan"), complex(1, float("-inf"))], dtype)
    wide = complex(z[0])
    assert printed(capsys, kernel, z).split("\n") == [str(k) for k in z] + [f"{wide:.2f}|{str(z[0]):>12} ({z[0]!s}, 1) 2j", ""]


@pytest.mark.parametrize("specification", ["d", "05.1f", "=9.1f", "%"])
def test_what_complex_numbers_cannot_be_formatted_as(specification):
    def kernel(z):
        print(format(z[0], specification))

    with pytest.raises(device.CompileError, match="E0319"):
        device.kernel(kernel)[1, 1](np.ones(1, np.complex64))
    with pytest.raises(ValueError):
        format(1j, specification)


CONSTANTS = {name: getattr(np, name)(0.1) for name in ("float16", "float32", "float64")}


@pytest.mark.parametrize("name", [*CONSTANTS, "bfloat16"])
def test_constants_have_the_digits_of_their_format(name, capfd):
    """As the same number of an array has: the fewest that give it back."""
    kind = getattr(device, name)
    constant = CONSTANTS.get(name, 0.1)

    @device.kernel
    def k(x):
        print(kind(constant), -kind(constant), f"{kind(constant)}", str(kind(constant)), repr(kind(constant)), (kind(constant), 1))
        print(x[0], -x[0], f"{x[0]}", str(x[0]), repr(x[0]), (x[0], 1))
        raise ValueError(f"{kind(constant)}")
    with pytest.raises(ValueError) as raised:
        k[1, 1](device.array([0.1], dtype=kind))
    constants, elements = capfd.readouterr().out.splitlines()
    assert constants == elements and str(raised.value) == elements.split()[0]
    if name in CONSTANTS:
        assert elements.split()[0] == str(constant)


class Full:
    """A stream that takes nothing more."""

    def __init__(self, error):
        self.error = error

    def write(self, _):
        raise self.error

    def flush(self):
        pass


@device.kernel
def says_and_fails(x):
    print("here")
    assert x[0] > 100, "the kernel's own"


@device.kernel
def says(x):
    print("here", x[0])


@pytest.mark.parametrize("error", [OSError("disk full"), KeyboardInterrupt("stop")])
@pytest.mark.parametrize("where", ["cpu", "emu:sm_90"])
def test_what_a_kernel_raises_is_told_where_its_text_cannot_be_written(where, error, monkeypatch):
    x = device.zeros(1, device.float32, where)
    monkeypatch.setattr(sys, "stdout", Full(error))
    with pytest.raises((AssertionError, KeyboardInterrupt)) as caught:
        says_and_fails[1, 1](x)
        device.synchronize(where)
    assert isinstance(caught.value, KeyboardInterrupt) == isinstance(error, KeyboardInterrupt)  # the program is to end
    told = "\n".join([str(caught.value), *caught.value.__notes__])
    assert "the kernel's own" in told and str(error) in told
    device.synchronize(where)


def test_one_kernels_text_does_not_hide_what_another_raises(monkeypatch):
    where = "emu:sm_90"
    x, y = device.zeros(1, device.float32, where), device.zeros(1, device.float32, where)
    says[1, 1](x)
    says_and_fails[1, 1](y)
    monkeypatch.setattr(sys, "stdout", Full(OSError("disk full")))
    with pytest.raises(OSError, match="disk full") as caught:
        device.synchronize(where)
    assert any("the kernel's own" in note for note in caught.value.__notes__)
