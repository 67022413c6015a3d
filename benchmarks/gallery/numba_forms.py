"""The gallery as Numba's users write it: loops under @njit(parallel=True). FORMS: by case; what has none needs atomics that Numba lacks."""

import math

import numpy as np
from numba import njit, prange

from gallery.loops import QUEENS
from gallery.numba_blocks import maxima, odd_even_sort, prefix_sums, radix_counts, sort_blocks, tiled_convolution

parallel = njit(parallel=True)


@parallel
def bytes_mixed(x, y, out):
    for i in prange(out.shape[0]):
        out[i] = (np.int32(x[i]) * 77 + np.int32(y[i]) * 179) >> 8


@parallel
def axpy(a, x, y, out):
    a = np.float32(a)
    for i in prange(x.shape[0]):
        out[i] = a * x[i] + y[i]


@parallel
def triad(a, b, c, out):
    for i in prange(out.shape[0]):
        out[i] = a[i] * b[i] + c[i]


@parallel
def multiply(x, y, out):
    for i in prange(out.shape[0]):
        out[i] = x[i] * y[i]


@parallel
def mix(x, out):
    for i in prange(x.shape[0]):
        z = x[i]
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        out[i] = z ^ (z >> np.uint64(31))


@parallel
def grey(colour, out):
    for i in prange(out.shape[0]):
        out[i] = (77 * np.int32(colour[i, 0]) + 150 * np.int32(colour[i, 1]) + 29 * np.int32(colour[i, 2])) >> 8


@parallel
def move(now, after, dt):
    dt, half = np.float32(dt), np.float32(0.5)
    for i in prange(now.shape[0]):
        after[i].x = now[i].x + dt * now[i].dx
        after[i].y = now[i].y + dt * now[i].dy
        after[i].dx = now[i].dx * half
        after[i].dy = now[i].dy * half


@parallel
def gather(x, where, out):
    for i in prange(out.shape[0]):
        out[i] = x[where[i]]


@parallel
def look_up(x, table, out):
    for i in prange(out.shape[0]):
        out[i] = table[x[i]]


@parallel
def scatter(x, where, out):
    for i in prange(x.shape[0]):
        out[where[i]] = x[i]


@parallel
def squares(x, out):
    for i in prange(out.shape[0]):
        total = 0.0
        for k in range(i, x.shape[0], out.shape[0]):
            total += x[k] * x[k]
        out[i] = total


@parallel
def rows_scaled(a, by, out):
    for i in prange(a.shape[0]):
        for k in range(a.shape[1]):
            out[i, k] = a[i, k] * by[i]


@parallel
def windows(x, radius, out):
    for i in prange(out.shape[0]):
        total = np.float32(0)
        for k in range(-radius, radius + 1):
            if 0 <= i + k < x.shape[0] and k != 0:
                total += x[i + k]
        out[i] = total


@parallel
def hits(px, py, radius, ox, oy, out):
    for i in prange(out.shape[0]):
        best = np.float32(1e30)
        for k in range(px.shape[0]):
            dx, dy = px[k] - ox[i], py[k] - oy[i]
            b = dx * np.float32(0.6) + dy * np.float32(0.8)
            d = b * b - (dx * dx + dy * dy - radius[k])
            if d > 0 and b > 0:
                t = b - d
                if t > 0 and t < best:
                    best = t
        out[i] = best


@parallel
def ranks(x, table, out):
    for i in prange(out.shape[0]):
        n = 0
        for k in range(table.shape[0]):
            if table[k] > x[i]:
                n += 1
        out[i] = n


@parallel
def pieces(x, table, out):
    for i in prange(out.shape[0]):
        total = np.float32(0)
        for k in range(table.shape[0]):
            d = x[i] - table[k]
            if d < 0:
                continue
            if d > np.float32(0.5):
                total += np.float32(0.5)
            elif d > np.float32(0.25):
                total += d
            else:
                total += d * d
        out[i] = total


@parallel
def newton(x, out):
    for i in prange(x.shape[0]):
        v = x[i] * 1000.0 + 1.0
        r = v
        while True:
            step = (r - v / (r * r)) / 3.0
            r -= step
            if abs(step) < 1e-5 * r:
                break
        out[i] = r


@parallel
def gcd(a, b, out):
    for i in prange(a.shape[0]):
        x, y = a[i], b[i]
        while y != 0:
            x, y = y, x % y
        out[i] = x


@parallel
def interpolation(places, values, x, out):
    for i in prange(x.shape[0]):
        low, high = 0, places.shape[0] - 1
        while high - low > 1:
            middle = (low + high) // 2
            if places[middle] <= x[i]:
                low = middle
            else:
                high = middle
        part = (x[i] - places[low]) / (places[high] - places[low])
        out[i] = values[low] + part * (values[high] - values[low])


