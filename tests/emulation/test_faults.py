"""What no program may do stops the machine, which names the instruction, the line, the thread and the address."""

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit.emulation import faults
from hetjit.emulation.ptx.machine import Machine
from texts import kernel, run

SHARED = ".shared .align 8 .b8 box[256]; .shared .align 8 .b8 other[16];"
DEEP = """
.func deep(.param .b32 n) {
    .local .align 8 .b8 depot[64];
    .reg .b32 %a<4>; .reg .pred %c;
    ld.param.b32 %a0, [n];
    st.local.b32 [depot], %a0;
    setp.eq.u32 %c, %a0, 0;
    @%c bra DONE;
    sub.u32 %a1, %a0, 1;
    { .param .b32 p; st.param.b32 [p], %a1; call.uni deep, (p); }
DONE: ret;
}
"""

CASES = {
    "misaligned": (faults.AddressFault, "misaligned access of 4 bytes", "ld.global.b32 %r1, [%rd1+2];", {}),
    "misaligned vector": (faults.AddressFault, "misaligned access of 16 bytes", "ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%rd1+8];", {}),
    "beyond the end": (faults.AddressFault, "8 bytes outside every allocation at address 0x7", "ld.global.b64 %rd5, [%rd1+8];", {}),
    "before the start": (faults.AddressFault, "outside every allocation", "st.global.b64 [%rd0+-8], 1;", {}),
    "null": (faults.AddressFault, "outside every allocation at address 0x0", "mov.b64 %rd5, 0; ld.b32 %r1, [%rd5];", {}),
    "one thread of many": (faults.AddressFault, "thread (40, 0, 0) of block (1, 0, 0)",
                           "mov.u32 %r1, %ctaid.x; mad.lo.u32 %r2, %r1, 1000, %r0; setp.ne.u32 %p1, %r2, 1040; @%p1 bra E; "
                           "st.global.b64 [%rd0+800000], %rd0; E:", {"block": 64, "grid": 2}),
    "atomic": (faults.AddressFault, "outside every allocation", "atom.global.add.u32 %r1, [%rd1+64], 1;", {}),
    "register": (faults.UninitializedFault, "register %r7 that nobody wrote", "add.u32 %r1, %r7, 1; st.global.b32 [%rd0], %r1;", {}),
    "register of some": (faults.UninitializedFault, "thread (3, 0, 0)", "setp.eq.u32 %p1, %r0, 3; @%p1 bra E; mov.b32 %r7, 1; E: "
                         "st.global.b32 [%rd2], %r7;", {"block": 8}),
    "shared memory": (faults.UninitializedFault, "4 bytes of shared memory that nobody wrote", "ld.shared.b32 %r1, [box+4];", {"outside": SHARED}),
    "between shared variables": (faults.AddressFault, "between the variables of shared memory", "ld.shared.b32 %r1, [box+256];", {"outside": SHARED}),
    "beyond shared memory": (faults.AddressFault, "outside shared memory", "mov.u32 %r2, box; ld.shared.b32 %r1, [%r2+100000];", {"outside": SHARED}),
    "local memory": (faults.UninitializedFault, "2 bytes of local memory that nobody wrote", ".local .align 8 .b8 own[16]; ld.local.u16 %h1, [own+4];", {}),
    "beyond local memory": (faults.AddressFault, "outside local memory", ".local .align 8 .b8 own[16]; st.local.b32 [own+16], %r0;", {}),
    "stack": (faults.StackFault, "the stack of 1024 bytes is used up", "{ .param .b32 p; st.param.b32 [p], 100; call.uni deep, (p); }", {"outside": DEEP}),
    "trap": (faults.TrapFault, "trap", "trap;", {}),
    "barrier that some miss": (faults.BarrierFault, "32 threads wait for others that will not come",
                               "setp.lt.u32 %p1, %r0, 32; @%p1 bra E; bar.sync 0, 64; E:", {"block": 64}),
    "two barriers of one warp": (faults.BarrierFault, "one warp waits at two aligned barriers",
                                 "setp.lt.u32 %p1, %r0, 16; @%p1 bra E; bar.sync 0; bra F; E: bar.sync 0; F:", {"block": 32}),
    "barrier without a number": (faults.BarrierFault, "there are sixteen barriers", "mov.u32 %r1, 16; bar.sync %r1;", {}),
    "not in the mask": (faults.BarrierFault, "the thread's own lane is not in the mask",
                        "shfl.sync.idx.b32 %r1, %r0, 0, 31, 0xff;", {"block": 32}),
    "lane that never comes": (faults.BarrierFault, "will not come",
                              "setp.lt.u32 %p1, %r0, 16; @%p1 bra E; bar.warp.sync 0xffffffff; bra F; E: bar.sync 1, 64; F:", {"block": 32}),
    "no function": (faults.TrapFault, "call of what is no function", "call %rd0, proto; proto: .callprototype _ ();", {}),
    "branch beyond its list": (faults.TrapFault, "brx.idx beyond", "add.u32 %r1, %r0, 1; L: .branchtargets X, Y; brx.idx %r1, L; X: Y:", {"block": 2}),
    "one thread's branch beyond its list": (faults.TrapFault, "brx.idx beyond", "mov.b32 %r1, 2; L: .branchtargets X, Y; brx.idx %r1, L; X: Y:", {}),
}


