"""Prints dis.stack_effect of every instruction of the running CPython: NAME ARGUMENT NEXT JUMP, one row each.

tests/unit/frontend/bytecode_effect_test.cpp compares frontend/bytecode's own effects with these rows.
"""

import dis
import os
import sys

import opcode

HERE = os.path.dirname(os.path.abspath(__file__))
ARGUMENTS = list(range(9)) + [16, 17, 26, 33, 96, 112, 144, 258, 515]
NAMES_WITHOUT_ARGUMENT = opcode.HAVE_ARGUMENT


def effect(number, argument, jump):
    try:
        return dis.stack_effect(number, argument, jump=jump)
    except ValueError:
        return None


def rows():
    for name, number in sorted(opcode.opmap.items()):
        if number > 255 or name.startswith("INSTRUMENTED_"):
            continue
        for argument in ARGUMENTS if number >= NAMES_WITHOUT_ARGUMENT else [None]:
            stay, jump = effect(number, argument, False), effect(number, argument, True)
            if stay is not None and jump is not None:
                yield "%s %d %d %d" % (name, argument or 0, stay, jump)


def main():
    target = os.path.join(HERE, "%d.%d" % sys.version_info[:2], "effects.txt")
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "w") as out:
        out.write("\n".join(rows()) + "\n")


if __name__ == "__main__":
    main()
