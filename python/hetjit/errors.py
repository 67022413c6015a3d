"""What can go wrong, as exceptions. Launches also raise TypeError, ValueError, OverflowError and BufferError."""


class Span(tuple):
    """A place in the user's source: path, line, column, end_line, end_column. Lines count from 1, columns from 0."""

    __slots__ = ()
    path = property(lambda self: self[0])
    line = property(lambda self: self[1])
    column = property(lambda self: self[2])
    end_line = property(lambda self: self[3])
    end_column = property(lambda self: self[4])


class CompileError(Exception):
    """The program is wrong. `str()` is the whole message with the source and carets under it.

    code: "E0202", permanent; span: where, a Span or None; notes: the texts beside the message, a tuple.
    """

    def __init__(self, text, code="", span=None, notes=()):
        super().__init__(text, code, span, notes)
        self.code = code
        self.span = Span(span) if span is not None else None
        self.notes = tuple(notes)

    def __str__(self):
        return self.args[0]


class ReadOnlyError(CompileError, BufferError):
    """A kernel stores to an array that was passed read-only: a CompileError, for it has a place in the source, and a
    BufferError, for another array would do."""


class DeviceError(RuntimeError):
    """A device, its driver or a library that a device needs failed, or is not there."""
