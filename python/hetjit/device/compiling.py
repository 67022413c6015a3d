"""Kernels compiled before they are launched: `kernel.precompile(…)`, `kernel.compile_async(…)`. Threads do it, for compiling needs no
Python: what comes of it is kept for the launches to come, in this process and on disk."""

import concurrent.futures
import os
import sys
import threading
import time

from hetjit import _core

_PATIENCE = 1.0  # seconds, before a bar is shown
_WIDTH = 30


class _Workers:
    """The threads, made when they are first needed. A forked child makes its own."""

    executor, process = None, 0
    lock = threading.Lock()

    @classmethod
    def submit(cls, *work):
        with cls.lock:
            if cls.process != os.getpid():
                cls.executor = concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1, "hetjit-compile")
                cls.process = os.getpid()
            return cls.executor.submit(*work)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_Workers.lock.acquire, after_in_parent=_Workers.lock.release, after_in_child=_Workers.lock.release)


def asynchronously(kernel, arguments, keywords, target):
    """A Future that is done when the kernel is compiled for these arguments or types; its result is the kernel."""
    future = concurrent.futures.Future()

    def compile():
        if not future.set_running_or_notify_cancel():
            return
        try:
            _core.precompile(kernel, arguments, keywords, target)
        except BaseException as error:
            # A traceback would keep this frame, and with it the arguments, for as long as somebody has the future.
            future.set_exception(error.with_traceback(None))
        else:
            future.set_result(kernel)

    _Workers.submit(compile)
    return future


def all_of(kernel, signatures, targets, progress):
    """Compiles for each signature and target; raises what failed when all the others are done."""
    targets = [None] if targets is None else [targets] if isinstance(targets, str) else list(targets)
    asked = [_signature(kernel, one) for one in signatures]
    if not asked:
        _check_names(targets)
    tell = _teller(progress, len(asked) * len(targets))
    futures = [asynchronously(kernel, one, {}, target) for one in asked for target in targets]
    try:
        for done, _ in enumerate(concurrent.futures.as_completed(futures), 1):
            tell(done, len(futures))
    finally:
        for future in futures:
            future.cancel()
    errors = [error for error in (future.exception() for future in futures) if error]
    if len(errors) == 1:
        raise errors[0]
    if errors:
        raise ExceptionGroup(f"{len(errors)} of {len(futures)} compilations of {kernel.__name__} failed", errors)


def _nothing():
    pass


def _check_names(targets):
    """ValueError for a target that there is not, where no compilation asks for it."""
    for target in targets:
        if target is not None:
            _core.show(_core.capture(_nothing), "bytecode", "()", target)


def _signature(kernel, given):
    if isinstance(given, (tuple, list)):
        return tuple(given)
    raise TypeError(f"{kernel.__name__}.precompile(): a signature is a tuple of types or arguments, not {type(given).__name__}; one alone "
                    "is written [(…)]")


def _teller(progress, count):
    """What is called with (done, of how many)."""
    if callable(progress):
        return progress
    if progress is None:
        progress = count > 1 and (sys.stderr is not None and sys.stderr.isatty() or "ipykernel" in sys.modules)
    return _Bar().tell if progress else lambda done, count: None


class _Bar:
    """A line on stderr that is written over, for what takes long."""

    def __init__(self):
        self.began = time.monotonic()
        self.shown = False

    def tell(self, done, count):
        took = time.monotonic() - self.began
        self.shown = self.shown or took > _PATIENCE
        if self.shown:
            full = _WIDTH * done // count
            left = f"{took / done * (count - done):.0f} s left" if done < count else f"{took:.0f} s     \n"
            print(f"\rcompiling {'█' * full}{'░' * (_WIDTH - full)} {done} of {count}, {left}", end="", file=sys.stderr, flush=True)
