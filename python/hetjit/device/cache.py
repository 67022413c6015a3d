"""The cache on disk: `device.cache.info()`. Compiled kernels are found there by what they were made of, in the next process too.

`HETJIT_CACHE=off` or `read`, `HETJIT_CACHE_DIR`, `HETJIT_CACHE_SIZE` ("2G") and `HETJIT_CACHE_SHARED`, a folder that is only read,
say how it is used; `@device.kernel(cache=False)` keeps one kernel out of it.
"""

from hetjit import _core

__all__ = ["Entry", "clear", "entries", "info", "prune"]


class Entry:
    """A compiled kernel on disk."""

    __slots__ = {
        "name": "Of its file.",
        "bytes": "The file's size.",
        "used": "When it was made or used last, in seconds since 1970.",
        "made_of": 'What it was made of and for, a tuple of (kind, text), as ("target", "cpu:native").',
        "fault": 'Why it is of no use, or "".',
        "shared": "Whether it is in the folder that is only read.",
    }

    def __init__(self, name, bytes, used, made_of, fault, shared):
        self.name, self.bytes, self.used, self.fault, self.shared = name, bytes, used, fault, shared
        self.made_of = tuple(tuple(line.split(" ", 1)) for line in made_of.splitlines() if " " in line)

    def first(self, kind):
        """The first of `made_of` of that kind: entry.first("kernel"); "" when there is none."""
        return next((text for found, text in self.made_of if found == kind), "")

    def __repr__(self):
        return f"<device.cache entry {self.name[:8]} of {self.first('kernel') or '?'}{self.first('signature')}>"


def info():
    """Where it is, how it is used and what it holds, as a dict: path, shared, reads, writes, most_bytes, bytes, files."""
    found = _core.cache_settings()
    own = _core.cache_files(found["path"]) if found["path"] else []
    return {**found, "files": len(own), "bytes": sum(size for _, size, *_ in own)}


def entries():
    """What is kept, an Entry each, the one used last first; the shared folder's after one's own."""
    found = _core.cache_settings()
    return [Entry(*file, shared) for path, shared in ((found["path"], False), (found["shared"], True)) if path
            for file in _core.cache_files(path)]


def clear():
    """Lets go all that is kept, but not in the shared folder. Returns how many files that were."""
    return prune(0)


def prune(size=None):
    """Lets go what was used least lately, until `size` is left: bytes, or a text as "500M"; by default HETJIT_CACHE_SIZE. Returns
    how many files that were.

    Raises ValueError for a text that is no size.
    """
    found = _core.cache_settings()
    if isinstance(size, str):
        size = _core.cache_bytes(size)
    return _core.cache_prune(found["path"], found["most_bytes"] if size is None else size) if found["path"] else 0
