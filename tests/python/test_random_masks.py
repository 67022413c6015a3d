"""Random expressions of warp masks: a device function of masks gives in a kernel, which has them from ballots, what Python makes of the same
device.WarpMasks. Whether they are equal, or 0, is not asked: on the host `~mask` is negative, as an int of Python's is."""

import random
import warnings

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import device

PROGRAMS = 40
LANES = 32
RESULTS = 6


class Maker:
    """Draws functions of the masks `a`, `b` and `c`, of the lane `t` and of `n`, that is one number for all lanes."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.names = ["a", "b", "c"]
        self.lines = []

    def pick(self, *options):
        return self.chance.choice(options)()

    def lane(self):
        return self.chance.choice(["t", "0", "31", "n", "(t + n) % 32", "31 - t"])

    def condition(self):
        return self.pick(lambda: f"t < {self.chance.randint(0, 32)}", lambda: "n > 1", lambda: f"{self.mask(1)}[{self.lane()}]", lambda: f"not {self.mask(1)}[{self.lane()}]", lambda: f"{self.number(1)} > {self.chance.randint(0, 32)}")

    def number(self, depth=2):
        return self.pick(lambda: f"{self.mask(depth)}.bit_count()", lambda: f"{self.mask(depth)}.bit_length()", lambda: f"(1 if {self.mask(depth)}[{self.lane()}] else 0)")

    def mask(self, depth=3):
        """Its text, in brackets where it needs them."""
        if depth == 0:
            return self.chance.choice([*self.names, "device.WarpMask(0x55555555)", "device.WarpMask(1 << 31)", "device.WarpMask(0)"])
        one = lambda: self.mask(depth - 1)
        combined = lambda: f"({one()} {self.chance.choice('&|^')} {one()})"
        return self.pick(combined, combined, combined, lambda: f"(~{one()})", lambda: self.mask(0), lambda: f"({one()} {self.chance.choice('&|^')} {self.chance.choice(['1', '0xFF00', '-2', '0'])})",
                         lambda: f"({one()} if {self.condition()} else {one()})", lambda: f"({one()}, {one()})[{self.chance.randint(0, 1)}]", lambda: f"chosen({one()}, {one()}, n)")

    def statement(self):
        name = self.chance.choice(self.names)
        sign = self.chance.choice("&|^")
        new = f"m{len(self.names)}"
        bound = self.pick(lambda: f"{new} = {self.mask()}", lambda: f"{new}, k = {self.mask(2)}, {self.number(1)}", lambda: f"{name} {sign}= {self.mask()}",
                          lambda: f"for k in range({self.chance.choice(['3', 'n'])}): {name} {sign}= {self.mask(2)}", lambda: f"if {self.condition()}: {name} = {self.mask()}")
        self.lines.append(bound)
        if bound.startswith(new):
            self.names.append(new)

    def source(self):
        for _ in range(4):
            self.statement()
        results = "".join(f"    out[t, {i}] = {self.number(3)}\n" for i in range(RESULTS))
        return "def f(a, b, c, t, n, out):\n    " + "\n    ".join(self.lines) + "\n" + results


@device.func
def chosen(one, other, n):
    return one if n > 1 else other


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_masks_are_what_python_makes_of_them(seed):
    source = Maker(seed).source()
    given = {"device": device, "chosen": chosen}
    exec(compile(source, f"<masks {seed}>", "exec"), given)
    f = given["f"]

    def kernel(x, n, out):
        t = device.thread_idx.x
        a = device.ballot_sync(device.FULL_MASK, x[t] % 2 == 0)
        b = device.ballot_sync(device.FULL_MASK, x[t] > 3)
        c = device.ballot_sync(device.FULL_MASK, x[t] == 1)
        f(a, b, c, t, n, out)

    def ballot(votes):
        return device.WarpMask(sum(1 << lane for lane, vote in enumerate(votes) if vote))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for n in (0, 1, 3):
            x = np.random.default_rng([seed, n]).integers(0, 8, LANES, np.int32)
            found, wanted = np.zeros((LANES, RESULTS), np.int32), np.zeros((LANES, RESULTS), np.int32)
            for t in range(LANES):
                f(ballot(x % 2 == 0), ballot(x > 3), ballot(x == 1), t, n, wanted)
            try:
                device.kernel(kernel)[1, LANES](x, n, found)
            except device.CompileError as error:
                pytest.fail(f"{error}\n\n{source}", pytrace=False)
            assert found.tolist() == wanted.tolist(), source
