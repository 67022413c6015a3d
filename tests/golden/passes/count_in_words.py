# Ranges that begin at a number, at a place after the thread's, or go by twos to an array's end: all count in 32 bits, as their length says.
# SHOW: optimized
# FOR: (array[float32, 1, contiguous, index32],)
# ONLY: ^b\d+\(v
from hetjit import device
def count(x):
    for i in range(1, x.shape[0]):
        x[i] = 1.0
    for i in range(device.tid(1) + 1, x.shape[0]):
        x[i] = 2.0
    for i in range(0, x.shape[0], 2):
        x[i] = 3.0
    for i in range(3, x.shape[0] - 1, 5):
        x[i] = 4.0

# CHECK: b0(v0: array[f32, 1, contiguous, index32]):
# CHECK: b1(v128: u32):
# CHECK: b4(v129: u32):
# CHECK: b7(v130: u32):
# CHECK: b10(v131: u32):
