"""Attributes in declarations: `const double *x +rank(1)`. They are cut out, so that what is left is C or C++ with every
character at its place.

    attribute  = "+" name [ "(" text with balanced brackets ")" ]

An attribute stands anywhere in a declaration but in brackets [], behind "=" and in bodies of functions: there a plus is a sum."""

import dataclasses
import difflib
import keyword
import re

from hetjit.interop.errors import wrong

# What an attribute's brackets hold: a choice of words, an expression of C++, a name; nothing where it has none.
WORDS = {
    "intent": ("in", "out", "inout"),
    "deref": ("pointer", "copy", "allocatable", "scalar", "raw"),
    "owner": ("library", "caller"),
    "memory": ("host", "device"),
}
EXPRESSIONS = ("dimension", "rank", "implied", "charlen", "destructor_name", "name", "len", "len_trim")
FLAGS = ("assumedtype", "value", "hidden", "funcarg", "nullable", "len", "len_trim")
# What others call it.
_ELSEWHERE = {"in": "intent(in)", "out": "intent(out)", "inout": "intent(inout)", "input": "intent(in)", "output": "intent(out)", "readonly": "intent(in)",
              "size": "dimension(…), or at the number implied(size(…))", "shape": "dimension(…)", "extent": "dimension(…)", "ndim": "rank(…)", "array": "rank(1)",
              "length": "charlen(…)", "free": "destructor_name(…)", "destructor": "destructor_name(…)", "take_ownership": "owner(caller)",
              "copy": "deref(copy)", "pointer": "deref(pointer)", "allocatable": "deref(copy)", "device": "memory(device)", "opaque": "deref(raw)", "optional": "nullable", "null": "nullable", "none": "nullable"}
NAMES = (*WORDS, *EXPRESSIONS, *FLAGS)

_SKIPPED = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|^[ \t]*\#(?:\\\n|[^\n])*|\boperator\s*[^\s\w(]+""", re.S | re.M | re.X)
_ATTRIBUTE = re.compile(r"\+\s*([A-Za-z_]\w*)")
_BODY = re.compile(r"\)\s*(?:const|noexcept|override|final|volatile|&|\s)*$")


@dataclasses.dataclass(frozen=True)
class Attribute:
    """name, what its brackets hold (None: there are none), and where it stands: offsets into the text."""
    name: str
    value: str | None
    begin: int
    end: int


def cut(source):
    """The text without attributes, and these in their order. `source`: what messages show, a Source."""
    text, found, at = source.text, [], 0
    depth = {"[": 0, "=": 0, "{": 0}
    while at < len(text):
        if skipped := _SKIPPED.match(text, at):
            at = skipped.end()
            continue
        _follow(text, at, depth)
        if text[at] == "+" and not any(depth.values()) and (met := _ATTRIBUTE.match(text, at)):
            found.append(_attribute(source, met))
            at = found[-1].end
            continue
        at += 1
    return _blanked(text, found), found


def _follow(text, at, depth):
    """Notes what a character opens or closes: brackets, a default argument, a function's body."""
    sign = text[at]
    if depth["{"] or (sign == "{" and _BODY.search(text, max(0, at - 80), at)):
        depth["{"] += (sign == "{") - (sign == "}")
    elif sign in "[]":
        depth["["] = max(0, depth["["] + (1 if sign == "[" else -1))
    elif sign == "=":
        depth["="] = 1
    elif depth["="]:
        depth["="] += (sign == "(") - (sign == ")")
        if sign in ",;" and depth["="] == 1:
            depth["="] = 0


def _attribute(source, met):
    name, end = met[1], met.end()
    if name not in NAMES:
        close = difflib.get_close_matches(name.lower(), NAMES, 1)
        told = f"; write {_ELSEWHERE[name.lower()]}" if name.lower() in _ELSEWHERE else f"; '{close[0]}' is one" if close else ""
        raise wrong(source, met.start(), end, "B101", f"no attribute is called '{name}'{told}")
    value = None
    if end < len(source.text) and source.text[end] == "(":
        closed = _closing(source.text, end)
        if closed is None:
            raise wrong(source, met.start(), end + 1, "B102", f"the bracket of '{name}' is never closed")
        value, end = source.text[end + 1:closed].strip(), closed + 1
    attribute = Attribute(name, value, met.start(), end)
    _check(source, attribute)
    return attribute


def _closing(text, opened):
    depth = 0
    for at in range(opened, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if depth == 0:
            return at
    return None


def _check(source, attribute):
    name, value = attribute.name, attribute.value
    words = WORDS.get(name)
    if words and value not in words:
        said = f"'{value}' is none of them" if value else "it needs one of them"
        raise wrong(source, attribute.begin, attribute.end, "B103", f"'{name}' is {', '.join(words[:-1])} or {words[-1]}; {said}")
    if name in EXPRESSIONS and name not in FLAGS and not value:
        raise wrong(source, attribute.begin, attribute.end, "B104", f"'{name}' needs a value: {name}(…)")
    if name in ("assumedtype", "value", "hidden", "funcarg", "nullable") and value is not None:
        raise wrong(source, attribute.begin, attribute.end, "B105", f"'{name}' takes no value")
    if name == "name" and (not value.isidentifier() or keyword.iskeyword(value)):
        raise wrong(source, attribute.begin, attribute.end, "B106", f"'name' is a name in Python, which '{value}' is not")


def _blanked(text, attributes):
    parts, at = [], 0
    for each in attributes:
        parts += text[at:each.begin], re.sub(r"[^\n]", " ", text[each.begin:each.end])
        at = each.end
    return "".join(parts) + text[at:]
