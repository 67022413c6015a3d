"""Code objects as ROCm's loader reads them, what a launch fills in, and images that are refused by name. No instruction is run."""

import lzma
import pathlib
import struct

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import _core
from hetjit.emulation.amd import code_object, dispatch
from hetjit.emulation.amd.elf import Elf
from hetjit.emulation.amd.messages import unpacked
from hetjit.emulation.arena import Arena
from hetjit.emulation.faults import AddressFault, LinkError

HERE = pathlib.Path(__file__).resolve().parent


def recorded(name="gfx942-threads"):
    return bytearray(lzma.decompress((HERE / "recorded" / f"{name}.xz").read_bytes()))


@pytest.mark.parametrize("architecture, wave", [("gfx942", 64), ("gfx1100", 32)])
def test_kernels_and_what_they_ask_for(architecture, wave):
    program = code_object.load(recorded(f"{architecture}-threads"), Arena())
    assert program.architecture == architecture
    kernel = program.kernels["recursion"]
    assert (kernel.wave_size, kernel.explicit_bytes, kernel.max_threads) == (wave, 20, 1024) and kernel.dynamic_stack
    assert not program.kernels["collatz"].dynamic_stack and program.kernels["block_sums"].group_bytes == 1024
    assert (24, 4, "hidden_block_count_x") in kernel.hidden and kernel.kernarg_bytes >= 280
    assert kernel.rsrc1 and kernel.entry % 256 == 0
    assert program.function_at(kernel.entry) == program.function_at(kernel.entry + 4) == "recursion"
    assert program.function_at(3).startswith("code at")


def test_segments_variables_and_relocations():
    arena = Arena()
    program = code_object.load(recorded(), arena)

    def words(name, dtype):
        address, size = program.variables[name]
        return arena.slice(address, size).view(dtype).tolist()
    assert words("table", np.int32) == [3, 1, 4, 1, 5, 9, 2, 6] and words("scale", np.float64) == [0.5, -2.0]
    assert words("chosen", np.uint64) == [program.variables["table"][0]]
    assert [program.function_at(address) for address in words("functions", np.uint64)] == ["_Z4plusi", "_Z5minusi", "_Z6thricei"]
    address = program.kernels["collatz"].entry
    program.release()
    with pytest.raises(AddressFault):
        arena.slice(address, 4)


def test_our_own_kernels_are_what_the_loader_expects():
    def f(x):
        x[0] = x[1]
    for target in ("gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201", "gfx11-generic"):
        image = _core.compile(_core.capture(f), "(array[float32, 1, contiguous, index32])", f"hip:{target}")
        program = code_object.load(image["code"], Arena())
        assert program.architecture == target and program.kernels[image["entry"]].explicit_bytes == image["parameter_bytes"]


def changed(image, at, form, value):
    struct.pack_into(form, image, at, value)
    return image


@pytest.mark.parametrize("image, words", [
    (b"", "no code object: it begins with b''"), (b".version 8.0 .target sm_90", "no code object: it begins with b'.version"),
    (changed(recorded(), 18, "<H", 62), "for x86-64, not for AMD's GPUs"), (changed(recorded(), 18, "<H", 999), "for machine 999"),
    (changed(recorded(), 16, "<H", 1), "that has not been linked"), (changed(recorded(), 7, "<B", 0), "another system than HSA"),
    (changed(recorded(), 8, "<B", 0), "a version other than 4, 5, 6"), (changed(recorded(), 4, "<B", 1), "of 32 bits"),
    (recorded()[:4000], "damaged or cut short"), (recorded()[:70], "damaged or cut short")])
def test_images_that_are_none(image, words):
    with pytest.raises(LinkError, match=words.replace(".", r"\.")):
        code_object.load(image, Arena())


def test_another_architecture():
    with pytest.raises(code_object.ForeignError, match="is for gfx942, not for gfx1100"):
        code_object.load(recorded(), Arena(), "gfx1100")
    assert code_object.runs_on("gfx11-generic", "gfx1100") and not code_object.runs_on("gfx11-generic", "gfx1201")


def test_bytes_that_are_changed_are_refused_or_loaded():
    """Never another exception, and nothing is left in the arena."""
    whole, draw, arena = recorded(), np.random.default_rng(1), Arena()
    elf, loads = Elf(whole), 0
    tables = [(section.offset, section.offset + section.bytes) for section in elf.sections if section.kind in (2, 4, 7, 11)]
    for _ in range(150):
        image = bytearray(whole)
        first, end = tables[draw.integers(len(tables))] if draw.integers(2) else (0, 500)
        for at in draw.integers(first, end, 3):
            image[at] = draw.integers(256)
        try:
            code_object.load(image, arena).release()
            loads += 1
        except LinkError:
            assert all(start in arena.freed for start in arena.starts)
    assert loads and len(arena.starts) <= len(arena.freed) + 1


@pytest.mark.parametrize("data, value", [
    (b"\x05", 5), (b"\xff", -1), (b"\xcd\x01\x00", 256), (b"\xd1\xff\x00", -256), (b"\xa3abc", "abc"), (b"\xd9\x03abc", "abc"),
    (b"\x82\xa1a\xc3\xa1b\x92\xc0\xc2", {"a": True, "b": [None, False]}), (b"\xcb\x3f\xf0\0\0\0\0\0\0", 1.0), (b"\xdc\x00\x01\x07", [7]),
    (b"\xc4\x02ab", b"ab")])
def test_notes_are_message_pack(data, value):
    assert unpacked(data) == value
    for cut in range(len(data)):
        with pytest.raises(ValueError):
            unpacked(data[:cut])


def test_hidden_arguments_and_the_packet():
    kernel = code_object.load(recorded(), Arena()).kernels["indices"]
    grid, block = (2, 3, 4), (8, 4, 2)
    segment = dispatch.kernarg_segment(kernel, grid, block, b"\1" * 12, 64)
    assert segment[:16] == b"\1" * 12 + bytes(4) and len(segment) == kernel.kernarg_bytes
    assert struct.unpack_from("<IIIHHHHHH", segment, 16) == (*grid, *block, 0, 0, 0)
    assert struct.unpack_from("<H", segment, 80) == (3,)
    packet = dispatch.packet(kernel, grid, block, 0x1000, 96, 16)
    assert len(packet) == 64 and struct.unpack_from("<HHHHHIIIIIQQ", packet, 2) == (
        3, *block, 0, 16, 12, 8, 16, 96, kernel.descriptor, 0x1000)
    with pytest.raises(LinkError, match="indices has 12 bytes of parameters, not 4"):
        dispatch.kernarg_segment(kernel, grid, block, b"\0" * 4)
