"""The pseudo-code of AMD's instruction set documents, from text to trees.

A tree is a tuple that begins with what it is: ("number", value, type), ("name", name), ("as", tree, type), ("bit", tree, index),
("bits", tree, high, low), ("part", tree, low, width), ("call", name, arguments), ("to", type, tree), ("join", trees),
("unary", sign, tree), ("binary", sign, left, right), ("choice", condition, yes, no). A type is (kind, bits): kind b, u, i, f or bf.

A statement: ("declare", name, type, count), ("set", targets, sign, tree), ("if", [(condition, statements)], otherwise),
("for", name, first, last, statements), ("break",), ("return", tree), ("lambda", name, parameters, statements), ("do", tree).
"""

import re

TOKEN = re.compile(r"""
    (?P<space>\s+|//[^\n]*)
  | (?P<to>\d+'(?:BF|[UIFB])\()
  | (?P<number>(?:\d+')?(?:0x[0-9a-fA-F]+|\d+\.\d+|\d+)(?:ULL|LL|[UFL])?(?![\w']))
  | (?P<type>\d+'(?:BF|[UIFB]))
  | (?P<name>[A-Za-z_]\w*)
  | (?P<text>"[^"]*")
  | (?P<sign>\*\*|<<|>>|<=|>=|<>|==|!=|&&|\|\||\+:|[-+*/|&^]=|[-+*/%&|^~!<>=?:;,.(){}\[\]])
""", re.X)

PRECEDENCE = {s: level for level, signs in enumerate(
    (("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!=", "<>"), ("<", ">", "<=", ">="), ("<<", ">>"), ("+", "-"), ("*", "/", "%"),
     ("**",))) for s in signs}
ENDS = {"endif", "else", "elsif", "endfor", "endwhile", ")"}
I32, U32, I64, U64, F32, F64 = ("i", 32), ("u", 32), ("i", 64), ("u", 64), ("f", 32), ("f", 64)
SUFFIXES = {"U": U32, "ULL": U64, "LL": I64, "L": I64, "F": F32}


class Unreadable(Exception):
    """The text is no pseudo-code that the machine knows."""


def tokens(text):
    found, at = [], 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            raise Unreadable(text[at:at + 20])
        at = match.end()
        if match.lastgroup != "space":
            found.append((match.lastgroup, match[0]))
    return found


def parsed(text):
    parser = Parser(tokens(text))
    statements = parser.statements()
    if parser.at < len(parser.tokens):
        raise Unreadable(parser.peek())
    return statements


def type_of(text):
    """32'U, u32, bf16: (kind, bits); None for what is no type."""
    match = re.fullmatch(r"(\d+)'(BF|[UIFB])", text)
    if match:
        return match[2].lower(), int(match[1])
    match = re.fullmatch(r"(bf(?=16)|[uifb])(\d+)", text)
    return (match[1], int(match[2])) if match else None


def number(text):
    size, _, rest = text.rpartition("'")
    match = re.fullmatch(r"(0x[0-9a-fA-F]+|\d+\.\d+|\d+)(ULL|LL|[UFL])?", rest)
    value = float(match[1]) if "." in match[1] or match[2] == "F" and "x" not in match[1] else int(match[1], 0)
    if size:
        kind = "f" if isinstance(value, float) else "u" if match[2] == "U" or "x" in rest else "i"
        return "number", value, (kind, int(size))
    if match[2]:
        return "number", value, SUFFIXES[match[2]]
    return "number", value, F64 if isinstance(value, float) else I32 if value < 1 << 32 else I64


