# A tile's sixteen turns are written out; of a larger tile's, whose turn is sixteen products, four at a time; nothing counts where nothing has to.
# SHOW: ptx
# KERNEL: yes
# FOR: (array[float32, 2, contiguous, index32], array[float32, 2, contiguous, index32], array[float32, 2, contiguous, index32])
# ONLY: fma|bra|\$L|setp|add.s32
from hetjit import device
def tiled(a, b, c):
    s, t = device.shared_array((16, 16), device.float32), device.shared_array((16, 16), device.float32)
    x, y = device.thread_idx.x, device.thread_idx.y
    s[y, x], t[y, x] = a[y, x], b[y, x]
    device.syncthreads()
    total = 0.0
    for k in range(16):
        total += s[y, k] * t[k, x]
    big = device.local_array((4, 4), device.float32)
    column, row = device.local_array(4, device.float32), device.local_array(4, device.float32)
    for r in range(4):
        for q in range(4):
            big[r, q] = 0.0
    for k in range(16):
        for r in range(4):
            column[r], row[r] = s[k, 4 * (y & 3) + r], t[k, 4 * (x & 3) + r]
        for r in range(4):
            for q in range(4):
                big[r, q] += column[r] * row[q]
    for r in range(4):
        for q in range(4):
            total += big[r, q]
    c[y, x] = total

