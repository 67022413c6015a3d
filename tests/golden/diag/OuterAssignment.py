# FUNCTION: f
# FOR: (int)
def outer():
    total = 0

    def add(x):
        nonlocal total
        total += x  #! E0122 'total' belongs to an outer function
        return total
    return add


f = outer()
