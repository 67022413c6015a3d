"""Devices that are machines: naming `emu:sm_90` or `emu:gfx942` makes one, which then is a device like others but for the lists."""

import atexit
import threading

from hetjit import _core

_LOCK, _MADE = threading.RLock(), {}
AMD = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1101", "gfx1102", "gfx1103", "gfx1150", "gfx1151", "gfx1152", "gfx1153", "gfx1200",
       "gfx1201")
TINYGRAD = "0.14.0"  # whose tables of AMD's instructions are read; another version's may have another form


def make(name):
    """Makes the device of this name, once. Called by the extension for every name that begins with `emu:`."""
    if name in _MADE:
        return
    make_driver = maker_of(name)
    with _LOCK:
        if name not in _MADE:
            driver = make_driver()
            _core.add_emulated(name, driver.address)
            _MADE[name] = driver  # for ever, as devices are
            atexit.register(_core.synchronize, name, None)  # what kernels raise or print after the last wait is said


def maker_of(name):
    kind = name.partition(":")[2]
    if kind.startswith("sm_") and kind[3:].isdigit() and int(kind[3:]) >= 75:
        needs_numpy(name)
        from .ptx.driver import Driver
        return lambda: Driver(int(kind[3:]))
    if kind in AMD:
        needs_numpy(name)
        needs_tinygrad(name)
        from .amd.driver import Driver
        return lambda: Driver(kind)
    raise ValueError(f"{name!r} is no device: machines are emu:sm_75, emu:sm_90, emu:sm_100, … (PTX) and emu:{', emu:'.join(AMD)} (AMD)")


def needs_numpy(name):
    try:
        import numpy
    except ImportError as error:
        raise ImportError(f"{name} needs NumPy 2 (pip install hetjit[emulation]): {error}") from error
    if int(numpy.__version__.partition(".")[0]) < 2:
        raise ImportError(f"{name} needs NumPy 2 (pip install hetjit[emulation]); here is NumPy {numpy.__version__}")


def needs_tinygrad(name):
    """Not imported here: only its tables are read, by the machine."""
    from importlib.metadata import PackageNotFoundError, version
    try:
        found = version("tinygrad")
    except PackageNotFoundError:
        found = None
    if found != TINYGRAD:
        here = f"here is {found}" if found else "it is not installed"
        raise ImportError(f"{name} needs AMD's instruction tables of tinygrad {TINYGRAD} (pip install tinygrad=={TINYGRAD}); {here}")


def machine(name):
    """The machine behind a device: its memory, `output` for what printf writes, and for PTX `schedule`, who goes when (docs/emulation.md)."""
    make(name)
    return _MADE[name].machine
