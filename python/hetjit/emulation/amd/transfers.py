"""What a group of waves does to memory: loads, stores and atomic operations of the lanes that are on."""

import numpy as np

from ..arena import ARENA
from ..faults import AddressFault, Fault, UnknownCode
from ..numbers.atomics import update
from .memory import PRIVATE_WINDOW, Space, set_words, words_of
from .values import DTYPES

U4, U8, I4 = (DTYPES[n] for n in ("U4", "U8", "I4"))


class Transfers:
    """What a group of waves does to memory: part of a Group (machine.py), which gives `count`, `wave`, `threads`, `launch`."""

    def chosen(self, on):
        """Positions of the lanes that are on, among all of the group; None for all."""
        return None if on is None else np.flatnonzero(np.broadcast_to(on, (self.count, self.wave)))

    def picked(self, value, positions):
        value = np.broadcast_to(value, (self.count, self.wave)).ravel()
        return value if positions is None else value[positions]

    def spread(self, value, positions):
        if positions is not None:
            result = np.zeros(self.count * self.wave, value.dtype)
            result[positions] = value
            value = result
        return value.reshape(self.count, self.wave)

    def prepared(self, address, on):
        positions = self.chosen(on)
        addresses = self.picked(address, positions).astype(U8)
        threads = self.threads if positions is None else self.threads[positions]
        return positions, addresses, Space(self.launch, threads)

    def failed(self, fault, positions):
        if positions is not None and fault.position is not None:
            fault.position = int(positions[fault.position])
        return fault

    def load(self, kind, address, on, size, count, signed):
        positions, addresses, space = self.prepared(address, on)
        results = [np.zeros(addresses.size, U4) for _ in range(count)]
        try:
            for at, memory, places in space.resolve(kind, addresses, size * count, True, False) if addresses.size else ():
                for result, word in zip(results, words_of(memory, places, size, count)):
                    if signed:
                        word = word.view(f"i{size}").astype(I4).view(U4)
                    result[slice(None) if at is None else at] = word
        except Fault as fault:
            raise self.failed(fault, positions)
        return [self.spread(result, positions) for result in results]

    def store(self, kind, address, on, size, values):
        positions, addresses, space = self.prepared(address, on)
        values = [self.picked(value, positions) for value in values]
        try:
            for at, memory, places in space.resolve(kind, addresses, size * len(values), False, True) if addresses.size else ():
                set_words(memory, places, size, values if at is None else [value[at] for value in values])
        except Fault as fault:
            raise self.failed(fault, positions)

    def atomic(self, kind, address, on, what, operands):
        positions, addresses, space = self.prepared(address, on)
        operands = [self.picked(value, positions).view(what.dtype) for value in operands]
        size = what.dtype.itemsize
        result = np.zeros(addresses.size, what.dtype)
        operation, operands = operation_of(what, operands)
        try:
            for at, memory, places in space.resolve(kind, addresses, size, True, True) if addresses.size else ():
                check_aligned(addresses, size)
                chosen = operands if at is None else [value[at] for value in operands]
                found = update(memory.view(what.dtype), places >> U8.type(size.bit_length() - 1), operation, what.kind, *chosen)
                result[slice(None) if at is None else at] = found
        except Fault as fault:
            raise self.failed(fault, positions)
        return self.spread(result.view(U8 if size == 8 else U4), positions)

    def private_buffer(self, high):
        if (high & U4.type(0xFFFF) != PRIVATE_WINDOW >> 32).any():
            raise UnknownCode("a buffer of other than private memory")

    def scalar_load(self, address, size, count, signed):
        addresses = np.broadcast_to(address, (self.count, 1)).ravel().astype(U8)
        if size == 4:
            addresses = addresses & ~U8.type(3)
        try:
            self.launch.arena.check(addresses, size * count)
        except Fault as fault:
            raise self.failed(fault, np.arange(self.count) * self.wave)
        words = words_of(self.launch.arena, addresses - U8.type(ARENA), size, count)
        if signed:
            words = [word.view(f"i{size}").astype(I4).view(U4) for word in words]
        return [word.astype(U4)[:, None] for word in words]


def operation_of(what, operands):
    """An atomic operation as numbers/atomics.py knows it, with its operands."""
    if what.operation == "rsub" or what.kind[0] == "f" and what.operation in ("min", "max") and what.dtype.itemsize == 2:
        raise UnknownCode(f"atomic {what.operation}")
    return ("add", [-operands[0]]) if what.operation == "sub" else (what.operation, operands)


def check_aligned(addresses, size):
    wrong = addresses & U8.type(size - 1)
    if wrong.any():
        position = int(np.argmax(wrong != 0))
        raise AddressFault(f"misaligned atomic access of {size} bytes", position=position, address=int(addresses[position]))
