# SHOW: ptx
# KERNEL: yes
# TARGET: cuda:sm_90
# ONLY: ld\.|st\.
# FOR: (array[struct Body {pos: f32x3, mass: weak f32}, 1, contiguous, index32], array[f32x4, 1, contiguous, index32])
from hetjit import device
def f(bodies, out):
    i = device.tid(1)
    v = out[i]
    out[i] = v * bodies[i].pos.y
    bodies[i] = bodies[i].replace(mass=v.w)

# CHECK: 	ld.param.b64 	%rd1, [f_param_0];
# CHECK: 	ld.param.b64 	%rd3, [f_param_1];
# CHECK: 	ld.global.v4.b32 	{%r5, %r6, %r7, %r8}, [%rd6];
# CHECK: 	ld.global.b32 	%r9, [%rd7+4];
# CHECK: 	st.global.v4.b32 	[%rd6], {%r10, %r11, %r12, %r13};
# CHECK: 	st.global.b32 	[%rd7+12], %r8;
