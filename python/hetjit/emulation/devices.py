"""Devices that are machines: naming `emu:sm_90` makes one, which then is a device like others but for the lists."""

import threading

from hetjit import _core

_LOCK, _MADE = threading.RLock(), {}


def make(name):
    """Makes the device of this name, once. Called by the extension for every name that begins with `emu:`."""
    if name in _MADE:
        return
    kind = name.partition(":")[2]
    if not (kind.startswith("sm_") and kind[3:].isdigit() and int(kind[3:]) >= 75):
        raise ValueError(f"{name!r} is no device: machines are emu:sm_75, emu:sm_90, emu:sm_100, … (PTX)")
    try:
        from .ptx.driver import Driver
    except ImportError as error:
        raise ImportError(f"{name} needs NumPy 2 (pip install hetjit[emulation]): {error}") from error
    with _LOCK:
        if name not in _MADE:
            driver = Driver(int(kind[3:]))
            _core.add_emulated(name, driver.address)
            _MADE[name] = driver  # for ever, as devices are


def machine(name):
    """The machine behind a device: its memory, and `output` for what printf writes."""
    make(name)
    return _MADE[name].machine
