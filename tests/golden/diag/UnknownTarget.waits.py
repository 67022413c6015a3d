# KERNEL: yes
# FOR: (int32[:])
from hetjit import device


def deeper(n):
    device.syncthreads()
    return n if n < 1 else 1 + deeper(n - 1)  #! E0602 functions whose threads wait for one another call each other in a circle


def f(out):
    out[0] = deeper(out[0])
