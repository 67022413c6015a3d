"""Views of arrays in random programs: slices, turned and reshaped ones, of a thread's row and of the inputs; read, gone through and, the
row's, written to. What they mean is meaning.Memory."""

import meaning
from statements import AUGMENTED

LENGTH = 4
ONE_AXIS = {  # of n elements: {slice: how many it has}
    4: {"[::-1]": 4, "[1:]": 3, "[:-1]": 3, "[::2]": 2, "[-3:]": 3, "[::-3]": 2, "[1:-1]": 2, "[3:1:-1]": 2, "[:10]": 4, "[...]": 4},
    3: {"[::-1]": 3, "[1:]": 2, "[::2]": 2, "[-2:]": 2, "[:-2]": 1}, 2: {"[::-1]": 2, "[-1:]": 1}, 1: {"[::-1]": 1, "[-5:]": 1}}
TWO_AXES = {"[::-1]": (2, 2), "[:, 1]": (2,), "[1]": (2,), "[-1]": (2,), ".T": (2, 2), "[..., 0]": (2,), "[:, ::-1]": (2, 2), "[0, ::-1]": (2,),
            "[1:]": (1, 2), "[:, None, 0]": (2, 1), "[None, 1]": (1, 2), "[::-1, -1]": (2,)}
SAME_SIZE = {kind: [other for other in meaning.FIXED if meaning.bits_of(other) == meaning.bits_of(kind)] for kind in meaning.FIXED}
# What a NaN that a program computes looks like is nobody's business: no floats are stored to be seen as other numbers.
STORED_AS = {kind: [kind] if meaning.is_float(kind) else [other for other in SAME_SIZE[kind] if not meaning.is_float(other)] for kind in SAME_SIZE}


class ViewStatements:
    def view(self, depth):
        if not self.in_kernel:
            return self.assign(depth)
        sources = [("w[i]", self.scratch)] * 2 + [(f"x{k}", kind) for k, kind in enumerate(self.inputs)]
        text, kind = self.pick(sources)
        may_write = text == "w[i]"
        text, shape, kind = self.steps(text, kind, STORED_AS if may_write else SAME_SIZE)
        name = self.fresh("t")
        self.say(f"{name} = {text}")
        makers = [self.read_view, self.sum_view, self.measure_view]
        if may_write:
            makers += [self.write_view, self.fill_view, self.change_view, self.copy_to_view]
        for _ in range(1 + self.below(3)):
            self.pick(makers)(name, shape, kind)

    def steps(self, text, kind, formats):
        """(text, shape, type of the elements) of a view; a first extent of 0 is one that is known at run time, at least 1."""
        shape = (LENGTH,)
        if self.chance(4):
            kind = self.pick(formats[kind])
            text += f".view(device.{kind})"
        if self.chance(3):
            text += self.pick((".reshape(2, 2)", ".reshape(-1, 2)", ".reshape((2, -1))"))
            shape = (2, 2)
        for _ in range(self.below(3)):
            if shape == (LENGTH,) and self.chance(3):
                start = f"{self.leaf('int')} & 3"
                return text + self.pick((f"[{start}:]", f"[{start}::-1]", f"[-1 - ({start}):]")), (0,), kind
            options = TWO_AXES if shape == (2, 2) else ONE_AXIS.get(shape[0], {}) if len(shape) == 1 else {}
            if options:
                step = self.pick(list(options))
                text, shape = text + step, options[step] if isinstance(options[step], tuple) else (options[step],)
        return text, shape, kind

    def place(self, shape):
        return ", ".join(self.pick(("0", "-1")) if extent < 2 else self.pick((str(extent - 1), str(-extent), f"{self.leaf('int')} & 1"))
                         for extent in shape)

    def read_view(self, name, shape, kind):
        read = self.fresh()
        self.say(f"{read} = {name}[{self.place(shape)}]")
        self.names[read] = kind

    def sum_view(self, name, shape, kind):
        read, element = self.fresh(), self.fresh("e")
        self.say(f"{read} = 0", f"{read} = device.{kind}(0)")
        self.say(f"for {element} in {name}:")
        self.say(f"    {read} += {element}" + "[0]" * (len(shape) - 1))
        self.names[read] = kind

    def measure_view(self, name, shape, kind):
        # The number of axes alone is a constant, and what is chosen by it is one: meaning.py does not know of constants in names.
        read, axes = self.fresh(), f"{name}.ndim + 0 * len({name})"
        self.say(f"{read} = int({self.pick((f'len({name})', f'{name}.shape[-1]', f'{name}.size', axes))})")
        self.names[read] = "int"

    def write_view(self, name, shape, kind):
        self.say(f"{name}[{self.place(shape)}] = {self.expression(kind, 2)}")

    def fill_view(self, name, shape, kind):
        self.say(f"{name}[{self.pick((':', '...', '::-1'))}] = {self.expression(kind, 2)}")

    def change_view(self, name, shape, kind):
        symbol, other = self.pick(AUGMENTED[kind])
        value = self.literal(other, symbol) if other in ("int", "float") and self.chance(2) else self.expression(other, 1)
        self.say(f"{name} {symbol}= {value}" if self.chance(2) else f"{name}[...] {symbol}= {value}")

    def copy_to_view(self, name, shape, kind):
        """From another array, or from the same memory, element after element."""
        sources = ["w[i]"] * (self.scratch == kind) + [f"x{k}" for k, has in enumerate(self.inputs) if has == kind]
        fitting = [step for step, count in ONE_AXIS[LENGTH].items() if shape and count in (1, shape[-1])]
        if sources and shape and self.chance(2):  # found where bounds are checked
            self.checked = True
            fitting = list(ONE_AXIS[LENGTH])
        if not sources or not fitting:
            return self.fill_view(name, shape, kind)
        self.say(f"{name}[{self.pick((':', '::-1'))}] = {self.pick(sources)}{self.pick(fitting)}")
