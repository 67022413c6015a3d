"""Declarations as YAML."""

import pytest

import library_pointers as pointers
import library_texts as texts
from hetjit import interop

pytest.importorskip("yaml", reason="PyYAML is not installed for this Python")

YAML = """
library: pointers
language: c
destructors:
  release: release(ptr);
options: {deref_func_array: copy}
declarations:
- decl: void release(void* memory)
- decl: int Sum(int n, const int* values)
  attrs: {n: {implied: size(values)}, values: {rank: 1}}
- decl: int* allocate(int n)
  fattrs: {dimension: n, owner: caller, destructor_name: release}
- decl: int countAllocations();
- decl: void intargs(const int in, int* both +intent(inout), int* out +intent(out))
"""


def test_attributes_beside_and_in_the_line(compiled, tmp_path):
    (tmp_path / "pointers.yaml").write_text(YAML)
    lib = interop.bind(tmp_path / "pointers.yaml", compiled(pointers.SOURCE))
    assert lib.Sum([1, 2, 3]) == 6 and lib.intargs(1, 2) == (1, 2)
    assert lib.allocate(3).tolist() == [0, 1, 2] and lib.countAllocations() == 0


def test_namespaces_and_classes(compiled, tmp_path):
    (tmp_path / "texts.yaml").write_text("""
cxx_header: <string>
declarations:
- decl: class Class1
  declarations:
  - decl: explicit Class1(int flag)
  - decl: ~Class1()
  - decl: int method(int by) const
  - decl: int m_flag
  - decl: std::string label
- decl: namespace app
  declarations:
  - decl: namespace inner
    declarations:
    - decl: double half(double x)
""")
    lib = interop.bind(tmp_path / "texts.yaml", compiled(texts.SOURCE))
    assert lib.Class1(3).method(4) == 12 and lib.app.inner.half(1.0) == 0.5


@pytest.mark.parametrize("text, code, says", [
    ("a: [", "B150", "this is no YAML"), ("library: x", "B151", "no list of 'declarations'"), ("- 3", "B151", "no list"),
    ("declaration: 3\ndeclarations: []", "B152", "nothing is called 'declaration'"), ("declarations: [3]", "B153", "has a 'decl'"),
    ("declarations:\n- decl: int f(int x)\n  attr: {}", "B152", "nothing is called 'attr'"),
    ("declarations:\n- decl: int f(int x)\n  attrs: {y: {rank: 1}}", "B154", "has no parameter 'y'"),
    ("declarations:\n- decl: int f(int* x)\n  attrs: {x: {rank: 9}}", "B131", "a rank is a number"),
])
def test_mistakes(tmp_path, text, code, says):
    (tmp_path / "wrong.yaml").write_text(text)
    with pytest.raises(interop.BindError) as caught:
        interop.bind(tmp_path / "wrong.yaml")
    assert caught.value.code == code and says in str(caught.value) and "wrong.yaml" in str(caught.value)