# CHECK: 	add.s32 	%r42, %r41, %r1;
# CHECK: $L__BB0_1:
# CHECK: 	fma.rn.f32 	%r53, %r45, %r46, %r175;
# CHECK: 	fma.rn.f32 	%r54, %r45, %r48, %r174;
# CHECK: 	fma.rn.f32 	%r55, %r45, %r50, %r173;
# CHECK: 	fma.rn.f32 	%r56, %r45, %r52, %r172;
# CHECK: 	fma.rn.f32 	%r57, %r47, %r46, %r171;
# CHECK: 	fma.rn.f32 	%r58, %r47, %r48, %r170;
# CHECK: 	fma.rn.f32 	%r59, %r47, %r50, %r169;
# CHECK: 	fma.rn.f32 	%r60, %r47, %r52, %r168;
# CHECK: 	fma.rn.f32 	%r61, %r49, %r46, %r167;
# CHECK: 	fma.rn.f32 	%r62, %r49, %r48, %r166;
# CHECK: 	fma.rn.f32 	%r63, %r49, %r50, %r165;
# CHECK: 	fma.rn.f32 	%r64, %r49, %r52, %r164;
# CHECK: 	fma.rn.f32 	%r65, %r51, %r46, %r163;
# CHECK: 	fma.rn.f32 	%r66, %r51, %r48, %r162;
# CHECK: 	fma.rn.f32 	%r67, %r51, %r50, %r161;
# CHECK: 	fma.rn.f32 	%r68, %r51, %r52, %r160;
# CHECK: 	fma.rn.f32 	%r77, %r69, %r70, %r53;
# CHECK: 	fma.rn.f32 	%r78, %r69, %r72, %r54;
# CHECK: 	fma.rn.f32 	%r79, %r69, %r74, %r55;
# CHECK: 	fma.rn.f32 	%r80, %r69, %r76, %r56;
# CHECK: 	fma.rn.f32 	%r81, %r71, %r70, %r57;
# CHECK: 	fma.rn.f32 	%r82, %r71, %r72, %r58;
# CHECK: 	fma.rn.f32 	%r83, %r71, %r74, %r59;
# CHECK: 	fma.rn.f32 	%r84, %r71, %r76, %r60;
# CHECK: 	fma.rn.f32 	%r85, %r73, %r70, %r61;
# CHECK: 	fma.rn.f32 	%r86, %r73, %r72, %r62;
# CHECK: 	fma.rn.f32 	%r87, %r73, %r74, %r63;
# CHECK: 	fma.rn.f32 	%r88, %r73, %r76, %r64;
# CHECK: 	fma.rn.f32 	%r89, %r75, %r70, %r65;
# CHECK: 	fma.rn.f32 	%r90, %r75, %r72, %r66;
# CHECK: 	fma.rn.f32 	%r91, %r75, %r74, %r67;
# CHECK: 	fma.rn.f32 	%r92, %r75, %r76, %r68;
# CHECK: 	fma.rn.f32 	%r101, %r93, %r94, %r77;
# CHECK: 	fma.rn.f32 	%r102, %r93, %r96, %r78;
# CHECK: 	fma.rn.f32 	%r103, %r93, %r98, %r79;
# CHECK: 	fma.rn.f32 	%r104, %r93, %r100, %r80;
# CHECK: 	fma.rn.f32 	%r105, %r95, %r94, %r81;
# CHECK: 	fma.rn.f32 	%r106, %r95, %r96, %r82;
# CHECK: 	fma.rn.f32 	%r107, %r95, %r98, %r83;
# CHECK: 	fma.rn.f32 	%r108, %r95, %r100, %r84;
# CHECK: 	fma.rn.f32 	%r109, %r97, %r94, %r85;
# CHECK: 	fma.rn.f32 	%r110, %r97, %r96, %r86;
# CHECK: 	fma.rn.f32 	%r111, %r97, %r98, %r87;
# CHECK: 	fma.rn.f32 	%r112, %r97, %r100, %r88;
# CHECK: 	fma.rn.f32 	%r113, %r99, %r94, %r89;
# CHECK: 	fma.rn.f32 	%r114, %r99, %r96, %r90;
# CHECK: 	fma.rn.f32 	%r115, %r99, %r98, %r91;
# CHECK: 	fma.rn.f32 	%r116, %r99, %r100, %r92;
# CHECK: 	fma.rn.f32 	%r175, %r117, %r118, %r101;
# CHECK: 	fma.rn.f32 	%r174, %r117, %r120, %r102;
# CHECK: 	fma.rn.f32 	%r173, %r117, %r122, %r103;
# CHECK: 	fma.rn.f32 	%r172, %r117, %r124, %r104;
# CHECK: 	fma.rn.f32 	%r171, %r119, %r118, %r105;
# CHECK: 	fma.rn.f32 	%r170, %r119, %r120, %r106;
# CHECK: 	fma.rn.f32 	%r169, %r119, %r122, %r107;
# CHECK: 	fma.rn.f32 	%r168, %r119, %r124, %r108;
# CHECK: 	fma.rn.f32 	%r167, %r121, %r118, %r109;
# CHECK: 	fma.rn.f32 	%r166, %r121, %r120, %r110;
# CHECK: 	fma.rn.f32 	%r165, %r121, %r122, %r111;
# CHECK: 	fma.rn.f32 	%r164, %r121, %r124, %r112;
# CHECK: 	fma.rn.f32 	%r163, %r123, %r118, %r113;
# CHECK: 	fma.rn.f32 	%r162, %r123, %r120, %r114;
# CHECK: 	fma.rn.f32 	%r161, %r123, %r122, %r115;
# CHECK: 	fma.rn.f32 	%r160, %r123, %r124, %r116;
# CHECK: 	setp.eq.b32 	%p1, %r125, 1024;
# CHECK: 	@%p1 bra 	$L__BB0_2;
# CHECK: 	bra.uni 	$L__BB0_1;
# CHECK: $L__BB0_2:
# CHECK: 	fma.rn.f32 	%r126, %r3, %r4, 0f00000000;
# CHECK: 	fma.rn.f32 	%r127, %r5, %r6, %r126;
# CHECK: 	fma.rn.f32 	%r128, %r7, %r8, %r127;
# CHECK: 	fma.rn.f32 	%r129, %r9, %r10, %r128;
# CHECK: 	fma.rn.f32 	%r130, %r11, %r12, %r129;
# CHECK: 	fma.rn.f32 	%r131, %r13, %r14, %r130;
# CHECK: 	fma.rn.f32 	%r132, %r15, %r16, %r131;
# CHECK: 	fma.rn.f32 	%r133, %r17, %r18, %r132;
# CHECK: 	fma.rn.f32 	%r134, %r19, %r20, %r133;
# CHECK: 	fma.rn.f32 	%r135, %r21, %r22, %r134;
# CHECK: 	fma.rn.f32 	%r136, %r23, %r24, %r135;
# CHECK: 	fma.rn.f32 	%r137, %r25, %r26, %r136;
# CHECK: 	fma.rn.f32 	%r138, %r27, %r28, %r137;
# CHECK: 	fma.rn.f32 	%r139, %r29, %r30, %r138;
# CHECK: 	fma.rn.f32 	%r140, %r31, %r32, %r139;
# CHECK: 	fma.rn.f32 	%r141, %r33, %r34, %r140;
