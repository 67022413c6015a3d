"""A library for callers in Fortran: functions with the C interface that `bind(c)` calls, in C++, and a module that declares them. They hand over
to the shims (shims.py); what they are made of is `abi/library_fortran.hpp`.

Arrays come as descriptors and go as pointers or allocatable ones, texts without the blanks at their ends; what is the caller's is a capsule. Each
has an argument `stat` at its end: without it, who makes a mistake is stopped with the message."""

import dataclasses
import pathlib
import re

from hetjit.interop import build, shims
from hetjit.interop.shims import comes_back, ctype

_NS = "hetjit::library::fortran::"
_NUMBERS = {"bool": "logical(c_bool)", "float32": "real(c_float)", "float64": "real(c_double)", "complex64": "complex(c_float_complex)",
            "complex128": "complex(c_double_complex)"}
_NUMBERS |= {f"{sign}int{bits}": f"integer(c_int{bits}_t)" for sign in ("", "u") for bits in (8, 16, 32, 64)}
_TEXT = "character(kind=c_char, len=*)"
_DEFERRED = "character(kind=c_char, len=:), allocatable"


@dataclasses.dataclass
class _Argument:
    """One argument: in C++, in Fortran, what puts it into its slot, and what hands its result over."""
    name: str
    cxx: str
    fortran: str
    before: str = ""
    after: str = ""


class _Unsupported(Exception):
    """Why Fortran has nothing for a function."""


