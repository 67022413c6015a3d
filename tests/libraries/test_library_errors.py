"""What goes wrong at each row: a library that returns nothing, too little, no text, or throws; each time the caller's memory is released,
and the library works on."""

import gc
import re

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import interop

SOURCE = r"""
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>
static int alive = 0, calls = 0;
static int numbers[4] = {1, 2, 3, 4};
static void* made(std::size_t bytes) { ++alive; return std::calloc(bytes, 1); }
static char* text(const char* of) { return std::strcpy((char*)made(32), of); }
int count() { return alive; }
int called() { return calls; }
void drop(void* at) { if (at) --alive; std::free(at); }
void dropVector(void* at) { --alive; delete (std::vector<int>*)at; }
void dropString(void* at) { --alive; delete (std::string*)at; }
int* pointer(int how) { return how ? numbers : nullptr; }
int* array(int n) { return n == 0 ? nullptr : numbers; }
const int* readable() { return numbers; }
void far(int** out, int how) { *out = how ? numbers : nullptr; }
void counted(int** out, int* n, int how) { *out = numbers; *n = how; }
int* owned(int how) { if (how == 2) throw std::runtime_error("too late"); return how ? (int*)made(32) : nullptr; }
const char* word(int how) { return how == 0 ? nullptr : how == 1 ? "word" : "\xff"; }
char* ownedWord(int how) { return text(word(how)); }
char* view(int how) { static char kept[] = "kept"; return how ? kept : nullptr; }
std::string* stringOf(int how) { static std::string kept = "kept", bad = "\xfe"; return how == 0 ? nullptr : how == 1 ? &kept : &bad; }
std::string* ownedString(int how) { ++alive; return new std::string(word(how)); }
void changed(std::string& both) { both = both == "bad" ? "\xff" : both + both; }
std::vector<int>* ownedVector(int n) { if (n < 0) return nullptr; ++alive; return new std::vector<int>(n, 7); }
std::vector<int> vectorOf(int n) { if (n < 0) throw std::length_error("no vector"); return std::vector<int>(n, 7); }
void* anything(int how) { return how ? numbers : nullptr; }
void setAnything(void** out, int how) { *out = anything(how); }
int first(void* at) { return at ? *(int*)at : -1; }
void written(char* to, const char* from) { ++calls; std::strcpy(to, from); }
int small(const int* a, unsigned char n) { ++calls; return n; }
class Thing { public: explicit Thing(int how); ~Thing(); int how; };
Thing::Thing(int how) : how(how) { if (!how) throw std::invalid_argument("no thing"); ++alive; }
Thing::~Thing() { --alive; }
Thing* newThing(int how) { return how < 0 ? nullptr : new Thing(how); }
int of(const Thing& thing) { return thing.how; }
"""

DECLARATIONS = """
#include <string>
#include <vector>
int count();
int called();
void drop(void* at);
void dropVector(void* at);
void dropString(void* at);
int* pointer(int how);
inline int* number(int how) +deref(scalar) { return pointer(how); }
inline int* raw(int how) +deref(raw) { return pointer(how); }
int* array(int n) +dimension(n);
inline int* four(int n) +dimension(4) { return array(n); }
const int* readable() +dimension(4);
void far(int** out +intent(out)+dimension(4), int how);
void counted(int** out +intent(out)+dimension(n), int* n +intent(out)+hidden, int how);
int* owned(int how) +dimension(4)+owner(caller)+destructor_name(drop);
inline int* ownedOfNoSize(int how) +dimension(how - 2)+owner(caller)+destructor_name(drop) { return owned(how); }
inline int* copied(int how) +dimension(4)+deref(copy)+owner(caller)+destructor_name(drop) { return owned(how); }
inline int* ownedRaw(int how) +deref(raw)+owner(caller)+destructor_name(drop) { return owned(how); }
const char* word(int how);
char* ownedWord(int how) +owner(caller)+destructor_name(drop);
inline char* ownedBytes(int how) +deref(raw)+owner(caller)+destructor_name(drop) { return ownedWord(how); }
char* view(int how) +deref(pointer);
std::string* stringOf(int how);
std::string* ownedString(int how) +owner(caller)+destructor_name(dropString);
void changed(std::string& both);
std::vector<int>* ownedVector(int n) +owner(caller)+destructor_name(dropVector);
std::vector<int> vectorOf(int n);
inline std::vector<int> copyOf(int n) +deref(copy) { return vectorOf(n); }
void* anything(int how);
void setAnything(void** out +intent(out), int how);
int first(void* at);
void written(char* to +intent(out)+charlen(8), const char* from +charlen(8));
int small(const int* a +rank(1), unsigned char n +implied(size(a)));
class Thing { public: explicit Thing(int how); ~Thing(); int how; };
Thing* newThing(int how) +owner(caller);
int of(const Thing& thing);
"""
NAMES = ("drop", "dropVector", "dropString")
NULL = "it returned NULL in place of an array"
DESTRUCTORS = {name: f"{name}(ptr);" for name in NAMES}


