"""What each parameter and result of a function comes to, decided once from its type and attributes: data that the shims are written
from (shims.py) and that Python converts by (convert.py). What a declaration leaves open is an error here, at its place."""

import dataclasses
import re

from hetjit.errors import BindError
from hetjit.interop import fields
from hetjit.interop.errors import first_of, wrong
from hetjit.interop.model import DEFAULT_MADE, Function, Passed

# How results are taken where their declaration does not say: of functions, and of arguments. `bind(options={…})` changes them.
OPTIONS = {f"deref_{whose}_{what}": way for whose in ("func", "arg") for what, way in (
    ("array", "pointer"), ("character", "copy"), ("implied_array", "pointer"), ("scalar", "pointer"))}
FREE = 1  # the number of free() among destructors


@dataclasses.dataclass(frozen=True)
class Call:
    """A function with all decisions made."""
    function: Function
    arguments: tuple
    result: Passed

    asked = property(lambda self: [each for each in self.arguments if each.asked] + [self.result] * self.result.buffer)
    returned = property(lambda self: [self.result] * (self.result.way != "nothing" and self.result.returned)
                        + [each for each in self.arguments if each.returned])


class Destructors:
    """Code that releases memory, by number."""

    def __init__(self, named):
        self._named, self.codes = named, ["", "std::free(ptr);"]

    def number(self, code):
        if code not in self.codes:
            self.codes.append(code)
        return self.codes.index(code)

    def code_of(self, name, type_):
        """The code of a name; None where there is none."""
        if name in self._named:
            return self._named[name]
        vector = re.fullmatch(r"std_vector_(\w+)", name)
        if vector:
            inner = type_.name if type_.kind == "vector" else f"std::vector<{vector[1].replace('_', ' ')}>"
            return f"delete static_cast<{inner}*>(ptr);"
        return None


def decide(declared, source, options, destructors):
    """The Calls of all functions, those with default arguments once for each number of them. Raises BindError."""
    made, refused = [], list(declared.refused)
    for function in declared.functions:
        try:
            forms = {}  # by what Python passes: of those that differ in what comes out alone, the longest
            for count in _counts(function):
                shorter = dataclasses.replace(function, parameters=function.parameters[:count])
                call = _Decision(source, options, destructors, shorter).call()
                forms.setdefault(tuple(each.name for each in call.asked), call)
            made += forms.values()
        except BindError as error:
            refused.append((function.result.name, error))
    if refused:
        raise first_of(sorted(refused, key=lambda each: each[1].span[1:3]))
    return made


def _counts(function):
    counts = [len(function.parameters)]
    while counts[-1] and function.parameters[counts[-1] - 1].default:
        counts.append(counts[-1] - 1)
    return counts


