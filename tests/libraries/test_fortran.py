"""Libraries in C and C++ as programs in Fortran call them, by the interface that `python -m hetjit bind --fortran` writes."""

import shutil
import subprocess

import pytest

from hetjit.__main__ import main

SOURCE = r"""
#include <cctype>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>
struct pair { int number; double value; float at[3]; };
static int live = 0;
static int kept[10];
class Box { public: explicit Box(int n); ~Box(); int add(int by); int size; };
Box::Box(int n) : size(n) { ++live; }
Box::~Box() { --live; }
int Box::add(int by) { return size += by; }
extern "C" {
double total(const double* x, int n) { double s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
int shape(const int* x, int rows, int columns) { return rows * 100 + columns + 0 * x[0]; }
void scale(double* x, int n, double by) { for (int i = 0; i < n; ++i) x[i] *= by; }
void iota(int n, int* x) { for (int i = 0; i < n; ++i) x[i] = i + 1; }
int* fixed() { return kept; }
int sum_of_fixed() { int s = 0; for (int each : kept) s += each; return s; }
int* made(int n) { ++live; int* x = (int*)std::malloc(n * sizeof(int)); for (int i = 0; i < n; ++i) x[i] = i * i; return x; }
void drop(void* x) { --live; std::free(x); }
int alive() { return live; }
void both(int* a, int* b) { *b = *a; *a += 1; }
int length(const char* text) { return (int)std::strlen(text); }
void shout(char* text) { for (; *text; ++text) *text = (char)std::toupper(*text); }
void copied(char* to, const char* from) { std::strcpy(to, from); }
const char* bird() { return "bird"; }
const char* nothing() { return nullptr; }
int count(const char** names, int n) { int s = 0; for (int i = 0; i < n; ++i) s += (int)std::strlen(names[i]); return n * 100 + s; }
double integral(double (*f)(double), double a, double b) { double s = 0; for (int i = 0; i < 1000; ++i) s += f(a + (b - a) * (i + 0.5) / 1000); return s * (b - a) / 1000; }
pair doubled(const pair* p) { return {p->number * 2, p->value * 2, {p->at[0], p->at[1], p->at[2] * 2}}; }
double values(const pair* all, int n) { double s = 0; for (int i = 0; i < n; ++i) s += all[i].value; return s; }
bool is_even(int n) { return n % 2 == 0; }
}
std::complex<double> turned(std::complex<double> z) { return z * std::complex<double>(0, 1); }
std::string named(int n) { if (n < 0) throw std::invalid_argument("no name for " + std::to_string(n)); return "name " + std::to_string(n); }
int letters(const std::string& text) { return (int)text.size(); }
std::vector<double> halves(const std::vector<double>& x) { std::vector<double> made; for (double each : x) made.push_back(each / 2); return made; }
std::vector<std::string> words() { return {"dog", "", "monkey"}; }
Box* new_box(int n) { return new Box(n); }
"""

DECLARATIONS = """
#include <complex>
#include <string>
#include <vector>
enum Colour { red = 1, blue = 4 };
struct pair { int number; double value; float at[3]; };
class Box { public: explicit Box(int n); ~Box(); int add(int by); int size; };
extern "C" {
double total(const double* x +rank(1), int n +implied(size(x)));
int shape(const int* x +rank(2), int rows +implied(size(x, 1)), int columns +implied(size(x, 2)));
void scale(double* x +rank(1), int n +implied(size(x)), double by);
void iota(int n, int* x +intent(out)+dimension(n));
int* fixed() +dimension(10);
int sum_of_fixed();
int* made(int n) +dimension(n)+owner(caller)+destructor_name(drop);
void drop(void* x);
int alive();
void both(int* a +intent(inout), int* b +intent(out));
int length(const char* text);
void shout(char* text +intent(inout));
void copied(char* to +intent(out)+charlen(40), const char* from);
const char* bird();
const char* nothing();
int count(const char** names, int n +implied(size(names)));
double integral(double (*f)(double), double a, double b);
pair doubled(const pair* p);
double values(const pair* all +rank(1), int n +implied(size(all)));
bool is_even(int n);
}
std::complex<double> turned(std::complex<double> z);
std::string named(int n);
int letters(const std::string& text);
std::vector<double> halves(const std::vector<double>& x);
std::vector<std::string> words();
Box* new_box(int n) +owner(caller);
inline void many(std::vector<std::string>& x) {}
"""

