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
