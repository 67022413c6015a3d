"""Writes the documents that are printed from sources: ir.md from the comments of the ops and the table of their facts
(tests/golden/ir/facts.txt, which a test writes), diagnostics.md from codes.def
and its golden tests, conformance.md from the rows that tests name. `./dev update` runs it; `./dev tidy` fails when a document is older than its source.

    python docs/generate.py [--check]
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

import rows


def comment_before(lines, index):
    """The /// lines directly above a line, joined to a paragraph."""
    first = index
    while first > 0 and lines[first - 1].lstrip().startswith("///"):
        first -= 1
    return " ".join(line.strip().lstrip("/").strip() for line in lines[first:index])


def file_comment(lines):
    found = []
    for line in lines:
        if not line.startswith("//"):
            break
        found.append(line.lstrip("/").strip())
    return " ".join(found)


def ops_of(path):
    """(mnemonic, struct, operand count, attributes, prose) of each op of a header. An op without a comment of its own
    shares that of the op above it."""
    lines = path.read_text().split("\n")
    prose = ""
    for number, line in enumerate(lines):
        found = re.match(r"struct (\w+) : (?:Operands<(\d+)>|(ManyOperands)) \{", line)
        if not found:
            continue
        prose = comment_before(lines, number) or prose
        end = next(k for k in range(number, len(lines)) if lines[k].startswith("};"))
        body = "\n".join(lines[number:end])
        mnemonic = re.search(r'kind::\w+\(\s*"(\w+)"', body)[1]
        attributes = re.search(r"return std::tie\(([^)]*)\)", body)
        yield mnemonic, found[1], found[2] or "any", attributes[1] if attributes else "", prose


def ir_document():
    out = ["# The typed graph, operation by operation", "",
           "Printed from the comments in `compiler/ir/ops_*.h` by `docs/generate.py`. How to read a dump, and how to add an "
           "operation: `compiler/ir/README.md`.", ""]
    for name in re.findall(r'"compiler/ir/(ops_\w+)\.h"', (ROOT / "compiler/ir/ir.h").read_text()):
        path = ROOT / f"compiler/ir/{name}.h"
        out += [f"## `{name}.h`", "", file_comment(path.read_text().split("\n")), "",
                "| in dumps | struct | operands | beside them | meaning |", "|---|---|---|---|---|"]
        for mnemonic, struct, count, attributes, prose in ops_of(path):
            out.append(f"| `{mnemonic}` | `{struct}` | {count} | {attributes} | {prose.replace('|', chr(92) + '|')} |")
        out.append("")
    out += ["## What is known of each", "", "Each op states its facts where it is declared; what they mean: `compiler/ir/op_info.h`.", "",
            (ROOT / "tests/golden/ir/facts.txt").read_text()]
    return "\n".join(out)


def golden_text(code):
    path = ROOT / f"tests/golden/diag/{code}.py"
    if not path.exists():
        return ""
    lines = [line[len("# CHECK:"):].removeprefix(" ") for line in path.read_text().split("\n")
             if line.startswith("# CHECK:")]
    return "\n".join(lines).rstrip()


def diagnostics_document():
    rows = re.findall(r'^DIAG\((\d+),\s*(\w+),\s*"((?:[^"\\]|\\.)*)"\)', (ROOT / "frontend/diag/codes.def").read_text(),
                      re.M)
    out = ["# Diagnostics", "",
           f"The {len(rows)} messages that a compilation can give, printed from `frontend/diag/codes.def` and the golden "
           "tests by `docs/generate.py`. In Python: `device.CompileError` with `.code`, `.span`, `.notes`, `.edits`; those that begin with W are "
           "warnings, of the same attributes, by way of Python's `warnings`.", ""]
    for number, name, pattern in rows:
        pattern = pattern.replace('\\"', '"')
        out += [f"## {'W' if int(number) >= 700 else 'E'}{int(number):04} {name}", "", f"`{pattern}`", ""]
        text = golden_text(name)
        if text:
            out += ["```", text, "```", ""]
    return "\n".join(out)


DOCUMENTS = {"docs/ir.md": ir_document, "docs/diagnostics.md": diagnostics_document,
             "docs/conformance.md": rows.document}


def main():
    stale = []
    for name, make in DOCUMENTS.items():
        path, text = ROOT / name, make()
        if not path.exists() or path.read_text() != text:
            stale.append(name)
            if "--check" not in sys.argv:
                path.write_text(text)
    if "--check" in sys.argv:
        for name in stale:
            print(f"{name}:1: older than its source; ./dev update")
        return 1 if stale else 0
    print("wrote " + ", ".join(stale) if stale else "documents are current")
    return 0


if __name__ == "__main__":
    sys.exit(main())
