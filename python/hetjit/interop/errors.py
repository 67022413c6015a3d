"""What can be wrong with declarations, said as the compiler says it: the place, its line, a mark under it."""

import dataclasses

from hetjit.errors import BindError, Span


@dataclasses.dataclass(frozen=True)
class Source:
    """Declarations as the user wrote them, and what messages call them."""
    text: str
    name: str = "<declarations>"

    def place(self, offset):
        """Line, from 1, and column, from 0."""
        before = self.text[:offset]
        return before.count("\n") + 1, offset - (before.rfind("\n") + 1)


# What no attribute mends.
_OF_NO_ATTRIBUTE = ("B113", "B114", "B130", "B134", "B140", "B141")


def first_of(refused):
    """Of (function's name, BindError) in their order: the first, which says how all of them are left out."""
    names = list(dict.fromkeys(name for name, _ in refused))
    error = refused[0][1]
    if len(names) == 1 and error.code not in _OF_NO_ATTRIBUTE:
        return error
    listed = ", ".join(f'"{name}"' for name in names)
    note = f"{'it is' if len(names) == 1 else f'{len(names)} functions are refused, which are'} left out by bind(leave_out=[{listed}])"
    return BindError(f"{error}\n      = {note}", error.code, error.span, (*error.notes, note))


def wrong(source, begin, end, code, text, notes=()):
    """A BindError about a part of the source."""
    line, column = source.place(begin)
    quoted = source.text.split("\n")[line - 1]
    until = source.place(max(begin + 1, end))
    width = until[1] - column if until[0] == line else len(quoted) - column
    message = [f"{source.name}:{line}:{column + 1}: error {code}: {text}", f"{line:5} | {quoted}",
               "      | " + "".join("\t" if c == "\t" else " " for c in quoted[:column]) + "^" * max(1, width)]
    message += [f"      = {note}" for note in notes]
    return BindError("\n".join(message), code, Span((source.name, line, column, *until)), notes)
