"""The body of a function: declarations in nested scopes, labels, instructions with their operands."""

from ..faults import UnknownCode
from .formats import DTYPES
from .syntax import SINK, Address, Instruction, Label, Negated, Pair, Register, Special, Symbol, Vector

SPECIAL = {"%laneid", "%warpid", "%nwarpid", "%smid", "%nsmid", "%gridid", "%clock", "%clock64", "%clock_hi",
           "%globaltimer", "%globaltimer_lo", "%globaltimer_hi", "%dynamic_smem_size", "%total_smem_size",
           "%aggr_smem_size", "%lanemask_eq", "%lanemask_lt", "%lanemask_le", "%lanemask_gt", "%lanemask_ge",
           "%is_explicit_cluster"}
AXES = {"%tid", "%ntid", "%ctaid", "%nctaid", "%clusterid", "%nclusterid", "%cluster_ctaid", "%cluster_nctaid"}


class BodyParser:
    """Reads from the parser's cursor; registers of all scopes get slots of one numbering."""

    def __init__(self, cursor, function):
        self.cursor, self.function = cursor, function
        self.scopes = []
        self.source = None

    def parse(self):
        self.function.body = []
        self.scope()

    def scope(self):
        cursor = self.cursor
        cursor.take("{")
        self.scopes.append(({}, {}))  # names of registers and variables; numbered families of registers
        while not cursor.skip("}"):
            self.statement()
        self.scopes.pop()

    def statement(self):
        cursor = self.cursor
        token = cursor.next
        if token.text == "{":
            self.scope()
        elif token.kind == "directive":
            self.directive(cursor.take().text)
        elif token.kind == "word" and cursor.tokens[cursor.at + 1].kind == ":":
            cursor.take()
            cursor.take(":")
            self.label(token.text)
        elif not cursor.skip(";"):
            self.instruction()

    def label(self, name):
        """A place, or the name of a list of targets or of a prototype."""
        cursor = self.cursor
        if cursor.next.text in (".branchtargets", ".calltargets"):
            cursor.take()
            names = [cursor.take().text]
            while cursor.skip(","):
                names.append(cursor.take().text)
            cursor.take(";")
            self.function.targets[name] = names
        elif cursor.next.text == ".callprototype":
            while not cursor.skip(";"):
                cursor.take()
            self.function.targets[name] = None
        else:
            self.function.body.append(Label(name))

    def directive(self, text):
        from .parser import parse_variables
        cursor = self.cursor
        if text == ".reg":
            self.registers()
        elif text in (".local", ".shared", ".param", ".global", ".const"):
            for variable in parse_variables(cursor, text[1:]):
                unique = variable.name if variable.name not in self.taken() else f"{variable.name}#{len(self.taken())}"
                self.scopes[-1][0][variable.name] = unique
                variable.name = unique
                self.function.variables.append(variable)
            cursor.take(";")
        elif text == ".loc":
            self.location()
        elif text == ".pragma":
            while not cursor.skip(";"):
                cursor.take()
        else:
            raise UnknownCode(f"line {cursor.next.line}: directive '{text}' in a function")

    def taken(self):
        return {v.name for v in self.function.variables}

    def location(self):
        cursor = self.cursor
        file, line, _ = cursor.number(), cursor.number(), cursor.number()
        self.source = (file, line)
        if cursor.skip(","):  # function_name symbol [+ offset], inlined_at file line column
            cursor.take("function_name")
            cursor.take()
            if cursor.skip("+"):
                cursor.take()
            cursor.take(",")
            cursor.take("inlined_at")
            for _ in range(3):
                cursor.number()

    def registers(self):
        cursor = self.cursor
        kind = cursor.take().text[1:]
        if kind not in DTYPES:
            raise UnknownCode(f"line {cursor.next.line}: registers of type '.{kind}'")
        while True:
            name = cursor.take().text
            if cursor.skip("<"):
                self.scopes[-1][1][name] = (kind, cursor.number())
                cursor.take(">")
            else:
                self.scopes[-1][0][name] = self.register(kind, name)
            if not cursor.skip(","):
                break
        cursor.take(";")

    def register(self, kind, name):
        found = Register(len(self.function.registers), kind, name)
        self.function.registers.append(found)
        return found

    def resolve(self, name):
        """A register, the unique name of a variable of this function, or the name itself."""
        stem = name.rstrip("0123456789")
        for names, families in reversed(self.scopes):
            if name in names:
                return names[name]
            if stem in families and name != stem and int(name[len(stem):]) < families[stem][1]:
                names[name] = self.register(families[stem][0], name)
                return names[name]
        return name

    # ---- instructions

    def instruction(self):
        cursor = self.cursor
        begin, guard = cursor.at, None
        if cursor.skip("@"):
            negated = cursor.skip("!")
            guard = self.resolve(cursor.take().text)
            guard = Negated(guard) if negated else guard
        token = cursor.take()
        if token.kind != "word":
            raise UnknownCode(f"line {token.line}: instruction '{token.text}'")
        operands = []
        while not cursor.skip(";"):
            operands.append(self.call_list() if token.text.startswith("call") and cursor.next.text == "(" else
                            self.operand())
            cursor.skip(",")
        text = spelled(cursor.tokens[begin:cursor.at])
        self.function.body.append(Instruction(token.text, operands, guard, token.line, self.source, text))

    def call_list(self):
        cursor, found = self.cursor, []
        cursor.take("(")
        while not cursor.skip(")"):
            found.append(self.operand())
            cursor.skip(",")
        return found

    def operand(self):
        cursor = self.cursor
        if cursor.skip("["):
            return self.address()
        if cursor.skip("{"):
            items = []
            while not cursor.skip("}"):
                items.append(self.operand())
                cursor.skip(",")
            return Vector(tuple(items))
        if cursor.skip("!"):
            return Negated(self.operand())
        first = self.atom()
        if cursor.skip("|"):
            return Pair(first, self.atom())
        return first

    def atom(self):
        from .parser import immediate
        cursor = self.cursor
        negative = cursor.skip("-")
        if negative or cursor.next.kind in ("number", "float"):
            return immediate(cursor.take(), negative)
        token = cursor.take()
        if token.kind != "word":
            raise UnknownCode(f"line {token.line}: operand '{token.text}'")
        if token.text == "_":
            return SINK
        if token.text in SPECIAL or token.text.split(".")[0] in AXES:
            return Special(token.text)
        found = self.resolve(token.text)
        if isinstance(found, Register):
            return found
        return Symbol(found, self.offset())

    def offset(self):
        cursor, total = self.cursor, 0
        while cursor.next.text in ("+", "-"):
            sign = 1 if cursor.take().text == "+" else -1
            total += sign * cursor.number()
        return total

    def address(self):
        cursor = self.cursor
        base = None
        if cursor.next.kind == "word":
            base = self.resolve(cursor.take().text)
            base = base if isinstance(base, Register) else Symbol(base)
            offset = self.offset()
        else:
            offset = cursor.number()
        cursor.take("]")
        return Address(base, offset)


def spelled(tokens):
    """An instruction as one line, for faults."""
    text = " ".join(t.text for t in tokens)
    for wrong, right in ((" ,", ","), (" ;", ";"), ("[ ", "["), (" ]", "]"), ("{ ", "{"), (" }", "}"), ("@ ", "@"),
                         (" + ", "+"), ("- ", "-")):
        text = text.replace(wrong, right)
    return text
