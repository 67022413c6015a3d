"""libclang's C interface, as much of it as declarations need. Found when it is needed: it belongs to the user's clang."""

import ctypes
import functools
import glob
import os

from hetjit import _core
from hetjit.toolchain import Missing


class _Cursor(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("extra", ctypes.c_int), ("data", ctypes.c_void_p * 3)]


class _Type(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("data", ctypes.c_void_p * 2)]


class _String(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("flags", ctypes.c_uint)]


class _Location(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p * 2), ("number", ctypes.c_uint)]


class _Range(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p * 2), ("begin", ctypes.c_uint), ("end", ctypes.c_uint)]


class _File(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("text", ctypes.c_char_p), ("length", ctypes.c_ulong)]


_NAME = "declarations.cpp"  # what clang is told that the text is called
_VISIT = ctypes.CFUNCTYPE(ctypes.c_int, _Cursor, _Cursor, ctypes.c_void_p)
_INCLUDED = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(_Location), ctypes.c_uint, ctypes.c_void_p)
_int, _unsigned, _pointer, _long = ctypes.c_int, ctypes.c_uint, ctypes.c_void_p, ctypes.c_longlong
_FUNCTIONS = {  # name: result, arguments
    "createIndex": (_pointer, _int, _int),
    "disposeIndex": (None, _pointer),
    "parseTranslationUnit2": (_int, _pointer, ctypes.c_char_p, ctypes.POINTER(ctypes.c_char_p), _int, ctypes.POINTER(_File),
                              _unsigned, _unsigned, ctypes.POINTER(_pointer)),
    "disposeTranslationUnit": (None, _pointer),
    "getNumDiagnostics": (_unsigned, _pointer),
    "getDiagnostic": (_pointer, _pointer, _unsigned),
    "disposeDiagnostic": (None, _pointer),
    "getDiagnosticSeverity": (_int, _pointer),
    "getDiagnosticLocation": (_Location, _pointer),
    "getDiagnosticSpelling": (_String, _pointer),
    "getCString": (ctypes.c_char_p, _String),
    "disposeString": (None, _String),
    "getTranslationUnitCursor": (_Cursor, _pointer),
    "visitChildren": (_unsigned, _Cursor, _VISIT, _pointer),
    "getCursorSpelling": (_String, _Cursor),
    "getCursorLocation": (_Location, _Cursor),
    "getCursorUSR": (_String, _Cursor),
    "getCursorExtent": (_Range, _Cursor),
    "getRangeStart": (_Location, _Range),
    "getRangeEnd": (_Location, _Range),
    "getExpansionLocation": (None, _Location, ctypes.POINTER(_pointer), ctypes.POINTER(_unsigned), ctypes.POINTER(_unsigned),
                             ctypes.POINTER(_unsigned)),
    "getCursorType": (_Type, _Cursor),
    "getCursorResultType": (_Type, _Cursor),
    "getCanonicalType": (_Type, _Type),
    "getPointeeType": (_Type, _Type),
    "getArrayElementType": (_Type, _Type),
    "getElementType": (_Type, _Type),
    "getArraySize": (_long, _Type),
    "getResultType": (_Type, _Type),
    "getNumArgTypes": (_int, _Type),
    "getArgType": (_Type, _Type, _unsigned),
    "isFunctionTypeVariadic": (_unsigned, _Type),
    "isConstQualifiedType": (_unsigned, _Type),
    "getTypeSpelling": (_String, _Type),
    "getTypeDeclaration": (_Cursor, _Type),
    "getEnumDeclIntegerType": (_Type, _Cursor),
    "getEnumConstantDeclValue": (_long, _Cursor),
    "getEnumConstantDeclUnsignedValue": (ctypes.c_ulonglong, _Cursor),
    "EnumDecl_isScoped": (_unsigned, _Cursor),
    "Type_getSizeOf": (_long, _Type),
    "Type_getNumTemplateArguments": (_int, _Type),
    "Type_getTemplateArgumentAsType": (_Type, _Type, _unsigned),
    "Cursor_getNumArguments": (_int, _Cursor),
    "Cursor_getArgument": (_Cursor, _Cursor, _unsigned),
    "Cursor_getOffsetOfField": (_long, _Cursor),
    "Cursor_isBitField": (_unsigned, _Cursor),
    "Cursor_isAnonymousRecordDecl": (_unsigned, _Cursor),
    "getCursorSemanticParent": (_Cursor, _Cursor),
    "CXXMethod_isStatic": (_unsigned, _Cursor),
    "CXXMethod_isConst": (_unsigned, _Cursor),
    "CXXRecord_isAbstract": (_unsigned, _Cursor),
    "getCXXAccessSpecifier": (_int, _Cursor),
    "isCursorDefinition": (_unsigned, _Cursor),
    "getCursorAvailability": (_int, _Cursor),
    "getInclusions": (None, _pointer, _INCLUDED, _pointer),
    "getFileName": (_String, _pointer),
}


