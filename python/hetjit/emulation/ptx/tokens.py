"""PTX as tokens: (kind, text, line). Comments vanish; an opcode or a special register with its dots is one token."""

import re
from typing import NamedTuple

from ..faults import UnknownCode


class Token(NamedTuple):
    kind: str  # word, directive, number, float, string, or the punctuation itself
    text: str
    line: int


PATTERN = re.compile(r"""
    (?P<space>[ \t\r\n]+ | //[^\n]* | /\*.*?\*/)
  | (?P<string>"(?:[^"\\]|\\.)*")
  | (?P<float>0[fF][0-9a-fA-F]{8}\b | 0[dD][0-9a-fA-F]{16}\b | \d+\.\d*(?:[eE][+-]?\d+)? | \d+[eE][+-]?\d+)
  | (?P<number>0[xX][0-9a-fA-F]+U? | 0[bB][01]+U? | \d+U?)
  | (?P<directive>\.(?:\w|::)+)
  | (?P<word>[A-Za-z_$%][\w$]*(?:\.(?:\w|::)+)*)
  | (?P<mark>[{}()\[\],;:@!|=<>+*-])
""", re.X | re.S)


def tokenize(text):
    tokens, at, line = [], 0, 1
    while at < len(text):
        found = PATTERN.match(text, at)
        if not found:
            if text[at] == "\0":
                break
            raise UnknownCode(f"line {line}: no PTX: {text[at:at + 20]!r}")
        kind = found.lastgroup
        if kind != "space":
            tokens.append(Token(found[0] if kind == "mark" else kind, found[0], line))
        line += found[0].count("\n")
        at = found.end()
    tokens.append(Token("end", "", line))
    return tokens
