"""What CPython compiles otherwise because there is much of it: many keywords, pieces of f-strings, items, names, constants,
instructions; and long chains of calls. Each is compared with CPython's own result."""

import random
import sys
import threading

import pytest

from hetjit import device

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

SIZES = (15, 16, 18, 31, 40)


def defined(text, **names):
    scope = {"device": device, **names}
    exec(compile(text, "<size>", "exec"), scope)
    return scope


def check(text, *args, count=8, **names):
    """Runs `k(o, …)` of a text compiled, and as Python."""
    scope = defined(text, **names)
    found, wanted = np.zeros(count, np.int32), [0] * count
    device.kernel(scope["k"])[1, 1](found, *args)
    scope["k"](wanted, *args)
    assert found.tolist() == wanted, text[:500]


def names(count):
    return [f"n{i}" for i in range(count)]


def weighted(count):
    """A function of keyword-only parameters that no two can be swapped in."""
    lines = [f"def f({{}}{', '.join(names(count))}):", "    t = 0"]
    return "\n".join(lines + [f"    t += {i + 1} * {name}" for i, name in enumerate(names(count))]) + "\n    return t\n"


@pytest.mark.parametrize("count", SIZES)
def test_keyword_arguments(count):
    order = names(count)
    random.Random(count).shuffle(order)
    given = [f"{name}=x + {i}" for i, name in enumerate(order)]
    where = [f"{name}=(x if x > {i} else {i})" for i, name in enumerate(order)]
    half = count // 2
    positional = ", ".join(f"x * {i}" for i in range(half))
    rest = ", ".join(f"{name}=x - {i}" for i, name in enumerate(names(count)[half:]))
    check(weighted(count).format("") + f"def g(a, *args, **k):\n    return 0\ndef k(o, x):\n    t = (x, x + 1)\n"
          f"    o[0] = f({', '.join(given)})\n    o[1] = f({', '.join(where)})\n    o[2] = f({positional}, {rest})\n"
          f"    o[3] = f(*({positional},), {rest})\n    o[4] = f(*t, {', '.join(f'{n}=x' for n in names(count)[2:])})\n"
          f"    o[5] = f({', '.join(f'n{i}=f(' + ', '.join(f'n{j}=x' for j in range(count)) + ')' if i == 1 else f'n{i}=0' for i in range(count))})\n", 7)


@pytest.mark.parametrize("count", SIZES)
def test_keyword_only_parameters_and_merged_dicts(count):
    half = count // 2
    one = ", ".join(f"{name}=x" for name in names(count)[:half])
    other = ", ".join(f"'{name}': x + 1" for name in names(count)[half:])
    check(weighted(count).format("*, ") + f"def k(o, x):\n    o[0] = f({one}, **{{{other}}})\n    o[1] = f(**{{{other}}}, {one})\n"
          f"    o[2] = f({one}, **{{**{{{other}}}, 'n{count - 1}': x + 9}})\n    o[3] = f({one}, **{{{other}, 'n{half}': x + 7}})\n", 5)


@pytest.mark.parametrize("count", SIZES)
def test_structs_made_and_replaced_by_name(count):
    fields = "".join(f"    {name}: int\n" for name in names(count))
    total = " + ".join(f"{i + 1} * s.{name}" for i, name in enumerate(names(count)))
    given = ", ".join(f"{name}=x + {i}" for i, name in enumerate(reversed(names(count))))
    replaced = ", ".join(f"{name}=x if x else 0" for name in names(count)[1:])
    check(f"@device.struct\nclass S:\n{fields}    def make(self, {', '.join(names(count))}):\n        return S({', '.join(names(count))})\n"
          f"def total(s):\n    return {total}\ndef k(o, x):\n    s = S({given})\n    o[0] = total(s)\n    o[1] = total(s.replace({replaced}))\n"
          f"    o[2] = total(s.make({given}))\n", 3)


def test_mistakes_in_many_keywords():
    given = ", ".join(f"{name}=1" for name in names(20))
    out = np.zeros(1, np.int32)
    for call, message in ((f"f({given}, more=1)", "'more'"), (f"f({given[:-6]})", "'n19'"), (f"f(1, {given})", "'n0'")):
        scope = defined(weighted(20).format("") + f"def k(o):\n    o[0] = {call}\n")
        with pytest.raises(device.CompileError, match=message):
            device.kernel(scope["k"])[1, 1](out)
    for call, message in (("f(**d)", r"'\*\*' argument|d"), ("len({str(1): 2})", "dict"), ("len({i: i for i in range(3)})", "dict")):
        scope = defined(f"def f(**k):\n    return 0\ndef k(o, d):\n    o[0] = {call}\n")
        with pytest.raises(device.CompileError, match=message):
            device.kernel(scope["k"])[1, 1](out, 1)