@njit
def queens_from(a, b):
    full = (1 << QUEENS) - 1
    left, columns, up, down = (np.empty(QUEENS, np.int32), np.empty(QUEENS, np.int32), np.empty(QUEENS, np.int32), np.empty(QUEENS, np.int32))
    columns[0], up[0], down[0] = a | b, (a << 2 | b << 1) & full, a >> 2 | b >> 1
    left[0] = full & ~(columns[0] | up[0] | down[0])
    depth = count = 0
    while depth >= 0:
        free = left[depth]
        if free == 0:
            depth -= 1
            continue
        bit = free & -free
        left[depth] = free ^ bit
        if columns[depth] | bit == full:
            count += 1
            continue
        columns[depth + 1] = columns[depth] | bit
        up[depth + 1] = (up[depth] | bit) << 1 & full
        down[depth + 1] = (down[depth] | bit) >> 1
        depth += 1
        left[depth] = full & ~(columns[depth] | up[depth] | down[depth])
    return count


@parallel
def queens(out):
    for i in prange(out.shape[0]):
        a, b = 1 << (i // QUEENS), 1 << (i % QUEENS)
        out[i] = 0 if b & (a | a << 1 | a >> 1) else queens_from(a, b)


@parallel
def stencil(z, out):
    for i in prange(1, z.shape[0] - 1):
        for j in range(1, z.shape[1] - 1):
            out[i, j] = np.float32(0.25) * (z[i - 1, j] + z[i + 1, j] + z[i, j - 1] + z[i, j + 1])


@parallel
def product(a, b, c):
    for i in prange(c.shape[0]):
        c[i, :] = 0
        for k in range(a.shape[1]):
            for j in range(c.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


@parallel
def add_one(a, b):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            b[i, j] = a[i, j] + 1.0


@parallel
def heat(now, after, factor):
    factor = np.float32(factor)
    for z in prange(1, now.shape[0] - 1):
        for y in range(1, now.shape[1] - 1):
            for x in range(1, now.shape[2] - 1):
                here = now[z, y, x]
                around = (now[z - 1, y, x] + now[z + 1, y, x] + now[z, y - 1, x] + now[z, y + 1, x] + now[z, y, x - 1]
                          + now[z, y, x + 1])
                after[z, y, x] = here + factor * (around - np.float32(6) * here)


@parallel
def polynomial(x, out):
    f = np.float32
    for i in prange(x.shape[0]):
        v = x[i]
        out[i] = ((((v * f(0.1) + f(0.2)) * v - f(0.3)) * v + f(0.4)) * v - f(0.5)) * v + f(0.6)


@parallel
def row_sums(a, out):
    for i in prange(a.shape[0]):
        total = np.float32(0)
        for k in range(a.shape[1]):
            total += a[i, k]
        out[i] = total


@parallel
def recurrence(a, out, keep):
    keep = np.float32(keep)
    for i in prange(a.shape[0]):
        value = np.float32(0)
        for k in range(a.shape[1]):
            value = keep * value + (np.float32(1) - keep) * a[i, k]
            out[i, k] = value


@parallel
def layer_norm(a, out):
    n = np.float32(a.shape[1])
    for i in prange(a.shape[0]):
        total = squares = np.float32(0)
        for k in range(a.shape[1]):
            total += a[i, k]
            squares += a[i, k] * a[i, k]
        mean = total / n
        scale = np.float32(1) / np.float32(math.sqrt(squares / n - mean * mean + np.float32(1e-5)))
        for k in range(a.shape[1]):
            out[i, k] = (a[i, k] - mean) * scale


@parallel
def columns_scaled(a, by, out):
    for i in prange(a.shape[0]):
        for k in range(a.shape[1]):
            out[i, k] = a[i, k] * by[k]


@parallel
def hash_look_up(keys, table, slots, out):
    for i in prange(keys.shape[0]):
        slot = np.int64((np.uint32(keys[i]) * np.uint32(2654435769) & np.uint32(0xFFFFFFFF)) >> np.uint32(32 - slots))
        while table[slot] != keys[i] and table[slot] != -1:
            slot = (slot + 1) & (1 << slots) - 1
        out[i] = table[slot] == keys[i]


@parallel
def sparse_product(starts, columns, values, x, y):
    for i in prange(y.shape[0]):
        total = np.float32(0)
        for k in range(starts[i], starts[i + 1]):
            total += values[k] * x[columns[k]]
        y[i] = total


@parallel
def padded_product(columns, values, x, y):
    for i in prange(y.shape[0]):
        total = np.float32(0)
        for k in range(columns.shape[0]):
            if columns[k, i] >= 0:
                total += values[k, i] * x[columns[k, i]]
        y[i] = total


@parallel
def byte_product(a, b, c):
    for i in prange(c.shape[0]):
        for j in range(c.shape[1]):
            total = np.int32(0)
            for k in range(a.shape[1]):
                total += np.int32(a[i, k]) * np.int32(b[j, k])
            c[i, j] = total


@parallel
def search(text, word, out):
    for i in prange(out.shape[0]):
        k = 0
        while k < word.shape[0] and text[i + k] == word[k]:
            k += 1
        out[i] = k == word.shape[0]


@njit
def median(x, first):
    v = np.empty(9, np.float32)
    for k in range(9):
        own = x[first + k]
        at = k
        while at > 0 and v[at - 1] > own:
            v[at] = v[at - 1]
            at -= 1
        v[at] = own
    return v[4]


@parallel
def medians(x, out):
    for i in prange(out.shape[0]):
        out[i] = median(x, i)


@parallel
def products_4x4(a, b, c):
    for i in prange(a.shape[0]):
        for row in range(4):
            for column in range(4):
                total = np.float32(0)
                for k in range(4):
                    total += a[i, row, k] * b[i, k, column]
                c[i, row, column] = total


@parallel
def factors_6x6(a, out):
    for i in prange(a.shape[0]):
        for row in range(6):
            for column in range(row + 1):
                total = a[i, row, column]
                for k in range(column):
                    total -= out[i, row, k] * out[i, column, k]
                out[i, row, column] = math.sqrt(total) if row == column else total / out[i, column, column]


@parallel
def automaton(now, after):
    h, w = now.shape
    for y in prange(h):
        for x in range(w):
            around = 0
            for dy in range(-1, 2):
                for dx in range(-1, 2):
                    if dx != 0 or dy != 0:
                        around += now[(y + dy + h) % h, (x + dx + w) % w]
            after[y, x] = 1 if around == 3 or (around == 2 and now[y, x] == 1) else 0


@parallel
def dilation(image, out, radius):
    h, w = image.shape
    for y in prange(h):
        for x in range(w):
            most = image[y, x]
            for dy in range(-radius, radius + 1):
                for dx in range(-radius, radius + 1):
                    if 0 <= y + dy < h and 0 <= x + dx < w:
                        most = max(most, image[y + dy, x + dx])
            out[y, x] = most


@parallel
def ring(u, out):
    n = len(u)
    for i in prange(n):
        left = i - 1
        if left < 0:
            left = n - 1
        right = i + 1 if i + 1 < n else 0
        out[i] = u[i] + np.float32(0.25) * (u[left] - np.float32(2) * u[i] + u[right])


@parallel
def digits(x, base, out):
    for i in prange(x.shape[0]):
        rest, total = x[i], 0
        while rest > 0:
            total += rest % base
            rest //= base
        out[i] = total


@parallel
def rolled(x, shift, out):
    n = x.shape[0]
    for i in prange(n):
        out[i] = x[(i + shift) % n]


@parallel
def table_rows(table, rows, out):
    for i in prange(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = table[rows[i], j]


@parallel
def butterflies(a, roots, out, half):
    for i in prange(a.shape[0] // 2):
        k = i & (half - 1)
        low = 2 * (i - k) + k
        turned = a[low + half] * roots[k]
        out[low] = a[low] + turned
        out[low + half] = a[low] - turned


@parallel
def fill_runs(start, value, out):
    for run in prange(value.shape[0]):
        for k in range(start[run], start[run + 1]):
            out[k] = value[run]


FORMS = {
    "bytes_mixed": bytes_mixed, "axpy_tiny": axpy, "axpy_cached": axpy, "triad_double": triad, "complex_product": multiply, "hashes": mix,
    "grey": grey, "particles": move, "gathered": gather, "gathered_far": gather, "looked_up": look_up, "scattered": scatter, "axpy_by_grid": axpy,
    "squares": squares, "rows_by_block": rows_scaled, "windows": windows, "hits": hits, "ranks": ranks, "pieces": pieces,
    "newton": newton, "gcd": gcd, "interpolation": interpolation, "queens": queens, "stencil_8x8": stencil, "stencil_1x256": stencil,
    "stencil_rows_first": stencil, "product_rows_first": product, "add_rows_first": add_one, "heat_8x8x8": heat,
    "polynomial_by_100": polynomial, "polynomial_by_8": polynomial, "row_sums": row_sums, "recurrence": recurrence,
    "row_sums_by_warp": row_sums, "layer_norm": layer_norm, "columns_scaled": columns_scaled, "prefix_sums": prefix_sums,
    "sort_blocks": sort_blocks, "odd_even_sort": odd_even_sort, "radix_counts": radix_counts, "tiled_convolution": tiled_convolution, "maxima": maxima,
    "hash_look_up": hash_look_up, "sparse_product": sparse_product, "padded_product": padded_product, "byte_product": byte_product,
    "search": search, "medians": medians, "products_4x4": products_4x4, "factors_6x6": factors_6x6, "automaton": automaton, "dilation": dilation, "ring": ring,
    "digits": digits, "runs": fill_runs, "rolled": rolled, "flat_index": table_rows, "butterflies": butterflies,
}
