"""The text of a user's functions, for messages and for what they are found by. `linecache` knows that of notebooks, doctests and archives;
but importing it takes a fifth of a small program's start, so a plain file is read here as long as nobody else has imported it."""

import os
import sys

_read = {}  # path: (what stat said of it, its lines)


def lines(path, scope):
    """Of a file, with their ends; [] where there is none. `scope`: the globals of a function of it."""
    if "linecache" not in sys.modules:
        if path.startswith("<"):  # what is executed has its text in linecache, or nowhere
            return []
        if (found := _plain_file(path)) is not None:
            return found
    import linecache
    linecache.checkcache(path)
    return linecache.getlines(path, scope)


def _plain_file(path):
    """None: it is no file, or in another encoding than UTF-8."""
    try:
        now = os.stat(path)
        known = (now.st_mtime_ns, now.st_size)
        if _read.get(path, (None,))[0] != known:
            with open(path, encoding="utf-8-sig") as file:
                _read[path] = known, file.readlines()
    except (OSError, ValueError):
        return None
    found = _read[path][1]
    return None if any("coding" in line for line in found[:2]) else found
