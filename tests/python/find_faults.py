"""Runs the faults that are planted in faults.cpp, each in a process of its own, and prints what the ledger said of each, as JSON.

    HETJIT_DEBUG=handles python find_faults.py faults.so
"""

import importlib.util
import json
import os
import sys
import tempfile

from hetjit import debug

USES = ("use_closed", "dup_closed", "lend_closed", "use_released", "compare_closed", "return_closed", "close_twice", "close_released",
        "build_twice", "build_unset", "set_twice", "set_outside", "set_after_build", "wrong_struct", "read_closed_text")
LEAKS = ("leak", "leak_dup", "leak_argument", "leak_made", "leak_many", "leak_moved", "leak_at_error", "keep_argument")


def load(path):
    spec = importlib.util.spec_from_file_location("faults", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def leak_of(faults, name):
    """What the detector says of a call."""
    detector = debug.LeakDetector(faults)
    detector.start()
    try:
        getattr(faults, name)("hello")
    except AttributeError:
        pass
    try:
        detector.stop()
    except debug.LeakError as error:
        return str(error)
    return ""


def death_of(faults, name):
    """(signal, stderr) of a process that makes the call."""
    with tempfile.TemporaryFile() as errors:
        child = os.fork()
        if child == 0:
            os.dup2(errors.fileno(), 2)
            getattr(faults, name)("hello")
            os._exit(0)
        _, status = os.waitpid(child, 0)
        errors.seek(0)
        return status & 0x7F, errors.read().decode()


def calls_of_hook(faults, name):
    """How often the hook is called, which stands in for the end of the process."""
    heard = []
    faults.set_on_invalid_handle(lambda: heard.append(name))
    try:
        getattr(faults, name)("hello")
    except SystemError:
        pass
    finally:
        faults.set_on_invalid_handle(None)
    return len(heard)


def main():
    faults = load(sys.argv[1])
    debug._PATIENCE = 0.0
    debug.Ledger(faults).set_handle_stack_trace_limit(4)
    found = {name: {"leak": leak_of(faults, name)} for name in LEAKS}
    for name in USES:
        signal, text = death_of(faults, name)
        found[name] = {"signal": signal, "death": text, "hook": 0 if name == "read_closed_text" else calls_of_hook(faults, name)}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
