"""A function's body as blocks, the order in which waiting threads go first, and which registers are alive.

Threads that part meet again because of the order: it is topological, with every loop contiguous, so whoever stands earliest goes
first, and threads at a branch's immediate post-dominator wait until nobody is before it.
"""

from dataclasses import dataclass, field

from ..faults import UnknownCode
from .syntax import Instruction, Label, Negated
from .translate import refused_by_name

ENDS = {"bra", "brx", "ret", "exit", "trap", "call", "bar", "barrier", "shfl", "vote", "match", "redux", "elect",
        "brkpt", "activemask"}  # activemask reads who stands here, as the others do
FINAL = {"ret", "exit", "trap"}
FENCES, ACCESSES, OWN = {"fence", "membar"}, {"ld", "ldu", "st", "atom", "red"}, {"param", "const", "local"}


@dataclass
class Block:
    index: int
    instructions: list = field(default_factory=list)
    exit: Instruction = None  # None: goes on to the only target
    guard: object = None  # of a branch: a predicate, or Negated
    branch: Instruction = None  # what is guarded
    targets: list = field(default_factory=list)  # of a branch: taken, not taken
    order: int = 0
    access: Instruction = None  # of memory that others may see, which ends a split block


class Builder:
    """`split`: a block ends at each fence and after each access of memory, so that other threads may come between."""

    def __init__(self, function, split=False):
        self.function, self.split = function, split
        self.blocks, self.labels = [Block(0)], {}

    def build(self):
        for item in self.function.body:
            if isinstance(item, Label):
                self.label(item)
            else:
                self.instruction(item)
        last = self.blocks[-1]
        if last.exit is None and not last.targets:
            last.exit = Instruction("ret", [], text="ret; (the end of the body)")
        for block in self.blocks:
            block.targets = [self.place(t) for t in block.targets]
        set_order(self.blocks)
        return self.blocks

    def place(self, target):
        if isinstance(target, str) and target not in self.labels:
            raise UnknownCode(f"no label {target} in {self.function.name}")
        return self.labels[target] if isinstance(target, str) else target

    def open(self):
        self.blocks.append(Block(len(self.blocks)))
        return self.blocks[-1]

    def label(self, item):
        last = self.blocks[-1]
        if last.instructions or last.exit or last.targets or last.guard:
            following = self.open()
            if last.exit is None and not last.targets:
                last.targets = [following.index]
        self.labels[item.name] = self.blocks[-1].index

    def instruction(self, item):
        block, kind = self.blocks[-1], item.parts[0]
        if kind == "bra":
            following = self.open()
            with refused_by_name(item):
                block.targets = [item.operands[0].name] + ([following.index] if item.guard else [])
            block.guard, block.branch = item.guard, item
            return
        if item.guard is not None:  # any other is stepped over
            guarded = self.open()
            block.guard = Negated(item.guard) if not isinstance(item.guard, Negated) else item.guard.operand
            block.branch = item
            block.targets = [f"after {id(item)}", guarded.index]
            self.instruction(Instruction(item.opcode, item.operands, None, item.line, item.source, item.text))
            self.label(Label(f"after {id(item)}"))
            return
        if kind not in ENDS and not (self.split and kind in FENCES):
            self.step(item, self.split and kind in ACCESSES and OWN.isdisjoint(item.parts))
            return
        block.exit = item
        following = self.open()
        if kind == "brx":
            with refused_by_name(item):
                block.targets = list(self.function.targets[item.operands[1].name])
        elif kind not in FINAL:
            block.targets = [following.index]


    def step(self, item, access):
        """An access ends a block. A load is one, so that what comes behind it can be done before."""
        block = self.blocks[-1]
        if access and item.parts[0] == "ld" and block.instructions:
            following = self.open()
            block.targets, block = [following.index], following
        block.instructions.append(item)
        if access:
            block.access = item
            block.targets = [self.open().index]


def set_order(blocks):
    """Weak topological order: strongly connected parts in turn, and within each the same without its entry."""
    order = []
    visit_parts([b.index for b in blocks], blocks, order)
    reached = {index: place for place, index in enumerate(order)}
    for block in blocks:
        block.order = reached[block.index]


def visit_parts(nodes, blocks, order):
    for part in components(nodes, blocks):
        head = min(part)
        if len(part) == 1:
            order.append(head)
            continue
        inside = set(part)
        entries = [t for b in blocks if b.index not in inside for t in b.targets if t in inside]
        head = entries[0] if entries else head
        order.append(head)
        visit_parts([n for n in part if n != head], blocks, order)


def components(nodes, blocks):
    """Strongly connected components of a part of the graph, sources first (Tarjan, without recursion)."""
    inside, index, low, on_stack, stack, found = set(nodes), {}, {}, set(), [], []
    for root in nodes:
        if root in index:
            continue
        work = [(root, iter(blocks[root].targets))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, targets = work[-1]
            step = next((t for t in targets if t in inside), None)
            if step is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    part = []
                    while not part or part[-1] != node:
                        part.append(stack.pop())
                        on_stack.discard(part[-1])
                    found.append(sorted(part))
            elif step not in index:
                index[step] = low[step] = len(index)
                stack.append(step)
                on_stack.add(step)
                work.append((step, iter(blocks[step].targets)))
            elif step in on_stack:
                low[node] = min(low[node], index[step])
    return found[::-1]


def alive_after(blocks, reads, writes):
    """For each block the registers that somebody may read after it. `reads`: before the block writes them; `writes`: by its end."""
    before = {b.index: set(reads[b.index]) for b in blocks}
    after = {b.index: set() for b in blocks}
    changed = True
    while changed:
        changed = False
        for block in reversed(blocks):
            out = set().union(*(before[t] for t in block.targets)) if block.targets else set()
            if out != after[block.index]:
                after[block.index] = out
                before[block.index] = reads[block.index] | (out - writes[block.index])
                changed = True
    return after
