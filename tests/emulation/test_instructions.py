"""Instructions that compilers seldom or never write, one by one."""

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from texts import run

A, B = 0x12345678, 0x9ABCDEF0
LOAD = "ld.global.u64 %rd4, [%rd1]; ld.global.u64 %rd5, [%rd1+8]; cvt.u32.u64 %r1, %rd4; cvt.u32.u64 %r2, %rd5; mov.b32 %f1, %r1; mov.b32 %f2, %r2; "
WORD = " cvt.u64.u32 %rd6, %r3; st.global.u64 [%rd0], %rd6;"


def bits(x):
    return int(np.float32(x).view(np.uint32))


ROWS = [  # instruction, inputs, what %r3 must be
    ("slct.u32.s32 %r3, %r1, %r2, -1;", (A, B), B), ("slct.u32.f32 %r3, %r1, %r2, %f2;", (A, bits(-0.0)), A),
    ("set.lt.u32.s32 %r3, %r2, %r1;", (A, B), 0xFFFFFFFF), ("set.lt.f32.u32 %f3, %r2, %r1; mov.b32 %r3, %f3;", (A, B), 0),
    ("setp.lt.s32 %p1|%p2, %r2, %r1; selp.b32 %r3, 1, 0, %p1; @%p2 add.u32 %r3, %r3, 2;", (A, B), 1),
    ("mov.pred %p3, 1; setp.gt.and.s32 %p1|%p2, %r2, %r1, !%p3; selp.b32 %r3, 1, 0, %p1; @%p2 add.u32 %r3, %r3, 2;", (A, B), 0),
    ("prmt.b32 %r3, %r1, %r2, 0x7531;", (A, B), 0x9ADE1256), ("prmt.b32.f4e %r3, %r1, %r2, 1;", (A, B), 0xF0123456),
    ("prmt.b32 %r3, %r1, %r2, 0xcba9;", (A, B), 0xFF000000), ("prmt.b32.rc8 %r3, %r1, %r2, 2;", (A, B), 0x34343434),
    ("bmsk.clamp.b32 %r3, 4, 40;", (A, B), 0xFFFFFFF0), ("bmsk.wrap.b32 %r3, 36, 8;", (A, B), 0x00000FF0),
    ("fns.b32 %r3, 0xf0, 3, 2;", (A, B), 5), ("fns.b32 %r3, 0xf0, 3, -1;", (A, B), 0xFFFFFFFF),
    ("mad24.lo.u32 %r3, %r1, %r2, 5;", (A, B), (0x345678 * 0xBCDEF0 + 5) & 0xFFFFFFFF),
    ("mul24.hi.u32 %r3, %r1, %r2;", (A, B), 0x345678 * 0xBCDEF0 >> 16), ("sub.sat.s32 %r3, %r2, %r1;", (A, 0x80000001), 0x80000000),
    ("mad.lo.cc.u32 %r4, %r1, %r2, %r2; madc.hi.u32 %r3, %r1, %r2, 0;", (A, B), A * B + B >> 32),
    ("cnot.b32 %r3, %r1;", (0, B), 1), ("dp2a.lo.s32.s32 %r3, %r1, %r2, 1;", (0x0002FFFF, 0x0304), (2 * 3 - 4 + 1) & 0xFFFFFFFF),
    ("min.relu.s32 %r3, %r1, %r2;", (A, B), 0), ("max.s16x2 %r3, %r1, %r2;", (0x7FFF8000, 0x80000001), 0x7FFF0001),
    ("add.u16x2 %r3, %r1, %r2;", (0xFFFF0001, 0x0001FFFF), 0), ("min.xorsign.abs.f32 %f3, %f1, %f2; mov.b32 %r3, %f3;", (bits(-3.0), bits(2.0)), bits(-2.0)),
    ("testp.subnormal.f32 %p1, %f1; testp.normal.f32 %p2, %f2; selp.b32 %r3, 1, 0, %p1; @%p2 add.u32 %r3, %r3, 2;", (1, bits(1.0)), 3),
    ("add.rn.sat.f32 %f3, %f1, %f2; mov.b32 %r3, %f3;", (bits(3.0), bits(np.nan)), 0), ("add.f32 %f3, %f1, %f2; mov.b32 %r3, %f3;", (bits(np.inf), bits(-np.inf)), 0x7FFFFFFF),
    ("add.rm.f32 %f3, %f1, %f2; mov.b32 %r3, %f3;", (bits(1.0), bits(-1.0)), 0x80000000), ("rcp.approx.ftz.f32 %f3, %f1; mov.b32 %r3, %f3;", (1, 0), bits(np.inf)),
    ("cvt.rna.tf32.f32 %r3, %f1;", (0x3F801000, 0), 0x3F802000), ("cvt.rn.bf16x2.f32 %r3, %f1, %f2;", (bits(1.0), bits(-2.0)), 0x3F80C000),
    ("cvt.rn.f16x2.f32 %r3, %f1, %f2;", (bits(1.0), bits(-2.0)), 0x3C00C000), ("cvt.rn.relu.f16x2.f32 %r3, %f1, %f2;", (bits(1.0), bits(-2.0)), 0x3C000000),
    ("cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2; cvt.u32.u16 %r3, %h1;", (bits(1000.0), bits(-0.5)), 0x7EB0),
    ("cvt.rn.satfinite.e5m2x2.f32 %h1, %f1, %f2; cvt.rn.f16x2.e5m2x2 %r3, %h1;", (bits(1.25), bits(-3.0)), 0x3D00C200),
    ("cvt.rzi.s32.f32 %r3, %f1;", (bits(np.nan), 0), 0), ("cvt.rni.u32.f32 %r3, %f1;", (bits(-5.0), 0), 0), ("cvt.s32.s8 %r3, %r1;", (0x80, 0), 0xFFFFFF80),
    ("shl.b32 %r3, %r1, 32;", (A, B), 0), ("shr.s32 %r3, %r2, 99;", (A, B), 0xFFFFFFFF), ("div.u32 %r3, %r1, %r2;", (A, 0), 0xFFFFFFFF),
    ("div.s32 %r3, %r1, %r2;", (0x80000000, 0xFFFFFFFF), 0x80000000), ("mov.b64 {%r4, %r3}, %rd7;", (A, B), 77), ("mov.b32 %r3, {%h1, %h2};", (A, B), 0x50004),
    ("isspacep.shared %p1, %rd1; isspacep.global %p2, %rd1; selp.b32 %r3, 1, 0, %p1; @%p2 add.u32 %r3, %r3, 2;", (A, B), 2),
    ("popc.b64 %r3, -1;", (A, B), 64), ("bfind.u32 %r3, %r1;", (0, B), 0xFFFFFFFF), ("brev.b32 %r3, %r1;", (1, B), 0x80000000),
    ("mov.u32 %r3, %nctaid.x;", (A, B), 1), ("mov.u32 %r3, %lanemask_lt;", (A, B), 0), ("mov.u32 %r3, %lanemask_ge;", (A, B), 0xFFFFFFFF),
    ("mov.b128 %q1, {%rd4, %rd5}; st.global.b128 [%rd0+16], %q1; ld.global.b128 %q2, [%rd0+16]; mov.b128 {%rd6, %rd7}, %q2; cvt.u32.u64 %r3, %rd7;", (A, B), B),
    ("add.rn.f32x2 %rd6, %rd4, %rd5; cvt.u32.u64 %r3, %rd6;", (bits(1.5), bits(2.25)), bits(3.75)),
    ("mov.f64 %fd1, 0d7E37E43C8800759C; mov.f64 %fd2, 0dFFF0000000000000; fma.rn.f64 %fd3, %fd1, %fd1, %fd2; mov.b64 {%r4, %r3}, %fd3;", (A, B), 0xFFF00000),
    ("setp.ne.f32 %p1, %f1, %f2; setp.neu.f32 %p2, %f1, %f2; selp.b32 %r3, 1, 0, %p1; @%p2 add.u32 %r3, %r3, 2;", (bits(np.nan), bits(1.0)), 2),
    ("setp.ne.f32 %p1, %f1, %f2; setp.neu.f32 %p2, %f1, %f2; selp.b32 %r3, 1, 0, %p1; @%p2 add.u32 %r3, %r3, 2;", (bits(2.0), bits(1.0)), 3),
    ("mov.b16 %h1, 0x3C01; add.rn.f32.f16 %f3, %h1, %f1; mov.b32 %r3, %f3;", (bits(2.0**-20), 0), bits(1 + 2.0**-10 + 2.0**-20)),
    ("mov.b16 %h1, 0x3C01; sub.rm.f32.f16 %f3, %h1, %f1; mov.b32 %r3, %f3;", (bits(2.0**-40), 0), bits(1 + 2.0**-10) - 1),
    ("mov.b16 %h1, 0x3C01; mov.b16 %h2, 0x7BFF; fma.rn.f32.f16 %f3, %h1, %h2, %f1; mov.b32 %r3, %f3;", (bits(1.0), 0), bits(65504 * (1 + 2.0**-10) + 1)),
    ("mov.b16 %h1, 0x3F81; add.rn.f32.bf16 %f3, %h1, %f1; mov.b32 %r3, %f3;", (bits(2.0**-20), 0), bits(1 + 2.0**-7 + 2.0**-20)),
    ("mov.b16 %h1, 0x3F81; sub.rn.sat.f32.bf16 %f3, %h1, %f1; mov.b32 %r3, %f3;", (bits(-2.0), 0), bits(1.0)),
    ("mov.b16 %h1, 0x3F81; fma.rp.f32.bf16 %f3, %h1, %h1, %f1; mov.b32 %r3, %f3;", (bits(2.0**-60), 0), bits((1 + 2.0**-7)**2) + 1),
    ("membar.gl; fence.acq_rel.gpu; nanosleep.u32 10; prefetch.global.L1 [%rd0]; mov.u32 %r3, 1;", (A, B), 1)]