@pytest.fixture(scope="module")
def lib(compiled):
    return interop.bind(DECLARATIONS, compiled(SOURCE), destructors=DESTRUCTORS)


def released(value):
    """It is used when its memory has been released."""
    memory = interop.memory.memory_of(value)
    memory.delete()
    return value[0] if isinstance(value, np.ndarray) else interop.as_bytes(value, 1)


@pytest.mark.parametrize("call, error, said", [
    pytest.param("lib.pointer('one')", TypeError, "pointer(): 'how' is int, not str", marks=pytest.mark.row("SHROUD-INT-1")),
    pytest.param("lib.far(1, 2)", TypeError, "far(how) takes 1 argument, not 2", marks=pytest.mark.row("SHROUD-INT-2")),
    pytest.param("lib.small(np.zeros(256, np.int32))", OverflowError, "small(): 'n' would be 256, which its type does not have", marks=pytest.mark.row("SHROUD-RNK-2")),
    pytest.param("lib.counted(-1)", ValueError, "counted(): the dimension of 'out' comes to -1", marks=pytest.mark.row("SHROUD-DIM-2")),
    pytest.param("lib.array(-3)", ValueError, "array(): the dimension of 'array' comes to -3", marks=pytest.mark.row("SHROUD-DIM-2")),
    pytest.param("lib.four(0)", ValueError, f"four(): {NULL}", marks=pytest.mark.row("SHROUD-PTR-1")),
    pytest.param("lib.pointer(0)", ValueError, f"pointer(): {NULL}", marks=pytest.mark.row("SHROUD-PTR-2")),
    pytest.param("lib.four(2)[4]", IndexError, "index 4 is out of bounds", marks=pytest.mark.row("SHROUD-PTR-3")),
    pytest.param("lib.readable().__setitem__(0, 1)", ValueError, "read-only", marks=pytest.mark.row("SHROUD-PTR-4")),
    pytest.param("lib.far(0)", ValueError, f"far(): {NULL}", marks=pytest.mark.row("SHROUD-PTR-5")),
    pytest.param("lib.number(0)", ValueError, f"number(): {NULL}", marks=pytest.mark.row("SHROUD-DRF-1")),
    pytest.param("interop.as_array(lib.raw(0), 4, 'i4')", TypeError, "memory of a library is a Memory, not NoneType", marks=pytest.mark.row("SHROUD-DRF-2")),
    pytest.param("released(lib.ownedRaw(1))", interop.ReleasedError, "has been released", marks=pytest.mark.row("SHROUD-DRF-2")),
    pytest.param("lib.copied(0)", ValueError, f"copied(): {NULL}", marks=pytest.mark.row("SHROUD-DRF-3")),
    pytest.param("lib.word(2)", ValueError, "word(): 'word' is no text in UTF-8", marks=pytest.mark.row("SHROUD-CHR-2")),
    pytest.param("lib.ownedWord(2)", ValueError, "ownedWord(): 'ownedWord' is no text in UTF-8", marks=pytest.mark.row("SHROUD-CHR-2")),
    pytest.param("lib.view(1)[4]", IndexError, "index out of bounds", marks=pytest.mark.row("SHROUD-CHR-3")),
    pytest.param("interop.as_bytes(lib.ownedBytes(1), -1)", ValueError, "there are no -1 bytes", marks=pytest.mark.row("SHROUD-CHR-4")),
    pytest.param("lib.written('eight...')", ValueError, "written(): 'from' has 8 bytes, and its declaration allows for 7", marks=pytest.mark.row("SHROUD-CHR-6")),
    pytest.param("lib.stringOf(2)", ValueError, "stringOf(): 'stringOf' is no text in UTF-8", marks=pytest.mark.row("SHROUD-STR-1")),
    pytest.param("lib.changed('bad')", ValueError, "changed(): 'both' is no text in UTF-8", marks=pytest.mark.row("SHROUD-STR-2")),
    pytest.param("lib.changed(None)", TypeError, "changed(): 'both' is a str, not NoneType", marks=pytest.mark.row("SHROUD-STR-2")),
    pytest.param("released(lib.ownedVector(3))", interop.ReleasedError, "has been released", marks=pytest.mark.row("SHROUD-VEC-2")),
    pytest.param("lib.vectorOf(-1)", ValueError, "vectorOf(): std::length_error: no vector", marks=pytest.mark.row("SHROUD-VEC-2")),
    pytest.param("lib.copyOf(-1)", ValueError, "copyOf(): std::length_error: no vector", marks=pytest.mark.row("SHROUD-VEC-3")),
    pytest.param("lib.first('text')", TypeError, "first(): 'at' is a pointer: a Memory, a types.Pointer, an int or None, not str", marks=pytest.mark.row("SHROUD-VOID-2")),
    pytest.param("lib.ownedOfNoSize(1)", ValueError, "ownedOfNoSize(): the dimension of 'ownedOfNoSize' comes to -1", marks=pytest.mark.row("SHROUD-OWN-2")),
    pytest.param("lib.owned(2)", interop.LibraryError, "owned(): std::runtime_error: too late", marks=pytest.mark.row("SHROUD-OWN-2")),
    pytest.param("lib.copied(2)", interop.LibraryError, "copied(): std::runtime_error: too late", marks=pytest.mark.row("SHROUD-OWN-4")),
    pytest.param("lib.Thing(0)", ValueError, "Thing(): std::invalid_argument: no thing", marks=pytest.mark.row("SHROUD-OWN-5")),
    pytest.param("lib.newThing(0)", ValueError, "newThing(): std::invalid_argument: no thing", marks=pytest.mark.row("SHROUD-OWN-5")),
    pytest.param("lib.ownedString(2)", ValueError, "ownedString(): 'ownedString' is no text in UTF-8", marks=pytest.mark.row("SHROUD-FIN-1")),
    pytest.param("lib.of(lib.ownedRaw(1))", TypeError, "of(): 'thing' is a Thing, not a", marks=pytest.mark.row("SHROUD-CAP-2")),
    pytest.param("released(lib.owned(1)[1:][1:])", interop.ReleasedError, "has been released", marks=pytest.mark.row("SHROUD-CAP-4")),
])
def test_errors(lib, call, error, said):
    calls = lib.called()
    with pytest.raises(error, match=re.escape(said)):
        eval(call, {"lib": lib, "np": np, "interop": interop, "released": released})
    gc.collect()
    assert lib.count() == 0 and lib.called() == calls, "memory was left, or the library was called"
    assert lib.four(1).tolist() == [1, 2, 3, 4]


