# FOR: (int)
# Strings are constants: nothing of them is left.
def f(n):
    name = "ab" + "c" * 2
    return len(name) + n if "bc" in name and name[1] == "b" else 0

