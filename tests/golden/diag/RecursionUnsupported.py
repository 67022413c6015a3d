# FOR: (int)
def f(n):
    def g(n, t):
        return t if n < 2 else g(n - 1, (n, t))  #! E0312 'g' calls itself with ever new types
    return g(n, 1)[0]