@pytest.mark.row("SHROUD-CHR-2")
@pytest.mark.row("SHROUD-CHR-3")
@pytest.mark.row("SHROUD-STR-1")
@pytest.mark.row("SHROUD-VOID-2")
@pytest.mark.row("SHROUD-OWN-5")
def test_what_is_not_there_is_none(lib):
    assert lib.word(0) is lib.view(0) is lib.stringOf(0) is lib.setAnything(0) is lib.anything(0) is lib.raw(0) is lib.newThing(-1) is lib.ownedRaw(0) is None
    assert lib.first(None) == -1 and lib.first(lib.setAnything(1)) == 1 and lib.array(0).tolist() == lib.ownedVector(-1).tolist() == []
    assert lib.count() == 0


@pytest.mark.row("SHROUD-DIM-4")
@pytest.mark.row("SHROUD-DIM-5")
def test_what_is_refused_is_bound_once_it_is_said(compiled):
    library = compiled('extern "C" void iota(int n, int* out) { for (int i = 0; i < n; ++i) out[i] = i; }')

    def bind(attributes):
        return interop.bind(f"void iota(int n, int* out {attributes});", library, language="c")
    with pytest.raises(interop.BindError, match=r"1:23: error B121: 'out' comes back, and nothing says how much memory it needs: add dimension"):
        bind("+intent(out)+rank(1)")
    for both in ("+rank(1)+dimension(n)", "+dimension(n)+rank(1)+intent(out)"):
        with pytest.raises(interop.BindError, match="B120: a dimension has a rank: give one of 'rank' and 'dimension'"):
            bind(both)
    made = bind("+intent(out)+dimension(n)").iota(4)
    assert made.tolist() == [0, 1, 2, 3] and made.base.owned
    given = np.zeros(6, np.int32)
    assert bind("+rank(1)").iota(5, given) is given and given.tolist() == [0, 1, 2, 3, 4, 0]
    with pytest.raises(ValueError, match=r"'out' has 3 elements, and its declaration asks for 5"):
        bind("+dimension(n)").iota(5, np.zeros(3, np.int32))


@pytest.mark.row("SHROUD-DTR-1")
@pytest.mark.row("SHROUD-DTR-2")
@pytest.mark.row("SHROUD-DTR-3")
def test_destructors_that_are_not_there(compiled):
    library = compiled(SOURCE)
    for text, code in (("int* owned(int how) +dimension(4)+owner(caller)+destructor_name(drops);", "B124: no destructor is called 'drops'"),
                       ("struct Hidden; Hidden* hidden() +owner(caller);", "B126: nobody knows how Hidden is released"),
                       ("int* owned(int how) +dimension(4)+owner(caller)+destructor_name(std_vector);", "B124: no destructor is called 'std_vector'")):
        with pytest.raises(interop.BindError, match=code):
            interop.bind(text, library)
