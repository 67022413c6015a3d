"""What can go wrong, as exceptions. Launches also raise TypeError, ValueError, OverflowError and BufferError."""


class Span(tuple):
    """A place in the user's source: path, line, column, end_line, end_column. Lines count from 1, columns from 0."""

    __slots__ = ()
    path = property(lambda self: self[0])
    line = property(lambda self: self[1])
    column = property(lambda self: self[2])
    end_line = property(lambda self: self[3])
    end_column = property(lambda self: self[4])


class Edit(tuple):
    """A change of the user's source: what stands at `span` becomes `text`. A span without width inserts."""

    __slots__ = ()
    span = property(lambda self: self[0])
    text = property(lambda self: self[1])


class _Diagnostic:
    """`str()` is the whole message with the source and carets under it.

    code: "E0202", permanent; span: where, a Span or None; notes: the texts beside the message, a tuple; edits: what the first
    help says as changes of the source, a tuple of Edits, all to be made together, or () when it is no change of code.
    """

    def __init__(self, text, code="", span=None, notes=(), edits=()):
        super().__init__(text, code, span, notes, edits)
        self.code = code
        self.span = Span(span) if span is not None else None
        self.notes = tuple(notes)
        self.edits = tuple(Edit((Span(where), new)) for where, new in edits)

    def __str__(self):
        return self.args[0]


class CompileError(_Diagnostic, Exception):
    """The program is wrong. `str()` is the whole message; `code` ("E0202", permanent), `span` (a Span or None), `notes` (a tuple of
    texts) and `edits` (Edits that carry the first help out, if it is a change of code) are its parts."""


class ReadOnlyError(CompileError, BufferError):
    """A kernel stores to an array that was passed read-only: a CompileError, for it has a place in the source, and a
    BufferError, for another array would do."""


class CompileWarning(_Diagnostic, UserWarning):
    """The program compiles, but may not mean what it seems to. `str()` is the whole message; `code`, `span`, `notes` and `edits` as
    a CompileError has them. Each category is off by one line: warnings.simplefilter("ignore", device.…Warning)."""


class UnsignedWarning(CompileWarning):
    """A difference of unsigned numbers wraps round where Python's would be negative."""


class PrecisionWarning(CompileWarning):
    """A Python number that is rounded to float32 meets float64, where Python would not have rounded it; or a sum that begins with one, as
    0.0, is one of float16 and the like, which has bits for some thousand numbers."""


class AssignmentWarning(CompileWarning):
    """An array parameter's name is bound to something that nothing reads, as in `x = 0`: the array stays as it is."""


class OverflowWarning(CompileWarning):
    """A sum or a product of 8 or 16 bits that may wrap round becomes wider after that; a Python int that grows by products in a loop is
    stored in an array of 64 bits, or one that is made of a float64 in an array of integers of 64 bits; or a shift leaves nothing of a number."""


class RebindingWarning(CompileWarning):
    """A kernel is compiled again and again because a name from outside is bound to ever other values; `notes` is empty, `code` too."""


_CATEGORIES = {"": RebindingWarning, "W0701": UnsignedWarning, "W0702": UnsignedWarning, "W0711": PrecisionWarning, "W0712": PrecisionWarning,
               "W0721": AssignmentWarning, "W0731": OverflowWarning, "W0732": OverflowWarning, "W0733": OverflowWarning}
_shown = {}  # per file what Python's `warnings` remembers, so that a place warns once


def warn(text, code, span, notes, edits):
    """A warning of the compiler's, at its place in the kernel."""
    import warnings  # which few programs that import hetjit need

    warning = _CATEGORIES[code](text, code, span, notes, edits)
    path, line = (span[0], span[1]) if span else ("<unknown>", 0)
    warnings.warn_explicit(warning, None, path or "<unknown>", line, registry=_shown.setdefault(path, {}))


class CacheWarning(UserWarning):
    """A file of the cache on disk, or the folder itself, could not be used. The kernel was compiled, and runs."""


_said_of_cache = set()


def warn_of_cache(text):
    """Says once what is wrong with the cache."""
    import warnings

    if text not in _said_of_cache:
        _said_of_cache.add(text)
        warnings.warn(text, CacheWarning, stacklevel=2)


class CheckError(RuntimeError):
    """A check that the kernel was compiled with (`check=`, HETJIT_CHECK) found a fault. The message says which and of what.

    kernel, function, path, line: where; block, thread: who, indices in three axes.
    """

    kernel = function = path = line = block = thread = None


class BoundsError(CheckError, IndexError):
    """An index outside of its array, vector or tuple."""


class RaceError(CheckError):
    """Two threads use the same memory, one of them to write, and nothing says in which order."""


class BarrierError(CheckError):
    """Threads of a block wait for each other at different barriers, or for one that has ended; or a warp function is called without
    all lanes of its mask."""


class DeviceError(RuntimeError):
    """A device, its driver or a library that a device needs failed, or is not there. `reason`: "unavailable", "unsupported",
    "out_of_memory", "driver_failed", "interrupted" or "internal"; "" where only the text tells."""

    reason = ""


class BindError(_Diagnostic, Exception):
    """A declaration of a library is wrong or leaves something open. `str()` is the whole message with the line and a mark under it;
    `code`, `span` and `notes` as a CompileError has them."""


class LibraryError(RuntimeError):
    """A library threw an exception. Its type and text are in the message, `type` is the type alone."""

    type = None


class ReleasedError(RuntimeError):
    """Memory of a library that has been released was used."""


class OutOfMemoryError(DeviceError, MemoryError):
    """A device, or the host, has too little memory for an array or a launch."""
