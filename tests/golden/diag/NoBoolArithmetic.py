# FOR: (bool[::1])
def f(mask):
    return mask[0] + mask[1]  #! E0206 '+' is arithmetic, which bool elements do not have
