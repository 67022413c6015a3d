"""For test_endless_loops.py: host kernels that never end while x[0] is 0."""

from hetjit import device


@device.kernel
def counts(x, y):
    i = device.tid(1)
    while x[0] == 0:
        y[i] += 1


@device.kernel
def does_nothing(x, y):
    while x[0] == 0:
        pass


@device.kernel
def leaves_apart(x, y):
    i = device.tid(1)
    v = device.float32(1)
    while v < 2 - x[0] and (i % 3 != 1 or v > 0):
        v = v * device.float32(0.5) + device.float32(0.5)
    y[i] = v


@device.kernel
def nested(x, y):
    i = device.tid(1)
    while x[0] == 0:
        n = i + 27
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
        y[i] = n


@device.func
def deep(x, n):
    if n > 0:
        return deep(x, n - 1) + 1
    while x[0] == 0:
        n -= 1
    return n


@device.kernel
def in_a_function(x, y):
    y[device.tid(1)] = deep(x, 3)


@device.kernel
def at_barriers(x, y):
    while x[0] == 0:
        device.syncthreads()


@device.kernel
def between_barriers(x, y):
    tile = device.shared_array(64, device.float32)
    t = device.thread_idx.x
    tile[t] = x[0]
    device.syncthreads()
    while tile[63 - t] == 0:
        y[t] += 1
    device.syncthreads()
    y[t] = tile[t]


@device.kernel
def votes(x, y):
    t = device.thread_idx.x
    while device.any_sync(0xFFFFFFFF, x[0] == 0):
        y[t] += 1


@device.kernel
def parts_at_barriers(x, y):
    t = device.thread_idx.x
    if t % 2 == 0:
        while x[0] == 0:
            y[t] += 1
    device.syncthreads()


@device.kernel
def spins(x, y):
    while device.atomic.load(x, 0) == 0:
        pass


@device.kernel
def takes_a_lock(x, y):
    while device.atomic.cas(x, 0, 1, 1) != 1:
        pass


@device.kernel(check="all")
def watched(x, y):
    i = device.tid(1)
    while x[0] == 0:
        y[i] = x[1]


@device.kernel
def speaks(x, y):
    i = device.tid(1)
    if i == 0:
        print("said")
    while x[0] == 0:
        y[i] += 1
        assert y[i] >= 0


@device.kernel
def in_a_long_loop(x, y):
    i = device.tid(1)
    for k in range(1 << 30):
        if x[0] != 0:
            return
        j = i
        while j != 5:
            j = (j * 5 + k) % 1024 if j != 7 else 5
        y[i] += 1


KERNELS = {name: one for name, one in globals().items() if isinstance(one, device.Kernel)}
