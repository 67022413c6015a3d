"""What compilers of both sides silently disagree on unless somebody knows: each is looked for in the code that C++ would link."""

import re

import pytest

pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed for this Python")

from hetjit import device


def prototype(types, target, back=0):
    """(result, parameters) of the function that gives back one of its parameters: of PTX without names, of LLVM's IR without attributes of no matter."""
    names = ", ".join(f"p{i}" for i in range(len(types)))
    scope = {}
    exec(f"def give({names}):\n    return p{back}\n", scope)
    function = device.func(interop=True)(scope["give"])
    if target.startswith("cuda"):
        text = function.compile(tuple(types), target=target, kind="ptx").code.decode()
        result, parameters = re.search(r"\.visible \.func\s*(\([^)]*\))?\s*give\s*(\([^)]*\))", text).groups()
        return tuple(re.sub(r"\s+", " ", re.sub(r" (func_retval0|give_param_\d+)", "", part or "()")).replace("( ", "(").replace(" )", ")")
                     for part in (result, parameters))
    text = function.compile(tuple(types), target=target, kind="llvm").code.decode()
    result, parameters = re.search(r"^define (.*?)@give\((.*?)\)[^)]*\{$", text, re.M).groups()
    plain = r" ?%\w+|\b(dso_local|local_unnamed_addr|noundef|captures\(none\)|readonly|writeonly|nofpclass\(\w+\)|initializes\(\(\d+, \d+\)\)|" \
            r"noalias|writable|dead_on_unwind|readnone|returned|range\([^)]*\))"
    return tuple(re.sub(r"\s+", " ", re.sub(plain, "", part)).replace(" ,", ",").strip() for part in (result, parameters))


def test_a_result_is_aligned_as_the_type_not_as_its_numbers():
    """LLVM aligns the slot of {float, float} to 4, nvcc to 8, and nvlink links both without a word."""
    assert prototype([device.float32x2], "cuda:sm_90") == ("(.param .align 8 .b8[8])", "(.param .align 8 .b8[8])")
    assert prototype([device.complex64], "cuda:sm_90")[0] == "(.param .align 8 .b8[8])"
    assert prototype([device.float64x4], "cuda:sm_90")[0] == "(.param .align 16 .b8[32])"


def test_three_numbers_are_packed_and_aligned_as_one():
    assert prototype([device.float32x3], "cuda:sm_90") == ("(.param .align 4 .b8[12])", "(.param .align 4 .b8[12])")
    assert prototype([device.uint8x3], "cuda:sm_90")[1] == "(.param .align 1 .b8[3])"
    assert [device.abi(tuple[device.float32x3, float]).size, device.abi(tuple[device.uint8x3, device.int16]).fields[1][1]] == [16, 4]


@pytest.mark.parametrize("pair", ["float16x2", "bfloat16x2"])
def test_pairs_with_copy_constructors_go_by_address(pair):
    assert prototype([getattr(device, pair)], "cuda:sm_90") == ("()", "(.param .b64, .param .b64)")
    assert re.match(r"ptr .*sret", prototype([getattr(device, pair)], "cpu:x86-64-v2")[1])


def test_small_floats_are_classes_not_numbers_of_llvms():
    assert prototype([device.float16], "cuda:sm_90") == ("(.param .align 2 .b8[2])", "(.param .align 2 .b8[2])")
    assert prototype([device.float16], "cpu:x86-64-v2") == ("i16", "i16")
    assert prototype([device.float8e4m3], "cpu:x86-64-v2") == ("i8", "i8")


def test_small_integers_say_how_they_are_extended():
    assert prototype([device.int8, device.uint16, bool], "cpu:x86-64-v2") == ("signext i8", "i8 signext, i16 zeroext, i1 zeroext")
    assert prototype([bool, device.int8], "cuda:sm_90") == ("(.param .b32)", "(.param .b32, .param .b32)")


def test_upper_bits_of_a_bool_are_nobodys():
    """A caller need not clear them."""
    @device.func(interop=True)
    def picked(flag, a, b):
        return a if flag else b

    ptx = picked.compile((bool, device.int32, device.int32), target="cuda:sm_90", kind="ptx").code.decode()
    assert re.search(r"ld\.param\.b8\s|and\.b(16|32)\s.*, 1;", ptx)


@pytest.mark.parametrize("name, registers", [("float32x2", "<2 x float>"), ("float32x3", "<2 x float>, float"), ("float32x4", "<2 x float>, <2 x float>"),
                                             ("int32x3", "i64, i32"), ("int16x3", "i48"), ("uint8x3", "i24"), ("complex64", "<2 x float>"),
                                             ("complex128", "double, double"), ("float64x2", "double, double")])
def test_eightbytes_travel_in_registers_of_their_class(name, registers):
    assert prototype([getattr(device, name)], "cpu:x86-64-v2")[1] == registers


@pytest.mark.parametrize("type_", [device.float64x3, device.int64x4, device.float32[:, :]], ids=["three", "four", "descriptor"])
def test_more_than_two_eightbytes_travel_in_memory(type_):
    types = [type_, device.int32]
    assert "byval" in prototype(types, "cpu:x86-64-v2", back=1)[1]


def test_a_descriptor_is_plain_bytes():
    assert prototype([device.float32[:, :], int], "cuda:sm_90", back=1)[1] == "(.param .align 8 .b8[40], .param .b32)"


def test_parameters_of_kernels_lie_where_cxx_puts_them():
    @device.kernel(interop=True)
    def fill(flag, small, v3, v4, x, half):
        x[0, 0] = v3.x + v4.x

    types = (bool, device.int8, device.float32x3, device.float32x4, device.float32[:, :], device.float16)
    ptx = fill.compile(types, target="cuda:sm_90", kind="ptx").code.decode()
    parts = re.search(r"\.entry fill\s*\(([^)]*)\)", ptx)[1].split(",")
    assert [re.sub(r"\s+", " ", re.sub(r" fill_param_\d+", "", part)).strip() for part in parts] == [
        ".param .u8", ".param .u8", ".param .align 4 .b8[12]", ".param .align 16 .b8[16]", ".param .align 8 .b8[40]", ".param .u16"]
