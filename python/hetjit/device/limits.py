"""`launch_bounds=` and `max_registers=`: what a kernel promises of its launches and asks of a GPU's multiprocessor."""

NAMES = ("launch_bounds", "max_registers")

_MOST_THREADS = 1024              # of a block, on every GPU
_MOST_BLOCKS = 64                 # that a multiprocessor may be asked to hold
_FEWEST, _MOST = 16, 512          # registers of a thread


def of(decorator, options):
    """(most threads of a block, least blocks of a multiprocessor, most registers of a thread), each 0 where nothing is said."""
    threads, blocks = _bounds(decorator, options.get("launch_bounds"))
    registers = options.get("max_registers")
    if registers is not None:
        _check(decorator, "max_registers", registers, registers, _FEWEST, _MOST, "registers of a thread are")
    return threads, blocks, registers or 0


def _bounds(decorator, given):
    if given is None:
        return 0, 0
    threads, blocks = given if isinstance(given, tuple) and len(given) == 2 else (given, None)
    _check(decorator, "launch_bounds", given, threads, 1, _MOST_THREADS, "threads of a block are")
    if blocks is not None:
        _check(decorator, "launch_bounds", given, blocks, 1, _MOST_BLOCKS, "least blocks of a multiprocessor are")
    return threads, blocks or 0


def _check(decorator, name, given, number, least, most, what):
    if not isinstance(number, int) or isinstance(number, bool):
        form = "an int, or a tuple of two" if name == "launch_bounds" else "an int"
        raise TypeError(f"device.{decorator}({name}={given!r}): {form} is needed, not {type(number).__name__}")
    if not least <= number <= most:
        raise ValueError(f"device.{decorator}({name}={given!r}): {what} {least} to {most}")
