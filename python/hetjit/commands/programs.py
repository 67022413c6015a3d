"""A user's program, from a command line: a function in it by its place, and what its kernels are compiled for when it runs."""

import contextlib
import inspect
import os
import pathlib
import subprocess
import sys
import tempfile
import traceback
import types

from hetjit import _core
from hetjit.device import emission, settings


class Misuse(Exception):
    """Something that was asked for is not there: the command ends with status 2."""


class Request:
    """A function and what it is compiled for: name, path, signature and target as texts, kernel, options, snapshot."""

    def __init__(self, snapshot, signature, target, kernel=True, **options):
        self.snapshot, self.signature, self.target, self.kernel, self.options = snapshot, signature, target, kernel, options
        self.functions = list(_functions(snapshot))
        self.name, self.path = self.functions[0].name, self.functions[0].path

    def show(self, phase, target=None, **options):
        """A phase's dump. `options`: others than the function's own."""
        return _core.show(self.snapshot, phase, self.signature, target or self.target, kernel=self.kernel, **{**self.options, **options})


class Source:
    """What a snapshot knows of a function: name, path, number of its first line, its lines."""

    def __init__(self, name):
        self.name, self.path, self.line, self.lines = name, "", 1, []


def _functions(snapshot):
    found = None
    for text in snapshot.split("\n"):
        word, _, rest = text.partition(" ")
        if word == "function":
            if found:
                yield found
            found = Source(rest.split(" ")[1])
        elif found and word == "path":
            found.path = rest
        elif found and word == "line":
            found.line = int(rest)
        elif found and word == "|":
            found.lines.append(rest)
    yield found


def split(place):
    """The file and the function's name ("" if there is none) of FILE or FILE:FUNCTION."""
    path, _, name = place.rpartition(":")
    if not path or not name.replace(".", "_").isidentifier():
        path, name = place, ""
    if not os.path.isfile(path):
        raise Misuse(f"there is no file {path}")
    parse(path)
    return path, name


def parse(path):
    """Says what is wrong with a program that Python cannot read, before anything of ours stands in a traceback."""
    if not path.endswith(".py"):
        return
    try:
        compile(pathlib.Path(path).read_bytes(), path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        raise Misuse("".join(traceback.format_exception_only(error)).rstrip()) from None


def load(place):
    """The function at FILE:FUNCTION. The file is run as a module of its own, not as __main__."""
    import importlib.util
    if not place.partition(":")[2]:
        raise Misuse(f"{place!r} is not of the form FILE:FUNCTION")
    path, name = split(place)
    file = pathlib.Path(path)
    sys.path.insert(0, str(file.parent.resolve()))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = sys.modules[file.stem] = importlib.util.module_from_spec(spec)
    with contextlib.redirect_stdout(sys.stderr):  # what a command prints is its own
        spec.loader.exec_module(module)
    found = module
    for part in name.split("."):
        found = getattr(found, part, None)
    if found is None:
        raise Misuse(f"{path} has no function '{name}'")
    if not isinstance(found, (types.FunctionType, _core.Kernel)):
        raise Misuse(f"'{name}' in {path} is a {type(found).__name__}, not a function")
    return found


def request_of(function, signature, target, contract=None, hints=(), snapshot=None):
    """The request to compile a function for types that are given; `hints`: those in which structs may be; `snapshot`: the one that a launch
    would make."""
    options = getattr(function, "options", {})
    kernel = not getattr(function, "device_function", not hasattr(function, "underlying"))
    chosen = settings.of(options if contract is None else {**options, "contract": contract})
    return Request(snapshot or _core.capture(getattr(function, "underlying", function), hints), signature, target, kernel, **chosen)


def types_of_hints(function):
    """The types of a function's parameters by its hints; None unless all have one that is a type of device code."""
    code = function.__code__
    try:
        hints = inspect.get_annotations(getattr(function, "underlying", function), eval_str=True)
        return tuple(_core.Type(hints[name]) for name in code.co_varnames[:code.co_argcount + code.co_kwonlyargcount])
    except (KeyError, TypeError, ValueError, NameError, AttributeError, SyntaxError):
        return None


def requests_of_run(path, arguments=()):
    """Runs a program by itself and gives the requests of what it compiled, in order, each signature of a kernel once."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "HETJIT_KEEP": folder, "HETJIT_CACHE": "off"}
        done = subprocess.run([sys.executable, path, *arguments], env=environment, text=True, capture_output=True)
        files = sorted(pathlib.Path(folder).glob("*-request.txt"), key=lambda file: [int(part) for part in file.stem.split("-")[:3]])
        found = [_request(file.read_text(errors="surrogateescape")) for file in files]
    if not found and done.returncode:
        raise Misuse(f"{path} ends with status {done.returncode} before it launches a kernel:\n{done.stderr.rstrip()}")
    return list({(one.name, one.path, one.signature, one.target): one for one in found}.values())


def _request(text):
    head, _, snapshot = text.partition("snapshot ")
    said = dict(line.removeprefix("# ").split(": ", 1) for line in head.splitlines() if ": " in line)
    flags = {name: said.get(name) == "yes" for name in ("contract", "fastmath", "portable_math") if name in said}
    flags["debug"], flags["check"] = "debug" in said, said.get("check", "")
    if "limits" in said:
        flags["limits"] = tuple(map(int, said["limits"].split(",")))
    return Request("snapshot " + snapshot, said["signature"], said["target"], said.get("kernel") == "yes", **flags)


def request_at(place, signature=None, target=None, contract=None):
    """What to compile at FILE:FUNCTION: for the signature that is given, else for what its hints say, else for what it is first
    launched with when the program runs."""
    function = load(place)
    hints = None if signature else types_of_hints(function)
    if signature or hints is not None:
        signature = emission.signature_text(signature or (), hints or ())
        return request_of(function, signature, target or "cpu:native", contract, hints or ())
    path, name = split(place)
    name = name.split(".")[-1]
    for one in requests_of_run(path):
        if one.name == name:
            one.target = target or one.target
            if contract is not None:
                one.options["contract"] = contract
            return one
    raise Misuse(f"{path} runs and launches no {name}(): say what its arguments are, --for \"(float32[:], int)\"")
