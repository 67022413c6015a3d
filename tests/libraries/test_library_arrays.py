"""Numbers, pointers and arrays between Python and a library."""

import gc

import numpy as np
import pytest

import library_pointers as pointers
from hetjit import interop


@pytest.fixture(scope="module")
def lib(compiled):
    return interop.bind(pointers.DECLARATIONS, compiled(pointers.SOURCE), language="c", destructors=pointers.DESTRUCTORS)


@pytest.mark.row("SHROUD-INT-1")
def test_what_is_const_goes_in_and_what_is_not_both_ways(lib):
    assert lib.intargs_in(5) is None
    assert lib.intargs_out() == 5
    assert lib.intargs_inout(6) == 7
    with pytest.raises(OverflowError, match=r"intargs_inout\(\): 'both' is int \*, which 2147483648 is too large for"):
        lib.intargs_inout(2**31)


@pytest.mark.row("SHROUD-INT-1")
def test_a_direction_that_is_said(compiled):
    made = interop.bind("void intargs_inout(int* both +intent(in)); void intargs_out(int* out +intent(inout)); void intargs_in(const int* in);",
                        compiled(pointers.SOURCE), language="c")
    made.intargs_in(9)
    assert made.intargs_inout(6) is None and made.intargs_out(1) == 9
    with pytest.raises(TypeError, match=r"intargs_inout\(both\) takes 1 argument, not 0"):
        made.intargs_inout()


@pytest.mark.row("SHROUD-INT-2")
def test_what_comes_out_is_no_parameter_and_returned_in_order(lib):
    assert lib.intargs(1, 2) == (1, 2)
    with pytest.raises(TypeError, match=r"intargs\(in_, both\) takes 2 arguments, not 3"):
        lib.intargs(1, 2, 3)


@pytest.mark.row("SHROUD-INT-3")
def test_an_array_is_changed_where_it_is_and_comes_back(lib):
    a = np.array([2, 4], np.intc)
    assert lib.incrementIntArray(a) is a
    assert a.tolist() == [3, 5]
    with pytest.raises(ValueError, match=r"incrementIntArray\(\): 'array' is written, so its elements have to be int32, not float64"):
        lib.incrementIntArray(np.ones(2))
    strided = np.arange(6, dtype=np.intc)[::2]
    assert lib.incrementIntArray(strided) is strided
    assert strided.tolist() == [1, 3, 5]
    frozen = np.zeros(2, np.intc)
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="the array is read-only"):
        lib.incrementIntArray(frozen)


@pytest.mark.row("SHROUD-RNK-1")
def test_a_rank_is_asked_for(lib):
    assert lib.returnDim2(np.empty((2, 3), "i4")) == 203
    assert lib.returnDim2([[1, 2, 3]]) == 103
    assert lib.returnDim2(np.asfortranarray(np.ones((4, 5), "i4"))) == 405
    with pytest.raises(ValueError, match=r"'array' is 2-D, and the array is 1-D"):
        lib.returnDim2(np.empty(6, "i4"))


@pytest.mark.row("SHROUD-RNK-2")
def test_a_length_follows_from_an_array(lib):
    assert lib.Sum([1, 2, 3, 4, 5]) == 15
    assert lib.Sum(np.arange(1000, dtype=np.intc)) == 499500
    assert lib.Sum(np.zeros(0, np.intc)) == 0
    assert lib.Sum(values=(1, 2)) == 3
    with pytest.raises(TypeError, match=r"Sum\(values\) takes 1 argument, not 2"):
        lib.Sum(3, [1, 2, 3])


@pytest.mark.row("SHROUD-DIM-1")
def test_an_array_is_at_least_as_large_as_declared(lib):
    assert lib.sumSixteen(np.ones(16)) == 16
    assert lib.sumSixteen(np.arange(32.)[::2]) == 240
    with pytest.raises(ValueError, match=r"sumSixteen\(\): 'a' has 15 elements, and its declaration asks for 16"):
        lib.sumSixteen(np.ones(15))


@pytest.mark.row("SHROUD-DIM-2")
def test_extents_of_results_are_known_after_the_call(lib):
    assert lib.getPtrToDynamicArray().shape == (10,)
    assert lib.getPtrToFuncArray().shape == (10,)


@pytest.mark.row("SHROUD-DIM-3")
def test_extents_of_what_comes_out_are_known_before_the_call(lib):
    x = np.linspace(0, 3, 7)
    made = lib.cos_doubles(x)
    assert made.dtype == np.float64 and np.allclose(made, np.cos(x))
    assert lib.iota_dimension(3).tolist() == [1, 2, 3]
    assert lib.iota_dimension(0).tolist() == []
    with pytest.raises(ValueError, match=r"iota_dimension\(\): the dimension of 'values' comes to -1"):
        lib.iota_dimension(-1)