def _candidates():
    if given := os.environ.get("HETJIT_LIBCLANG"):
        return [given]
    bin_folder = os.path.dirname(os.path.realpath(_core.clang()))
    beside = glob.glob(os.path.join(os.path.dirname(bin_folder), "lib", "libclang-22.so*"))
    return [*sorted(beside), "libclang-22.so.22", "libclang-22.so.1"]


@functools.cache
def _loaded():
    for path in _candidates():
        try:
            library = ctypes.CDLL(path)
        except OSError:
            continue
        for name, (result, *arguments) in _FUNCTIONS.items():
            function = getattr(library, f"clang_{name}")
            function.restype, function.argtypes = result, arguments
        return library
    raise Missing("declarations are read by libclang 22, and there is no 'libclang-22.so' beside clang; install it (Debian: libclang1-22), "
                  "or set HETJIT_LIBCLANG to where it is")


def _call(name, *arguments):
    return getattr(_loaded(), f"clang_{name}")(*arguments)


def _text(string):
    made = _call("getCString", string)
    text = (made or b"").decode("utf-8", "replace")
    _call("disposeString", string)
    return text


class Kind:
    """Numbers of cursors (CXCursorKind) and types (CXTypeKind)."""
    STRUCT, UNION, CLASS, ENUM, FIELD, ENUMERATOR, FUNCTION, VARIABLE, METHOD, NAMESPACE, LINKAGE = 2, 3, 4, 5, 6, 7, 8, 9, 21, 22, 23
    UNEXPOSED, CONSTRUCTOR, DESTRUCTOR, CONVERSION, FUNCTION_TEMPLATE, CLASS_TEMPLATE, BASE = 1, 24, 25, 26, 30, 31, 44
    INVALID, VOID, POINTER, LVALUE, RVALUE, RECORD, ENUM_TYPE, COMPLEX = 0, 2, 101, 103, 104, 105, 106, 100
    PROTO, NO_PROTO, ARRAY, INCOMPLETE_ARRAY = 111, 110, 112, 114


class Type:
    """A type, without the names that it goes by."""

    def __init__(self, raw):
        self._written, self._raw = raw, _call("getCanonicalType", raw)
        self.kind = self._raw.kind

    written = property(lambda self: _text(_call("getTypeSpelling", self._written)))
    spelling = property(lambda self: _text(_call("getTypeSpelling", self._raw)))
    const = property(lambda self: bool(_call("isConstQualifiedType", self._raw)))
    pointee = property(lambda self: Type(_call("getPointeeType", self._raw)))
    item = property(lambda self: Type(_call("getArrayElementType", self._raw)))
    part = property(lambda self: Type(_call("getElementType", self._raw)))
    extent = property(lambda self: _call("getArraySize", self._raw))
    result = property(lambda self: Type(_call("getResultType", self._raw)))
    size = property(lambda self: _call("Type_getSizeOf", self._raw))
    variadic = property(lambda self: bool(_call("isFunctionTypeVariadic", self._raw)))
    declaration = property(lambda self: Cursor(_call("getTypeDeclaration", self._raw)))
    arguments = property(lambda self: [Type(_call("getArgType", self._raw, i)) for i in range(_call("getNumArgTypes", self._raw))])

    @property
    def template_arguments(self):
        count = _call("Type_getNumTemplateArguments", self._raw)
        return [Type(_call("Type_getTemplateArgumentAsType", self._raw, i)) for i in range(count)]


