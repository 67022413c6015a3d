# SHOW: explain
# KERNEL: yes
# FOR: (uint8[:, ::1], array[uint8, 1, contiguous, index32])
# ONLY: ^plan |load|store|vectors|this is
from hetjit import device
def grey(colour, out):
    i = device.tid(1)
    if i < out.shape[0]:
        out[i] = (77 * int(colour[i, 0]) + 150 * int(colour[i, 1]) + 29 * int(colour[i, 2])) >> 8

# CHECK:   vectors of 16 lanes, what suits the CPU
# CHECK:   4 vectors side by side, where a row has as many: a register holds more of the small elements
# CHECK:   this is where colour has 3 elements along axis 1, as the indices suggest; else strides are not known
# CHECK:    |         ------ store: contiguous, uint8
# CHECK:    |                            ------------ load: strided, uint8, 3 bytes apart
# CHECK:    |                                                      ------------ load: strided, uint8, 3 bytes apart
# CHECK:    |                                                                               ------------ load: strided, uint8, 3 bytes apart
