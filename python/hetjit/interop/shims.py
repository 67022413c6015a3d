"""The C++ that stands between Python and a library: an `extern "C"` function for each call, which takes slots (abi/library.hpp). How
arguments are passed is thus known to the C++ compiler alone."""

import re

from hetjit.interop import parse

_NS = "hetjit::library::"
_SIZES = re.compile(r"\b(size|len|len_trim)\s*\(\s*([A-Za-z_]\w*)\s*(?:,\s*(\d+)\s*)?\)")
_NAMES = re.compile(r"(?<!->)(?<!\.)(?<!::)\b[A-Za-z_]\w*\b(?!\s*\()")  # of variables
_INTEGERS = {f"{sign}{size}" for sign in ("", "unsigned ") for size in ("char", "short", "int", "long", "long long")} | {"signed char"}
_EXPORTED = 'extern "C" __attribute__((visibility("default")))'


def write(plain, headers, language, calls, destructors):
    """The whole text. `plain`: the declarations without their attributes."""
    opening, closing = ('extern "C" {', "}") if language == "c" else ("", "")
    parts = [parse.before(headers, language), opening, plain, closing, '#line 1 "shims"', '#include "hetjit/library_fields.hpp"', _release(destructors)]
    within = [f"const {_NS}Within hetjit_within;"] * any(each.way == "callback" for call in calls for each in call.arguments)
    parts += [_Shim(call, number, within).whole() for number, call in enumerate(calls)]
    return "\n".join(parts)


def symbol(number):
    """The name of a call's function."""
    return f"hetjit_call_{number}"


def _release(destructors):
    cases = "".join(f"      case {number}: {{ {code} break; }}\n" for number, code in enumerate(destructors.codes) if code)
    return (f'{_EXPORTED} void hetjit_release({_NS}Capsule* capsule) {{\n'
            "  void* const ptr = capsule->addr;\n  const int idtor = capsule->idtor;\n  *capsule = {nullptr, 0, 0};\n"
            f"  if (!ptr) return;\n  try {{\n    switch (idtor) {{\n{cases}    }}\n  }} catch (...) {{\n  }}\n}}\n")


def ctype(type_):
    """A type as C++ spells it, without a reference."""
    return f"{'const ' if type_.const else ''}{type_.name}{'*' * type_.levels}"


