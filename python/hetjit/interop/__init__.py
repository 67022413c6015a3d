"""Libraries in C and C++ on the host: their functions for Python to call, and the memory that they share."""

from hetjit.errors import BindError, LibraryError, ReleasedError
from hetjit.interop.library import Library, bind
from hetjit.interop.memory import Memory, as_array, as_bytes

__all__ = ["bind", "as_array", "as_bytes", "Library", "Memory", "BindError", "LibraryError", "ReleasedError"]
