"""What an explanation says, remark by remark."""

import collections
import re

Remark = collections.namedtuple("Remark", "path line column end_column what")
Remark.__doc__ = """Lines count from 1, columns from 0; `what` is as "load: contiguous, float32"."""

_PLACE = re.compile(r"\s*--> (.*?):(\d+)(?::\d+)?$")
_LINE = re.compile(r"(\d+) *\| ?(.*)$")
_MARK = re.compile(r" +\| ?( *)(-+)(?:\.\.\.)? (.*)$")


def of(text):
    """The remarks in an explanation, as the compiler prints it."""
    path, line = "", 0
    for row in text.splitlines():
        if found := _PLACE.match(row):
            path = found[1]
        elif found := _LINE.match(row):
            line = int(found[1])
        elif found := _MARK.match(row):
            column = len(found[1])
            yield Remark(path, line, column, column + len(found[2]), found[3])
