"""Runs the benchmarks and writes their tables into docs/benchmarks.md.

    ./dev bench [launch] [compile] [scaling] [kernels] [gallery] [choices] [codegen] [codegen-wide] [checks] [import] [calls] [cxx] [--small] [--processor]

Default: all sections; one that is not run keeps its old table. --small prints the kernels' table for small arrays and writes nothing.
--processor: the kernels' and the gallery's processor time instead of elapsed time, for a machine on which other programs run.
"""

import datetime
import importlib
import os
import pathlib
import platform
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
DOCUMENT = HERE.parent / "docs" / "benchmarks.md"
sys.path.insert(0, str(HERE))
os.environ["HETJIT_CACHE"] = "off"  # what is measured is compiled


def section(name):
    module = {"import": "start", "launch": "launch", "compile": "compile_time", "scaling": "scaling", "kernels": "kernel_time",
              "gallery": "gallery.table", "choices": "choices", "codegen": "codegen", "codegen-wide": "codegen_wide", "checks": "checks", "calls": "calls",
              "cxx": "cxx_calls"}[name]
    options = dict(processor=True) if name in ("kernels", "gallery") and "--processor" in sys.argv else {}
    return importlib.import_module(module).table(**options)


def machine():
    cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    return (f"{datetime.date.today()}, {cpu[1] if cpu else platform.processor()}, "
            f"{len(__import__('os').sched_getaffinity(0))} cores, CPython {platform.python_version()}")


def main():
    if "--small" in sys.argv:
        print(__import__("kernel_time").table(small=True, processor="--processor" in sys.argv))
        return
    names = [word for word in sys.argv[1:] if word != "--processor"] or ["import", "launch", "compile", "scaling", "kernels", "gallery", "choices", "codegen", "codegen-wide", "checks", "calls", "cxx"]
    for name in names:
        print(f"== {name}", flush=True)
        table = section(name)
        print(table, flush=True)
        block = f"<!-- {name} -->\n{machine()}\n\n{table}\n<!-- /{name} -->"
        text, count = re.subn(rf"<!-- {name} -->.*?<!-- /{name} -->", lambda _: block, DOCUMENT.read_text(), flags=re.S)
        assert count == 1, f"docs/benchmarks.md has no section {name}"
        DOCUMENT.write_text(text)


if __name__ == "__main__":
    main()
