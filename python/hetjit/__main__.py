"""`python -m hetjit show FILE:FUNCTION …`"""

import os
import sys

from hetjit import show

COMMANDS = {"show": show.main}


def main(arguments):
    if not arguments or arguments[0] not in COMMANDS:
        print(f"usage: python -m hetjit {{{','.join(COMMANDS)}}} …", file=sys.stderr)
        return 2
    try:
        return COMMANDS[arguments[0]](arguments[1:])
    except BrokenPipeError:  # who reads has seen enough, as head and less do
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141  # as shells count a SIGPIPE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
