# FOR: (float, int)
# Constant text is joined while compiling; run-time numbers are the operands.
def f(x, n):
    print("n is", n, end=";")
    print((n, "a", (x,)), f"{x:8.3f}|{1}|{n!s:>4}")