class Cursor:
    """A declaration."""

    def __init__(self, raw):
        self._raw, self.kind = raw, raw.kind

    name = property(lambda self: _text(_call("getCursorSpelling", self._raw)))
    identity = property(lambda self: _text(_call("getCursorUSR", self._raw)), doc="The same for all declarations of one thing.")
    type = property(lambda self: Type(_call("getCursorType", self._raw)))
    result = property(lambda self: Type(_call("getCursorResultType", self._raw)))
    parent = property(lambda self: Cursor(_call("getCursorSemanticParent", self._raw)))
    static = property(lambda self: bool(_call("CXXMethod_isStatic", self._raw)))
    of_const = property(lambda self: bool(_call("CXXMethod_isConst", self._raw)), doc="Whether it is a method that const objects have too.")
    abstract = property(lambda self: bool(_call("CXXRecord_isAbstract", self._raw)))
    public = property(lambda self: _call("getCXXAccessSpecifier", self._raw) in (0, 1))
    deleted = property(lambda self: _call("getCursorAvailability", self._raw) == 2, doc="Whether it is declared so that nobody calls it.")
    defined = property(lambda self: bool(_call("isCursorDefinition", self._raw)))
    value = property(lambda self: _call("getEnumConstantDeclValue", self._raw), doc="An enumerator's, of a signed type.")
    unsigned_value = property(lambda self: _call("getEnumConstantDeclUnsignedValue", self._raw))
    scoped = property(lambda self: bool(_call("EnumDecl_isScoped", self._raw)), doc="Whether it is an enum class.")
    enum_type = property(lambda self: Type(_call("getEnumDeclIntegerType", self._raw)))
    bits = property(lambda self: bool(_call("Cursor_isBitField", self._raw)), doc="Whether it is a field of some bits.")
    anonymous = property(lambda self: bool(_call("Cursor_isAnonymousRecordDecl", self._raw)), doc="Whether it is a record without a name, as are its objects.")
    offset = property(lambda self: _call("Cursor_getOffsetOfField", self._raw) // 8)
    in_main_file = property(lambda self: _is_in_text(_call("getCursorLocation", self._raw)))
    at = property(lambda self: _offset(_call("getCursorLocation", self._raw)))

    @property
    def parameters(self):
        count = _call("Cursor_getNumArguments", self._raw)
        return [Cursor(_call("Cursor_getArgument", self._raw, i)) for i in range(max(0, count))]

    @property
    def extent(self):
        reach = _call("getCursorExtent", self._raw)
        return _offset(_call("getRangeStart", reach)), _offset(_call("getRangeEnd", reach))

    @property
    def children(self):
        found = []

        def visit(cursor, parent, data):
            found.append(Cursor(_Cursor.from_buffer_copy(cursor)))
            return 1
        _call("visitChildren", self._raw, _VISIT(visit), None)
        return found


def _offset(location):
    """Of what a macro writes: where the macro stands."""
    offset = ctypes.c_uint()
    _call("getExpansionLocation", location, None, None, None, ctypes.byref(offset))
    return offset.value


def _line(location):
    """The file's name and the line of a place."""
    file, line = ctypes.c_void_p(), ctypes.c_uint()
    _call("getExpansionLocation", location, ctypes.byref(file), ctypes.byref(line), None, None)
    return _text(_call("getFileName", file)) if file else "", line.value


def _is_in_text(location):
    return _line(location)[0] == _NAME


def _in_words(location):
    """A place as messages begin with it; nothing where it is none."""
    name, line = _line(location)
    return f"{name}:{line}: " if name else ""


class Unit:
    """A text that has been parsed. errors: (offset into it or None, what clang says)."""

    def __init__(self, text, options):
        self._index = _call("createIndex", 0, 0)
        source = text.encode()
        words = [word.encode() for word in options]
        unit = ctypes.c_void_p()
        name = _NAME.encode()
        failed = _call("parseTranslationUnit2", self._index, name, (ctypes.c_char_p * len(words))(*words), len(words),
                       ctypes.byref(_File(name, source, len(source))), 1, 0, ctypes.byref(unit))
        self._unit = unit
        self.errors = [(None, "clang could not read the declarations")] if failed else self._errors()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._unit:
            _call("disposeTranslationUnit", self._unit)
        _call("disposeIndex", self._index)

    root = property(lambda self: Cursor(_call("getTranslationUnitCursor", self._unit)))

    @property
    def files(self):
        found = []

        def include(file, stack, depth, data):
            found.append(_text(_call("getFileName", file)))
        _call("getInclusions", self._unit, _INCLUDED(include), None)
        return tuple(name for name in found if name != _NAME)

    def _errors(self):
        found = []
        for i in range(_call("getNumDiagnostics", self._unit)):
            said = _call("getDiagnostic", self._unit, i)
            if _call("getDiagnosticSeverity", said) >= 3:
                place = _call("getDiagnosticLocation", said)
                here, text = _is_in_text(place), _text(_call("getDiagnosticSpelling", said))
                found.append((_offset(place), text) if here else (None, f"{_in_words(place)}{text}"))
            _call("disposeDiagnostic", said)
        return found
