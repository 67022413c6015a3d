"""Which source line an instruction comes from: DWARF's line tables (.debug_line; DWARF 5, chapter 6.2; versions 2 to 5).

They say so without the rest of DWARF, which is not read. A table is a program that fills rows of a table; its opcodes are functions here.
"""

import bisect
from typing import NamedTuple

PATH, DIRECTORY = 1, 2  # kinds of content (DW_LNCT)
STRING, LINE_STRING, IN_STRINGS, UDATA = 0x08, 0x1F, 0x0E, 0x0F  # forms (DW_FORM)
SIZES = {0x0B: 1, 0x05: 2, 0x06: 4, 0x07: 8, 0x1E: 16}  # of forms that are numbers
LONG = 0xFFFFFFFF  # a length in 64 bits follows


class Row(NamedTuple):
    """From an address on, to the next row's."""

    address: int
    file: str  # None: nothing follows
    line: int


class Reader:
    """Bytes from a place on."""

    def __init__(self, data, at=0):
        self.data, self.at, self.wide = data, at, False

    def number(self, size, signed=False):
        return int.from_bytes(self.bytes(size), "little", signed=signed)

    def bytes(self, size):
        found = self.data[self.at:self.at + size]
        if len(found) < size:
            raise ValueError("a line table that is cut short")
        self.at += size
        return found

    def length(self):
        """Of a unit; whether its numbers are `wide` is known from then on."""
        found = self.number(4)
        self.wide = found == LONG
        return self.number(8) if self.wide else found

    def offset(self):
        return self.number(8 if self.wide else 4)

    def text(self):
        end = self.data.index(b"\0", self.at)
        found, self.at = self.data[self.at:end], end + 1
        return found.decode(errors="replace")

    def leb(self, signed=False):
        value = shift = 0
        while True:
            byte = self.number(1)
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value - (1 << shift) if signed and byte & 64 else value


class Unit:
    """One table: its header, then its program."""

    def __init__(self, reader, texts):
        """`texts`: the sections that names lie in, by form."""
        self.reader, self.texts, self.rows = reader, texts, []
        end = reader.length()
        end += reader.at
        self.version = reader.number(2)
        if self.version >= 5:
            self.address_bytes = reader.number(2) & 0xFF
        program = reader.offset()
        program += reader.at
        if 2 <= self.version <= 5:
            self.header()
            reader.at = program
            self.run(end)
        reader.at = end

    def header(self):
        reader = self.reader
        self.step = reader.number(1)
        if self.version >= 4:
            reader.number(1)  # operations of one instruction, on machines that have several
        reader.number(1)
        self.line_base, self.line_range, self.opcodes = reader.number(1, True), reader.number(1), reader.number(1)
        self.operands = [0, *reader.bytes(self.opcodes - 1)]
        if self.version >= 5:
            self.folders = [path for path, _ in self.entries()]
            self.files = [self.joined(path, folder) for path, folder in self.entries()]
            return
        self.folders, self.files = [""], [None]
        while path := reader.text():
            self.folders.append(path)
        while path := reader.text():
            self.files.append(self.file(path))

    def file(self, path):
        folder, _, _ = (self.reader.leb() for _ in range(3))
        return self.joined(path, folder)

    def joined(self, path, folder):
        """As the compiler was given it: what lies where it ran is named by itself."""
        return path if not folder or path.startswith("/") else f"{self.folders[folder]}/{path}"

    def entries(self):
        """(path, folder) of each, in the form that precedes them."""
        reader = self.reader
        form = [(reader.leb(), reader.leb()) for _ in range(reader.number(1))]
        for _ in range(reader.leb()):
            found = {kind: self.value(code) for kind, code in form}
            yield found[PATH], found.get(DIRECTORY, 0)

    def value(self, form):
        reader = self.reader
        if form == STRING:
            return reader.text()
        if form in (LINE_STRING, IN_STRINGS):
            return Reader(self.texts[form], reader.offset()).text()
        return reader.leb() if form == UDATA else reader.number(SIZES[form])

    # ---- the program

    def run(self, end):
        self.begin()
        while self.reader.at < end:
            code = self.reader.number(1)
            if code >= self.opcodes:
                self.advance((code - self.opcodes) // self.line_range)
                self.line += self.line_base + (code - self.opcodes) % self.line_range
                self.row()
            elif code == 0:
                self.extended()
            elif code in STANDARD:
                STANDARD[code](self)
            else:
                for _ in range(self.operands[code]):
                    self.reader.leb()

    def begin(self):
        self.address, self.file_number, self.line, self.there = 0, 1, 1, True

    def advance(self, count):
        self.address += count * self.step

    def row(self, end=False):
        if self.there:
            self.rows.append(Row(self.address, None if end else self.files[self.file_number], self.line))

    def extended(self):
        size = self.reader.leb()
        after = self.reader.at + size
        code = self.reader.number(1)
        if code == 1:
            self.row(end=True)
            self.begin()
        elif code == 2:
            self.address = self.reader.number(size - 1)
            self.there = self.address != 0  # where linkers put what they leave out
        self.reader.at = after

    def advance_line(self):
        self.line += self.reader.leb(signed=True)

    def set_file(self):
        self.file_number = self.reader.leb()


STANDARD = {1: Unit.row, 2: lambda unit: unit.advance(unit.reader.leb()), 3: Unit.advance_line, 4: Unit.set_file,
            8: lambda unit: unit.advance((255 - unit.opcodes) // unit.line_range),
            9: lambda unit: setattr(unit, "address", unit.address + unit.reader.number(2))}


def rows_of(elf):
    """Of all its tables, by address. Damage costs the lines alone: who asks has a fault to tell of."""
    rows, table = [], Reader(elf.named(".debug_line"))
    try:
        texts = {LINE_STRING: elf.named(".debug_line_str"), IN_STRINGS: elf.named(".debug_str")}
        while table.at < len(table.data):
            rows += Unit(table, texts).rows
    except (LookupError, ValueError):
        pass
    return sorted(rows, key=lambda row: (row.address, row.file is not None))  # one begins where another ends


def line_at(rows, address):
    """(file, line), or None: of the last row there, as several may be."""
    at = bisect.bisect_right(rows, address, key=lambda row: row.address) - 1
    return (rows[at].file, rows[at].line) if at >= 0 and rows[at].file and rows[at].line else None
