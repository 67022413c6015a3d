"""PTX by hand: a kernel around a few lines, with pointers to results and inputs at hand."""

import numpy as np

from hetjit.emulation.ptx.machine import Machine

HEAD = """
.version 8.8
.target sm_100
.address_size 64
{outside}
.visible .entry main(.param .u64 out, .param .u64 in, .param .u32 n)
{{
    .reg .pred %p<20>; .reg .b16 %h<20>; .reg .b32 %r<40>; .reg .b64 %rd<20>; .reg .f32 %f<20>; .reg .f64 %fd<20>;
    .reg .b128 %q<4>;
    ld.param.u64 %rd0, [out];
    ld.param.u64 %rd1, [in];
    mov.u32 %r0, %tid.x;
    mad.wide.u32 %rd2, %r0, 8, %rd0;
    mad.wide.u32 %rd3, %r0, 8, %rd1;
{body}
    ret;
}}
"""


def kernel(body, outside=""):
    return HEAD.format(body=body, outside=outside)


def run(body, inputs=(), out=32, grid=1, block=1, outside="", shared=0, machine=None):
    """64-bit words: what the kernel leaves at %rd0, given the inputs at %rd1; %rd2 and %rd3 are each thread's own."""
    machine = machine or Machine()
    program = machine.load(kernel(body, outside))
    held = np.asarray(inputs, np.uint64) if len(inputs) else np.zeros(1, np.uint64)
    into, source = machine.arena.allocate(8 * out), machine.arena.allocate(held.nbytes)
    machine.arena.slice(source, held.nbytes)[:] = held.view(np.uint8)
    program.launch("main", grid, block, [into, source, np.uint32(held.size)], shared)
    return machine.arena.slice(into, 8 * out).view(np.uint64)
