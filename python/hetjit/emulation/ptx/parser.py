"""Tokens to a module: directives of the file, variables with their initial values, signatures. Bodies: bodies.py."""

import struct

from ..faults import UnknownCode
from .bodies import BodyParser
from .formats import DTYPES, size
from .syntax import Function, Immediate, Instruction, Module, Symbol, Variable
from .tokens import tokenize

LINKAGE = {".extern", ".visible", ".weak", ".common"}
SPACES = {".global", ".const", ".shared", ".local", ".param", ".reg"}
NUMBERS = {".maxntid", ".reqntid", ".minnctapersm", ".maxnreg", ".maxnctapersm", ".reqnctapercluster",
           ".maxclusterrank", ".abi_preserve", ".abi_preserve_control"}
FLAGS = {".noreturn", ".explicitcluster", ".blocksareclusters"}


def immediate(token, negative=False):
    """A literal: integers keep their value, floats the bits of a float64, or of a float32 if written as 0f…."""
    text = token.text
    if token.kind == "number":
        value = int(text.rstrip("U"), 0) if not (text[0] == "0" and text[1:].isdigit()) else int(text.rstrip("U"), 8)
        return Immediate("int", -value if negative else value)
    if text[:2] in ("0f", "0F"):
        return Immediate("f32", int(text[2:], 16) ^ (negative << 31))
    bits = int(text[2:], 16) if text[:2] in ("0d", "0D") else struct.unpack("<Q", struct.pack("<d", float(text)))[0]
    return Immediate("f64", bits ^ (negative << 63))


class Cursor:
    """Reads tokens one after another; what several parsers need."""

    def __init__(self, tokens):
        self.tokens, self.at = tokens, 0

    @property
    def next(self):
        return self.tokens[self.at]

    def take(self, text=None):
        token = self.tokens[self.at]
        if text is not None and token.text != text:
            raise UnknownCode(f"line {token.line}: '{text}' expected, not '{token.text}'")
        self.at += 1
        return token

    def skip(self, text):
        if self.next.text == text and self.next.kind != "string":
            self.at += 1
            return True
        return False

    def number(self):
        negative = self.skip("-")
        return immediate(self.take(), negative).value

    def refuse(self, what):
        raise UnknownCode(f"line {self.next.line}: {what}: '{self.next.text}'")

    def skip_braces(self):
        self.take("{")
        depth = 1
        while depth:
            text = self.take().text
            depth += (text == "{") - (text == "}")


def parse_variables(cursor, space, linkage="", closing=(";",)):
    """After the space: `.align 8 .b8 name[4] = {…}, …` up to ';' (or, among parameters, ',' or ')')."""
    align, vector, kind = None, 1, None
    while cursor.next.kind == "directive":
        text = cursor.take().text
        if text == ".align":
            align = cursor.number()
        elif text == ".ptr":
            while cursor.next.kind == "directive":  # what the pointer points to, and how it is aligned
                if cursor.take().text == ".align":
                    cursor.number()
        elif text in (".v2", ".v4", ".v8"):
            vector = int(text[2:])
        elif text[1:] in DTYPES:
            kind = text[1:]
        elif text not in (".unified", ".managed", ".attribute"):
            raise UnknownCode(f"line {cursor.next.line}: variable with '{text}'")
    while True:
        name = cursor.take().text
        count, shape = vector, []
        while cursor.skip("["):
            shape.append(0 if cursor.next.text == "]" else cursor.number())
            cursor.take("]")
            count *= shape[-1]
        initial = initializer(cursor) if cursor.skip("=") else None
        if shape[:1] == [0] and initial:
            count = len(initial)
        yield Variable(name, space, kind, align or size(kind) * vector, count * size(kind), initial, linkage)
        if "," in closing or not cursor.skip(","):
            return


def initializer(cursor):
    if cursor.skip("{"):
        items = []
        while not cursor.skip("}"):
            items += initializer(cursor)
            cursor.skip(",")
        return items
    if cursor.next.kind in ("number", "float") or cursor.next.text == "-":
        negative = cursor.skip("-")
        return [immediate(cursor.take(), negative)]
    name = cursor.take().text
    if name == "generic":
        cursor.take("(")
        inner = initializer(cursor)[0]
        cursor.take(")")
        name, offset = inner.name, inner.offset
    else:
        offset = 0
    while cursor.next.text in "+-":
        sign = 1 if cursor.take().text == "+" else -1
        offset += sign * cursor.number()
    if cursor.next.text == "(":
        cursor.refuse("initial value")
    return [Symbol(name, offset)]


class Parser(Cursor):
    def __init__(self, text):
        super().__init__(tokenize(text))
        self.module = Module()

    def parse(self):
        while self.next.kind != "end":
            self.top_level()
        for function in self.module.functions.values():  # the names of files stand at the end
            for item in function.body or ():
                if isinstance(item, Instruction) and item.source:
                    item.source = (self.module.files.get(item.source[0], "?"), item.source[1])
        return self.module

    def top_level(self):
        linkage = ""
        while self.next.text in LINKAGE:
            linkage = self.take().text[1:]
        token = self.take()
        text = token.text
        if text in (".func", ".entry"):
            self.function(text == ".entry", linkage)
        elif text in SPACES:
            for variable in parse_variables(self, text[1:], linkage):
                self.module.variables[variable.name] = variable
            self.take(";")
        elif text == ".section":
            self.take()
            self.skip_braces()
        elif text in (".version", ".target", ".address_size"):
            words = [self.take().text]
            while self.skip(","):
                words.append(self.take().text)
            setattr(self.module, text[1:], words[0]) if text != ".address_size" else None
        elif text == ".file":
            self.file()
        elif text == ".alias":
            name, _, target = self.take().text, self.take(","), self.take().text
            self.module.aliases[name] = target
            self.take(";")
        elif text == ".pragma":
            while not self.skip(";"):
                self.take()
        elif text != ";":
            raise UnknownCode(f"line {token.line}: directive '{text}'")

    def file(self):
        index, name = self.number(), self.take().text.strip('"')
        while self.skip(","):
            self.number()
        self.module.files[index] = name

    def function(self, entry, linkage):
        returns = self.parameter_list() if self.next.text == "(" else []
        name = self.take().text
        parameters = self.parameter_list() if self.next.text == "(" else []
        function = Function(name, entry, linkage, parameters, returns, module=self.module)
        while self.next.kind == "directive":
            self.directive(function)
        if self.next.text == "{":
            BodyParser(self, function).parse()
        else:
            self.skip(";")
        known = self.module.functions.get(name)
        if known is None or known.body is None:
            self.module.functions[name] = function

    def directive(self, function):
        text = self.take().text
        if text in NUMBERS:
            values = [self.number()]
            while self.skip(","):
                values.append(self.number())
            function.directives[text[1:]] = values
        elif text == ".pragma":
            while not self.skip(";"):
                self.take()
        elif text not in FLAGS:
            raise UnknownCode(f"line {self.next.line}: function directive '{text}'")

    def parameter_list(self):
        found = []
        self.take("(")
        while not self.skip(")"):
            space = self.take().text
            found += parse_variables(self, space[1:], closing=(",", ")"))
            self.skip(",")
        return found


def parse(text):
    """A module of one PTX text (str, or bytes as an image has it)."""
    return Parser(text.decode() if isinstance(text, bytes) else text).parse()
