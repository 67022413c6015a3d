"""`python -m hetjit COMMAND …`: each command is a module of hetjit.commands with a main(arguments) that returns the exit status: 0, 1 when
a program is wrong or a check found something, 2 when it was called wrongly."""

import importlib
import os
import sys

COMMANDS = {
    "info": "what is here: versions, targets, devices and why others are not, libraries",
    "show": "a function at any stage of its compilation, as text or as a page",
    "explain": "how the kernels of a program run: accesses of memory, branches, loops",
    "export": "a function for C++ to call: its code and its header",
    "bind": "a library in C or C++ as a package of Python's",
    "cache": "compiled kernels on disk: what is there, what each was made of, making room",
    "check": "run a program whose kernels watch themselves: bounds, races, memory that nobody wrote",
    "bench": "time the kernels of a program against what this machine's memory can do",
}


def usage():
    width = max(map(len, COMMANDS))
    rows = "\n".join(f"  {name:{width}}  {text}" for name, text in COMMANDS.items())
    return f"usage: python -m hetjit COMMAND …\n\n{rows}\n\npython -m hetjit COMMAND --help says more."


def main(arguments):
    if arguments[:1] in (["--help"], ["-h"]):
        print(usage())
        return 0
    if not arguments or arguments[0] not in COMMANDS:
        wrong = f"there is no command '{arguments[0]}'\n\n" if arguments else ""
        print(wrong + usage(), file=sys.stderr)
        return 2
    try:
        return importlib.import_module(f"hetjit.commands.{arguments[0]}").main(arguments[1:])
    except BrokenPipeError:  # who reads has seen enough, as head and less do
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141  # as shells count a SIGPIPE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
