"""Each mistake in a declaration is told at its place, and none ends the process."""

import random

import pytest

import wrong_declarations
from hetjit import interop


@pytest.mark.row("SHROUD-DIM-4")
@pytest.mark.row("SHROUD-DIM-5")
@pytest.mark.parametrize("marked, code, says", wrong_declarations.WRONG, ids=[row[0].split("\n")[-1] for row in wrong_declarations.WRONG])
def test_a_wrong_declaration_is_told_where_it_is(marked, code, says):
    text = marked.replace("«", "").replace("»", "")
    with pytest.raises(interop.BindError) as caught:
        interop.bind(text)
    error = caught.value
    assert (error.code, says in str(error)) == (code, True), str(error)
    begin = marked.index("«")
    line = marked.count("\n", 0, begin) + 1
    assert error.span[1:3] == (line, begin - (marked.rfind("\n", 0, begin) + 1)), str(error)
    marks = str(error).split("\n")[2].count("^")
    assert marks == max(1, marked.index("»") - begin - 1), str(error)


def test_there_are_enough_of_them():
    assert len(wrong_declarations.WRONG) >= 60


def test_the_whole_message():
    with pytest.raises(interop.BindError) as caught:
        interop.bind("int sum(const int* values +rank(1));\nvoid fill(int* values +intent(out)+rank(1));\n")
    assert str(caught.value) == (
        "<declarations>:2:16: error B121: 'values' comes back, and nothing says how much memory it needs: add dimension(…)\n"
        "    2 | void fill(int* values +intent(out)+rank(1));\n"
        "      |                ^^^^^^")


_PIECES = ["int", "double*", "const char*", "char*", "void*", "int**", "f", "x", "(", ")", ",", ";", "+intent(out)", "+rank(1)", "+dimension(", "+owner(caller)",
           "+", "{", "}", "class", "struct S", "namespace", "[", "]", "=", "\"", "'", "/*", "*/", "//", "\n", "+implied(size(x))", "operator", "<", ">",
           "::", "template", "\0", "é", "#", "\\", "0", "1e9", "extern \"C\"", "+deref(raw)", "static", "&", "enum E", ":", "unsigned", "typedef"]


def test_no_text_ends_the_process():
    """What libclang reads is made of pieces at random; what is well is not compiled, for that takes long."""
    from hetjit.interop import calls, parse
    from hetjit.interop.errors import Source
    draw = random.Random(18)
    refused = 0
    for _ in range(1000):
        text = " ".join(draw.choice(_PIECES) for _ in range(draw.randrange(1, 25)))
        source = Source(text)
        try:
            calls.decide(parse.parse(source, (), "c++", ()), source, calls.OPTIONS, calls.Destructors({}))
        except interop.BindError as error:
            assert error.span.line >= 1
            refused += 1
    assert refused > 800
