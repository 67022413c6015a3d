"""Registers are wider than small integers and bools. What is above these is nobody's: here code in assembly leaves the wrong bits there, as a caller and as one
that is called. For AMD's GPUs both sides are one module of LLVM's before there are registers."""

import re
import subprocess

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from calls import launched
from hetjit import device, driver

pytestmark = pytest.mark.always

# Name -> (type of Python's, of PTX's moves, of the register's bits what is to be read as what).
SMALL = {
    "i8": (device.int8, 0x12345680, -128),
    "u8": (device.uint8, 0xFFFFFF80, 128),
    "i16": (device.int16, 0x12347FFF, 32767),
    "u16": (device.uint16, 0xABCD8000, 32768),
    "yes": (bool, 0x01, 1),
    "no": (bool, 0xFFFFFF00, 0),
}


def as_number(x):
    return int(x) if not isinstance(x, bool) else (1 if x else 0)


# ---- Python calls


@pytest.fixture(scope="module")
def givers(tmp_path_factory):
    """An object whose functions leave wrong bits above their results."""
    folder = tmp_path_factory.mktemp("givers")
    lines = [".text"]
    for name, (_, bits, _) in SMALL.items():
        lines.append(f".globl give_{name}\n.type give_{name}, @function\ngive_{name}: movl ${bits:#x}, %eax\nret")
    (folder / "givers.s").write_text("\n".join([*lines, '.section .note.GNU-stack,"",@progbits', ""]))
    subprocess.run(["g++", "-c", folder / "givers.s", "-o", folder / "givers.o"], check=True)
    return folder / "givers.o"


@pytest.mark.parametrize("name", SMALL)
def test_results_on_the_host(name, givers):
    type_, _, wanted = SMALL[name]
    give = device.extern(f"give_{name}", (), returns=type_, link={"cpu": [givers]})

    def ask(out):
        x = give()
        out[0] = int(x)
        out[1] = 1 if x else 0
        out[2] = 1 if x == WANTED else 0
        out[3] = int(x) // 2
    ask.__globals__["WANTED"] = wanted
    out, = launched(ask, "cpu", np.zeros(4, np.int64))
    assert out.tolist() == [wanted, wanted != 0, 1, wanted // 2]


def run_ptx(ptx, name, folder, count):
    """What an entry leaves in its one array of 64-bit integers."""
    (folder / "code.ptx").write_text(ptx)
    calls = driver.open("emu:sm_90")
    place = calls.malloc(8 * count).configure(typestr="int64", shape=count)
    calls.memcpy(place, np.zeros(count, np.int64), 8 * count)
    calls.module_launch_kernel(calls.module_get_function(calls.module_load(folder / "code.ptx"), name), 1, 1, extra=[place])
    calls.device_synchronize()
    found = np.zeros(count, np.int64)
    calls.memcpy(found, place, 8 * count)
    return found.tolist()


@pytest.mark.parametrize("name", SMALL)
def test_results_in_ptx(name, tmp_path):
    """A function in PTX is given to the kernel that only declares it."""
    type_, bits, wanted = SMALL[name]
    (tmp_path / "giver.ptx").write_text("")
    give = device.extern(f"give_{name}", (), returns=type_, link={"cuda": [tmp_path / "giver.ptx"]})

    @device.func(interop=True)
    def ask(out):
        x = give()
        out[0] = int(x)
        out[1] = 1 if x else 0
        out[2] = 1 if x == WANTED else 0
        out[3] = int(x) // 2
    ask.underlying.__globals__["WANTED"] = wanted
    ptx = ask.compile((device.int64[::1],), target="cuda:sm_90", kind="ptx").code.decode().rstrip("\0")
    body = f".visible .func (.param .b32 func_retval0) give_{name}()\n{{\n\tst.param.b32 [func_retval0], {bits:#x};\n\tret;\n}}\n"
    ptx, times = re.subn(rf"\.extern \.func\s*\(\.param \.b32 \w+\) give_{name}\s*\(\s*\)\s*;", lambda _: body, ptx)
    assert times == 1
    assert run_ptx(ptx + caller("ask", [("b64", None)]), "run", tmp_path, 4) == [wanted, wanted != 0, 1, wanted // 2]


# ---- Python is called


def caller(function, parameters):
    """An entry in PTX that calls a function with a descriptor of its array, or with these bits and stores what comes back."""
    if parameters == [("b64", None)]:
        return f"""
.visible .entry run(.param .u64 at)
{{
	.reg .b64 %a;
	.param .align 8 .b8 x[24];
	ld.param.b64 %a, [at];
	st.param.b64 [x], %a;
	st.param.b64 [x+8], 4;
	st.param.b64 [x+16], 1;
	call.uni {function}, (x);
	ret;
}}
"""
    declared = "\n".join(f"\t.param .b32 p{i};\n\tst.param.b32 [p{i}], {bits:#x};" for i, bits in enumerate(parameters))
    return f"""
.visible .entry run(.param .u64 at)
{{
	.reg .b64 %a, %r;
	ld.param.b64 %a, [at];
	cvta.to.global.u64 %a, %a;
{declared}
	.param .b64 back;
	call.uni (back), {function}, ({', '.join(f'p{i}' for i in range(len(parameters)))});
	ld.param.b64 %r, [back];
	st.global.b64 [%a], %r;
	ret;
}}
"""


@pytest.mark.parametrize("name", SMALL)
def test_arguments_in_ptx(name, tmp_path):
    type_, bits, wanted = SMALL[name]

    @device.func(interop=True)
    def take(x):
        return device.int64((int(x) + 1) * 10 + (1 if x else 0))

    ptx = take.compile((type_,), target="cuda:sm_90", kind="ptx").code.decode().rstrip("\0")
    assert run_ptx(ptx + caller("take", [bits]), "run", tmp_path, 1) == [(wanted + 1) * 10 + (wanted != 0)]


CALLS = {"i8": "movabsq $0xdeadbeefffffff80, %rdi", "u8": "movabsq $0xdeadbeef00000080, %rdi", "i16": "movabsq $0xdeadbeef00007fff, %rdi",
         "u16": "movabsq $0xdeadbeef00008000, %rdi", "yes": "movabsq $0xdeadbeef00000001, %rdi", "no": "movabsq $0xdeadbeef00000000, %rdi"}


@pytest.mark.parametrize("name", SMALL)
def test_arguments_on_the_host(name, tmp_path):
    """Compilers extend them to 32 bits, and no further."""
    type_, _, wanted = SMALL[name]

    @device.func(interop=True)
    def take(x):
        return device.int64((int(x) + 1) * 10 + (1 if x else 0))

    code = take.compile((type_,)).write(tmp_path)
    (tmp_path / "call.s").write_text(f'.text\n.globl call\ncall: {CALLS[name]}\njmp take\n.section .note.GNU-stack,"",@progbits\n')
    (tmp_path / "main.cpp").write_text('#include <cstdio>\nextern "C" long call();\nint main() { std::printf("%ld", call()); }\n')
    subprocess.run(["g++", tmp_path / "main.cpp", tmp_path / "call.s", code, "-o", tmp_path / "main"], check=True)
    assert subprocess.run([tmp_path / "main"], capture_output=True, text=True).stdout == str((wanted + 1) * 10 + (wanted != 0))
