# SHOW: ssa
def f(n):
    total = 0
    for i in range(n):
        if i == 2:
            continue
        if i == 6:
            break
        total += i
    else:
        total = total + 100
    return total
# RUN: f(4) == PYTHON
# RUN: f(60) == PYTHON
