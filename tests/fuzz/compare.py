"""Runs one random program four ways and compares every bit: as Python on the meaning of the language (meaning.py), in the interpreter
of the typed graph, on the host target, and compiled with fused multiply-adds, interpreter against host."""

import ast
import collections
import contextlib
import linecache
import os
import random
import warnings

import numpy as np

from hetjit import _core, device

import meaning
import programs

FORMS = {kind: meaning.form_of(kind) for kind in meaning.FIXED}
FORMS.update(bool=np.dtype(np.bool_), int=np.dtype(np.int32), float=np.dtype(np.float32))
EDGES = {"float": (0.0, -0.0, 1.0, -1.0, 0.5, 3.0, 1e5, -2.5, float("inf"), float("-inf"), float("nan"))}
FILE = "fuzz.py"

RAISED = (AssertionError, ValueError, IndexError, ZeroDivisionError)  # by programs
Run = collections.namedtuple("Run", "arguments raised")  # what a run leaves, and the types of what its threads raised
Outcome = collections.namedtuple("Outcome", "verdict text")  # verdict: same, refused, different


def element(kind, random):
    """A value of a type: small ones, edges, and any bits."""
    if meaning.is_float(kind):
        return random.choice(EDGES["float"]) if random.randrange(3) else random.uniform(-100, 100)
    low, high = meaning.limits(kind)
    which = random.randrange(4)
    if which == 0:
        return random.choice((low, high, high - 1))
    return random.randint(low, high) if which == 1 else max(low, random.randint(-9, 9))


def array(kind, values):
    with np.errstate(all="ignore"):
        return np.array(values).astype(FORMS[kind])


def arguments_of(program, seed):
    """Arrays and numbers in the order of the parameters, the same for the same seed."""
    draw = random.Random(seed)
    inputs = [array(kind, [element(kind, draw) for _ in range(programs.LENGTH)]) for kind in program.inputs]
    rows = [[element(program.scratch, draw) for _ in range(programs.LENGTH)] for _ in range(programs.THREADS)]
    outputs = [np.zeros(programs.THREADS, FORMS[kind]) for kind in program.outputs]
    return [*inputs, array(program.scratch, rows), element("int", draw), draw.choice(EDGES["float"]), *outputs]


def copied(arguments):
    return [argument.copy() if isinstance(argument, np.ndarray) else argument for argument in arguments]


def load(source):
    """The function `program` of a source, with its lines where messages look for them."""
    linecache.cache[FILE] = (len(source), None, source.splitlines(True), FILE)
    scope = {"device": device, "np": np, "NEVER": False}
    exec(compile(source, FILE, "exec"), scope)
    return scope["program"]


class Negations(ast.NodeTransformer):
    """`not x` gives Python's own bool, which no class can change: a call gives one of the language's."""

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        if not isinstance(node.op, ast.Not):
            return node
        call = ast.Call(ast.Name("negated", ast.Load()), [node.operand], [])
        return ast.fix_missing_locations(ast.copy_location(call, node))


def by_meaning(program, arguments):
    code = compile(Negations().visit(ast.parse(program.meaning)), FILE, "exec")
    kinds = [*program.inputs, program.scratch, "int", "float", *program.outputs]
    raised = set()
    for place in range(programs.THREADS):
        scope = meaning.scope(place)
        exec(code, scope)
        given = [meaning.Memory(argument, kind) if isinstance(argument, np.ndarray)
                 else meaning.Number(kind, float(np.float32(argument)) if kind == "float" else argument)
                 for argument, kind in zip(arguments, kinds)]
        try:
            scope["program"](*given)
        except RAISED as error:
            raised.add(type(error))
    return Run(arguments, raised)


def by_interpreter(function, arguments, contract=False, check=""):
    snapshot = _core.capture(function)
    with checks(check):
        return attempted(lambda: _core.interpret(snapshot, tuple(arguments), 1, programs.THREADS, contract=contract), arguments)


def by_host(function, arguments, contract=False, check=""):
    kernel = device.kernel(contract=contract, check=check)(function)[1, programs.THREADS]
    return attempted(lambda: kernel(*arguments), arguments)


