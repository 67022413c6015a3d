"""Programs of a few operations as PTX, and what they are seen to do on the machine with weak memory."""

import collections

import numpy as np

from axioms import Op
from hetjit.emulation.ptx import Machine, Weak

HEAD = """
.version 8.8
.target sm_90
.address_size 64
.visible .entry main(.param .u64 places, .param .u64 out)
{
    .reg .pred %p<9>; .reg .b32 %r<40>; .reg .b64 %rd<9>;
    ld.param.u64 %rd0, [places]; ld.param.u64 %rd1, [out];
    mov.u32 %r30, %tid.x; mov.u32 %r31, %ctaid.x; mov.u32 %r32, %ntid.x; mad.lo.u32 %r30, %r31, %r32, %r30;
"""
PLACES = "xyzw"


def qualified(op):
    return op.order if op.order == "weak" else f"{op.order}.{op.scope}"


def written(op, registers, results):
    """One operation's instruction; a register that is read goes to the results at the end."""
    place = f"[%rd0+{4 * PLACES.index(op.place)}]" if op.place else ""
    value = op.value if isinstance(op.value, int) else registers[op.value]
    if op.register:
        registers[op.register] = f"%r{len(registers)}"
        results.append(registers[op.register])
    if op.kind == "F":
        return f"fence.{op.order}.{op.scope};"
    if op.kind == "W":
        return f"st.{qualified(op)}.global.u32 {place}, {value};"
    if op.kind == "R":
        return f"ld.{qualified(op)}.global.u32 {registers[op.register]}, {place};"
    if not op.register:
        return f"red.{qualified(op)}.global.add.u32 {place}, {value};"
    return f"atom.{qualified(op)}.global.add.u32 {registers[op.register]}, {place}, {value};"


def text_of(threads, blocks):
    """Thread t runs in block blocks[t]; others have nothing to do."""
    width, body, count = max(blocks.count(b) for b in blocks), [], 0
    for t, ops in enumerate(threads):
        number = blocks[t] * width + blocks[:t].count(blocks[t])
        registers, results = {}, []
        lines = [written(op, registers, results) for op in ops]
        lines += [f"st.weak.global.u32 [%rd1+{4 * (count + n)}], {r};" for n, r in enumerate(results)]
        count += len(results)
        body.append(f"setp.ne.u32 %p0, %r30, {number}; @%p0 bra AFTER{t};\n    " + "\n    ".join(lines) + f"\n    ret;\nAFTER{t}:")
    return HEAD + "\n".join(body) + "\n    ret;\n}\n", width, count


def seen(threads, blocks, seeds):
    """How often each outcome is seen."""
    machine = Machine()
    text, width, count = text_of(threads, blocks)
    program = machine.load(text)
    places, out = machine.arena.allocate(16), machine.arena.allocate(4 * max(count, 1))
    found = collections.Counter()
    for seed in seeds:
        machine.arena.slice(places, 16)[:] = 0
        machine.schedule = Weak(seed, races=False)
        program.launch("main", max(blocks) + 1, width, [places, out])
        found[tuple(machine.arena.slice(out, 4 * count).view(np.uint32).tolist())] += 1
    return found


def W(place, value, order="weak", scope="gpu"):
    return Op("W", place, "", value, order, scope)


def R(place, register, order="weak", scope="gpu"):
    return Op("R", place, register, 0, order, scope)


def A(place, register, order="relaxed", scope="gpu", value=1):
    return Op("A", place, register, value, order, scope)


def F(order="acq_rel", scope="gpu"):
    return Op("F", "", "", 0, order, scope)


def program(text):
    """`W x 1; W.release.gpu y 1 || R.acquire.gpu y a; R x b`: stores, loads, atomic additions (A y a; a reduction: A y _), fences (F.sc.gpu)."""
    return [[operation(op.split()) for op in thread.split(";")] for thread in text.split("||")]


def operation(words):
    kind, order, scope = (words[0] + ".." * (words[0].count(".") == 0)).split(".")
    order, scope = order or "weak", scope or "gpu"
    if kind == "W":
        return W(words[1], int(words[2]) if words[2].isdigit() else words[2], order, scope)
    if kind == "F":
        return F(order, scope)
    return R(words[1], words[2], order, scope) if kind == "R" else A(words[1], words[2].strip("_"), order, scope)
