"""`python -m hetjit show FILE:FUNCTION …`"""

import sys

from hetjit import show

COMMANDS = {"show": show.main}


def main(arguments):
    if not arguments or arguments[0] not in COMMANDS:
        print(f"usage: python -m hetjit {{{','.join(COMMANDS)}}} …", file=sys.stderr)
        return 2
    return COMMANDS[arguments[0]](arguments[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
