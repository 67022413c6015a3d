"""How blocks end: what the end needs from the block's registers, what it writes, and which kind of end it is."""

from dataclasses import dataclass, field

from .orders import order_of
from .syntax import SINK, Pair, Register, Symbol
from .translate import refused_by_name, unknown
from .warps import MODES


@dataclass
class End:
    kind: str
    expressions: list = field(default_factory=list)
    registers: list = field(default_factory=list)  # written when the end is done
    reads: list = field(default_factory=list)  # names of parameters that a call hands over, or a return gives back
    results: list = field(default_factory=list)  # names of parameters that hold what a call returns
    operation: tuple = ()


def describe(compiled, block, writer):
    exit = block.exit
    if exit is None:
        if block.guard is None:
            return End("next")
        writer.instruction = block.branch
        return End("branch", [writer.read(block.guard, "pred")])
    writer.instruction = exit
    with refused_by_name(exit):
        return ENDS[exit.parts[0]](compiled, exit, writer)


def written(*operands):
    return [x for x in operands if isinstance(x, Register)]


def end_return(compiled, i, w):
    if compiled.function.entry:
        return End("exit")
    return End("ret", reads=[v.name for v in compiled.function.returns])


def end_switch(compiled, i, w):
    return End("switch", [w.read(i.operands[0], "u32")])


def end_call(compiled, i, w):
    operands = [x for x in i.operands]
    results = operands.pop(0) if isinstance(operands[0], list) else []
    target = operands.pop(0)
    arguments = operands.pop(0) if operands and isinstance(operands[0], list) else []
    for x in (*results, *arguments):
        if not isinstance(x, Symbol):
            raise unknown(i)  # registers as arguments: only before PTX 2.0
    end = End("call", reads=[x.name for x in arguments], results=[x.name for x in results])
    for name in (*end.reads, *end.results):
        compiled.slots.setdefault(name, {})
    if isinstance(target, Register):
        end.expressions = [w.read(target, "u64")]
        end.operation = (None, "")
    else:
        end.operation = (compiled.program.find_function(compiled.function.module, target.name), target.name)
    return end


def end_shuffle(compiled, i, w):
    """shfl.sync.mode.b32 d|p, a, b, c, mask"""
    if i.parts[1] != "sync":
        raise unknown(i)
    target, *sources = i.operands
    targets = (target.first, target.second) if isinstance(target, Pair) else (target, SINK)
    return warp_end(i, w, ("shfl", i.parts[2]), targets, sources[:3], ["b32", "u32", "u32"], sources[3])


def end_vote(compiled, i, w):
    """vote.sync.mode d, {!}p, mask; without sync: those who stand here"""
    synced = i.parts[1] == "sync"
    mode = i.parts[2] if synced else i.parts[1]
    return warp_end(i, w, ("vote", mode), (i.operands[0],), i.operands[1:2], ["pred"],
                    i.operands[2] if synced else None)


def end_match(compiled, i, w):
    """match.any.sync.type d, a, mask; match.all.sync.type d|p, a, mask"""
    target, a, mask = i.operands
    targets = (target.first, target.second) if isinstance(target, Pair) else (target, SINK)
    return warp_end(i, w, ("match", i.parts[1]), targets, [a], [i.parts[-1]], mask)


def end_reduce(compiled, i, w):
    """redux.sync.op.type d, a, mask"""
    kind = i.parts[-1]
    if kind not in ("b32", "u32", "s32", "f32") or kind == "f32" and i.parts[2] not in ("min", "max"):
        raise unknown(i)
    return warp_end(i, w, ("redux", i.parts[2], i.parts[-1], "abs" in i.parts, "NaN" in i.parts), i.operands[:1],
                    i.operands[1:2], [i.parts[-1]], i.operands[2])


def end_elect(compiled, i, w):
    """elect.sync d|p, mask"""
    target = i.operands[0]
    return warp_end(i, w, ("elect",), (target.first, target.second), [], [], i.operands[1])


def end_active(compiled, i, w):
    return warp_end(i, w, ("activemask",), i.operands[:1], [], [], None)


def warp_end(i, w, operation, targets, sources, kinds, mask):
    """`mask` None: nobody waits, and the threads that stand here now take part."""
    known = len(operation) == 1 or operation[1] in MODES[operation[0]]
    if not known or len(written(*targets)) + list(targets).count(SINK) < len(targets):
        raise unknown(i)
    expressions = [w.read(x, k) for x, k in zip(sources, kinds)]
    if mask is not None:
        expressions.append(w.read(mask, "u32"))
    end = End("warp", expressions, written(*targets))
    end.operation = (operation, mask is not None, tuple(t if t != SINK else None for t in targets), i.opcode)
    return end


def end_barrier(compiled, i, w):
    """bar and barrier: sync, red and arrive at one of sixteen; bar.warp.sync."""
    parts = [p for p in i.parts[1:] if p != "cta"]
    aligned = i.parts[0] == "bar" or "aligned" in parts
    parts = [p for p in parts if p != "aligned"]
    if parts[0] == "warp":
        return warp_end(i, w, ("sync",), (), [], [], i.operands[0])
    if parts[0] not in ("sync", "arrive", "red"):
        raise unknown(i)
    operands = list(i.operands)
    if len(operands) < (3 if parts[0] == "red" else 1):
        raise unknown(i)
    target = operands.pop(0) if parts[0] == "red" else None
    predicate = operands.pop() if parts[0] == "red" else None
    expressions = [w.read(x, "u32") for x in operands]
    if predicate is not None:
        expressions.append(w.read(predicate, "pred"))
    end = End("barrier", expressions, written(target) if target else [])
    end.operation = (tuple(parts), aligned, len(operands) > 1, target)
    return end


FENCE_WORDS = {"sc", "acq_rel", "acquire", "release", "cta", "cluster", "gpu", "gl", "sys"}


def end_fence(compiled, i, w):
    """Only where the order of memory is weak: else no block ends at one."""
    if not FENCE_WORDS.issuperset(i.parts[1:]) and "proxy" not in i.parts and "mbarrier_init" not in i.parts:
        raise unknown(i)
    return End("fence", operation=(order_of(i),))


ENDS = {"ret": end_return, "exit": lambda c, i, w: End("exit"), "trap": lambda c, i, w: End("trap"),
        "brkpt": lambda c, i, w: End("next"), "brx": end_switch, "call": end_call, "shfl": end_shuffle,
        "vote": end_vote, "match": end_match, "redux": end_reduce, "elect": end_elect, "activemask": end_active,
        "bar": end_barrier, "barrier": end_barrier, "fence": end_fence, "membar": end_fence}