def write(written, folder):
    """Writes NAME_c.cpp, which is compiled with the headers beside it, and NAME.f90. Of what Fortran has nothing for, that says why."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    module = _name(written.name)
    build.write_headers(folder, exist_ok=True)
    made, left_out, names = [], [], {"capsule", "release", "last_message", module}
    for number, call in enumerate(written.calls):
        try:
            made.append(_Written(call, number, module, names, written.declared))
        except _Unsupported as why:
            left_out.append(f"  ! {call.function.title} is not here: {why}")
    (folder / f"{module}_c.cpp").write_text("\n".join([written.text, '#include "hetjit/library_fortran.hpp"', _common(module), *(each.cxx() for each in made)]))
    (folder / f"{module}.f90").write_text(_module(module, made, left_out, written.declared.constants, names))


def _common(module):
    return (f'{shims._EXPORTED} void {module}_release(hetjit::library::Capsule* capsule) {{ hetjit_release(capsule); }}\n'
            f'{shims._EXPORTED} void {module}_message(CFI_cdesc_t* text) {{\n'
            f"  const std::string& said = {_NS}message();\n"
            f"  {_NS}pad(text->base_addr, text->elem_len, said.data(), said.size() < text->elem_len ? said.size() : text->elem_len);\n}}\n")


def _name(text):
    found = re.sub(r"\W", "_", text.split("/")[-1].removeprefix("lib").split(".")[0]).lower().strip("_<>")
    return found if found[:1].isalpha() else f"bound{found}"


class _Written:
    """One call."""

    def __init__(self, call, number, module, names, declared):
        function = self.function = call.function
        self.call, self.symbol, self.declared, self.structs = call, shims.symbol(number), declared, []
        shim = shims._Shim(call, number)
        self.inputs, self.outputs = shim.inputs, {id(passed): slot for slot, passed in enumerate(each for each in call.returned if not comes_back(each))}
        self.taken, self.answer = set(), None
        self.arguments = [self.itself()] if function.kind in ("method", "getter", "setter") else []
        for each in call.arguments:
            if each.asked or each.returned:
                self.arguments.append(self.argument(each))
        if call.result.way != "nothing":
            self.result(call.result)
        self.stat = self.own("stat")
        self.name = _unique("_".join((*function.scope[:-1], function.title, "new") if function.name == "__init__" else
                                     (*function.scope, *{"getter": ["get"], "setter": ["set"]}.get(function.kind, []), function.name)), names)
        self.exported = f"{module}_{self.name}"

    def own(self, name):
        """A name that no other argument has; Fortran knows no capitals."""
        return _unique(name, self.taken)

    def itself(self):
        return _Argument(self.own("self"), "void* self", "type(c_ptr), value", "slots.pointer(0, self);")

    # ---- arguments

    def argument(self, passed):
        taker = getattr(self, passed.way, None)
        if taker is None or passed.field not in ("", "value"):
            raise _Unsupported(f"{passed.type.spelling} has no counterpart")
        name = self.own(passed.name)
        return taker(passed, name, self.inputs.get(passed.name), self.outputs.get(id(passed)))

    def number(self, passed, name, slot, out):
        type_, cxx = _number(passed.type), passed.type.name
        if passed.intent == "in":
            return _Argument(name, f"{cxx} {name}", f"{type_}, value", f"slots.number({slot}, {name});")
        before = f"slots.number({slot}, *{name}); " * passed.asked + f"slots.gives({out}, {name});" * (out is not None)
        wide = out is not None and passed.type.bytes > 8
        return _Argument(name, f"{cxx}* {name}", f"{type_}, intent({passed.intent})", before, f"{_NS}copy({name}, given[{out}]);" * wide)

    def character(self, passed, name, slot, out):
        if passed.intent != "in":
            raise _Unsupported(f"{passed.type.spelling} has no counterpart")
        return _Argument(name, f"char {name}", "character(kind=c_char), value", f"slots.number({slot}, {name});")

    def array(self, passed, name, slot, out):
        if passed.device:
            raise _Unsupported("memory of a device has no counterpart")
        axes = f"({', '.join(':' * passed.rank)})" if passed.rank else ""
        if out is None:
            return _Argument(name, f"const CFI_cdesc_t* {name}", f"{self.element(passed.type)}, intent({passed.intent})"
                             f"{', contiguous' * bool(passed.rank)} :: {{name}}{axes}" if passed.rank else f"{self.element(passed.type)}, intent({passed.intent}) :: {{name}}(..)",
                             f'slots.array({slot}, {name}, "{name}");')
        return _Argument(name, f"CFI_cdesc_t* {name}", f"{self.element(passed.type)}, allocatable, intent(out) :: {{name}}{axes}", "", f"{_NS}allocate({name}, given[{out}]);")

    def vector(self, passed, name, slot, out):
        element = self.element(passed.type.element)
        before = f'slots.array({slot}, {name}, "{name}");' * (slot is not None)
        if out is None:
            return _Argument(name, f"const CFI_cdesc_t* {name}", f"{element}, intent(in), contiguous :: {{name}}(:)", before)
        return _Argument(name, f"CFI_cdesc_t* {name}", f"{element}, allocatable, intent({passed.intent}) :: {{name}}(:)", before, f"{_NS}allocate({name}, given[{out}]);")

    def text(self, passed, name, slot, out):
        before = f"slots.text({slot}, {name});" * (slot is not None)
        after = f"{_NS}fill_text({name}, given[{out}]);" * (out is not None)
        return _Argument(name, f"CFI_cdesc_t* {name}", f"{_TEXT}, intent({passed.intent})", before, after)

    string = text

    def texts(self, passed, name, slot, out):
        if out is not None:
            raise _Unsupported("a list of texts that comes back has no counterpart")
        return _Argument(name, f"const CFI_cdesc_t* {name}", f"{_TEXT}, intent(in) :: {{name}}(:)", f"slots.texts({slot}, {name});")

    def any(self, passed, name, slot, out):
        return _Argument(name, f"void* {name}", "type(c_ptr), value", f"slots.memory({slot}, {name}, 1);")

    def pointer(self, passed, name, slot, out):
        if out is not None:
            return self.capsule(name, out)
        return _Argument(name, f"void* {name}", "type(c_ptr), value", f"slots.pointer({slot}, {name});")

    object = pointer

    def struct(self, passed, name, slot, out):
        before = f"slots.memory({slot}, {name}, sizeof *{name});" * (slot is not None)
        after = f"{_NS}copy({name}, given[{out}]);" * (out is not None)
        return _Argument(name, f"{'const ' * (out is None)}{passed.type.name}* {name}", f"{self.element(passed.type)}, intent({passed.intent})", before, after)

    def callback(self, passed, name, slot, out):
        types = ", ".join(ctype(each) for each in (passed.type.element, *passed.type.arguments))
        return _Argument(name, f"void* {name}", "type(c_funptr), value",
                         f"{_NS}Function<{types}> of_{name}({name}); slots.callback({slot}, {name} ? &of_{name} : nullptr);")

    def element(self, type_):
        """An element's type in Fortran."""
        if type_.kind == "struct":
            _add_struct(type_, self.declared.records, self.structs)
            return f"type({_struct_name(self.declared.records[type_.name])})"
        return _number(type_)

    # ---- results

    def result(self, passed):
        out = self.outputs.get(id(passed))
        if passed.way == "number" and not passed.device:
            self.answer = passed
            return
        name = self.own("answer")
        if passed.buffer:
            slot = self.inputs[passed.name]
            self.arguments.append(_Argument(name, f"CFI_cdesc_t* {name}", f"{_TEXT}, intent(inout)", f"slots.buffer({slot}, {name});", f"{_NS}blank({name});"))
            return
        given = getattr(self, f"{passed.way}_result", None)
        if given is None or passed.field in ("objects",) or passed.device:
            raise _Unsupported(f"{passed.type.spelling} has no counterpart")
        self.arguments += given(passed, name, out)

    def array_result(self, passed, name, out):
        axes, element = f"({', '.join(':' * passed.rank)})" if passed.rank else "", self.element(passed.type)
        if passed.deref != "pointer":
            kind, after = ("allocatable", "allocate") if passed.rank else ("", "copy")
            if not passed.rank:
                return [_Argument(name, f"{passed.type.name}* {name}", f"{element}, intent(out)", "", f"{_NS}copy({name}, given[{out}]);")]
            return [_Argument(name, f"CFI_cdesc_t* {name}", f"{element}, {kind}, intent(out) :: {{name}}{axes}", "", f"{_NS}{after}({name}, given[{out}]);")]
        made = [_Argument(name, f"CFI_cdesc_t* {name}", f"{element}, pointer, intent(out) :: {{name}}{axes}", "", f"{_NS}point({name}, given[{out}]);")]
        return [*made, self.capsule(self.own("memory"), out)] if passed.idtor else made

    def vector_result(self, passed, name, out):
        return [_Argument(name, f"CFI_cdesc_t* {name}", f"{self.element(passed.type.element)}, allocatable, intent(out) :: {{name}}(:)", "", f"{_NS}allocate({name}, given[{out}]);")]

    def text_result(self, passed, name, out):
        return [_Argument(name, f"CFI_cdesc_t* {name}", f"{_DEFERRED}, intent(out)", "", f"{_NS}allocate_text({name}, given[{out}]);")]

    string_result = text_result

    def texts_result(self, passed, name, out):
        return [_Argument(name, f"CFI_cdesc_t* {name}", f"{_DEFERRED}, intent(out) :: {{name}}(:)", "", f"{_NS}allocate_texts({name}, given[{out}]);")]

    def struct_result(self, passed, name, out):
        return [_Argument(name, f"{passed.type.name}* {name}", f"{self.element(passed.type)}, intent(out)", "", f"{_NS}copy({name}, given[{out}]);")]

    def pointer_result(self, passed, name, out):
        return [self.capsule(name, out)]

    object_result = pointer_result

    @staticmethod
    def capsule(name, out):
        return _Argument(name, f"hetjit::library::Capsule* {name}", "type(capsule), intent(out)", "", f"{_NS}hand_over({name}, given[{out}]);")

    # ---- as texts

    def cxx(self):
        result = self.answer.type.name if self.answer else "void"
        lines = [f"{_NS}Slots<{max([0, *self.inputs.values()]) + 1}, {len(self.outputs)}> slots;", *(each.before for each in self.arguments)]
        if self.answer:
            lines += [f"{result} answer{{}};", f"slots.gives({self.outputs[id(self.answer)]}, &answer);"]
        after = " ".join(each.after for each in self.arguments)
        if self.answer and self.answer.type.bytes > 8:
            after += f" {_NS}copy(&answer, given[{self.outputs[id(self.answer)]}]);"
        lines.append(f'slots.run({self.symbol}, hetjit_release, "{self.function.title}", {self.stat}, [&](hetjit::library::Given* given) {{ (void)given; {after} }});')
        lines += ["return answer;"] if self.answer else []
        parameters = ", ".join([*(each.cxx for each in self.arguments), f"int* {self.stat}"])
        return f"{shims._EXPORTED} {result} {self.exported}({parameters}) {{\n" + "".join(f"  {line}\n" for line in lines if line) + "}\n"

    def fortran(self):
        kind = "function" if self.answer else "subroutine"
        names = ", &\n        ".join([*(each.name for each in self.arguments), self.stat])
        made = [f"    {kind} {self.name}( &\n        {names}) &", f'        {"result(hetjit_answer) " * bool(self.answer)}bind(c, name="{self.exported}")', "      import"]
        made += [f"      {each.fortran.format(name=each.name)}" if "{name}" in each.fortran else f"      {each.fortran} :: {each.name}" for each in self.arguments]
        made.append(f"      integer(c_int), intent(out), optional :: {self.stat}")
        if self.answer:
            made.append(f"      {_number(self.answer.type)} :: hetjit_answer")
        return "\n".join([*made, f"    end {kind}"])


