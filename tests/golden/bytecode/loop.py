# SHOW: bytecode
def f(n):
    total = 0
    for i in range(n):
        if i == 3:
            continue
        total += i
    return total