@pytest.mark.parametrize("name", CASES)
def test_fault(name):
    kind, words, body, options = CASES[name]
    with pytest.raises(kind) as caught:
        run(body, **options)
    assert words in str(caught.value) and "PTX line" in str(caught.value), str(caught.value)
    assert caught.value.instruction.text in body or "call" in body


FUNCTION = """
.func {name} ()
{{
    .local .align 8 .b8 {name}_own[800];
    .reg .b32 %a<2>;
    mov.b32 %a0, 7;
    st.local.b32 [{name}_own+796], %a0;
    {calls}
    ld.local.b32 %a1, [{name}_own+796];
    ret;
}}
"""
FLAT = FUNCTION.format(name="inner", calls="") + FUNCTION.format(name="outer", calls="call.uni inner, ();")


def test_what_is_known_of_the_stack_before_is_there():
    """The limit is for calls that go round, or by pointer; what else is called needs what ptxas counts."""
    run("call.uni outer, (); call.uni inner, ();", outside=FLAT)
    with pytest.raises(faults.StackFault):
        run("mov.b64 %rd5, outer; call %rd5, proto; proto: .callprototype _ ();", outside=FLAT)


def test_use_after_free():
    machine = Machine()
    program = machine.load(kernel("ld.global.b32 %r1, [%rd1];"))
    out, freed = machine.arena.allocate(8), machine.arena.allocate(8)
    program.launch("main", 1, 1, [out, freed, np.uint32(1)])
    machine.arena.release(freed)
    with pytest.raises(faults.AddressFault, match="use after free"):
        program.launch("main", 1, 1, [out, freed, np.uint32(1)])
    with pytest.raises(faults.AddressFault, match="it is no allocation"):
        machine.arena.release(freed)
    with pytest.raises(faults.AddressFault, match="copy of 9 bytes"):
        machine.arena.slice(out, 9)


def test_the_source_line_is_named():
    with pytest.raises(faults.AddressFault, match="from thing.cu:17"):
        run('.loc 1 17 5\n ld.global.b32 %r1, [%rd1+100];', outside='.file 1 "thing.cu"')


def test_a_larger_stack_holds_more_calls():
    call = "{ .param .b32 p; st.param.b32 [p], 100; call.uni deep, (p); } mov.b64 %rd5, 7; st.global.b64 [%rd0], %rd5;"
    assert run(call, outside=DEEP, machine=Machine(stack_bytes=16384))[0] == 7