class Parser:
    def __init__(self, tokens):
        self.tokens, self.at = tokens, 0

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead][1] if self.at + ahead < len(self.tokens) else ""

    def take(self, wanted=None):
        text = self.peek()
        if wanted is not None and text != wanted or not text:
            raise Unreadable(f"{text!r} where {wanted!r} should be")
        self.at += 1
        return text

    def accept(self, text):
        if self.peek() == text:
            self.at += 1
            return True
        return False

    # ---- statements

    def statements(self):
        found = []
        while self.accept(";"):
            pass
        while self.peek() and self.peek() not in ENDS:
            found.append(self.statement())
            while self.accept(";"):
                pass
        return found

    def statement(self):
        word = self.peek()
        special = {"declare": self.declaration, "if": self.condition, "for": self.loop, "return": self.returned}.get(word)
        if special:
            self.take()
            return special()
        if self.accept("break"):
            return ("break",)
        if self.peek(1) == "=" and self.peek(2) == "lambda":
            return self.function()
        return self.assignment()

    def declaration(self):
        name = self.take()
        self.take(":")
        kind, count = type_of(self.take()), None
        if self.accept("["):
            count = int(self.take())
            self.take("]")
        return "declare", name, kind, count

    def condition(self):
        branches = []
        while True:
            condition = self.expression()
            self.take("then")
            branches.append((condition, self.statements()))
            if not self.accept("elsif"):
                break
        otherwise = self.statements() if self.accept("else") else []
        self.take("endif")
        return "if", branches, otherwise

    def loop(self):
        name = self.take()
        self.take("in")
        first = self.expression()
        self.take(":")
        last = self.expression()
        self.take("do")
        body = self.statements()
        self.take("endfor")
        return "for", name, first, last, body

    def returned(self):
        return "return", self.expression()

    def function(self):
        name = self.take()
        self.at += 2  # = lambda
        self.take("(")
        parameters = []
        while not self.accept(")"):
            parameters.append(self.take())
            self.accept(",")
        self.take("(")
        if self.peek() in ("if", "declare", "return", "for"):
            body = self.statements()
        else:
            body = [("return", self.expression())]
        self.take(")")
        return "lambda", name, parameters, body

    def assignment(self):
        targets = [self.expression()]
        sign = None
        while self.peek() in ("=", "+=", "-=", "*=", "|=", "&=", "^="):
            sign = self.take()[:-1]
            targets.append(self.expression())
        if len(targets) == 1:
            return "do", targets[0]
        return "set", targets[:-1], sign, targets[-1]

    # ---- expressions

    def expression(self):
        condition = self.binary(0)
        if not self.accept("?"):
            return condition
        yes = self.expression()
        self.take(":")
        return "choice", condition, yes, self.expression()

    def binary(self, level):
        left = self.unary()
        while PRECEDENCE.get(self.peek(), -1) >= level and self.tokens[self.at][0] == "sign":
            sign = self.take()
            left = ("binary", sign, left, self.binary(PRECEDENCE[sign] + 1))
        return left

    def unary(self):
        if self.peek() in ("-", "~", "!", "+"):
            sign = self.take()
            return "unary", sign, self.unary()
        return self.postfix(self.primary())

    def primary(self):
        if self.at >= len(self.tokens):
            raise Unreadable("the end, where a value should be")
        kind, text = self.tokens[self.at]
        self.at += 1
        if kind == "number":
            return number(text)
        if kind == "to":
            inner = self.expression()
            self.take(")")
            return "to", type_of(text[:-1]), inner
        if text == "(":
            inner = self.expression()
            self.take(")")
            return inner
        if text == "{":
            return "join", self.listed("}")
        if kind == "name":
            return ("call", text, self.listed(")")) if self.accept("(") else ("name", text)
        raise Unreadable(text)

    def listed(self, end):
        found = []
        while not self.accept(end):
            found.append(self.expression())
            self.accept(",")
        return found

    def postfix(self, tree):
        while True:
            if self.accept("."):
                word = self.take()
                tree = ("as", tree, type_of(word)) if type_of(word) else ("member", tree, word)
            elif self.accept("["):
                tree = self.subscript(tree)
            else:
                return tree

    def subscript(self, tree):
        first = self.expression()
        if self.accept(":"):
            tree = ("bits", tree, first, self.expression())
        elif self.accept("+:"):
            tree = ("part", tree, first, self.expression())
        else:
            tree = ("bit", tree, first)
        self.take("]")
        return tree