def _unique(name, taken):
    """A name of Fortran's that is not taken."""
    name = name if name[:1].isalpha() else f"c{name}"
    found, number = name[:55], 2
    while found.lower() in taken:
        found, number = f"{name[:55]}_{number}", number + 1
    taken.add(found.lower())
    return found


def _number(type_):
    if type_.number not in _NUMBERS:
        raise _Unsupported(f"{type_.spelling or type_.name} has no counterpart")
    return "character(kind=c_char)" if type_.kind == "char" else _NUMBERS[type_.number]


def _struct_name(record):
    return "_".join((*record.scope, record.name)) + "_t" * record.name.endswith("_")


def _add_struct(type_, records, found):
    """The definition of a struct's type, behind those of its parts: (name, text)."""
    record = records[type_.name]
    lines = []
    for field in record.fields:
        if field.type.kind == "struct":
            _add_struct(field.type, records, found)
            part = f"type({_struct_name(records[field.type.name])})"
        else:
            part = _number(field.type)
        extents = f"({', '.join(map(str, reversed(field.extents)))})" if field.extents else ""
        lines.append(f"    {part} :: {field.name}{extents}")
    name = _struct_name(record)
    definition = name, "\n".join([f"  type, bind(c) :: {name}", *lines, "  end type"])
    if definition not in found:
        found.append(definition)


def _module(module, made, left_out, known, names):
    structs = dict.fromkeys(definition for each in made for definition in each.structs)
    constants = [f"  integer(c_int64_t), parameter :: {_unique('_'.join((*scope, name)), names)} = {value}_c_int64_t"
                 for scope, name, value in known if -2**63 < value < 2**63]
    return "\n".join([
        f"! Written by `python -m hetjit bind --fortran`: {module}_c.cpp holds what is declared here.", f"module {module}",
        "  use, intrinsic :: iso_c_binding", "  implicit none", "  ! What is the caller's: released by `call release(it)`, once; where idtor is 0, by nobody.",
        "  type, bind(c) :: capsule", "    type(c_ptr) :: addr = c_null_ptr", "    integer(c_int) :: idtor = 0", "    integer(c_int) :: cmemflags = 0", "  end type",
        *(text for _, text in structs), *constants, *left_out, "  interface",
        f'    subroutine release(it) bind(c, name="{module}_release")', "      import", "      type(capsule), intent(inout) :: it", "    end subroutine",
        f'    subroutine last_message(text) bind(c, name="{module}_message")', "      import", f"      {_TEXT}, intent(out) :: text", "    end subroutine",
        *(each.fortran() for each in made), "  end interface", "end module", ""])