@pytest.mark.row("SHROUD-PTR-1")
def test_a_pointer_is_a_view(lib):
    p = lib.returnFixed()
    p[:] = 0
    p[0], p[9] = 1, 2
    assert lib.sumFixedArray() == 3


@pytest.mark.row("SHROUD-PTR-2")
def test_a_pointer_without_extents_is_one_number(lib):
    p = lib.returnIntPtrToScalar()
    assert p.size == 1
    p[...] = 77
    assert lib.intargs_out() == 77


@pytest.mark.row("SHROUD-PTR-3")
@pytest.mark.row("SHROUD-PTR-4")
def test_extents_and_const(lib):
    assert lib.returnFixed().shape == (10,)
    assert lib.returnFixed().flags.writeable
    assert lib.returnFixedConst().flags.writeable is False


@pytest.mark.row("SHROUD-PTR-5")
def test_a_pointer_that_comes_out_is_as_one_that_is_returned(lib):
    lib.getPtrToFixedArray()[:] = 4
    assert lib.sumFixedArray() == 40
    assert lib.getPtrToFixedConstArray().flags.writeable is False


@pytest.mark.row("SHROUD-DRF-1")
def test_a_pointer_to_one_number_as_a_number(compiled):
    lib = interop.bind("int* returnIntPtrToScalar() +deref(scalar);", compiled(pointers.SOURCE), language="c")
    assert type(lib.returnIntPtrToScalar()) is int


@pytest.mark.row("SHROUD-DRF-2")
def test_a_raw_pointer_gets_its_shape_later(compiled, lib):
    made = interop.bind("int* returnFixed() +deref(raw); int sumFixedArray();", compiled(pointers.SOURCE), language="c")
    raw = made.returnFixed()
    assert isinstance(raw, interop.Memory)
    interop.as_array(raw, shape=(10,), dtype=np.int32)[:] = 3
    assert made.sumFixedArray() == 30


@pytest.mark.row("SHROUD-DRF-3")
def test_a_copy_is_python_s(compiled):
    made = interop.bind("""int* returnFixed() +dimension(10)+deref(allocatable); int sumFixedArray();
        int* allocate(int n) +dimension(n)+deref(copy)+owner(caller)+destructor_name(release);
        int countAllocations(); void release(void* m);""", compiled(pointers.SOURCE), language="c", destructors=pointers.DESTRUCTORS)
    before = made.sumFixedArray()
    made.returnFixed()[:] = 1000
    assert made.sumFixedArray() == before
    start = made.countAllocations()
    assert made.allocate(5).tolist() == [0, 1, 2, 3, 4]
    assert made.countAllocations() == start


@pytest.mark.row("SHROUD-DRF-4")
def test_pointers_to_pointers_are_raw_and_can_be_passed_back(lib):
    raw = lib.getRawPtrToInt2d()
    assert lib.checkInt2d(raw) == 15
    assert lib.checkInt2d(int(raw)) == 15
    rows = lib.returnRows()
    assert isinstance(rows, interop.Memory) and int(rows) == int(raw) and not rows.owned and lib.checkInt2d(rows) == 15
    with pytest.raises(TypeError, match=r"checkInt2d\(\): 'in' is a pointer: a Memory, a types.Pointer, an int or None, not an array of float64"):
        lib.checkInt2d(np.ones(3))


DEFAULTS = [  # option, way, call, what it gives
    ("deref_func_array", "copy", "array", lambda x: x.base is None and x.tolist() == [1, 2, 3]),
    ("deref_arg_array", "copy", "array_out", lambda x: x.base is None and x.tolist() == [1, 2, 3]),
    ("deref_func_scalar", "scalar", "one", lambda x: type(x) is int and x == 1),
    ("deref_arg_scalar", "scalar", "one_out", lambda x: type(x) is int and x == 1),
    ("deref_func_character", "pointer", "text", lambda x: isinstance(x, memoryview) and bytes(x) == b"abc"),
    ("deref_arg_character", "raw", "text_out", lambda x: isinstance(x, interop.Memory) and interop.as_bytes(x, 3) == b"abc"),
    ("deref_func_implied_array", "copy", "vector", lambda x: x.base is None and x.tolist() == [1, 2]),
    ("deref_arg_implied_array", "copy", "vector_out", lambda x: x.base is None and x.tolist() == [1, 2]),
]


