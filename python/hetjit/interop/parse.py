"""Declarations to data: attributes are cut out, libclang reads what is left, and each attribute goes to what it stands at."""

import dataclasses
import fnmatch
import re

from hetjit.interop import fields, grammar, libclang
from hetjit.interop.errors import wrong
from hetjit.interop.libclang import Kind
from hetjit.interop.model import DEFAULT_MADE, Declared, Field, Function, Parameter, Place, Record, Type

_HEADERS = "#include <stdint.h>\n#include <stddef.h>\n"
_WORDS_OF_C = "#define restrict __restrict\n#define _Bool bool\n"  # that C++ has not
_NUMBERS = {4: "char", 13: "char", 5: "uint8", 14: "int8", 3: "bool", 8: "uint16", 9: "uint32", 10: "uint64", 11: "uint64", 16: "int16",
            17: "int32", 18: "int64", 19: "int64", 21: "float32", 22: "float64", 31: "float16"}
_COMPLEX = {"std::complex<float>": "complex64", "std::complex<double>": "complex128", "_Complex float": "complex64",
            "_Complex double": "complex128"}
_OF_ANOTHER_LANGUAGE = ('a header among headers=[…] declares it as C++: with language="c" an #include among the declarations is read as C, and bind(pathlib.Path("x.h")) '
                        'takes the file itself')
_TAG = "struct "
_NULL = re.compile(r"=\s*(?:nullptr|NULL|0)\s*$|\b_Nullable\b")  # of a parameter: it may be a null pointer
_OF_FIELD = "std::remove_all_extents_t<decltype("  # how a type without a name is spelled: it is a field's


def before(headers, language):
    """What stands before the declarations: headers of the user's."""
    return _HEADERS + _WORDS_OF_C * (language == "c") + "".join(f"#include {name}\n" if name[:1] in '<"' else f'#include "{name}"\n' for name in headers)


def plain(source):
    """The text of a Source as C++ has it."""
    return grammar.cut(source)[0]


def parse(source, headers, language, options, leave_out=()):
    """What a Source declares, but for functions of the names to leave out, in which a * stands for anything. Raises BindError."""
    text, attributes = grammar.cut(source)
    begin, end = ('extern "C" {\n', "\n}\n") if language == "c" else ("", "\n")
    head = before(headers, language) + begin
    # Attributes are placed by offsets, which clang counts in bytes.
    same = text if text.isascii() else "".join(c if c.isascii() else "?" for c in text)
    with libclang.Unit(head + same + end, ["-x", "c++", "-std=c++20", "-w", *options]) as unit:
        reader = _Reader(source, text, attributes, len(head), leave_out)
        reader.check(unit.errors)
        found = unit.root.children
        reader.shared = {name for each in found for name in _functions(each)}
        reader.read(found, ())
        reader.check_unclaimed()
        return Declared(tuple(reader.known.values()), reader.records, tuple(reader.constants), unit.files, tuple(reader.refused),
                        tuple(reader.absent), frozenset(reader.elsewhere))