@pytest.mark.parametrize("count", (30, 31, 32, 70))
def test_pieces_of_a_string(count, capsys):
    pieces = "".join(f"{{x + {i}}} " for i in range(count // 2))
    branch = "".join(f"{{x if x > {i} else 0:>3}}|" for i in range(count // 2))
    text = f"def k(o, x):\n    print(f'{pieces}')\n    print(f'{branch}', 'ab'.join(('c', str(x), f'{{x}}')), ''.join(()))\n    o[0] = x\n"
    check(text, 5)
    lines = capsys.readouterr().out.split("\n")
    assert lines[:2] == lines[2:4] and len(lines) == 5


def test_join():
    check("NAMES = ('a', 'b', 'c')\ndef k(o, x):\n    o[0] = len(', '.join(NAMES))\n    o[1] = len(NAMES[0].join(n for n in NAMES))\n"
          "    o[2] = '-'.join(['a', 'b']) == 'a-b'\n    o[3] = 'b-' in '-'.join('abc' for i in range(2)) + '-'.join(('b', 'c'))\n", 1)
    for call, message in (("','.join((1, 2))", "an item of 'join' must be str|str"), ("','.join()", "1 argument"), ("','.joint(('a',))", "joint")):
        with pytest.raises(device.CompileError, match=message):
            device.kernel(defined(f"def k(o):\n    o[0] = len({call})\n")["k"])[1, 1](np.zeros(1))


@pytest.mark.parametrize("count", (15, 31, 300))
def test_displays(count):
    constants = ", ".join(map(str, range(count)))
    values = ", ".join(f"x + {i}" for i in range(count))
    check(f"def f(*args):\n    t = 0\n    for i, a in enumerate(args):\n        t += (i + 1) * a\n    return t\n"
          f"def k(o, x):\n    o[0] = sum(({constants},))\n    o[1] = sum([{values}])\n    o[2] = f({values})\n    o[3] = f(*[{constants}], *({values},))\n"
          f"    o[4] = x in ({constants},)\n    a, *b = {values}\n    o[6] = f(*b) + a\n", 7)


@pytest.mark.parametrize("count", (256, 300))
def test_many_names(count):
    """Locals, constants, globals and attributes whose numbers need a prefix."""
    assigned = "".join(f"    v{i} = x + {1000 + i}\n" for i in range(count))
    used = " + ".join(f"v{i} * C{i}" for i in range(count - 3, count))
    fields = "".join(f"    f{i}: int\n" for i in range(min(count, 300)))
    space = {f"C{i}": i for i in range(count)}
    every = "".join(f"    t += C{i}\n" for i in range(count))
    check(f"@device.struct\nclass S:\n{fields}def k(o, x):\n    t = 0\n{every}{assigned}    o[0] = {used}\n    o[1] = t\n"
          f"    s = S({', '.join(f'v{i}' for i in range(min(count, 300)))})\n    o[2] = s.f{min(count, 300) - 1} - s.f0\n", 3, **space)


@pytest.mark.parametrize("count, dead", ((60, 0), (3, 8000)))
def test_long_jumps(count, dead):
    """Branches and loops over more than 256 instructions, and over more than 65,536 code units, which NEVER leaves out."""
    body = "".join(f"            t = (t * 3 + {i % 7} * x) % 1009\n" for i in range(count))
    skipped = "".join(f"            t = t * {i % 7} + x\n" for i in range(dead)) or "            t = x\n"
    check(f"def k(o, x):\n    t = 0\n    for i in range(3):\n        if x > i:\n{body}        elif NEVER:\n{skipped}        else:\n"
          "            t -= 1\n        if t == 1234:\n            continue\n    while t < 0:\n        t += 7\n    o[0] = t\n"
          "    o[1] = x and t or 5\n", 2, NEVER=False)


@pytest.mark.parametrize("count", (20, 40))
def test_match_with_many_cases(count):
    cases = "".join(f"        case {i} | {-i - 1}:\n            return {i * i % 97}\n" for i in range(count))
    check(f"def f(x):\n    match x:\n{cases}        case _:\n            return -1\n"
          f"def k(o, x):\n    o[0] = f(x)\n    o[1] = f(-x)\n    o[2] = f({count + 5})\n    o[3] = f({count - 1})\n", 12)


@pytest.mark.parametrize("count", (40, 150))
def test_long_comparisons_and_conditions(count):
    chain = " < ".join(f"x + {i}" for i in range(count))
    conditions = " and ".join(f"x > {-i}" for i in range(count))
    either = " or ".join(f"x == {i}" for i in range(count))
    check(f"def k(o, x):\n    o[0] = {chain}\n    o[1] = {conditions}\n    o[2] = {either}\n    o[3] = not ({either})\n"
          f"    o[4] = {' + '.join(['x'] * count)}\n", 5)


def chain_of(count):
    links = "".join(f"def f{i}(x):\n    return f{i + 1}(x) + {i % 3}\n" for i in range(count))
    return links + f"def f{count}(x):\n    return x\ndef k(o, x):\n    o[0] = f0(x)\n"


@pytest.mark.parametrize("count", (64, 65, 300))
def test_chains_of_functions(count):
    check(chain_of(count), 5)


def test_a_chain_in_a_thread_with_a_mistake_at_its_end():
    """Messages come from as deep; a thread's stack is smaller than the main one's may be."""
    failures = []

    def work():
        scope = defined(chain_of(200).replace("def f200(x):\n    return x\n", "def f200(x):\n    return x.nothing\n"))
        try:
            device.kernel(scope["k"])[1, 1](np.zeros(1, np.int32), 1)
        except device.CompileError as error:
            failures.append(str(error))
    before = threading.stack_size(512 * 1024)
    try:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert len(failures) == 1 and "'nothing'" in failures[0] and "called here" in failures[0]


def test_recursion_over_types_ends():
    check("def depth(t):\n    return len(t) + depth(t[1:]) if len(t) > 0 else 0\n"
          f"def k(o, x):\n    o[0] = depth(({', '.join(['x'] * 40)}))\n", 1)
    scope = defined("def f(t):\n    return f((t, t[0])) if t else 0\ndef k(o, x):\n    o[0] = f((x,))\n")
    with pytest.raises(device.CompileError):
        device.kernel(scope["k"])[1, 1](np.zeros(1), 1)


def test_versions_agree_on_the_guideline():
    """The tests above are about this Python: sixteen keywords are compiled otherwise than fifteen."""
    import dis
    ops = [{i.opname for i in dis.get_instructions(compile(f"f({', '.join(f'{n}=x' for n in names(count))})", "", "eval"))}
           for count in (15, 16)]
    assert ops[0] != ops[1] or sys.version_info >= (3, 16), ops
