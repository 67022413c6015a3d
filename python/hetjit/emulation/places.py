"""Memory as places: bytes that are always accessed together, cut as they are accessed. What a place holds: ptx/orders.py, amd/caches.py."""


class Places:
    """`make(start, size)`: a place that nobody has accessed. One has `start`, `size`, and `halves()`, two of half its size."""

    def __init__(self, make):
        self.make, self.by_start = make, {}

    def find(self, start, size):
        """Those that an aligned access covers; a larger one is cut."""
        found = self.by_start.get(start)
        if found is not None and found.size == size:
            return [found]
        for larger in (2, 4, 8, 16):
            around = self.by_start.get(start & -larger)
            if larger > size and around is not None and around.size >= larger:
                self.cut(around, start, size)
                break
        return list(self.covering(start, size))

    def cut(self, place, start, size):
        while place.size > size:
            for half in place.halves():
                self.by_start[half.start] = half
            place = self.by_start[start & -(place.size // 2)]

    def covering(self, start, size):
        inside = [place for at in range(start, start + size) if (place := self.by_start.get(at))]
        if not inside:
            self.by_start[start] = place = self.make(start, size)
            yield place
            return
        if size == inside[0].size:
            yield inside[0]
            return
        yield from self.covering(start, size // 2)
        yield from self.covering(start + size // 2, size // 2)