class _Decision:
    """Of one function."""

    def __init__(self, source, options, destructors, function):
        self.source, self.options, self.destructors, self.function = source, options, destructors, function

    def call(self):
        function = self.function
        if function.kind == "setter":
            return Call(function, (fields.written(function.parameters[0], function.field),), self.result(function.result))
        if function.kind == "getter":
            found = Call(function, (), fields.read(self, function.result, function.field))
            self.check_axes(found.result, {})
            return found
        arguments = tuple(self.argument(each) for each in self.function.parameters)
        call = Call(self.function, arguments, self.result(self.function.result))
        for each in arguments:
            if each.implied:
                self.check_implied(each, arguments)
        for each in (*arguments, call.result):
            self.check_axes(each, {one.name: one.rank for one in arguments})
        return call

    # ---- messages

    def wrong(self, code, text, parameter, attribute=None):
        place = parameter.attributes[attribute] if attribute in parameter.attributes else parameter.place
        return wrong(self.source, place.begin, place.end, code, text)

    def only(self, parameter, *allowed):
        """Refuses attributes that mean nothing where they stand."""
        for name in parameter.attributes:
            if name not in (*allowed, "intent", "name"):
                raise self.wrong("B132", f"'{name}' means nothing for {parameter.type.spelling}", parameter, name)

    # ---- arguments

    def argument(self, parameter):
        type_ = parameter.type
        if "implied" in parameter.attributes:
            return self.implied(parameter)
        passed = getattr(self, f"argument_{type_.kind}")(parameter, self.intent(parameter))
        if "hidden" in parameter.attributes:
            if passed.intent != "out":
                raise self.wrong("B128", f"'{parameter.name}' is hidden, so nobody passes it: it needs intent(out) or implied(…)", parameter,
                                 "hidden")
            passed = dataclasses.replace(passed, hidden=True)
        return passed

    def intent(self, parameter):
        type_ = parameter.type
        if parameter.attributes.get("value") or not type_.indirect:
            default = "in"
        else:
            default = "in" if type_.const or type_.rvalue or type_.kind in ("class", "void", "function") or _is_far(type_) else "inout"
        said = parameter.value("intent") or default
        if said != "in" and not type_.indirect:
            raise self.wrong("B129", f"'{parameter.name}' is passed by value, so nothing comes back in it", parameter, "intent")
        if said != "in" and type_.const and type_.indirect == 1:
            raise self.wrong("B133", f"'{parameter.name}' points to const, so nothing comes back in it", parameter, "intent")
        return said

    def implied(self, parameter):
        if parameter.type.kind != "number" or parameter.type.indirect:
            raise self.wrong("B127", f"what is implied is a number, and '{parameter.name}' is {parameter.type.spelling}", parameter, "implied")
        self.only(parameter, "implied", "hidden", "value")
        return Passed(parameter, "number", implied=parameter.value("implied"))

    def check_implied(self, passed, arguments):
        names = {each.name for each in arguments}
        for function, name in re.findall(r"\b(size|len|len_trim)\s*\(\s*([A-Za-z_]\w*)", passed.implied):
            if name not in names:
                raise self.wrong("B127", f"there is no parameter '{name}' for {function}()", passed.parameter, "implied")

    def check_axes(self, passed, ranks):
        """Of `size(a, 2)` in an expression: the array has such an axis, counted from 1."""
        for attribute in passed.parameter.attributes.keys() & {"implied", "dimension", "charlen"}:
            for name, axis in re.findall(r"\bsize\s*\(\s*([A-Za-z_]\w*)\s*,\s*(\d+)\s*\)", passed.parameter.value(attribute) or ""):
                if name in ranks and not 1 <= int(axis) <= ranks[name]:
                    raise self.wrong("B127", f"'{name}' has the axes 1 to {ranks[name]}, not {axis}", passed.parameter, attribute)

    def argument_number(self, parameter, intent):
        type_ = parameter.type
        if _is_far(type_):
            return self.far(parameter, intent)
        if not type_.indirect:
            self.only(parameter, "value", "hidden")
            return Passed(parameter, "number")
        if not parameter.attributes.keys() & {"rank", "dimension"}:
            self.only(parameter, "hidden")
            return Passed(parameter, "number", intent) if not type_.rows else Passed(parameter, "pointer")
        self.only(parameter, "rank", "dimension", "hidden", "deref", "memory")
        return self.array(parameter, intent)

    def array(self, parameter, intent):
        rank, dimensions = self.shape(parameter)
        if intent == "out" and not dimensions:
            raise self.wrong("B121", f"'{parameter.name}' comes back, and nothing says how much memory it needs: add dimension(…)", parameter)
        deref = self.deref(parameter, "arg_array", ("pointer", "copy", "allocatable"))
        return Passed(parameter, "array", intent, rank, dimensions, deref, device=parameter.value("memory") == "device")

    def shape(self, parameter):
        """Rank, and the expressions of its extents, if there are any."""
        rank, dimension = parameter.value("rank"), parameter.value("dimension")
        if rank is not None and dimension is not None:
            raise self.wrong("B120", "a dimension has a rank: give one of 'rank' and 'dimension'", parameter, "rank")
        if rank is not None:
            if not rank.isdigit() or int(rank) > 7:
                raise self.wrong("B131", f"a rank is a number from 0 to 7, not '{rank}'", parameter, "rank")
            return int(rank), ()
        extents = tuple(_split(dimension)) if dimension else ()
        if len(extents) > 7 or not all(extents):
            raise self.wrong("B131", "a dimension has one to seven extents", parameter, "dimension")
        return len(extents), extents

    def deref(self, parameter, default, allowed):
        said = parameter.value("deref")
        if said and said not in allowed:
            raise self.wrong("B137", f"deref({said}) means nothing for {parameter.type.spelling}", parameter, "deref")
        way = said or self.options.get(f"deref_{default}", "")
        return "copy" if way == "allocatable" else way

    def far(self, parameter, intent):
        """Pointers to pointers: what an `out` gives is as a function's result; all others are passed as they are."""
        if intent == "out" and parameter.type.levels + parameter.type.reference == 2:
            inner = dataclasses.replace(parameter.type, levels=1, reference=False)
            found = self.result(dataclasses.replace(parameter, type=inner), "arg")
            return dataclasses.replace(found, parameter=parameter, intent="out", given=True)
        self.only(parameter, "hidden", "deref")
        if intent == "out":
            return Passed(parameter, "pointer", "out", deref="raw", given=True)
        return Passed(parameter, "pointer")

    def argument_char(self, parameter, intent):
        type_ = parameter.type
        if type_.levels == 2 and intent == "in":
            self.only(parameter)
            return Passed(parameter, "texts")
        if _is_far(type_):
            return self.far(parameter, intent)
        if not type_.levels:
            self.only(parameter, "value", "hidden")
            return Passed(parameter, "character", intent)
        self.only(parameter, "charlen", "len", "len_trim", "hidden", *(["nullable"] if intent == "in" else []))
        if intent == "out" and "charlen" not in parameter.attributes:
            raise self.wrong("B123", f"'{parameter.name}' comes back, and nothing says how long it can be: add charlen(…)", parameter)
        return Passed(parameter, "text", intent)

    def argument_string(self, parameter, intent):
        if _is_far(parameter.type):
            return self.far(parameter, intent)
        self.only(parameter, "hidden", "len", "len_trim")
        return Passed(parameter, "string", intent)

    def argument_vector(self, parameter, intent):
        element = parameter.type.element
        if _is_far(parameter.type) or not _is_of_vectors(element):
            raise self.unsupported(parameter)
        self.only(parameter, "hidden", "deref", "rank")
        deref = self.deref(parameter, "arg_implied_array", ("pointer", "copy", "allocatable"))
        return Passed(parameter, "vector" if element.kind != "string" else "texts", intent, 1, deref=deref)

    def argument_void(self, parameter, intent):
        if not _is_far(parameter.type):
            self.only(parameter, "assumedtype", "value")
            return Passed(parameter, "any" if "assumedtype" in parameter.attributes else "pointer")
        return self.far(parameter, intent)

    def argument_class(self, parameter, intent):
        if _is_far(parameter.type):
            return self.far(parameter, intent)
        if parameter.type.laid and parameter.attributes.keys() & {"rank", "dimension"}:
            return self.array(parameter, intent if "intent" in parameter.attributes or parameter.type.const else "inout")
        self.only(parameter, *(["nullable"] if parameter.type.levels else []))
        return Passed(parameter, "object", intent if intent != "out" else "in")

    def argument_struct(self, parameter, intent):
        if _is_far(parameter.type):
            return self.far(parameter, intent)
        if parameter.attributes.keys() & {"rank", "dimension"}:
            return self.array(parameter, intent)
        self.only(parameter, "hidden")
        return Passed(parameter, "struct", intent)

    def argument_function(self, parameter, intent):
        parts = (parameter.type.element, *parameter.type.arguments)
        if parameter.type.levels != 1 or not all(map(_is_word, parts)):
            raise self.unsupported(parameter)
        self.only(parameter, "nullable")
        return Passed(parameter, "callback")

    def argument_other(self, parameter, intent):
        raise self.unsupported(parameter)

    def unsupported(self, parameter):
        return self.wrong("B130", f"{parameter.type.spelling} cannot be passed between Python and a library", parameter)

    # ---- results

    def result(self, parameter, whose="func"):
        passed = getattr(self, f"result_{parameter.type.kind}")(parameter, whose)
        owned = parameter.value("owner") == "caller"
        if "destructor_name" in parameter.attributes and not owned:
            raise self.wrong("B125", "what has a destructor is the caller's: add owner(caller)", parameter, "destructor_name")
        device = parameter.value("memory") == "device"
        if device and (passed.way != "array" or passed.deref == "scalar"):
            raise self.wrong("B135", "memory of a device is an array: add dimension(…), and neither deref(raw) nor deref(scalar)", parameter, "memory")
        return dataclasses.replace(passed, intent="out", device=device, idtor=self.idtor(parameter) if owned else passed.idtor)

    def idtor(self, parameter):
        type_ = parameter.type
        name = parameter.value("destructor_name")
        if not type_.indirect:
            raise self.wrong("B138", f"{type_.spelling} is a value, which nobody has to release", parameter, "owner")
        if name:
            code = self.destructors.code_of(name, type_)
            if code is None:
                raise self.wrong("B124", f"no destructor is called '{name}': bind(destructors={{…}}) names them", parameter, "destructor_name")
            return self.destructors.number(code)
        if type_.kind in ("number", "char", "void", "struct"):
            return FREE
        if type_.kind == "class" and type_.bytes == 0:
            raise self.wrong("B126", f"nobody knows how {type_.name} is released: add destructor_name(…)", parameter, "owner")
        return self.destructors.number(f"delete static_cast<{type_.name}*>(ptr);")

    def result_void(self, parameter, whose):
        if not parameter.type.levels:
            self.only(parameter)
            return Passed(parameter, "nothing")
        for name in ("deref", "dimension", "rank"):
            if name in parameter.attributes:
                raise self.wrong("B122", f"what {parameter.type.spelling} points to is not known, so '{name}' means nothing for it", parameter,
                                 name)
        self.only(parameter, "owner", "destructor_name", "hidden", "memory")
        return Passed(parameter, "pointer", deref="raw")

    def result_number(self, parameter, whose):
        type_ = parameter.type
        if not type_.indirect:
            self.only(parameter)
            return Passed(parameter, "number")
        if type_.indirect > 1:
            self.only(parameter, "owner", "destructor_name", "deref", "hidden")
            return Passed(parameter, "pointer", deref="raw")
        self.only(parameter, "dimension", "rank", "deref", "owner", "destructor_name", "memory", "hidden")
        rank, dimensions = self.shape(parameter)
        if rank and not dimensions and parameter.value("deref") != "raw":
            raise self.wrong("B121", f"'{parameter.name}' {'is' if self.function.kind == 'getter' else 'returns'} an array, and nothing says of which extents: add dimension(…)", parameter, "rank")
        allowed = ("pointer", "copy", "allocatable", "raw") if rank else ("pointer", "scalar", "raw", "copy", "allocatable")
        deref = self.deref(parameter, f"{whose}_array" if rank else f"{whose}_scalar", allowed)
        if type_.reference and type_.const and not rank and "deref" not in parameter.attributes:
            deref = "scalar"  # which the library means as a value
        return Passed(parameter, "pointer" if deref == "raw" else "array", "out", rank, dimensions, deref)

    def result_struct(self, parameter, whose):
        if parameter.type.indirect:
            return self.result_number(parameter, whose)
        self.only(parameter)
        return Passed(parameter, "struct")

    def result_char(self, parameter, whose):
        if not parameter.type.levels:
            self.only(parameter)
            return Passed(parameter, "character")
        if parameter.type.indirect > 1:
            self.only(parameter, "owner", "destructor_name", "deref", "hidden")
            return Passed(parameter, "pointer", deref="raw")
        self.only(parameter, "deref", "owner", "destructor_name", "funcarg", "len", "hidden")
        deref = self.deref(parameter, f"{whose}_character", ("copy", "allocatable", "pointer", "raw"))
        return Passed(parameter, "pointer" if deref == "raw" else "text", "out", deref=deref, buffer="funcarg" in parameter.attributes)

    def result_string(self, parameter, whose):
        if parameter.type.indirect > 1:
            raise self.unsupported(parameter)
        self.only(parameter, "deref", "owner", "destructor_name", "len", "hidden")
        deref = self.deref(parameter, f"{whose}_character", ("copy", "allocatable"))
        own = 0 if parameter.type.indirect else self.destructors.number("delete static_cast<std::string*>(ptr);")
        return Passed(parameter, "string", "out", deref=deref, idtor=own)

    def result_vector(self, parameter, whose):
        element = parameter.type.element
        if parameter.type.indirect > 1 or not _is_of_vectors(element):
            raise self.unsupported(parameter)
        self.only(parameter, "deref", "owner", "destructor_name", "rank", "hidden")
        deref = self.deref(parameter, f"{whose}_implied_array", ("pointer", "copy", "allocatable"))
        own = 0 if parameter.type.indirect else self.destructors.number(f"delete static_cast<{parameter.type.name}*>(ptr);")
        return Passed(parameter, "texts" if element.kind == "string" else "vector", "out", 1, deref=deref, idtor=own)

    def result_class(self, parameter, whose):
        type_ = parameter.type
        if type_.indirect > 1:
            return Passed(parameter, "pointer", deref="raw")
        if type_.laid and type_.indirect and parameter.attributes.keys() & {"rank", "dimension"}:
            return self.result_number(parameter, whose)
        self.only(parameter, "owner", "destructor_name", "hidden")
        made = self.function.kind == "constructor" or not type_.indirect
        default = self.function.expression.startswith(DEFAULT_MADE)
        code = f"hetjit::library::end<{type_.name}>(ptr);" if default else f"delete static_cast<{type_.name}*>(ptr);"
        own = self.destructors.number(code) if made else 0
        return Passed(parameter, "object", "out", idtor=own)

    def result_function(self, parameter, whose):
        raise self.unsupported(parameter)

    result_other = result_function


def _is_far(type_):
    """Whether it is a pointer to a pointer, or a reference to one."""
    return type_.levels > 1 or type_.levels == 1 and type_.reference


def _is_of_vectors(element):
    """Whether Python knows vectors of that."""
    return not element.indirect and element.number != "bool" and (element.of_arrays or element.kind == "string")


def _is_word(type_):
    """Whether a callback can take or return it: a number, or an address."""
    if type_.reference or type_.rows or type_.kind == "function":
        return False
    return type_.kind in ("void", "char") or type_.levels > 0 or type_.kind == "number" and type_.bytes <= 8 and type_.number not in ("float16", "complex64")


def _split(text):
    """Expressions with commas between them, but for those in brackets."""
    depth, begin = 0, 0
    for at, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and depth == 0:
            yield text[begin:at].strip()
            begin = at + 1
    yield text[begin:].strip()
