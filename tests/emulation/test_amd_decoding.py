"""Every instruction of code that clang and our compiler made is what LLVM's disassembler says it is: its name, and how long it is."""

import lzma
import pathlib
import re
import shutil
import subprocess

import pytest

pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
pytest.importorskip("tinygrad", reason="tinygrad is not installed for this Python")

import on_machine
import test_own_kernels
from hetjit.emulation.amd.decode import tables_of

HERE = pathlib.Path(__file__).resolve().parent
DISASSEMBLER = shutil.which("llvm-objdump-22")
LINE = re.compile(r"\s+(\S+)(.*?)// [0-9A-F]+: ([0-9A-F]{8}(?: [0-9A-F]{8})*)")
pytestmark = pytest.mark.skipif(DISASSEMBLER is None, reason="no llvm-objdump-22 on this machine")


def instructions(image, folder):
    """(name, the other one's where there are two, bytes) of each."""
    file = folder / "code"
    file.write_bytes(image)
    text = subprocess.run([DISASSEMBLER, "-d", file], capture_output=True, text=True, check=True).stdout
    for name, rest, words in LINE.findall(text):
        if name not in ("s_code_end", "s_nop"):
            second = re.search(r":: (\S+)", rest)
            yield name, second and second[1], b"".join(bytes.fromhex(word)[::-1] for word in words.split())


def differences(image, architecture, folder):
    known, found, count = tables_of(architecture), set(), 0
    for name, second, data in instructions(image, folder):
        decoded = known.decode(data.ljust(16, b"\0"))
        name = name.replace("v_fma_mix", "v_mad_mix") if architecture == "gfx942" else name  # its documents' name
        names = [re.sub(r"(_e(32|64))?(_dpp|_sdwa)?$", "", each) for each in (name, second) if each]
        count += 1
        if decoded.name.lower() != "::".join(names) or decoded.bytes != len(data):
            found.add((name, decoded.name, decoded.bytes, len(data)))
    assert count > 10
    return found


@pytest.mark.parametrize("file", ["floats", "instructions", "integers", "threads"])
@pytest.mark.parametrize("architecture", ["gfx942", "gfx1100"])
def test_code_of_clang(file, architecture, tmp_path):
    image = lzma.decompress((HERE / "recorded" / f"{architecture}-{file}.xz").read_bytes())
    assert not differences(image, architecture, tmp_path)


@pytest.mark.parametrize("architecture", ["gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"])
def test_our_code(architecture, tmp_path):
    for case in test_own_kernels.EXACT[::25]:
        image = on_machine.compiled(case[0].underlying, test_own_kernels.tools.signature(case[-1]), f"hip:{architecture}", True)
        assert not differences(bytes(image["code"]), architecture, tmp_path), case[0]
