"""Which devices there are. No driver is touched before the first question."""

from hetjit import _core


def devices():
    """Names of the devices present: GPUs first ("cuda:0", "hip:0", …), "cpu" last."""
    return _core.devices()


def current():
    """Name of the device that launches without arrays go to: the first GPU, else "cpu", unless use() said otherwise."""
    return _core.current_device()


def use(device):
    """Sends launches without arrays to that device: "cpu", "cuda:1", "cuda" (the first), "hip:0". Returns its name. Raises ValueError for
    a name that is none, DeviceError where there is no such device."""
    return _core.use_device(device)


def synchronize(device=None, stream=None):
    """Waits until a device has done all its work, whoever began it, as cudaDeviceSynchronize() does; with a stream, until that one has done its
    (0: the default one). Raises what their kernels raised since, and DeviceError for what else went wrong there. The stream may be given as a
    launch takes it; a Stream says itself of which device it is."""
    if device is None and isinstance(stream, _core.Stream):
        device = stream.device
    _core.synchronize(device or current(), stream)


def info(device=None):
    """A device's description, compilation target and limits, as a dict. Raises as use() does."""
    return _core.device_info(current() if device is None else device)


def why_not(vendor):
    """Why no device of "cuda" or "hip" is here: what was looked for and what was found. "" when there is one."""
    return _core.why_not(vendor)
