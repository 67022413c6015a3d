# SHOW: amdgcn
# FOR: (float32[::1])
# KERNEL: yes
# ONLY: ^\s+(s_|v_|global_|flat_|buffer_|ds_)|hetjit
def f(x):
    assert x[0] >= 0, "negative"
    x[0] = 1

# CHECK: 	s_load_dwordx2 s[6:7], s[0:1], 0x0
# CHECK: 	s_waitcnt lgkmcnt(0)
# CHECK: 	s_load_dword s0, s[6:7], 0x0
# CHECK: 	s_waitcnt lgkmcnt(0)
# CHECK: 	v_cmp_ge_f32_e64 s[8:9], s0, 0
# CHECK: 	s_mov_b64 s[0:1], -1
# CHECK: 	s_and_b64 vcc, exec, s[8:9]
# CHECK: 	s_cbranch_vccz .LBB0_2
# CHECK: 	v_mov_b32_e32 v1, 0
# CHECK: 	v_mov_b32_e32 v2, 1.0
# CHECK: 	global_store_dword v1, v2, s[6:7]
# CHECK: 	s_mov_b64 s[0:1], 0
# CHECK: 	s_andn2_b64 vcc, exec, s[0:1]
# CHECK: 	s_cbranch_vccnz .LBB0_5
# CHECK: 	v_mov_b32_e32 v3, 0
# CHECK: 	v_mov_b32_e32 v2, 1
# CHECK: 	v_mov_b32_e32 v4, v3
# CHECK: 	v_mov_b32_e32 v5, v3
# CHECK: 	s_getpc_b64 s[0:1]
# CHECK: 	s_add_u32 s0, s0, hetjit_error@rel32@lo+4
# CHECK: 	s_addc_u32 s1, s1, hetjit_error@rel32@hi+12
# CHECK: 	global_atomic_cmpswap_x2 v[4:5], v3, v[2:5], s[0:1] sc0
# CHECK: 	s_waitcnt vmcnt(0)
# CHECK: 	v_cmp_eq_u64_e32 vcc, 0, v[4:5]
# CHECK: 	s_and_saveexec_b64 s[0:1], vcc
# CHECK: 	s_cbranch_execz .LBB0_5
# CHECK: 	v_mov_b32_e32 v4, s2
# CHECK: 	v_mov_b32_e32 v5, s3
# CHECK: 	v_mov_b32_e32 v2, v3
# CHECK: 	s_getpc_b64 s[0:1]
# CHECK: 	s_add_u32 s0, s0, hetjit_error@rel32@lo+12
# CHECK: 	s_addc_u32 s1, s1, hetjit_error@rel32@hi+20
# CHECK: 	global_store_dwordx4 v3, v[2:5], s[0:1]
# CHECK: 	v_bfe_u32 v7, v0, 20, 10
# CHECK: 	v_bfe_u32 v6, v0, 10, 10
# CHECK: 	v_and_b32_e32 v5, 0x3ff, v0
# CHECK: 	v_mov_b32_e32 v4, s4
# CHECK: 	s_getpc_b64 s[0:1]
# CHECK: 	s_add_u32 s0, s0, hetjit_error@rel32@lo+28
# CHECK: 	s_addc_u32 s1, s1, hetjit_error@rel32@hi+36
# CHECK: 	global_store_dwordx4 v3, v[4:7], s[0:1]
# CHECK: 	s_endpgm
# CHECK: 	.protected	hetjit_error
# CHECK: 	.type	hetjit_error,@object
# CHECK: 	.globl	hetjit_error
# CHECK: hetjit_error:
# CHECK: 	.size	hetjit_error, 552
