"""What is written for a library, run by a program in C++ without Python: its records, and that each byte is released once. Under
AddressSanitizer where the compiler has it."""

import shutil
import subprocess

import pytest

from hetjit.interop import build, calls, parse, shims
from hetjit.interop.errors import Source

LIBRARY = r"""
#include <cstdlib>
#include <string>
#include <vector>
int live = 0;
struct Body { Body(); Body(const Body&); ~Body(); };
Body::Body() { ++live; }
Body::Body(const Body&) { ++live; }
Body::~Body() { --live; }
extern "C" int* numbers(int n) { ++live; int* made = new int[n]; for (int i = 0; i < n; ++i) made[i] = i; return made; }
extern "C" void drop_numbers(void* ptr) { --live; delete[] static_cast<int*>(ptr); }
extern "C" double* plain(int n) { return (double*)std::calloc(n, sizeof(double)); }
Body* body() { return new Body; }
std::vector<int> counted(int n) { return std::vector<int>(n, 3); }
std::string greeting() { return "hello, this text is longer than what fits into the object itself"; }
static double one = 1.5;
double* global() { return &one; }
"""

DECLARATIONS = """
#include <string>
#include <vector>
extern int live;
struct Body { Body(); Body(const Body&); ~Body(); };
extern "C" void drop_numbers(void* ptr);
extern "C" int* numbers(int n) +dimension(n, 1)+owner(caller)+destructor_name(drop);
extern "C" double* plain(int n) +dimension(n)+owner(caller);
Body* body() +owner(caller);
std::vector<int> counted(int n);
std::string greeting();
double* global();
"""

PROGRAM = r"""
#include <cstdio>
#include <thread>
#define CHECK(what) if (!(what)) { std::printf("%d: %s\n", __LINE__, #what); return 1; }
using namespace hetjit::library;
int call(Call function, Given& given, int n) {
  Slot in{}, out{};
  in.word = n;
  out.given = &given;
  return function(&in, &out) == nullptr;
}
int main() {
  Given given{};
  // CAP-3: extents, elements and rank travel with results.
  CHECK(call(NUMBERS, given, 5));
  CHECK(given.array.rank == 2 && given.array.shape[0] == 5 && given.array.shape[1] == 1 && given.array.size == 5);
  CHECK(given.array.elem_len == sizeof(int) && static_cast<int*>(given.array.base_addr)[4] == 4);
  CHECK(given.memory.addr == given.array.base_addr && given.memory.idtor > 1 && live == 1);
  // CAP-1: one function releases by number; afterwards there is nothing to release.
  hetjit_release(&given.memory);
  CHECK(live == 0 && given.memory.addr == nullptr && given.memory.idtor == 0);
  hetjit_release(&given.memory);
  CHECK(live == 0);
  CHECK(call(GREETING, given, 0));
  CHECK(given.array.rank == 0 && given.array.elem_len == 64 && given.array.size == 1);
  hetjit_release(&given.memory);
  CHECK(call(GLOBAL, given, 0));
  CHECK(given.array.rank == 0 && given.array.size == 1 && given.memory.idtor == 0);
  hetjit_release(&given.memory);
  CHECK(*global() == 1.5);
  for (int i = 0; i < 10000; ++i) {
    Given made[5] = {};
    CHECK(call(NUMBERS, made[0], 3) && call(PLAIN, made[1], 3) && call(BODY, made[2], 0) && call(COUNTED, made[3], 100) &&
          call(GREETING, made[4], 0));
    for (int k = 0; k < 5; ++k) hetjit_release(&made[(k * 2 + i) % 5].memory);
    CHECK(live == 0);
  }
  CHECK(call(BODY, given, 0) && live == 1);
  std::thread([&] { hetjit_release(&given.memory); }).join();
  CHECK(live == 0);
  std::puts("well");
}
"""


@pytest.mark.row("SHROUD-CAP-1")
@pytest.mark.row("SHROUD-CAP-3")
@pytest.mark.row("SHROUD-DTR-1")
@pytest.mark.row("SHROUD-DTR-2")
@pytest.mark.row("SHROUD-DTR-3")
@pytest.mark.parametrize("compiler", ["g++", "clang++-22"])
def test_everything_is_released_once(compiler, tmp_path):
    if not shutil.which(compiler):
        pytest.skip(f"{compiler} is not installed")
    source, destructors = Source(DECLARATIONS), calls.Destructors({"drop": "drop_numbers(ptr);"})
    made = calls.decide(parse.parse(source, (), "c++", ()), source, calls.OPTIONS, destructors)
    names = {call.function.name.upper(): shims.symbol(number) for number, call in enumerate(made)}
    text = shims.write(parse.plain(source), (), "c++", made, destructors)
    build.write_headers(tmp_path)
    (tmp_path / "library.cpp").write_text(LIBRARY)
    (tmp_path / "program.cpp").write_text("\n".join([text, *(f"#define {name} {symbol}" for name, symbol in names.items()), PROGRAM]))
    command = [compiler, "-std=c++17", "-g", "-pthread", "-I", str(tmp_path), str(tmp_path / "library.cpp"), str(tmp_path / "program.cpp"),
               "-o", str(tmp_path / "program")]
    sanitized = subprocess.run([*command, "-fsanitize=address,undefined"], capture_output=True, text=True)
    if sanitized.returncode:  # no runtime of the sanitizer's here
        subprocess.run(command, check=True)
    done = subprocess.run([str(tmp_path / "program")], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "well\n", "")