PROGRAM = """
module functions
  use, intrinsic :: iso_c_binding
contains
  real(c_double) function square(x) bind(c)
    real(c_double), value :: x
    square = x * x
  end function
end module
program test
  use birds
  use functions
  implicit none
  real(c_double) :: x(6) = [1, 2, 3, 4, 5, 6]
  integer(c_int) :: m(3, 5) = 0, a = 6, b, stat
  integer(c_int), allocatable :: counted(:)
  integer(c_int), pointer :: view(:)
  character(len=20) :: text = "quiet"
  character(len=:), allocatable :: answer, list(:)
  character(len=200) :: said
  real(c_double), allocatable :: half(:)
  type(pair) :: pairs(3), one
  type(capsule) :: memory, again
  call check(total(x) == 21, "arrays")
  call check(total(x(1:5:2)) == 9, "parts of arrays are passed in one piece")
  call check(shape(m) == 305, "extents")
  call scale(x, 2d0)
  call scale(x(1:5:2), 2d0)
  call check(all(x == [4, 4, 12, 8, 20, 12]), "what is written arrives, in parts of arrays too")
  call iota(4_c_int, counted)
  call check(all(counted == [1, 2, 3, 4]), "what comes out is allocated")
  call fixed(view)
  view(1) = 5
  view(10) = 6
  call check(size(view) == 10 .and. sum_of_fixed() == 11, "a view of the library's memory")
  call made(4_c_int, view, memory)
  call check(all(view == [0, 1, 4, 9]) .and. alive() == 1 .and. memory%idtor > 0, "what is the caller's")
  again = memory
  call release(memory)
  call release(memory)
  call check(alive() == 0 .and. memory%idtor == 0 .and. .not. c_associated(memory%addr), "released once")
  call both(a, b)
  call check(a == 7 .and. b == 6, "numbers both ways")
  call check(length("dog   ") == 3 .and. length("") == 0 .and. length(" a b ") == 4, "texts without the blanks at their ends")
  call shout(text)
  call check(text == "QUIET" .and. len(text) == 20, "texts that are written")
  call copied(text, "eagle")
  call check(text == "eagle", "texts that come out")
  call bird(answer)
  call check(answer == "bird" .and. len(answer) == 4, "texts of their length")
  call nothing(answer)
  call check(.not. allocated(answer), "no text")
  call check(count([character(len=8) :: "dog", "cat", "monkey"]) == 312, "lists of texts")
  call check(abs(integral(c_funloc(square), 0d0, 3d0) - 9) < 1d-5, "functions")
  one = pair(3, 1.5d0, [1.0, 2.0, 3.0])
  call doubled(one, one)
  call check(one%number == 6 .and. one%value == 3 .and. one%at(3) == 6, "structs")
  pairs%value = [1, 2, 3]
  call check(values(pairs) == 6 .and. values(pairs(1:3:2)) == 4, "arrays of structs")
  call check(logical(is_even(4_c_int)) .and. .not. logical(is_even(3_c_int)), "logicals")
  call check(turned((1d0, 2d0)) == (-2d0, 1d0), "complex numbers")
  call named(5_c_int, answer)
  call check(answer == "name 5", "strings")
  call named(-1_c_int, answer, stat)
  call last_message(said)
  call check(stat == 1 .and. said == "named: std::invalid_argument: no name for -1", "exceptions")
  call check(letters("abc   ") == 3, "strings in")
  call halves([1d0, 3d0], half)
  call check(all(half == [0.5d0, 1.5d0]), "vectors")
  call words(list)
  call check(size(list) == 3 .and. len(list) == 6, "lists of texts that come back")
  call check(list(1) == "dog" .and. list(2) == "" .and. list(3) == "monkey", "and what they hold")
  call new_box(3_c_int, memory)
  call check(alive() == 1 .and. Box_add(memory%addr, 4_c_int) == 7 .and. Box_get_size(memory%addr) == 7, "objects")
  call Box_set_size(memory%addr, 9_c_int)
  call check(Box_get_size(memory%addr) == 9, "fields")
  call release(memory)
  call Box_new(1_c_int, memory)
  call check(alive() == 1, "constructors")
  call release(memory)
  call check(alive() == 0 .and. red == 1 .and. blue == 4, "and constants")
  call copied(said(1:3), "eagle", stat)
  call check(stat == 1, "texts that do not fit")
  print "(a)", "well"
  call named(-2_c_int, answer)
  print "(a)", "not reached"
contains
  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what
    if (.not. holds) print "(2a)", "wrong: ", what
  end subroutine
end program
"""


@pytest.mark.row("SHROUD-RNK-2")
@pytest.mark.row("SHROUD-DIM-3")
@pytest.mark.row("SHROUD-PTR-1")
@pytest.mark.row("SHROUD-CHR-1")
@pytest.mark.row("SHROUD-CHR-6")
@pytest.mark.row("SHROUD-STR-1")
@pytest.mark.row("SHROUD-VEC-1")
@pytest.mark.row("SHROUD-OWN-3")
@pytest.mark.row("SHROUD-CAP-1")
@pytest.mark.row("SHROUD-CAP-3")
def test_a_program_in_fortran(compiled, tmp_path):
    if not shutil.which("gfortran") or not shutil.which("g++"):
        pytest.skip("gfortran is not installed (Debian: gfortran)")
    library = compiled(SOURCE)
    (tmp_path / "birds.hpp").write_text(DECLARATIONS)
    assert main(["bind", str(tmp_path / "birds.hpp"), "--fortran", "--destructor", "drop=drop(ptr);", "-o", str(tmp_path / "out")]) == 0
    module = (tmp_path / "out" / "birds.f90").read_text()
    assert "! many is not here: a list of texts that comes back has no counterpart" in module
    (tmp_path / "program.f90").write_text(PROGRAM)
    for command in (["g++", "-std=c++17", "-O1", "-Iout", "-c", "out/birds_c.cpp", "-o", "birds_c.o"], ["gfortran", "-std=f2018", "-c", "out/birds.f90", "-o", "birds.o"],
                    ["gfortran", "-std=f2018", "program.f90", "birds.o", "birds_c.o", str(library), "-lstdc++", "-o", "program"]):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, f"{command[0]}: {done.stderr[:4000]}"
    done = subprocess.run([str(tmp_path / "program")], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (1, "well\n", "named: std::invalid_argument: no name for -2\n")
