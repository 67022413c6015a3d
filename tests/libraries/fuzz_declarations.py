"""Random declarations: what bind() does with them is a binding or a BindError at a place in them, and nothing else.

    python tests/libraries/fuzz_declarations.py [--count 10000] [--seed 1]

They are pieces at random, declarations of a small grammar with attributes at random, good declarations of the tests with some of their words
changed, and YAML (with PyYAML). What is accepted is compiled, many functions at a time; what C++ alone refuses of it is shown, for bind() could say it better. Prints how
many were accepted; what is wrong is printed with its seed, and the status is 1. The text that is being read lies in a file, by which one finds what
has ended the process.
"""

import argparse
import collections
import importlib.util
import pathlib
import random
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from hetjit import _core
from hetjit.errors import BindError
from hetjit.interop import build, calls, library, parse, shims, yaml_text
from hetjit.interop.errors import Source

PIECES = ["int", "double*", "const char*", "char*", "void*", "int**", "f", "x", "(", ")", ",", ";", "+intent(out)", "+rank(1)", "+dimension(", "+owner(caller)",
          "+", "{", "}", "class", "struct S", "namespace", "[", "]", "=", "\"", "'", "/*", "*/", "//", "\n", "+implied(size(x))", "operator", "<", ">",
          "::", "template", "\0", "é", "#", "\\", "0", "1e9", "extern \"C\"", "+deref(raw)", "static", "&", "enum E", ":", "unsigned", "typedef", "union",
          "~", "const", "auto", "decltype", "R\"(", "...", "+name(x)", "\r\n", "\t", "#line 3", "#define x", "#include <no>", "virtual", "friend", "using",
          "private:", "public:", "mutable", "volatile", "int x : 3;", "alignas(64)", "__attribute__((", "[[nodiscard]]", "std::vector<int>", "\ufeff", "\U0001f600"]
NUMBERS = ["int", "double", "float", "unsigned char", "bool", "long", "int64_t", "size_t", "std::complex<double>", "Mood", "short", "_Float16", "long double"]
OTHERS = ["char", "void", "std::string", "std::vector<int>", "std::vector<double>", "std::vector<std::string>", "std::vector<point>", "point", "Box", "hidden", "node",
          "std::vector<bool>", "std::vector<node>"]
AROUND = ["{}", "{}", "{}", "{}*", "{}*", "const {}*", "const {}&", "{}&", "{}**", "const {}**", "{}*&", "{}***", "{}&&", "const {}* const", "volatile {}*"]
ATTRIBUTES = ["intent(in)", "intent(out)", "intent(inout)", "rank(0)", "rank(1)", "rank(2)", "rank(7)", "dimension(3)", "dimension(n)", "dimension(n, 2)", "dimension(n * n + 1)",
              "deref(pointer)", "deref(copy)", "deref(allocatable)", "deref(scalar)", "deref(raw)", "owner(caller)", "owner(library)", "memory(host)", "memory(device)",
              "implied(size(a))", "implied(len(a))", "implied(size(a, 1))", "charlen(16)", "destructor_name(drop)", "name(other)", "len", "len_trim", "assumedtype", "value",
              "hidden", "funcarg"]
HEADERS = "#include <complex>\n#include <string>\n#include <vector>\n"
# Their names alone, which is what declarations are read by; it takes a tenth of the time.
NAMES = "namespace std { class string {}; template <class T> class vector {}; template <class T> class complex { T parts[2]; }; }\n"
KNOWN = """
enum Mood : short { good, bad };
struct point { float x, y; int tags[2]; };
struct hidden;
struct node { int n; double* values +dimension(n); node* next; const char* name; };
class Box { public: Box(int n = 3) : size(n) {} int size; double v[3]; std::string text; std::vector<point> points; point at; node inside; };
inline void drop_it(void* ptr) { delete static_cast<int*>(ptr); }
"""
DESTRUCTORS = {"drop": "drop_it(ptr);"}


