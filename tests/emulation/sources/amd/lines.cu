// Faults at known lines: with line tables, each is named by its own (test_source_lines.py).
__device__ __attribute__((noinline)) int far_away(int* x) {
  return x[1 << 20];
}

extern "C" __global__ void reads(int* out, int n) {
  out[0] = n;
  out[1] = far_away(out);
}

extern "C" __global__ void forgets(int* out, int n) {
  __shared__ int box[16];
  box[0] = n;
  __syncthreads();
  out[0] = box[n];
}

extern "C" __global__ void asserts(int* out, int n) {
  out[0] = 2;
  if (n > 3)
    __builtin_trap();
}
