"""Functions of Python's that a library calls: what they return, what they raise, and where they may be called."""

import pytest

from hetjit import interop

SOURCE = r"""
#include <cstdint>
#include <thread>
#include <vector>
extern "C" {
typedef int (*visit)(double value, std::size_t at, void* user);
void each(const double* values, std::size_t n, visit f, void* user) { for (std::size_t i = 0; i < n; ++i) if (f(values[i], i, user)) return; }
float narrowed(float (*f)(std::uint8_t), std::uint8_t x) { return f(x); }
bool holds(bool (*f)()) { return f(); }
int on_threads(int (*f)(int), int n) {
  std::vector<std::thread> threads;
  std::vector<int> found(n, -1);
  for (int i = 0; i < n; ++i) threads.emplace_back([&, i] { found[i] = f(i); });
  for (std::thread& each : threads) each.join();
  int sum = 0;
  for (int each : found) sum += each;
  return sum;
}
static int (*kept)(int);
int keep(int (*f)(int)) { kept = f; return f(1); }
int call_kept(int x) { return kept(x); }
int twice(int (*f)(int), int x) { return f(f(x)); }
}
"""

DECLARATIONS = """
#include <stdint.h>
typedef int (*visit)(double value, size_t at, void* user);
void each(const double* values +rank(1), size_t n +implied(size(values)), visit f, void* user);
float narrowed(float (*f)(uint8_t), uint8_t x);
bool holds(bool (*f)());
int on_threads(int (*f)(int), int n);
int keep(int (*f)(int));
int call_kept(int x);
int twice(int (*f)(int), int x);
"""


@pytest.fixture(scope="module")
def lib(compiled):
    return interop.bind(DECLARATIONS, compiled(SOURCE, options=["-pthread"]), language="c")


def test_what_they_are_given_and_return(lib):
    seen = []
    assert lib.each([1.5, 2.5], lambda *given: seen.append(given) or 0, 4096) is None
    assert seen == [(1.5, 0, 4096), (2.5, 1, 4096)]
    lib.each([1.5, 2.5], lambda value, at, user: seen.append(user) or 1, None)
    assert seen[2:] == [None] and lib.narrowed(lambda x: x / 2, 255) == 127.5 and lib.holds(lambda: []) is False
    assert lib.twice(lambda x: lib.twice(lambda y: y + 1, x), 0) == 4


@pytest.mark.parametrize("returned, error, said", [
    (None, TypeError, r"each\(\): 'f' returns int, and it returned None"),
    ("one", TypeError, r"each\(\): 'f' returns int, and it returned 'one'"),
    (1.0, TypeError, r"each\(\): 'f' returns int, and it returned 1.0"),
    (2**31, OverflowError, r"each\(\): 'f' returns int, and it returned 2147483648"),
])
def test_what_they_return_is_no_such_number(lib, returned, error, said):
    calls = []
    with pytest.raises(error, match=f"^{said}$"):
        lib.each([1.0, 2.0, 3.0], lambda *given: calls.append(given) or returned, None)
    assert len(calls) == 1


def test_other_numbers(lib):
    for wrong, error in ((1e39, OverflowError), ("x", TypeError), (1j, TypeError)):
        with pytest.raises(error, match=r"narrowed\(\): 'f' returns float, and it returned"):
            lib.narrowed(lambda x, wrong=wrong: wrong, 1)


def test_what_they_raise_is_raised(lib):
    with pytest.raises(TypeError, match="takes 0 positional arguments but 3 were given"):
        lib.each([1.0], lambda: 0, None)
    with pytest.raises(KeyError, match="mine"):
        lib.each([1.0], lambda *given: {}["mine"], None)


def test_on_other_threads_they_are_not_called(lib):
    called = []
    for _ in range(3):
        with pytest.raises(interop.LibraryError, match=r"on_threads\(\): it called a function of Python's on another thread than its own"):
            lib.on_threads(lambda x: called.append(x) or 1, 4)
    assert not called and lib.on_threads(lambda x: 1, 0) == 0 and lib.twice(lambda x: x + 1, 1) == 3


def test_after_its_call_it_is_not_called(lib):
    assert lib.keep(lambda x: x + 1) == 2
    with pytest.raises(interop.LibraryError, match=r"call_kept\(\): it calls a function of Python's outside of its call"):
        lib.call_kept(1)
