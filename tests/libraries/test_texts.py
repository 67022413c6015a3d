"""Texts, vectors and classes between Python and a library."""

import gc

import numpy as np
import pytest

import library_texts as texts
from hetjit import interop


@pytest.fixture(scope="module")
def lib(compiled):
    return interop.bind(texts.DECLARATIONS, compiled(texts.SOURCE), destructors=texts.DESTRUCTORS)


def rss():
    """Kilobytes of memory that the process has."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4


@pytest.mark.row("SHROUD-CHR-1")
def test_lists_of_texts(lib):
    assert lib.acceptCharArrayIn(["dog", "cat", "monkey"]) == 303
    with pytest.raises(TypeError, match="'names' is a list of str, not str"):
        lib.acceptCharArrayIn("dog")
    with pytest.raises(TypeError, match="None is among them"):
        lib.acceptCharArrayIn(["dog", None])
    with pytest.raises(ValueError, match="has a NUL in it"):
        lib.acceptCharArrayIn(["d\0g"])


@pytest.mark.row("SHROUD-CHR-2")
def test_texts_that_are_returned(lib):
    assert lib.getConstCharPtr() == "bird"
    assert lib.getCharPtrAlloc() == "made"
    assert lib.fetchCharPtrLibraryNULL() is None


@pytest.mark.row("SHROUD-CHR-3")
def test_a_view_of_a_text(lib):
    text = lib.getCharPtr()
    assert bytes(text) == b"bird"
    text[0] = ord("B")
    assert lib.getConstCharPtr() == "Bird"
    text[0] = ord("b")


@pytest.mark.row("SHROUD-CHR-4")
def test_texts_with_nul_inside(lib):
    assert interop.as_bytes(lib.embedded(), 4) == b"a\0b\0"


@pytest.mark.row("SHROUD-CHR-5")
def test_a_buffer_of_the_caller_s(compiled):
    made = interop.bind("const char* getConstCharPtr() +funcarg+deref(copy)+name(getName);", compiled(texts.SOURCE), language="c")
    for size, expected in ((2, b"bi"), (4, b"bird"), (6, b"bird\0\0"), (0, b"")):
        buffer = bytearray(size)
        assert made.getName(buffer) is None
        assert buffer == expected
    with pytest.raises(TypeError, match="is a buffer that can be written, as a bytearray is, not bytes"):
        made.getName(b"abc")


@pytest.mark.row("SHROUD-CHR-6")
def test_texts_that_the_library_writes(lib):
    assert lib.passCharPtr("abc") == "abc"
    assert lib.passCharPtr("x" * 39) == "x" * 39
    with pytest.raises(ValueError, match=r"passCharPtr\(\): 'from' has 40 bytes, and its declaration allows for 39"):
        lib.passCharPtr("x" * 40)
    assert lib.passCharPtrInOut("dog") == "DOG"
    assert lib.passCharPtrInOut("") == ""
    assert lib.lengthOf(None) == -1
    assert lib.given("é") == 2 and lib.trimmed("ab   ") == 2
    assert lib.nextOf("a") == "b"
    with pytest.raises(ValueError, match="'text' has a NUL in it"):
        lib.lengthOf("a\0b")


@pytest.mark.row("SHROUD-STR-1")
def test_strings_that_are_returned(lib):
    assert lib.getString() == "bird"
    assert lib.getConstStringRefLenEmpty() == ""
    assert lib.getStringPtr() == "dog"


@pytest.mark.row("SHROUD-STR-2")
def test_strings_that_are_written(lib):
    assert lib.acceptStringReference("cat") == "catdog"
    assert lib.acceptStringReferenceOut() == "dog"
    assert lib.acceptStringPointer("hi") == "hi!"


@pytest.mark.row("SHROUD-INT-2")
def test_a_string_and_a_number(lib):
    assert lib.fetchStringPointerLen() == ("dog", 3)


def test_what_the_library_may_take_from_is_a_copy():
    lib = interop.bind("""
        #include <string>
        #include <utility>
        #include <vector>
        inline int taken(std::string&& s, std::vector<int>&& v, int&& n) { std::string t = std::move(s); std::vector<int> w = std::move(v); return t.size() * 100 + w.size() * 10 + n; }
    """)
    assert lib.taken("abc", [1, 2], 4) == 324


def test_a_reference_to_a_character_is_one(compiled):
    source = """extern "C" { char raised(char& c) { char had = c; c -= 32; return had; } void set(char& c) { c = 'z'; } int code(const char& c) { return c; } }
                int taken(char&& c) { return c + 1; }"""
    lib = interop.bind('extern "C" { char raised(char& c); void set(char& c +intent(out)); int code(const char& c); } int taken(char&& c);', compiled(source))
    assert lib.raised("a") == ("a", "A") and lib.set() == "z" and lib.code("b") == 98 and lib.taken("c") == 100
    with pytest.raises(TypeError, match=r"raised\(\): 'c' is char, a str of one character, not str"):
        lib.raised("ab")


@pytest.mark.row("SHROUD-STR-3")
def test_strings_with_anything_in_them(lib):
    for text in ("a\0b", "é", "", "x" * 100_000, "\U0001f40d"):
        assert lib.echo(text) == text
    assert lib.lengthOfString("é\0") == 3
    with pytest.raises(TypeError, match=r"echo\(\): 'text' is a str, not 3"):
        lib.echo(3)
    with pytest.raises(ValueError, match="'text' is no text"):
        lib.echo("\ud800")


@pytest.mark.row("SHROUD-VEC-1")
def test_vectors(lib):
    assert lib.vector_sum([1, 2, 3, 4, 5]) == 15
    assert lib.vector_sum(np.arange(6, dtype=np.int32)[::2]) == 6
    assert lib.vector_sum([]) == 0
    assert lib.vector_iota_out().tolist() == [1, 2, 3, 4, 5]
    assert lib.vector_increment([1, 2]).tolist() == [2, 3, 0]
    made = lib.ReturnVectorAlloc(10)
    assert made.dtype == np.int32 and made.tolist() == list(range(1, 11))
    assert lib.ReturnVectorAlloc(0).tolist() == []
    lib.library_vector()[1] = 9
    assert lib.library_vector().tolist() == [1.5, 9, 1.5]
    assert lib.count_texts(["dog", "é"]) == 5
    assert lib.names() == ["dog", "", "é"]
    with pytest.raises(OverflowError, match="which has not all of these numbers"):
        lib.vector_sum([2**40])


@pytest.mark.row("SHROUD-VEC-2")
@pytest.mark.row("SHROUD-DTR-3")
def test_a_vector_lives_as_long_as_its_view(lib):
    made = lib.new_vector(4)
    assert made.tolist() == [7] * 4 and made.base.owned
    lib.ReturnVectorAlloc(1_000_000)
    before = rss()
    for _ in range(200):
        view = lib.ReturnVectorAlloc(1_000_000)[10:20]
        assert view[0] == 11
        del view
    assert rss() - before < 40_000


@pytest.mark.row("SHROUD-VEC-3")
def test_a_copied_vector_is_released_before_the_call_returns(compiled):
    made = interop.bind("""#include <malloc.h>
        #include <vector>
        std::vector<int> ReturnVectorAlloc(int n) +deref(copy);
        inline std::vector<int> kept(int n) { return ReturnVectorAlloc(n); }
        inline size_t mapped() { return mallinfo2().hblkhd; }""", compiled(texts.SOURCE))
    found = made.ReturnVectorAlloc(3)
    assert found.base is None and found.tolist() == [1, 2, 3]
    n = 10_000_000  # so large that each has pages of its own, which are counted
    before = made.mapped()
    for _ in range(3):
        found = made.ReturnVectorAlloc(n)
        one = made.mapped() - before
        assert n * 4 <= one < n * 5, "more than the array that was returned is there"
    del found
    assert made.mapped() == before
    view = made.kept(n)
    assert n * 4 <= made.mapped() - before < n * 5 and view.base.owned
    view.base.delete()
    assert made.mapped() == before


@pytest.mark.row("SHROUD-FIN-1")
def test_temporary_strings_are_released_on_every_path(lib):
    start = lib.liveObjects()
    assert lib.getConstStringPtrLen() == "bird"
    assert lib.liveObjects() == start
    with pytest.raises(ValueError, match=r"getBadStringPtr\(\): 'getBadStringPtr' is no text in UTF-8"):
        lib.getBadStringPtr()
    assert lib.liveObjects() == start


@pytest.mark.row("SHROUD-OWN-5")
def test_objects_end_with_their_owner(lib):
    lib.getClassStatic()
    start = lib.liveObjects()
    made = lib.getClassNew(1)
    assert isinstance(made, lib.Class1) and made.m_flag == 1
    assert lib.liveObjects() == start + 1
    del made
    gc.collect()
    assert lib.liveObjects() == start
    kept = lib.getClassStatic()
    assert kept.m_flag == 5
    kept.delete()
    del kept
    gc.collect()
    assert lib.liveObjects() == start


@pytest.mark.row("SHROUD-OWN-5")
def test_classes(lib):
    start = lib.liveObjects()
    made = lib.Class1(7)
    assert made.method(6) == 42 and lib.Class1.three() == 3
    assert lib.Class1().m_flag == 0
    made.m_flag = 9
    made.label = "é\0"
    assert (made.m_flag, made.label) == (9, "é\0")
    assert lib.flagOf(made) == lib.flagOfReference(made) == 9
    made.delete()
    made.delete()
    with pytest.raises(interop.ReleasedError):
        made.method(1)
    with pytest.raises(interop.ReleasedError):
        lib.flagOf(made)
    assert lib.liveObjects() == start


@pytest.mark.row("SHROUD-CAP-2")
def test_a_class_is_not_passed_for_another(lib):
    with pytest.raises(TypeError, match=r"ofOther\(\): 'object' is a Class2, not a Class1"):
        lib.ofOther(lib.Class1(1))
    with pytest.raises(TypeError, match=r"'object' is a Class2, not int|'object' is a Class2, not 3"):
        lib.ofOther(3)
    with pytest.raises(TypeError):
        lib.flagOfReference(None)


@pytest.mark.row("SHROUD-DTR-2")
def test_memory_without_a_destructor_s_name(lib):
    before = rss()
    for _ in range(20_000):
        assert lib.getCharPtrAlloc() == "made"
        lib.getClassNew(1)
    assert rss() - before < 4_000


def test_exceptions_of_the_library(lib):
    with pytest.raises(interop.LibraryError, match=r"fail\(\): std::runtime_error: broken") as caught:
        lib.fail(0)
    assert caught.value.type == "std::runtime_error"
    with pytest.raises(ValueError, match=r"fail\(\): std::invalid_argument: wrong value"):
        lib.fail(1)
    with pytest.raises(IndexError, match="std::out_of_range: too far"):
        lib.fail(2)
    with pytest.raises(interop.LibraryError, match=r"fail\(\): int"):
        lib.fail(3)
    with pytest.raises(MemoryError):
        lib.fail(4)


def test_namespaces_and_constants(lib):
    assert lib.app.inner.half(3) == 1.5
    assert lib.app.green == 5 and lib.app.shade(lib.app.green) == 10