class _Reader:
    """Goes through the declarations of one text."""

    def __init__(self, source, plain, attributes, shift, leave_out):
        self.source, self.plain, self.attributes, self.shift, self.leave_out = source, plain, attributes, shift, leave_out
        self.records, self.constants, self.refused, self.claimed = {}, [], [], set()
        self.known = {}  # Functions by what they are, in their order
        self.elsewhere = set()  # functions' names
        self.absent = []  # (class, field, why)
        self.shared = set()  # names of functions, which records may have as well
        self.spelled = {}  # by identity, how C++ spells a type without a name
        self.methods = {}  # (class, name, types of parameters): which of known

    def check(self, errors):
        if not errors:
            return
        offset, text = errors[0]
        if offset is None or offset < self.shift:
            raise wrong(self.source, 0, 1, "B110", f"the headers do not compile: {text}")
        word = re.compile(r"\w*").match(self.plain, offset - self.shift)
        notes = (_OF_ANOTHER_LANGUAGE,) if "language linkage" in text else ()
        raise wrong(self.source, word.start(), word.end(), "B111", text, notes)

    def check_unclaimed(self):
        for each in self.attributes:
            if each not in self.claimed:
                raise wrong(self.source, each.begin, each.end, "B112", f"'{each.name}' stands at no function, and at no field of a class")

    def here(self, cursor):
        return cursor.in_main_file and cursor.at >= self.shift

    def read(self, cursors, scope, owner=None):
        for cursor in cursors:
            if cursor.kind in (Kind.LINKAGE, Kind.UNEXPOSED) and cursor.in_main_file:
                self.read(cursor.children, scope, owner)
            elif not self.here(cursor):
                self.elsewhere.update(_functions(cursor))
            elif cursor.kind == Kind.NAMESPACE:
                self.read(cursor.children, (*scope, cursor.name))
            elif cursor.kind in (Kind.STRUCT, Kind.CLASS) and cursor.defined:
                self.class_(cursor, scope)
            elif cursor.kind == Kind.ENUM:
                self.enumeration(cursor, scope)
            elif cursor.kind in (Kind.FUNCTION, Kind.METHOD, Kind.CONSTRUCTOR) and not _is_of_cxx_alone(cursor):
                self.function(cursor, scope, owner)
            elif cursor.kind in (Kind.FUNCTION_TEMPLATE, Kind.CLASS_TEMPLATE):
                self.refuse(cursor, "B113", f"'{cursor.name}' is a template, of which nothing is called by itself; declare a function that calls it")

    def enumeration(self, cursor, scope):
        inside = (*scope, cursor.name) if cursor.scoped else scope
        unsigned = _NUMBERS.get(cursor.enum_type.kind, "").startswith(("uint", "bool"))
        self.constants += [(inside, each.name, each.unsigned_value if unsigned else each.value)
                           for each in cursor.children if each.kind == Kind.ENUMERATOR]

    def class_(self, cursor, scope):
        record = self.record(cursor)
        if record.plain or "(" in record.cxx and not record.cxx.startswith(_OF_FIELD):
            return
        inside = (*scope, cursor.name)
        for base in record.bases:
            self.base_class(record, self.records[base], inside)
        self.read([each for each in cursor.children if each.public], inside, record)
        if not cursor.abstract and not any(_is_constructor(each, cursor.name) for each in cursor.children):
            self.known[record.cxx, "__init__", "constructor"] = _default_constructor(record, inside)
        at = Place(cursor.at - self.shift, cursor.at - self.shift + len(cursor.name))
        self.fields(record, record, inside)
        self.absent += [(record.cxx, each.name, "static") for each in cursor.children if each.public and each.name and each.kind == Kind.VARIABLE]

    def fields(self, record, owner, inside):
        """What reads and writes the fields of a record in objects of a class: its own, or those of a plain struct that it is derived from."""
        for field in record.fields:
            self.claimed.update(field.attributes.values())
            if fields.kind_of(field):
                self.known.update(((owner.cxx, each.name, each.kind), each) for each in _accessors(field, record.fields, inside, owner.cxx))
            else:
                self.absent.append((owner.cxx, field.name, "an array" if field.extents else field.type.spelling))

    def base_class(self, record, base, inside):
        """What makes an object of a class one of its base's. The fields of a plain struct are the class's own."""
        if base.plain:
            return self.fields(base, record, inside)
        given, result = (Parameter("object", Type("class", name, levels=1, spelling=f"{name} *"), {}, record.place) for name in (record.cxx, base.cxx))
        made = Function(base.cxx, inside, "base", result, (given,), f"static_cast<{base.cxx}*>", record.cxx)
        self.known[record.cxx, made.name, made.kind] = made

    def function(self, cursor, scope, owner):
        begin, opened, closed, end = self.reach(cursor)
        if self.is_left_out(cursor.name) or cursor.name.startswith("operator") or cursor.type.variadic:
            self.claimed |= {each for each in self.attributes if begin <= each.begin < end}
            why = "takes any number of arguments" if cursor.type.variadic else "is an operator"
            return self.refuse(cursor, "B114", f"'{cursor.name}' {why}, which cannot be called from Python; declare a function that calls it")
        if cursor.identity in self.known and not any(begin <= each.begin < end for each in self.attributes):
            return  # declared before
        found = cursor.parameters
        starts = [parameter.extent[0] - self.shift for parameter in found]
        owned = [[] for _ in range(len(found) + 1)]
        for each in self.attributes:
            if begin <= each.begin < end:
                self.claimed.add(each)
                inside = opened < each.begin < closed
                owned[max((i + 1 for i, start in enumerate(starts) if start <= each.begin), default=0) if inside else 0].append(each)
        at = Place(cursor.at - self.shift, cursor.at - self.shift + len(cursor.name))
        own = self.by_name(owned[0])
        parameters = tuple(self.parameter(each, i, self.by_name(owned[i + 1])) for i, each in enumerate(found))
        made = cursor.kind == Kind.CONSTRUCTOR
        result = Type("class", owner.cxx, levels=1, spelling=f"{owner.cxx} *") if made else self.type(cursor.result)
        name = own["name"].value if "name" in own else ("__init__" if made else cursor.name)
        kind = "constructor" if made else "method" if owner and not cursor.static else "function"
        if made:
            expression = f"new {owner.cxx}"
        elif kind == "method":
            expression = f"{f'const_cast<const {owner.cxx}*>(hetjit_self)' if cursor.of_const else 'hetjit_self'}->{cursor.name}"
        else:
            expression = "::" + "::".join((*scope, cursor.name))
        if kind == "method" and not self.is_nearer(cursor, (owner.cxx, name, *(each.type.spelling for each in parameters))):
            return
        self.known[cursor.identity] = Function(name, scope, kind, Parameter(cursor.name, result, own, at), parameters, expression,
                                               owner.cxx if owner else "")

    def is_nearer(self, cursor, method):
        """Whether Python's objects, which are not const, have this method of all that differ in that alone; it forgets the other."""
        other = self.methods.setdefault(method, cursor.identity)
        if other == cursor.identity:
            return True
        if not cursor.of_const:
            self.methods[method] = cursor.identity
            self.known.pop(other)
        return not cursor.of_const

    def is_left_out(self, name):
        return any(fnmatch.fnmatchcase(name, each) for each in self.leave_out)

    def refuse(self, cursor, code, text):
        if not self.is_left_out(cursor.name):
            at = cursor.at - self.shift
            self.refused.append((cursor.name, wrong(self.source, at, at + len(cursor.name), code, text)))

    def reach(self, cursor):
        """Where a function's declaration begins, its brackets open and close, and it ends."""
        begin, end = (offset - self.shift for offset in cursor.extent)
        opened = self.plain.find("(", cursor.at - self.shift)
        closed, depth = opened, 0
        for at in range(max(0, opened), len(self.plain)):
            depth += (self.plain[at] == "(") - (self.plain[at] == ")")
            if depth == 0:
                closed = at
                break
        body = self.plain.find("{", closed, end)
        while body < 0 and end < len(self.plain) and self.plain[end] not in ";{}":
            end += 1
        return begin, opened, closed, body if body >= 0 else end

    def by_name(self, attributes):
        found = {}
        for each in attributes:
            if each.name in found:
                raise wrong(self.source, each.begin, each.end, "B115", f"'{each.name}' stands here twice")
            found[each.name] = each
        return found

    def parameter(self, cursor, number, attributes):
        begin, end = (offset - self.shift for offset in cursor.extent)
        name = cursor.name
        place = Place(cursor.at - self.shift, cursor.at - self.shift + len(name)) if name else Place(begin, max(end, begin + 1))
        return Parameter(name or f"argument{number + 1}", self.type(cursor.type), attributes, place, "=" in self.plain[begin:end],
                         bool(_NULL.search(self.plain[begin:end])))

    # ---- types

    def type(self, raw):
        """A type as the model has it."""
        spelling, reference, levels, const, rows = raw.written, False, 0, False, ""
        rvalue = raw.kind == Kind.RVALUE
        if raw.kind in (Kind.LVALUE, Kind.RVALUE):
            raw, reference = raw.pointee, True
        whole = raw.spelling if raw.kind == Kind.POINTER else re.sub(r"\[\d*\]", " (*)", raw.spelling, count=1)  # as it is passed
        while raw.kind in (Kind.POINTER, Kind.ARRAY, Kind.INCOMPLETE_ARRAY):
            inner = raw.pointee if raw.kind == Kind.POINTER else raw.item
            if inner.kind in (Kind.PROTO, Kind.NO_PROTO):
                return dataclasses.replace(self.function_type(inner), spelling=spelling, levels=levels + 1, reference=reference, rvalue=rvalue)
            const = raw.kind != Kind.POINTER and raw.const  # clang says it of the array, and not of its elements
            is_row = raw.kind == Kind.ARRAY and levels > 0
            rows, raw, levels = rows or (whole if is_row else ""), inner, levels + (not is_row)
        return dataclasses.replace(self.base(raw), levels=levels, reference=reference, rvalue=rvalue, const=const or raw.const, spelling=spelling, rows=rows)

    def function_type(self, raw):
        arguments = tuple(self.type(each) for each in raw.arguments)
        return Type("function", raw.spelling, element=self.type(raw.result), arguments=arguments)

    def base(self, raw):
        name = re.sub(r"^(?:(?:const|volatile) )+", "", raw.spelling)
        if raw.kind == Kind.VOID:
            return Type("void", "void")
        if raw.kind == Kind.ENUM_TYPE:
            return dataclasses.replace(self.base(raw.declaration.enum_type), name=name)
        if name in _COMPLEX:
            return Type("number", name, _COMPLEX[name], raw.size)
        if raw.kind in _NUMBERS:
            return Type("char", "char", "int8", 1) if _NUMBERS[raw.kind] == "char" else Type("number", name, _NUMBERS[raw.kind], raw.size)
        if raw.kind == Kind.RECORD:
            return self.record_type(raw, name)
        return Type("other", name)

    def record_type(self, raw, name):
        if name in ("std::string", "std::basic_string<char>"):
            return Type("string", "std::string")
        name = self.tagged(name)
        is_unnamed = "(" in name
        name = self.spelled[raw.declaration.identity] if is_unnamed and raw.declaration.identity in self.spelled else name
        if name == "__va_list_tag" or is_unnamed and not name.startswith(_OF_FIELD):  # what has no name that could be written
            return Type("other", name)
        if name.startswith("std::vector<"):
            return Type("vector", name, element=self.type(raw.template_arguments[0]))
        record = self.record(raw.declaration)
        return Type("struct" if record.plain else "class", name, bytes=record.size, laid=record.laid)

    def record(self, cursor):
        """The record of a declaration, wherever it stands."""
        name = self.spelled.get(cursor.identity) or self.tagged(cursor.type.spelling)
        if name not in self.records:
            at = cursor.at - self.shift if self.here(cursor) else 0
            own = name.replace(" ", "_") if name.startswith(_TAG) else cursor.name
            self.records[name] = Record(f"{name.split(':')[-1].split(')')[0]}_t" if name.startswith(_OF_FIELD) else own, _scope(cursor), name, 0, False, (), Place(at, at + len(cursor.name)))
            found = tuple(self.field(each, name) for each in _fields(cursor))
            bases = tuple(self.record(each.type.declaration).cxx for each in cursor.children if each.kind == Kind.BASE and each.public)
            is_open = _is_open(cursor) and bool(found)
            self.records[name] = dataclasses.replace(
                self.records[name], bases=bases, size=max(0, cursor.type.size), fields=found, plain=is_open and all(map(_is_plain, found)),
                laid=is_open and all(map(_is_laid, found)) and not all(map(_is_plain, found)))
        return self.records[name]

    def tagged(self, name):
        """How C++ says a record's name where a function has it too, as stat() and struct stat have."""
        return f"{_TAG}{name}" if name in self.shared else name

    def field(self, cursor, owner):
        raw, extents, fixed = cursor.type, [], cursor.type.const
        while raw.kind == Kind.ARRAY or raw.spelling.startswith("std::array<"):
            item = raw.item if raw.kind == Kind.ARRAY else raw.template_arguments[0]
            extents.append(raw.extent if raw.kind == Kind.ARRAY else raw.size // max(1, item.size))
            raw, fixed = item, fixed or item.const
        if raw.kind == Kind.RECORD and "(" in raw.spelling:
            self.spelled.setdefault(raw.declaration.identity, f"{_OF_FIELD}{owner}::{cursor.name})>")
        at = cursor.at - self.shift
        attributes = self.by_name(self.beside(at)) if self.here(cursor) else {}
        type_ = self.type(raw)
        if not type_.levels:
            type_ = dataclasses.replace(type_, const=type_.const or fixed)
        return Field(attributes["name"].value if "name" in attributes else cursor.name, type_, cursor.offset, tuple(extents),
                     fixed or raw.kind == Kind.INCOMPLETE_ARRAY, cursor.bits, attributes, Place(at, at + max(1, len(cursor.name))), cursor.name)

    def beside(self, at):
        """The attributes of a field that stands there: up to the next one."""
        end = next((i for i in range(at, len(self.plain)) if self.plain[i] in ",;{}"), len(self.plain))
        return [each for each in self.attributes if at <= each.begin < end]


def _fields(cursor):
    """A record's, and those of records in it that have no name."""
    for each in cursor.children:
        if each.kind == Kind.FIELD and each.public and each.name:
            yield each
        elif each.anonymous and each.kind in (Kind.STRUCT, Kind.UNION, Kind.CLASS):
            yield from _fields(each)


def _is_open(cursor):
    """Whether a record is no more than its fields, each of which has its own place."""
    others = (Kind.METHOD, Kind.CONSTRUCTOR, Kind.DESTRUCTOR, Kind.BASE, Kind.FUNCTION_TEMPLATE)
    hidden = any(each.bits or each.anonymous or each.kind == Kind.FIELD and not each.public for each in cursor.children)
    return not hidden and cursor.kind in (Kind.STRUCT, Kind.CLASS) and not any(each.kind in others for each in cursor.children)


def _is_plain(field):
    """Whether it is of numbers alone."""
    return field.type.indirect == 0 and field.type.kind in ("number", "struct", "char")


def _is_laid(field):
    """Whether it is that, or of addresses."""
    is_address = (field.type.levels or field.type.kind == "function") and not field.type.reference and not field.fixed
    return bool(_is_plain(field) or is_address or field.type.indirect == 0 and field.type.laid)


def _functions(cursor):
    """Names of what is declared in C."""
    if cursor.kind == Kind.LINKAGE:
        return [name for each in cursor.children for name in _functions(each)]
    return [cursor.name] if cursor.kind == Kind.FUNCTION else []


def _is_of_cxx_alone(cursor):
    """What is deleted, makes an object of an abstract class, or moves one."""
    made = cursor.kind == Kind.CONSTRUCTOR
    return cursor.deleted or made and (cursor.parent.abstract or any(each.type.kind == Kind.RVALUE for each in cursor.parameters))


def _is_constructor(cursor, name):
    return cursor.kind == Kind.CONSTRUCTOR or cursor.kind == Kind.FUNCTION_TEMPLATE and cursor.name.split("<")[0] == name


def _default_constructor(record, scope):
    """The one that C++ gives a class which declares none."""
    result = Parameter(record.name, Type("class", record.cxx, levels=1, spelling=f"{record.cxx} *"), {}, record.place)
    return Function("__init__", scope, "constructor", result, (), f"{DEFAULT_MADE}<{record.cxx}>", record.cxx)


def _scope(cursor):
    names, parent = [], cursor.parent
    while parent.kind in (Kind.NAMESPACE, Kind.STRUCT, Kind.CLASS):
        names.insert(0, parent.name)
        parent = parent.parent
    return tuple(names)


def _accessors(field, beside, scope, owner):
    """What reads a field of an object, and what writes it."""
    name, place, expression = field.name, field.place, f"hetjit_self->{field.cxx}"
    yield Function(name, scope, "getter", Parameter(name, field.type, field.attributes, place), (), expression, owner, field, beside)
    if fields.is_written(field):
        nothing, value = Parameter(name, Type("void", "void"), {}, place), Parameter("value", field.type, {}, place)
        yield Function(name, scope, "setter", nothing, (value,), expression, owner, field, beside)