class _Shim:
    """Of one call: what is done before it, its arguments, and what is done after it. `before`: lines at its beginning."""

    def __init__(self, call, number, before=()):
        self.call, self.symbol = call, symbol(number)
        self.inputs = {passed.name: slot for slot, passed in enumerate(call.asked, start=int(call.function.kind in ("method", "getter", "setter")))}
        self.outputs = {id(passed): slot for slot, passed in enumerate(each for each in call.returned if not comes_back(each))}
        self.lists = {each.name for each in call.arguments if each.way == "texts"}  # they come packed, and are unpacked under their names
        self.named = _named(call)  # what stands for names in expressions: (declaration without the name, value)
        self.devices = {}  # arrays in a device's memory, by name: where their records lie
        self.outside, self.before, self.rooms, self.given = [], [*before], [], []  # in this order; `given`: to the library
        self.passing, self.claimed, self.checks, self.after = [], [], [], []

    def whole(self):
        function = self.call.function
        if function.owner and function.kind != "constructor" and "hetjit_self" in function.expression:
            self.before.append(f"auto* const hetjit_self = static_cast<{function.owner}*>(hetjit_in[0].pointer);")
        for passed in self.call.arguments:
            self.argument(passed)
        implied = [line for passed in self.call.arguments if passed.implied for line in self.implied(passed)]
        lines = [*self.before, *implied, *self.rooms, *self.called()]
        body = "\n".join(f"    {line}" if not line.startswith("#") else line for line in lines)
        outside = "".join(f"{line}\n" for line in self.outside)
        return (f'#line 1 "{self.symbol}"\n{outside}{_EXPORTED} const char* {self.symbol}(const {_NS}Slot* hetjit_in, const {_NS}Slot* hetjit_out) {{\n'
                f"  (void)hetjit_in, (void)hetjit_out;\n  return {_NS}guarded([&] {{\n{body}\n  }});\n}}\n")

    def called(self):
        function = self.call.function
        arguments = ", ".join(self.given)
        if function.kind == "setter":
            return self.written(self.call.arguments[0])
        call = function.expression
        if function.kind == "function":
            call = f"({function.expression})({arguments})"  # in brackets no macro is called
        elif function.kind not in ("getter", "setter"):
            call = f"{function.expression}({arguments})"
        result = self.call.result
        if result.field in _READ:
            return [f"{_NS}{_READ[result.field]}".format(slot=self.output(result), field=function.expression, type=result.type, extents=_listed(result.dimensions))]
        if result.way != "nothing":
            held = "auto&&" if result.type.reference or not result.type.indirect else "auto* const"
            call = f"{held} hetjit_result = {call}"
            self.after = [*self.result(result, "hetjit_result"), *self.after]
            self.claim(result, "hetjit_result")
        passing = f"const {_NS}AllPassing hetjit_passing = {{{', '.join(self.passing)}}};"
        return [f"{call};", passing, *self.claimed, *self.checks, *self.after]

    def claim(self, passed, value):
        """What is the caller's is so from the call on: it is released even if Python does not get it."""
        if not passed.idtor or not passed.type.indirect:
            return
        owner = f"&{value}" if passed.type.reference and not passed.type.levels else value
        if passed.returned and passed.way != "texts":
            self.claimed.append(f"{_NS}claim({self.output(passed)}, {owner}, {passed.idtor}, hetjit_passing);")
        else:
            self.claimed.append(f"const {_NS}Released {self.local(passed)}_released({owner}, {passed.idtor}, hetjit_release);")

    # ---- expressions of the declaration

    def expression(self, text, attribute, within="({})"):
        """As C++, at a place of its own, by which clang names it. `within`: what it is an argument of."""
        def sized(met):
            if met[2] not in self.inputs:
                return met[0]
            if met[2] in self.lists and met[1] == "size":
                return f"{_NS}Checked({met[2]}.size())"
            array = self.devices.get(met[2], f"hetjit_in[{self.inputs[met[2]]}].array")
            if met[1] == "len_trim":
                return f"{_NS}Checked({_NS}trimmed(*{array}))"
            return f"{_NS}Checked({array}->{f'shape[{int(met[3]) - 1}]' if met[3] else 'size'})"
        made = _SIZES.sub(sized, text)
        names = sorted(self.named.keys() & set(_NAMES.findall(_SIZES.sub("", text))))
        if names:
            parameters = ", ".join(f"{self.named[name][0]} {name}" for name in names)
            values = ", ".join(self.named[name][1] for name in names)
            within = within.replace("{}", f"[&]({parameters}) {{ return {{}}; }}({values})")
        return f'\n#line 1 "attribute-{attribute.begin}"\n{within.replace("{}", made)}\n#line 1 "{self.symbol}"\n'

    def extent(self, passed, text, attribute):
        """What an expression of an extent comes to, checked."""
        return self.expression(text, passed.parameter.attributes[attribute], f'{_NS}extent({{}}, "{passed.name}")')

    def extents(self, passed, to):
        """Names of an array's extents, which `to` computes."""
        names = []
        for axis, text in enumerate(passed.dimensions):
            names.append(f"{self.local(passed)}_{axis}")
            to.append(f"const std::int64_t {names[-1]} = {self.extent(passed, text, 'dimension')};")
        return "{" + ", ".join(names) + "}"

    def implied(self, passed):
        found = self.expression(passed.implied, passed.parameter.attributes["implied"])
        return [f'const auto {passed.name} = {_NS}fitting<{passed.type.name}>({found}, "{passed.name}");']

    # ---- fields

    def written(self, passed):
        """Lines that write a field."""
        function = self.call.function
        line = _WRITTEN.get(passed.field, "{field} = {value};")
        return [line.format(ns=_NS, field=function.expression, value=self.given[-1], record="*hetjit_in[1].array", name=f'"{passed.name}"',
                            extents=_listed(function.field.extents), type=passed.type.name)]

    def address(self, passed, slot):
        self.given.append(f"(std::remove_reference_t<decltype({self.call.function.expression})>){slot}.pointer")

    # ---- arguments

    def argument(self, passed):
        if passed.implied:
            self.given.append(passed.name)
        elif passed.given:
            self.far(passed)
        else:
            getattr(self, passed.way)(passed, f"hetjit_in[{self.inputs[passed.name]}]" if passed.name in self.inputs else None)
        if passed.type.rvalue:
            self.given[-1] = f"std::move({self.given[-1]})"

    def back(self, passed, line):
        """What gives it back to Python, if Python wants it."""
        if passed.returned:
            self.after.append(line.replace("{slot}", self.output(passed)))

    def local(self, passed):
        """The name of a variable beside the parameter's own."""
        return "hetjit_given" if passed is self.call.result else f"hetjit_of_{passed.name}"

    def passes(self, passed, begin, size):
        """Says where memory of an argument lies that ends with the call."""
        self.passing.append(f'{{{begin}, {size}, "{passed.name}"}}')

    def passes_variable(self, passed):
        if passed.type.indirect:
            self.passes(passed, f"&{passed.name}", f"sizeof {passed.name}")

    def output(self, passed):
        return f"hetjit_out[{self.outputs[id(passed)]}]"

    def far(self, passed):
        """A pointer that the library sets."""
        inner = ctype(passed.type).removesuffix("*") if not passed.type.reference else ctype(passed.type)
        self.before.append(f"{inner} {passed.name} = nullptr;")
        self.passes_variable(passed)
        self.given.append(passed.name if passed.type.reference else f"&{passed.name}")
        self.claim(passed, passed.name)
        self.after += self.result(passed, passed.name)

    def number(self, passed, slot):
        type_ = passed.type
        self.before.append(f"{type_.name} {passed.name} = {f'{_NS}value<{type_.name}>({slot})' if slot else '{}'};")
        self.given.append(f"&{passed.name}" if type_.levels else passed.name)
        self.passes_variable(passed)
        self.back(passed, f"{_NS}give_number({{slot}}, {passed.name});")

    character = number

    def array(self, passed, slot):
        type_, name = passed.type, passed.name
        pointee = f"{'const ' if type_.const else ''}{type_.name}"
        self.given.append(f"({type_.rows}){name}" if type_.rows else name if type_.levels else f"*{name}")
        if slot:
            record = f"{slot}.array"
            if passed.device:
                self.before.append(f"const {_NS}Array {self.local(passed)} = {_NS}on_device({slot});")
                record = self.devices[name] = f"(&{self.local(passed)})"
            self.before.append(f"{pointee}* {name} = static_cast<{pointee}*>({record}->base_addr);")
            if passed.dimensions:
                self.rooms.append(f'{_NS}require(*{record}, {self.extents(passed, self.rooms)}, "{name}");')
            return
        extents = self.extents(passed, self.rooms)
        self.rooms.append(f"{_NS}Room {self.local(passed)}(sizeof({pointee}), {extents});")
        self.rooms.append(f"{pointee}* {name} = {self.local(passed)}.as<{pointee}>();")
        self.passes(passed, name, f"{self.local(passed)}.size()")
        self.back(passed, f"{self.local(passed)}.give_to({{slot}}, sizeof({pointee}), {extents});")

    def text(self, passed, slot):
        name, length = passed.name, passed.parameter.value("charlen")
        if passed.intent == "in":
            if length:
                self.rooms.append(f'{_NS}require_room(*{slot}.array, {self.extent(passed, length, "charlen")}, "{name}");')
            self.before.append(f"const char* {name} = {_NS}elements<const char>({slot});")
            self.given.append(f"const_cast<{ctype(passed.type)}>({name})")
            return
        room = self.extent(passed, length, "charlen") if length else f"{slot}.array->size + 1"
        self.rooms.append(f'{_NS}TextRoom {self.local(passed)}({room}, {f"{slot}.array" if slot else "nullptr"}, "{name}");')
        self.rooms.append(f"char* {name} = {self.local(passed)}.data();")
        self.passes(passed, name, f"{self.local(passed)}.size()")
        self.given.append(name)
        self.back(passed, f"{self.local(passed)}.give_to({{slot}});")

    def texts(self, passed, slot):
        name, type_ = passed.name, passed.type
        self.before.append(f"std::vector<std::string> {name}{f' = {_NS}texts({slot})' if slot else ''};")
        if type_.kind == "char":
            self.before.append(f"std::vector<char*> {self.local(passed)} = {_NS}pointers({name});")
            self.given.append(f"({ctype(type_)}){self.local(passed)}.data()")
            return
        self.given.append(f"&{name}" if type_.levels else name)
        self.back(passed, f"{_NS}give_texts({{slot}}, {name});")

    def string(self, passed, slot):
        self.before.append(f"std::string {passed.name}{f' = {_NS}text({slot})' if slot else ''};")
        self.given.append(f"&{passed.name}" if passed.type.levels else passed.name)
        self.passes_variable(passed)
        self.passes(passed, f"{passed.name}.data()", f"{passed.name}.size() + 1")
        self.back(passed, f"{_NS}give_copy({{slot}}, {passed.name}.data(), {passed.name}.size());")

    def vector(self, passed, slot):
        name, type_ = passed.name, passed.type
        self.before.append(f"{type_.name} {name}{f' = {_NS}vector<{type_.element.name}>({slot})' if slot else ''};")
        self.given.append(f"&{name}" if type_.levels else name)
        self.passes_variable(passed)
        self.passes(passed, f"{name}.data()", f"{name}.size() * sizeof({type_.element.name})")
        self.back(passed, f"{_NS}give_elements({{slot}}, {name});")

    def pointer(self, passed, slot):
        if slot is None:
            return self.far(passed)
        self.before.append(f"auto* {passed.name} = ({passed.type.rows or ctype(passed.type)}){slot}.pointer;")
        self.given.append(passed.name)

    def any(self, passed, slot):
        self.before.append(f"void* {passed.name} = {_NS}elements<void>({slot});")
        self.given.append(passed.name)

    def object(self, passed, slot):
        self.before.append(f"auto* {passed.name} = static_cast<{passed.type.name}*>({slot}.pointer);")
        self.given.append(passed.name if passed.type.levels else f"*{passed.name}")

    def callback(self, passed, slot):
        """A function without a state of its own, which asks a variable of the thread what to call."""
        name, type_ = passed.name, passed.type
        place = f"{self.symbol}_{name}"
        types = [ctype(each) for each in type_.arguments]
        result = ctype(type_.element)
        self.outside.append(f"static thread_local {_NS}Callback* {place};")
        parameters = ", ".join(f"{each} hetjit_{i}" for i, each in enumerate(types))
        given = "".join(f", hetjit_{i}" for i in range(len(types)))
        self.before.append(f"{_NS}Called {self.local(passed)}({place}, {slot}.callback);")
        self.before.append(f"{result} (*{name})({', '.join(types)}) = nullptr;")
        self.before.append(f"if ({slot}.callback) {name} = []({parameters}) -> {result} {{ "
                           f"return {_NS}call_back<{result}>({place}{given}); }};")
        self.given.append(name)
        self.checks.append(f"{self.local(passed)}.check();")

    def struct(self, passed, slot):
        name, type_ = passed.name, passed.type
        self.before.append(f"{type_.name} {name}{f' = *{_NS}elements<{type_.name}>({slot})' if slot else '{}'};")
        self.given.append(f"&{name}" if type_.levels else name)
        self.passes_variable(passed)
        self.back(passed, f"{_NS}give_copy({{slot}}, &{name}, sizeof {name});")

    # ---- results

    def result(self, passed, value):
        """Lines that give a result to its slot; its value is the name of a variable."""
        if passed.buffer:
            return [f"{_NS}fill(*hetjit_in[{self.inputs[passed.name]}].array, {value});"]
        if not passed.returned:
            return []
        return getattr(self, f"{passed.way}_result")(passed, self.output(passed), value)

    def number_result(self, passed, slot, value):
        return [f"{_NS}give_number({slot}, static_cast<{passed.type.name}>({value}));"]

    character_result = number_result

    def array_result(self, passed, slot, value):
        type_, lines = passed.type, []
        pointer = f"&{value}" if type_.reference and not type_.levels else value
        extents = self.extents(passed, lines)
        return [*lines, f'{_NS}give_array({slot}, {pointer}, sizeof({type_.name}), {extents}, {passed.idtor}, hetjit_passing);']

    def struct_result(self, passed, slot, value):
        return [f"{_NS}give_copy({slot}, &{value}, sizeof {value});"]

    def pointer_result(self, passed, slot, value):
        return [f'{_NS}require_lasting(hetjit_passing, (const void*){value}, "give the result deref(copy)");',
                f"{_NS}give({slot}, (const void*){value}, 0, {{}}, (const void*){value}, {passed.idtor});"]

    def text_result(self, passed, slot, value):
        if not passed.idtor and passed.deref == "copy":
            return [f"{_NS}give_text({slot}, {value});"]
        if not passed.idtor:
            return [f"{_NS}give_array({slot}, {value}, {value} ? std::strlen({value}) : 0, {{}}, 0, hetjit_passing);"]
        return [f"{_NS}give({slot}, {value}, {value} ? std::strlen({value}) : 0, {{}}, {value}, {passed.idtor});"]

    def moved(self, passed, value):
        """A class's object as a pointer: one that was returned is moved to the heap."""
        if passed.type.indirect:
            return [f"auto* const {self.local(passed)} = {value if passed.type.levels else f'&{value}'};"]
        return [f"auto* const {self.local(passed)} = new {passed.type.name}(std::move({value}));"]

    def string_result(self, passed, slot, value):
        at = self.local(passed)
        if not passed.type.levels and not (passed.type.indirect and passed.idtor):
            return [f"{_NS}give_copy({slot}, {value}.data(), {value}.size());"]
        if not passed.idtor:
            return [f"{_NS}give_copy({slot}, {value} ? {value}->data() : nullptr, {value} ? {value}->size() : 0);"]
        return [*self.moved(passed, value), f"{_NS}give_contiguous({slot}, {at}, 1, {passed.idtor});"]

    def vector_result(self, passed, slot, value):
        at, element = self.local(passed), f"sizeof({passed.type.element.name})"
        lines = [*self.moved(passed, value), f"{_NS}give_contiguous({slot}, {at}, {element}, {passed.idtor});"]
        if passed.type.indirect and not passed.idtor:
            lines.append(f"if ({_NS}within(hetjit_passing, {at})) {_NS}give_elements({slot}, *{at});")
        return lines

    def texts_result(self, passed, slot, value):
        return [f"{_NS}give_texts({slot}, {'*' if passed.type.levels else ''}{value});"]

    def object_result(self, passed, slot, value):
        at = self.local(passed)
        return [*self.moved(passed, value), f"{_NS}give({slot}, {at}, 0, {{}}, {at}, {passed.idtor});"]