@pytest.mark.parametrize("instruction, inputs, want", ROWS, ids=[row[0].split()[0] + f"-{n}" for n, row in enumerate(ROWS)])
def test_one(instruction, inputs, want):
    before = LOAD + "mov.b64 %rd7, 330712481800; mov.b16 %h1, 4; mov.b16 %h2, 5; mov.u32 %r3, 0; "
    assert hex(run(before + instruction + WORD, inputs)[0]) == hex(want)


def each(body, block=32, **options):
    """What every thread of a block leaves in %r3."""
    return run(body + " cvt.u64.u32 %rd6, %r3; st.global.u64 [%rd2], %rd6;", out=block, block=block, **options)


def test_brx():
    got = each("and.b32 %r1, %r0, 3; L: .branchtargets W, X, Y, X; brx.idx %r1, L; W: mov.u32 %r3, 10; bra.uni E; "
               "X: mov.u32 %r3, 11; bra.uni E; Y: mov.u32 %r3, 12; E:")
    assert got.tolist() == [10, 11, 12, 11] * 8


def test_predicated_instructions():
    assert each("mov.u32 %r3, 5; setp.gt.u32 %p1, %r0, 7; @%p1 mov.u32 %r3, %r0; @!%p1 add.u32 %r3, %r3, 1;").tolist() == [6] * 8 + list(range(8, 32))


