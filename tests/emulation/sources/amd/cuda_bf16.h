#include <cuda_fp16.h>
typedef __bf16 __nv_bfloat16;
INLINE __bf16 __float2bfloat16_rn(float a) { return (__bf16)a; }
