"""Parameters whose value is known while compiling: `def f(x, n: device.ConstExpr)`. HETX-CE-2"""

__all__ = ["ConstExpr"]


class ConstExpr:
    """As an annotation: the function is compiled for the argument's value. A number, a string, None, a type, a function or a
    tuple of such; device code passes a constant, a launch any object of these kinds. `ConstExpr[device.int64]` also fixes
    the number's type."""

    __slots__ = {"type": "The number's type, of `ConstExpr[type]`."}

    def __init__(self, type):
        self.type = type

    def __class_getitem__(cls, type):
        return cls(type)

    def __repr__(self):
        return f"device.ConstExpr[{self.type!r}]"

    def __eq__(self, other):
        return self.type == other.type if isinstance(other, ConstExpr) else NotImplemented

    def __hash__(self):
        return hash((ConstExpr, self.type))
