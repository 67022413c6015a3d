# FOR: (int)
def f(n):
    total = 0
    for i in n:  #! E0217 cannot iterate over int
        total += i
    return total
