# FOR: (bool)
def pick(flag):
    if flag:
        x = 1
    else:
        x = 2.5, 3
    return x  #! E0202 'x' is int on one path and tuple[float, int] on another
