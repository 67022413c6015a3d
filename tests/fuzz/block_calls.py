"""Functions that the host calls in kernels whose threads work together (blocks.py): one that calls itself and has an array of its own each
time, and one that is too large to be made part of the kernel."""

DEEP = """def deep(n, own, v):
    mine = device.local_array(2, device.int32)
    mine[0], mine[1] = n + own[0], v
    if n > 0:
        mine[1] += deep(n - 1, mine, v + device.int32(device.thread_idx.x))
    own[1] += 1
    return mine[0] * 3 + mine[1]


"""
LONG = "import math\n\n\ndef long(v):\n" + "".join(f"    v = math.sin(v + {k}) + math.cos(v)\n" for k in range(14)) + "    return v\n\n\n"


class CallStatements:
    def choose_calls(self):
        self.calls = {"deep": self.chance(8), "long": self.chance(16)}

    def declarations_of_calls(self):
        return (DEEP if self.calls["deep"] else "") + (LONG if self.calls["long"] else "")

    def make_called(self):
        if self.calls["deep"]:
            self.say("depths = device.local_array(2, device.int32)")
            self.say("depths[0] = depths[1] = t")

    def call(self):
        name = self.pick(name for name, there in self.calls.items() if there)
        if name == "long":
            return self.say(f"total += device.int32(long(device.float32({self.expression('int32', 1)} % 100)) * 1000)")
        if self.inside:
            return self.assign()
        self.say(f"total = total * 3 + deep(({self.expression('int32', 1)}) % 4, depths, {self.expression('int32', 1)}) + depths[1]")
