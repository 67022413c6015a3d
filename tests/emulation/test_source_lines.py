"""Faults of code objects that have line tables name the source line: clang's, of DWARF 5 (gfx942) and 4 (gfx1100)."""

import lzma
import pathlib
import re
import shutil
import struct
import subprocess

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")
pytest.importorskip("tinygrad", reason="the tables of AMD's instructions (tinygrad 0.14.0) are not installed")

from hetjit.emulation.amd import AddressFault, Machine, TrapFault, UninitializedFault
from hetjit.emulation.amd.elf import Elf
from hetjit.emulation.amd.lines import line_at, rows_of

HERE = pathlib.Path(__file__).resolve().parent
ARCHITECTURES = {"gfx942": 64, "gfx1100": 32}
FAULTS = {"reads": (AddressFault, 3), "forgets": (UninitializedFault, 15), "asserts": (TrapFault, 21)}


def recorded(architecture):
    return lzma.decompress((HERE / "recorded" / f"{architecture}-lines.xz").read_bytes())


def fault(architecture, kernel, image):
    machine = Machine(architecture, stack_bytes=1 << 12)
    out = machine.arena.allocate(4096)
    kind, line = FAULTS[kernel]
    with pytest.raises(kind) as caught:
        machine.load(image).launch(kernel, 1, 1, struct.pack("<Qi", out, 9))
    return str(caught.value), line


@pytest.mark.parametrize("kernel", FAULTS)
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_source_line_is_named(architecture, kernel):
    text, line = fault(architecture, kernel, recorded(architecture))
    assert re.search(rf"\n  from \S*lines\.cu:{line}\b", text), text
    assert ("far_away" if kernel == "reads" else kernel) in text


@pytest.mark.parametrize("bytes", (3, 20, 60, 100))
def test_damage_costs_the_line_alone(bytes):
    image = recorded("gfx942")
    table = Elf(image).named(".debug_line")
    at = image.index(table)
    text, _ = fault("gfx942", "reads", image[:at + bytes] + b"\xff" * (len(table) - bytes) + image[at + len(table):])
    assert "far_away" in text


def test_without_tables_there_is_no_line():
    rows = rows_of(Elf(lzma.decompress((HERE / "recorded" / "gfx942-threads.xz").read_bytes())))
    assert rows == [] and line_at(rows, 0x1800) is None


@pytest.mark.parametrize("version", (2, 3, 4, 5))
def test_rows_are_those_of_llvm(version, tmp_path):
    for tool in ("clang-22", "llc-22", "ld.lld-22", "llvm-dwarfdump-22"):
        if shutil.which(tool) is None:
            pytest.skip(f"no {tool} on this machine")
    out = tmp_path / "code"
    subprocess.run([HERE / "compile_amd.sh", HERE / "sources" / "threads.cu", "gfx1100", "32", out, f"-gdwarf-{version}"], check=True)
    text = subprocess.run(["llvm-dwarfdump-22", "--debug-line", out], check=True, capture_output=True, text=True).stdout
    wanted = {(int(address, 16), int(line), "end_sequence" in rest)
              for address, line, rest in re.findall(r"^0x([0-9a-f]+)\s+(\d+)\s+(.*)$", text, re.M)}
    found = {(row.address, row.line, row.file is None) for row in rows_of(Elf(out.read_bytes()))}
    assert found == wanted and len(found) > 200
    files = {row.file.rpartition("/")[2] for row in rows_of(Elf(out.read_bytes())) if row.file}
    assert files == {"threads.cu", "names.h"}
