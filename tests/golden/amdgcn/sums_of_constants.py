# Where turns are written out, an index is a sum of constants that no pass has added yet: nothing is left of it but the offset.
# SHOW: amdgcn
# KERNEL: yes
# FOR: (array[int32, 1, contiguous, index32], array[int32, 1, contiguous, index32])
# ONLY: s_endpgm
from hetjit import device
def mixed(x, o):
    i = device.tid(1)
    v = device.local_array(4, device.int32)
    for z in range(4):
        v[z] = z
    if i < o.shape[0]:
        s = i
        for k in range(8):
            v[x[k & 31] & 3] = i & 1023
            if s % 3 == 0:
                if v[k & 3] % 5 == 1:
                    break
        if x[i] % 3 == 0:
            v[(x[s & 31] ^ v[1 & 3]) & 3] = (i ^ x[s & 31]) & 1023
        for z in range(4):
            s = (s * 5 + v[z]) & 65535
        o[i] = s

# CHECK: 	s_endpgm
