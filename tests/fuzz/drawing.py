"""What makers of random programs have in common: decisions, of which `below` takes each, and lines of text."""

import contextlib


class Drawing:
    """`below(n)`: a number from 0 to n-1, of which 0 is always the simplest."""

    def __init__(self, below):
        self.below = below
        self.lines, self.indent, self.count = [], 0, 0

    def pick(self, options):
        return options[self.below(len(options))]

    def chance(self, one_in):
        return self.below(one_in) == one_in - 1

    def say(self, text):
        self.lines.append("    " * self.indent + text)

    @contextlib.contextmanager
    def suite(self, head):
        self.say(head)
        self.indent += 1
        yield
        self.indent -= 1
