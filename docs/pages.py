"""Runs the pages of the documents as a reader would: every block of Python, of shell commands and of C++, in order, in one folder; what
is printed is what the page shows.

    python docs/pages.py [--update] PAGE...        in the built environment: ./dev run python docs/pages.py docs/tutorial/01_saxpy.md

    ```python                     run, in one namespace for the whole page; its lines count from 1, in a file cell1.py, cell2.py, …
    ```python title="saxpy.py"    a file of that name in the page's folder, in any language; not run by itself
    ```sh                         run by the shell in that folder
    ```output                     what the block above prints; if it raises, the exception as Python ends a traceback with it.
                                  … stands for anything in a line, a line of its own for any lines
    <!-- not run: REASON -->      above a block: a test that is skipped, with that reason
    <!-- needs: MODULE -->        the same where that module is not installed

Other blocks are only shown. A block that prints has an output block; --update writes what is printed into the page.
"""

import contextlib
import importlib.util
import io
import linecache
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import traceback
import types
import typing
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r'(?:^<!-- (?P<comment>not run|needs): (?P<about>.+?) -->\n)?^```(?P<language>\w*)(?: title="(?P<title>[^"]+)")?\n(?P<text>.*?)^```$',
                   re.M | re.S)
RUNNABLE = ("python", "sh")


class Block(typing.NamedTuple):
    language: str
    title: str | None
    text: str
    why: str | None  # not run
    end: int         # of the block in the page
    expected: "Block | None" = None  # the output block below

    @property
    def runs(self):
        return self.language in RUNNABLE and self.title is None and self.why is None


def why_not(comment, about):
    """Why a block below that comment is not run; None when it is."""
    if comment == "needs":
        return None if importlib.util.find_spec(about) else f"{about} is not installed for this Python"
    return about


def blocks(page):
    """The blocks of a page's text, each with the output block below it."""
    found = [Block(m["language"], m["title"], m["text"], why_not(m["comment"], m["about"]), m.end()) for m in BLOCK.finditer(page)]
    following = [*found[1:], None]
    return [block._replace(expected=below if below and below.language == "output" else None)
            for block, below in zip(found, following) if block.language != "output"]


def left_out(page):
    """The reasons for which blocks of a page are not run."""
    return [block.why for block in blocks(page) if block.why]


# ---- running

class Mismatch(AssertionError):
    """A page shows something else than is printed."""


class Reader:
    """Somebody who types a page's blocks in, one after another."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.module = types.ModuleType("page")
        self.cells = 0

    def __enter__(self):
        self.back, self.path = os.getcwd(), list(sys.path)
        os.chdir(self.folder)
        sys.path.insert(0, str(self.folder))
        sys.modules["page"] = self.module
        return self

    def __exit__(self, *raised):
        os.chdir(self.back)
        sys.path[:] = self.path
        del sys.modules["page"]

    def does(self, block):
        """What the block prints, and the exception that ended it."""
        return self.python(block.text) if block.language == "python" else self.shell(block.text)

    def python(self, text):
        self.cells += 1
        name = f"cell{self.cells}.py"
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        printed, error = io.StringIO(), None
        with contextlib.redirect_stdout(printed), warnings.catch_warnings():
            warnings.simplefilter("default")
            warnings.showwarning = lambda message, category, *rest, **more: print(f"{category.__name__}: {message}")
            try:
                exec(compile(text, name, "exec"), vars(self.module))
            except Exception as raised:
                error = raised
                printed.write("".join(traceback.format_exception_only(raised)))
        return printed.getvalue(), error

    def shell(self, text):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("HETJIT_")}  # of tests
        environment |= {"PATH": f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}", "XDG_CACHE_HOME": str(self.folder / ".cache")}
        done = subprocess.run(["bash", "-e", "-c", text], cwd=self.folder, env=environment, text=True, timeout=300,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        error = subprocess.CalledProcessError(done.returncode, text) if done.returncode else None
        return done.stdout, error


def matches(expected, printed):
    """Whether that was printed; … in the expected text stands for anything in a line."""
    def pattern(line):
        return r"(?:.*\n)*" if line.strip() == "…" else ".*".join(map(re.escape, line.rstrip().split("…"))) + r"\n"
    lines = [line.rstrip() + "\n" for line in printed.rstrip().split("\n")]
    return re.fullmatch("".join(map(pattern, expected.rstrip().split("\n"))), "".join(lines)) is not None


def run(page, folder):
    """Runs a page's text; (block, what it printed, what ended it) for each block that shows something else than it printed."""
    found = []
    with Reader(folder) as reader:
        for block in blocks(page):
            if block.title:
                (reader.folder / block.title).write_text(block.text)
            if not block.runs:
                continue
            printed, error = reader.does(block)
            if error is not None and block.expected is None or not matches(block.expected.text if block.expected else "", printed):
                found.append((block, printed, error))
    return found


def check(path, folder):
    """Raises Mismatch when the page shows something else than is printed."""
    for block, printed, error in run(path.read_text(), folder):
        expected = block.expected.text if block.expected else "nothing\n"
        raise Mismatch(f"{path}\n{block.text}\nprints\n{printed}\nand the page shows\n{expected}") from error


def update(path, folder):
    """Writes what is printed into the page."""
    text = path.read_text()
    for block, printed, _ in reversed(run(text, folder)):
        output = f"\n\n```output\n{printed.rstrip()}\n```" if printed else ""
        text = text[:block.end] + output + text[block.expected.end if block.expected else block.end:]
    path.write_text(text)


def main(arguments):
    action = update if "--update" in arguments else check
    failed = 0
    for name in arguments:
        if name.startswith("--"):
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                action(pathlib.Path(name).resolve(), folder)
            except Exception:
                failed += 1
                print(f"---- {name}")
                traceback.print_exc(limit=-2)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