class Maker:
    """Draws texts."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        good = [*(HERE / "declarations").glob("*.hpp"), *HERE.glob("library_*.py")]
        self.good = [path.read_text() if path.suffix == ".hpp" else path.read_text().partition('DECLARATIONS = """')[2].partition('"""')[0] for path in sorted(good)]

    def pieces(self):
        return " ".join(self.random.choice(PIECES) for _ in range(self.random.randrange(1, 25)))

    def type(self):
        of = self.random.choice(NUMBERS if self.random.random() < 0.6 else OTHERS)
        return self.random.choice(AROUND).format(of)

    def attributes(self, most):
        return "".join(f" +{self.random.choice(ATTRIBUTES)}" for _ in range(self.random.randrange(most + 1)))

    def parameter(self, name):
        kind = self.random.random()
        if kind < 0.05:
            return f"{self.random.choice(NUMBERS)} (*{name})({', '.join(self.type() for _ in range(self.random.randrange(3)))}){self.attributes(1)}"
        extents = "" if kind < 0.9 else self.random.choice(["[]", "[3]", "[2][3]"])
        return f"{self.type()} {name}{extents}{self.attributes(self.random.choice([0, 1, 1, 2]))}"

    def function(self, name):
        names = self.random.sample(["a", "b", "n", "x", "out"], self.random.randrange(4))
        result = self.type() if self.random.random() < 0.8 else "void"
        return f"{result} {name}({', '.join(self.parameter(each) for each in names)}){self.attributes(self.random.choice([0, 1, 2]))};"

    def field(self, name):
        extents = self.random.choice(["", "", "", "[2]", "[2][3]"])
        return f"{self.type()} {name}{extents}{self.attributes(1) if self.random.random() < 0.3 else ''};"

    def declaration(self, name):
        kind = self.random.random()
        if kind < 0.8:
            return self.function(name)
        fields = " ".join(self.field(each) for each in "pqr")
        return f"class {name}_class {{ public: {name}_class(); {fields} {self.function('method')} static {self.function('made')} }};"

    def changed(self):
        """A good text with some of its words taken away, doubled, or put elsewhere."""
        words = re.findall(r"\w+|\s+|[^\w\s]", self.random.choice(self.good))
        for _ in range(self.random.randrange(1, 5)):
            at, other = self.random.randrange(len(words)), self.random.randrange(len(words))
            words[at] = self.random.choice(["", words[at] * 2, words[other], self.random.choice(PIECES)])
        text = "".join(words)
        return text.replace("#include", "//")

    def yaml(self):
        entries = "".join(f"- {self.random.choice(['decl', 'decl', 'decl', 'declare', 'attrs'])}: {self.random.choice([self.function('f'), '3', '[]', '{a: 1}'])!r}\n"
                          + self.random.choice(["", "  attrs: {a: {rank: 1}}\n", "  fattrs: {dimension: n}\n", "  fattrs: 3\n", "  attrs: {zz: {rank: 1}}\n", "  declarations: 3\n",
                                                "  attrs: [a]\n", "  declarations: []\n", "  attrs: {a: 3}\n"])
                          for _ in range(self.random.randrange(4)))
        head = self.random.choice(["", "language: c\n", "language: 3\n", "destructors: {x: y}\n", "destructors: 3\n", "options: [1]\n", "other: 1\n", "header: 4\n", "\t- x\n"])
        return f"{head}declarations:\n{entries}"


def decided(text, destructors=DESTRUCTORS, headers=(), language="c++"):
    """The C++ for declarations and their Calls. Raises BindError."""
    source, released = Source(text), calls.Destructors(destructors)
    declared = parse.parse(source, headers, language, ())
    made = calls.decide(declared, source, calls.OPTIONS, released)
    library._check_variants(made, source)
    return shims.write(parse.plain(source), headers, language, made, released), made, source


def read_yaml(text, headers):
    declarations, given = yaml_text.read(text, "fuzz.yaml")
    decided(KNOWN + declarations, {**DESTRUCTORS, **given["destructors"]}, [*headers, *given["headers"]], given["language"])


def compiles(texts, folder):
    """What clang says of the C++ for these declarations all together; None where it says nothing."""
    try:
        text, made, source = decided(HEADERS + KNOWN + "\n".join(texts))
    except BindError as error:
        return f"refused with C++'s own headers: {error}"
    (folder / "shims.cpp").write_text(text)
    command = [_core.clang(), *build._OPTIONS, "-fsyntax-only", f"-I{folder}", str(folder / "shims.cpp")]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if done.returncode == 0:
        return None
    error = build._failure(done.stderr, source, made)
    return None if error.code == "B139" else f"{error}\n{done.stderr[:600]}"


class Fuzz:
    def __init__(self, seed, folder):
        self.maker, self.folder, self.seed = Maker(seed), folder, seed
        self.headers = [str(folder / "names.hpp")]
        self.refused = []  # by C++ alone: bind() says so at the function
        self.said, self.wrong, self.waiting = collections.Counter(), [], []

    def one(self, number):
        kind = self.maker.random.choices(["pieces", "declaration", "changed", "yaml"], [3, 5, 1, importlib.util.find_spec("yaml") is not None])[0]
        text = self.maker.declaration(f"f{number}") if kind == "declaration" else getattr(self.maker, kind)()
        (self.folder / "declarations.txt").write_text(text, errors="surrogateescape")
        try:
            read_yaml(text, self.headers) if kind == "yaml" else decided(KNOWN + text if kind == "declaration" else text, headers=self.headers)
            self.said[kind, "accepted"] += 1
            if kind == "declaration":
                self.waiting.append(text.replace("name(other)", f"name(other_{number})"))
        except BindError as error:
            self.said[kind, "refused"] += 1
            if kind != "yaml" and not 1 <= error.span.line <= (KNOWN + text).count("\n") + 1:
                self.wrong.append((text, f"no such line: {error}"))
        except Exception as error:
            self.wrong.append((text, f"{type(error).__name__}: {error}"))
        if len(self.waiting) >= 60:
            self.compile()

    def compile(self):
        """All that waits; where that fails, the half of it that does, until one is left."""
        texts, self.waiting = self.waiting, []
        said = compiles(texts, self.folder) if texts else None
        while said and len(texts) > 1:
            half = len(texts) // 2
            first = compiles(texts[:half], self.folder)
            texts, said = (texts[:half], first) if first else (texts[half:], compiles(texts[half:], self.folder))
        if said:
            self.refused.append((texts[0], said))

    def run(self, count):
        build.write_headers(self.folder)
        pathlib.Path(self.headers[0]).write_text(NAMES)
        for number in range(count):
            self.one(number)
        self.compile()
        for text, why in [*self.refused, *self.wrong]:
            print(f"--- seed {self.seed}\n{text}\n{why}\n")
        print(", ".join(f"{kind} {how}: {n}" for (kind, how), n in sorted(self.said.items())), f"refused by C++ alone: {len(self.refused)}", f"wrong: {len(self.wrong)}")
        return 1 if self.wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="hetjit-") as folder:
        return Fuzz(arguments.seed, pathlib.Path(folder)).run(arguments.count)


if __name__ == "__main__":
    sys.exit(main())
