"""Declarations as YAML: the same text, in pieces, with attributes in the line or beside it.

    library: shapes
    language: c++
    cxx_header: shapes.hpp
    destructors: {drop: "drop(ptr);"}
    options: {deref_func_array: copy}
    declarations:
    - decl: namespace app
      declarations:
      - decl: "int* primes(int count)"
        attrs: {count: {value: true}}
        fattrs: {dimension: count, owner: caller, destructor_name: drop}
"""

import re

from hetjit.errors import BindError
from hetjit.toolchain import Missing

_KNOWN = {"library", "language", "cxx_header", "header", "destructors", "options", "declarations", "copyright", "format", "splicer"}
# What is no text.
_KINDS = {"destructors": dict, "options": dict, "declarations": list, "attrs": dict, "fattrs": dict, "language": str}
_OF_ENTRIES = {"decl", "declarations", "attrs", "fattrs", "options", "format", "doxygen"}


def read(text, name):
    """The declarations as a text, and what else there is: arguments of bind()."""
    try:
        import yaml
    except ImportError:
        raise Missing("declarations as YAML are read by PyYAML, which is not installed: pip install pyyaml") from None
    try:
        found = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise BindError(f"{name}: error B150: this is no YAML: {error}", "B150") from None
    if not isinstance(found, dict) or not isinstance(found.get("declarations"), list):
        raise BindError(f"{name}: error B151: there is no list of 'declarations'", "B151")
    _check_keys(found, _KNOWN, name)
    _check_kinds(found, _KINDS, name)
    headers = str(found.get("cxx_header") or found.get("header") or "").split()
    more = {"language": found.get("language", "c++"), "destructors": found.get("destructors") or {}, "headers": headers,
            "defaults": {key: way for key, way in (found.get("options") or {}).items() if key.startswith("deref_")}}
    return "".join(_lines(found["declarations"], name)), more


def _check_keys(entry, known, name):
    for key in entry:
        if key not in known:
            raise BindError(f"{name}: error B152: nothing is called '{key}' here; there are {', '.join(sorted(known))}", "B152")


def _check_kinds(entry, kinds, name):
    words = {dict: "a mapping", list: "a list", str: "a text"}
    for key, kind in kinds.items():
        if entry.get(key) is not None and not isinstance(entry[key], kind):
            raise BindError(f"{name}: error B155: '{key}' is {words[kind]}, not {entry[key]!r}", "B155")


def _lines(entries, name):
    for entry in entries:
        if not isinstance(entry, dict) or not isinstance(entry.get("decl"), str):
            raise BindError(f"{name}: error B153: each declaration has a 'decl', a text, and this has none: {entry!r}", "B153")
        _check_keys(entry, _OF_ENTRIES, name)
        _check_kinds(entry, _KINDS, name)
        _check_kinds(entry.get("attrs") or {}, dict.fromkeys(entry.get("attrs") or (), dict), name)
        decl = entry["decl"].strip().rstrip(";")
        if entry.get("declarations") is None:
            yield _with_attributes(decl, entry, name) + ";\n"
            continue
        public = " public:" if decl.startswith("class ") else ""
        end = "}" if decl.startswith("namespace ") else "};"
        yield f"{decl} {{{public}\n{''.join(_lines(entry['declarations'], name))}{end}\n"


def _with_attributes(decl, entry, name):
    """A declaration with its attributes in their places."""
    wanted, found = entry.get("attrs") or {}, set()

    def add(met):
        found.add(met[0])
        return f"{met[0]} {_text(wanted[met[0]])}"
    if wanted:  # parameters by their names, which stand behind a type
        decl = re.sub(rf"(?<=[\s*&])({'|'.join(map(re.escape, wanted))})(?=\s*[,)+=\[])", add, decl)
    for parameter in wanted:
        if parameter not in found:
            raise BindError(f"{name}: error B154: '{decl}' has no parameter '{parameter}'", "B154")
    return f"{decl} {_text(entry.get('fattrs') or {})}".strip()


def _text(attributes):
    return "".join(f"+{key}" if value is True else f"+{key}({value})" for key, value in attributes.items() if value is not False)