@pytest.mark.row("SHROUD-DRF-5")
def test_each_default_changes_its_own_class_of_results(compiled):
    """No two are changed in the same of four bindings, so that each is seen alone."""
    library = compiled("""
        #include <vector>
        static int numbers[] = {1, 2, 3}; static char letters[] = "abc"; static std::vector<int> kept = {1, 2};
        int* array() { return numbers; } void array_out(int** out) { *out = numbers; }
        int* one() { return numbers; } void one_out(int** out) { *out = numbers; }
        char* text() { return letters; } void text_out(char** out) { *out = letters; }
        std::vector<int>& vector() { return kept; } void vector_out(std::vector<int>& out) { out = kept; }
    """)
    text = """#include <vector>
        int* array() +dimension(3); void array_out(int** out +intent(out)+dimension(3)); int* one(); void one_out(int** out +intent(out)); char* text();
        void text_out(char** out +intent(out)); std::vector<int>& vector(); void vector_out(std::vector<int>& out +intent(out));"""
    for bit in range(4):
        changed = {option: way for number, (option, way, *_) in enumerate(DEFAULTS, start=1) if number >> bit & 1}
        lib = interop.bind(text, library, defaults=changed)
        for option, _, function, is_so in DEFAULTS:
            assert is_so(getattr(lib, function)()) == (option in changed), (option, changed)


@pytest.mark.row("SHROUD-DRF-5")
def test_defaults_are_configurable(compiled):
    made = interop.bind("int* returnFixed() +dimension(10); int sumFixedArray();", compiled(pointers.SOURCE), language="c",
                        defaults={"deref_func_array": "copy"})
    before = made.sumFixedArray()
    made.returnFixed()[:] = 1000
    assert made.sumFixedArray() == before
    with pytest.raises(ValueError, match="nothing is called 'deref_function'"):
        interop.bind("", None, defaults={"deref_function": "copy"})


@pytest.mark.row("SHROUD-VOID-1")
@pytest.mark.row("SHROUD-VOID-2")
def test_addresses(lib):
    lib.intargs_in(8)
    address = lib.returnAddress1(1)
    assert isinstance(address, interop.Memory)
    assert lib.returnAddress1(0) is None
    assert lib.useVoid(address) == 8
    assert lib.useVoid(lib.fetchVoidPtr()) == 8
    for name, value in {"deref": "raw", "dimension": "3", "rank": "1"}.items():
        with pytest.raises(interop.BindError, match=f"B122.*'{name}' means nothing for it"):
            interop.bind(f"void* returnAddress1(int flag) +{name}({value});", None)


@pytest.mark.row("SHROUD-VOID-3")
def test_memory_of_any_type(lib):
    assert lib.firstByte(np.int32(3)) == 3
    assert lib.firstByte(np.array([7, 8], np.uint8)) == 7
    assert lib.firstByte(bytearray(b"\x09")) == 9
    assert lib.firstByte(np.ones(4)) == 0
    with pytest.raises(TypeError, match="'memory' is memory, which object has none of"):
        lib.firstByte(object())


@pytest.mark.row("SHROUD-OWN-1")
def test_memory_of_the_library_is_never_released(lib):
    p = lib.returnFixed()
    p[:] = 6
    del p
    gc.collect()
    assert lib.sumFixedArray() == 60


@pytest.mark.row("SHROUD-OWN-2")
@pytest.mark.row("SHROUD-CAP-4")
@pytest.mark.row("SHROUD-DTR-1")
def test_memory_of_the_caller_is_released_with_the_last_view(lib):
    start = lib.countAllocations()
    a = lib.allocate(6)
    assert isinstance(a.base, interop.Memory)
    b = a[1:3]
    assert lib.countAllocations() == start + 1
    del a
    gc.collect()
    assert b.tolist() == [1, 2] and lib.countAllocations() == start + 1
    del b
    gc.collect()
    assert lib.countAllocations() == start


@pytest.mark.row("SHROUD-OWN-3")
def test_memory_is_released_early_and_once(lib):
    start = lib.countAllocations()
    a = lib.allocate(4)
    part = a[1:]
    a.base.delete()
    a.base.delete()
    assert lib.countAllocations() == start
    for use in (lambda: a[0], lambda: a.tolist(), lambda: part[0], lambda: a + 1, lambda: np.sum(a), lambda: lib.Sum(a), lambda: list(a),
                lambda: a.__setitem__(0, 1), lambda: a.copy(), lambda: lib.Sum(part)):
        with pytest.raises(interop.ReleasedError):
            use()
    del a, part
    gc.collect()
    assert lib.countAllocations() == start


@pytest.mark.row("SHROUD-OWN-4")
def test_a_copy_of_the_caller_s_memory_releases_it_at_once(compiled):
    made = interop.bind("""int* allocate(int n) +dimension(n)+deref(allocatable)+owner(caller)+destructor_name(release);
        int countAllocations(); void release(void* m);""", compiled(pointers.SOURCE), language="c", destructors=pointers.DESTRUCTORS)
    start = made.countAllocations()
    kept = made.allocate(3)
    assert made.countAllocations() == start
    assert kept.tolist() == [0, 1, 2]


@pytest.mark.row("SHROUD-PTR-1")
def test_null_in_place_of_an_array(lib):
    with pytest.raises(ValueError, match=r"returnNull\(\): it returned NULL in place of an array"):
        lib.returnNull()