REFUSED = {"wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r1}, [%rd1];": "instruction 'wmma.load",
           "add.rx.f32 %f1, %f2, %f3;": "instruction 'add.rx.f32'", "vadd.s32.s32.s32 %r1, %r2, %r3;": "instruction 'vadd",
           "cvt.rn.f32.f128 %f1, %rd1;": "conversion 'cvt.rn.f32.f128'", "cvt.rm.bf16.f32 %h1, %f1;": "conversion 'cvt.rm.bf16.f32'",
           "cvt.rn.satfinite.bf16.f32 %h1, %f1;": "conversion 'cvt.rn.satfinite.bf16.f32'",
           "cvt.rn.satfinite.tf32.f32 %r1, %f1;": "conversion 'cvt.rn.satfinite.tf32.f32'",
           "cvt.rn.satfinite.f16x2.f32 %r1, %f1, %f2;": "conversion 'cvt.rn.satfinite.f16x2.f32'",
           "cvt.rna.f32.f64 %f1, %fd1;": "conversion 'cvt.rna.f32.f64'", "cvt.rn.relu.f16x2.e4m3x2 %r1, %h1;": "conversion 'cvt.rn.relu.f16x2",
           "mov.b256 %rd1, %rd2;": "line 15: instruction 'mov.b256'", "bra.uni ;": "instruction 'bra.uni'", "ld.global.v3.b32 {%r1, %r2, %r3}, [%rd1];": "instruction 'ld.global.v3.b32'",
           "shfl.sync.swap.b32 %r1, %r0, 0, 31, -1;": "instruction 'shfl.sync.swap.b32'", "setp.eq.xnor.s32 %p1, %r1, %r2, %p2;": "instruction 'setp.eq.xnor.s32'",
           "atom.global.mul.u32 %r1, [%rd1], 1;": "instruction 'atom.global.mul.u32'", "add.s32 %r1;": "'add.s32'",
           "redux.sync.add.f32 %f1, %f2, -1;": "instruction 'redux.sync.add.f32'", "setp.lt.ftz.u32 %p1, %r0, 32;": "instruction 'setp.lt.ftz.u32'", "ld.global.cold.b32 %r1, [%rd1];": "instruction 'ld.global.cold",
           "add.u64 %rd1, %r1, %rd2;": "%r1 is not a .u64", "bra NOWHERE;": "no label NOWHERE", ".wonder 3;": "directive '.wonder'",
           "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [box];": "instruction 'tex.", "call.uni nobody;": "function nobody is declared and defined nowhere"}


@pytest.mark.parametrize("body", REFUSED)
def test_what_it_does_not_know_it_refuses_by_name(body):
    with pytest.raises(faults.MachineError) as caught:
        run(body)
    assert REFUSED[body] in str(caught.value), str(caught.value)


def test_modules_are_linked():
    outside = ".extern .func (.param .b32 r) twice(.param .b32 x); .extern .global .b32 shift;"
    body = """{ .param .b32 x; .param .b32 r; st.param.b32 [x], 21; call.uni (r), twice, (x); ld.param.b32 %r1, [r]; }
    ld.global.b32 %r2, [shift]; add.u32 %r1, %r1, %r2; cvt.u64.u32 %rd5, %r1; st.global.b64 [%rd0], %rd5;"""
    other = """.version 8.0 .target sm_90 .address_size 64
    .visible .global .b32 shift = 100; .visible .global .u64 where[2] = {generic(shift), shift+4};
    .visible .func (.param .b32 r) twice(.param .b32 x) { .reg .b32 %a<2>; ld.param.b32 %a0, [x]; shl.b32 %a1, %a0, 1;
    st.param.b32 [r], %a1; ret; }"""
    machine = Machine()
    with pytest.raises(faults.LinkError, match="declared and defined nowhere"):
        program = machine.load(kernel(body, outside))
        program.launch("main", 1, 1, [0, 0, np.uint32(0)])
    program = machine.load(kernel(body, outside), other)
    out = machine.arena.allocate(8)
    program.launch("main", 1, 1, [out, out, np.uint32(0)])
    assert machine.arena.slice(out, 8).view(np.uint64)[0] == 142
    where = machine.arena.slice(program.program.places[None, "where"].address, 16).view(np.uint64)
    assert where[1] - where[0] == 4
    with pytest.raises(faults.LinkError, match="twice is defined twice"):
        machine.load(other, other)