def by_device(function, arguments, where, contract=False, check=""):
    """On a device that is not the host: a GPU, or a machine in its place."""
    kernel = device.kernel(contract=contract, check=check)(function)[1, programs.THREADS]
    there = [device.array(argument, where) if isinstance(argument, np.ndarray) else argument for argument in arguments]

    def work():
        kernel(*there)
        device.synchronize(where)
    run = attempted(work, arguments)
    for argument, held in zip(arguments, there):
        if isinstance(argument, np.ndarray):
            argument[...] = device.to_numpy(held)
    return run


@contextlib.contextmanager
def checks(wanted):
    """What the environment asks for, as the interpreter is told."""
    before = os.environ.get("HETJIT_CHECK", "")
    os.environ["HETJIT_CHECK"] = wanted or before
    try:
        yield
    finally:
        os.environ["HETJIT_CHECK"] = before


def attempted(work, arguments):
    """One error at most: that of the thread which was first."""
    try:
        work()
    except RAISED as error:
        return Run(arguments, {type(error)})
    return Run(arguments, set())


def differences(got, want):
    """What differs, as text. Every NaN is the same; of several errors, any one. A failed check leaves no results."""
    found = []
    if bool(got.raised) != bool(want.raised) or not got.raised <= want.raised:
        found.append(f"raised {sorted(error.__name__ for error in got.raised)}, not {sorted(error.__name__ for error in want.raised)}")
    for k, (a, b) in enumerate(zip(got.arguments, want.arguments)):
        if not isinstance(a, np.ndarray) or device.BoundsError in want.raised:
            continue
        bits = np.dtype(f"u{a.dtype.itemsize}")
        same = (a.view(bits) == b.view(bits)) | ((a != a) & (b != b))
        found += [f"argument {k}{list(map(int, place))}: {a[tuple(place)]} is not {b[tuple(place)]}" for place in np.argwhere(~same)]
    return found


def compare(program, seed, contract=False, where=""):
    """An Outcome; `where` is a device to ask too. Raises what no program may raise."""
    function, arguments = load(program.source), arguments_of(program, seed)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            want = by_meaning(program, copied(arguments))
        except meaning.Refused as refused:
            return Outcome("different", f"the generator made a program that is refused: {refused}")
    try:
        check = "bounds" if program.checked or seed % 16 == 1 else ""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", device.CompileWarning)  # of numbers that wrap round
            runs = {"interpreter": by_interpreter(function, copied(arguments), check=check),
                    "host": by_host(function, copied(arguments), check=check)}
            if where:
                runs[where] = by_device(function, copied(arguments), where, check=check)
    except device.CompileError as error:
        return Outcome("refused", str(error))
    for name, got in runs.items():
        found = differences(got, want)
        if found:
            return Outcome("different", f"{name} against the meaning:\n" + "\n".join(found[:8]))
    if contract and not program.checked:
        found = differences(by_host(function, copied(arguments), True), by_interpreter(function, copied(arguments), True))
        if found:
            return Outcome("different", "fused, host against interpreter:\n" + "\n".join(found[:8]))
    return Outcome("same", "")


def signature(program):
    """For `# FOR:` of a golden file."""
    arrays = [f"{kind}[::1]" for kind in program.inputs] + [f"{program.scratch}[:, ::1]"]
    outputs = [("bool_" if kind == "bool" else FORMS[kind].name) + "[::1]" for kind in program.outputs]
    return f"({', '.join([*arrays, 'int', 'float', *outputs])})"


def report(program, seed, outcome):
    """A file that tests/golden/<phase> can take, with what differed and what it was given."""
    lines = [f"# SHOW: optimized\n# FOR: {signature(program)}\n# KERNEL: yes\n# FUNCTION: program\nimport numpy as np\n\n"
             f"from hetjit import device\n\n\n{program.source}"]
    lines += [f"# {line}" for line in outcome.text.splitlines()]
    lines.append(f"# arguments of seed {seed}:")
    for argument in arguments_of(program, seed):
        lines.append(f"#   {argument.tolist() if isinstance(argument, np.ndarray) else argument!r}")
    return "\n".join(lines) + "\n"
