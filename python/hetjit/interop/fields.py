"""Fields of classes: of which kind each is, and how it is read and written, as calls.py decides of parameters. What does it in C++ is
`abi/library_fields.hpp`."""

import dataclasses

from hetjit.interop.model import Passed, Type

# What a field's attributes can say.
ATTRIBUTES = ("dimension", "rank", "deref", "memory", "name")
_OF_POINTERS = {"dimension", "rank", "deref", "memory"}
_ADDRESS = Type("number", "std::uintptr_t", "uint64", 8, const=True)
_VALUES = ("number", "char", "string")


def kind_of(field):
    """"value", "bits", "characters", "strings", "elements", "addresses", "object", "objects", "vector", "texts", "pointer", "pointee"; "" where
    Python has nothing for it."""
    type_, extents = field.type, field.extents
    if field.bits:
        return "bits" if type_.kind == "number" else ""
    if type_.levels or type_.kind == "function":
        return "addresses" if extents else _kind_of_pointer(field)
    if type_.kind == "string":
        return ("value", "strings")[len(extents)] if len(extents) < 2 else ""
    if type_.kind == "char" and len(extents) == 1:
        return "characters"
    if type_.kind in _VALUES and not extents:
        return "value"
    if type_.kind == "vector":
        return "" if extents else _kind_of_vector(type_.element)
    if type_.kind == "class" and not (type_.laid and extents):
        return "objects" if extents else "object"
    return "elements" if type_.of_arrays or type_.kind == "char" else ""


def _kind_of_pointer(field):
    is_one = field.type.kind == "struct" and field.type.levels == 1
    return "pointee" if is_one and not field.attributes.keys() & _OF_POINTERS else "pointer"


def _kind_of_vector(element):
    if element.indirect or element.number == "bool":
        return ""
    return "texts" if element.kind == "string" else "vector" if element.of_arrays else ""


def is_written(field):
    """Whether Python writes it."""
    kind = kind_of(field)
    return not field.fixed and kind not in ("", "addresses", "objects") and not (field.type.reference and field.type.kind not in _VALUES)


def read(decision, parameter, field):
    """What reading comes to."""
    for name in parameter.attributes:
        if name not in ATTRIBUTES:
            raise decision.wrong("B132", f"'{name}' means nothing for a field", parameter, name)
    kind = kind_of(field)
    return dataclasses.replace(_READ.get(kind, _read_value)(decision, parameter, field), field=kind, intent="out")


def _of(parameter, **changes):
    return dataclasses.replace(parameter, type=dataclasses.replace(parameter.type, **changes))


def _read_value(decision, parameter, field):
    return decision.result(_of(parameter, reference=False))


def _read_alone(way):
    def read(decision, parameter, field):
        decision.only(parameter)
        return Passed(parameter, way, deref="copy")
    return read


def _read_elements(decision, parameter, field):
    decision.only(parameter)
    parameter = _of(parameter, reference=False)
    return Passed(parameter, "array", rank=len(field.extents), dimensions=tuple(map(str, field.extents)), deref="pointer")


def _read_addresses(decision, parameter, field):
    return _read_elements(decision, dataclasses.replace(parameter, type=_ADDRESS), field)


def _read_object(decision, parameter, field):
    decision.only(parameter)
    return Passed(_of(parameter, reference=True, levels=0), "objects" if field.extents else "object", rank=len(field.extents),
                  dimensions=tuple(map(str, field.extents)))


def _read_vector(decision, parameter, field):
    """A copy, where nothing else is said: a vector moves its elements when it grows."""
    found = decision.result(_of(parameter, reference=True))
    return found if "deref" in parameter.attributes else dataclasses.replace(found, deref="copy")


def _read_pointer(decision, parameter, field):
    """What it points to is known where the declaration says it, or where its type does; else it is an address."""
    type_ = parameter.type
    is_known = type_.levels == 1 and (type_.kind in ("char", "string", "class") or type_.kind == "vector" and _kind_of_vector(type_.element))
    if is_known or parameter.attributes.keys() & _OF_POINTERS:
        return decision.result(_of(parameter, reference=False))
    return Passed(parameter, "pointer", deref="raw")


def _read_pointee(decision, parameter, field):
    decision.only(parameter)
    return Passed(parameter, "array", deref="pointer")


_READ = {"characters": _read_alone("text"), "strings": _read_alone("texts"), "texts": _read_alone("texts"), "elements": _read_elements,
         "addresses": _read_addresses, "object": _read_object, "objects": _read_object, "vector": _read_vector, "pointer": _read_pointer,
         "pointee": _read_pointee}
_WRITTEN = {"value": {"number": "number", "char": "character", "string": "string"}, "bits": "number", "characters": "text", "strings": "texts",
            "texts": "texts", "object": "object", "vector": "vector", "pointer": "address", "pointee": "address"}


def written(parameter, field):
    """What writing comes to: its one parameter."""
    kind, type_ = kind_of(field), parameter.type
    if kind == "elements":
        way = "array" if field.extents else "struct"
    else:
        way = _WRITTEN[kind] if isinstance(_WRITTEN[kind], str) else _WRITTEN[kind][type_.kind]
    type_ = type_ if way == "address" else dataclasses.replace(type_, reference=False, const=False)
    return Passed(dataclasses.replace(parameter, type=type_), way, rank=1 if kind == "vector" else len(field.extents), field=kind)