def test_threads_that_end_are_not_waited_for():
    got = run("setp.gt.u32 %p1, %r0, 40; @%p1 exit; mov.u64 %rd5, 9; bar.sync 0; bar.warp.sync 0xffffffff; "
              "vote.sync.ballot.b32 %r1, 1, 0xffffffff; cvt.u64.u32 %rd5, %r1; st.global.u64 [%rd2], %rd5;", out=64, block=64)
    assert got.tolist() == [0xFFFFFFFF] * 32 + [0x1FF] * 9 + [0] * 23


def test_votes_and_election():
    got = each("setp.lt.u32 %p1, %r0, 5; vote.sync.uni.pred %p2, %p1, -1; elect.sync %r1|%p3, -1; selp.b32 %r3, 1, 0, %p2; @%p3 add.u32 %r3, %r3, 2;")
    assert got.tolist() == [2] + [0] * 31


def test_reductions():
    for name, want in (("add.u32", 496), ("max.u32", 31), ("xor.b32", 0), ("or.b32", 31), ("and.b32", 0), ("min.s32", 0)):
        assert each(f"redux.sync.{name} %r3, %r0, -1;").tolist() == [want] * 32
    assert set(each("cvt.rn.f32.u32 %f1, %r0; neg.f32 %f1, %f1; redux.sync.min.abs.f32 %f2, %f1, -1; "
                    "redux.sync.min.f32 %f3, %f1, -1; add.f32 %f3, %f3, %f2; mov.b32 %r3, %f3;").tolist()) == {bits(-31.0)}


def test_alias():
    outside = """.visible .func (.param .b32 r) real() { st.param.b32 [r], 5; ret; }
    .visible .func (.param .b32 r) other(); .alias other, real;"""
    assert each("{ .param .b32 r; call (r), other, (); ld.param.b32 %r3, [r]; }", outside=outside, block=2).tolist() == [5, 5]


def test_a_structure_by_value_is_cut_as_the_callee_likes():
    outside = """.func (.param .align 8 .b8 r[16]) swap(.param .align 8 .b8 s[16]) { .reg .b64 %a<2>; .reg .b32 %b<2>; ld.param.b64 %a0, [s+8];
    ld.param.b32 %b0, [s]; ld.param.b32 %b1, [s+4]; st.param.b64 [r], %a0; st.param.v2.b32 [r+8], {%b0, %b1}; ret; }"""
    body = """{ .param .align 8 .b8 s[16]; .param .align 8 .b8 r[16]; st.param.b64 [s], 0x100000002; st.param.b32 [s+8], 3; st.param.b32 [s+12], 4;
    call (r), swap, (s); ld.param.b32 %r1, [r]; ld.param.b64 %rd6, [r+8]; st.global.u64 [%rd0+8], %rd6; ld.param.b32 %r2, [r+4]; }
    mad.lo.u32 %r3, %r2, 10, %r1; cvt.u64.u32 %rd7, %r3; st.global.u64 [%rd0], %rd7;"""
    assert run(body, outside=outside)[:2].tolist() == [43, 0x100000002]