# How fields are read and written, where it is not as results and variables are.
_READ = {"elements": "give_field({slot}, {field}, sizeof({type.name}), {extents});", "addresses": "give_field({slot}, {field}, sizeof(void*), {extents});",
         "object": "give_field({slot}, {field}, 0, {{}});", "objects": "give_field({slot}, {field}, sizeof({type.name}), {extents});",
         "characters": "give_characters({slot}, {field});", "strings": "give_strings({slot}, {field});", "texts": "give_strings({slot}, {field});",
         "bits": "give_number({slot}, static_cast<{type.name}>({field}));", "pointee": "give_pointee({slot}, {field}, sizeof({type.name}));"}
_WRITTEN = {"elements": "{ns}set_elements({field}, {record}, {extents}, {name});", "characters": "{ns}set_characters({field}, {record}, {name});",
            "strings": "{ns}set_strings({field}, std::move({value}), {name});", "texts": "{ns}set_strings({field}, std::move({value}), {name});",
            "object": "{ns}set_object({field}, {value});", "vector": "{field} = std::move({value});",
            "bits": "const auto hetjit_had = {field}; {field} = ({type}){value}; const bool hetjit_same = {field} == {value}; "
                    "if (!hetjit_same) {field} = hetjit_had; {ns}require_bits(hetjit_same, {name});"}


def _listed(extents):
    return "{" + ", ".join(map(str, extents)) + "}"


def _named(call):
    """What names in the expressions of a call stand for, beside C++'s own: integers that do not wrap, and the fields of an object."""
    made = {each.name: (f"{_NS}Checked", f"{_NS}Checked({each.name})") for each in call.arguments if each.way == "number" and each.type.name in _INTEGERS}
    for field in call.function.beside:
        if field.type.name in _INTEGERS and not field.extents and not field.type.indirect:
            made[field.name] = f"{_NS}Checked", f"{_NS}Checked(hetjit_self->{field.cxx})"
        elif not field.bits:
            made[field.name] = "const auto&", f"hetjit_self->{field.cxx}"
    return made


def comes_back(passed):
    """Whether what Python gets back is the very object that it passed."""
    return passed.way == "array" and passed.intent == "inout"
