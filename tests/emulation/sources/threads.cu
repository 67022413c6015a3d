// Control flow, calls, memory spaces, and threads together. Every kernel: out[i] from a[i], n of
// them.
#include <cstdint>
#include <cstdio>
#define KERNEL(name, R, A) extern "C" __global__ void name(R* out, const A* a, int n)
#define I int i = blockIdx.x * blockDim.x + threadIdx.x
#define AT \
  I;       \
  if (i >= n) return
#define ALL 0xffffffffu

// ---- control flow

KERNEL(collatz, int, int) {
  AT;
  int steps = 0;
  for (long x = a[i]; x != 1; ++steps) x = x % 2 ? 3 * x + 1 : x / 2;
  out[i] = steps;
}
KERNEL(switched, int, int) {
  AT;
  switch (a[i] & 7) {
    case 0:
      out[i] = a[i] * 3;
      break;
    case 1:
      out[i] = a[i] - 7;
    case 2:
      out[i] = a[i] ^ 99;
      break;
    case 3:
      out[i] = 1000;
      break;
    case 4:
      out[i] = a[i] / 3;
      break;
    case 6:
      out[i] = -a[i];
      break;
    default:
      out[i] = 5;
  }
}
KERNEL(nested, int, int) {
  AT;
  int total = 0;
  for (int j = 0; j < (a[i] & 15); ++j) {
    if (j == (a[i] >> 4 & 15)) break;
    for (int k = j; k < 12; ++k) {
      if ((k ^ a[i]) & 1) continue;
      if (k * j > 50) goto done;
      total += k * j + 1;
    }
  }
done:
  out[i] = total;
}
extern "C" __global__ void indices(int* out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
      z = blockIdx.z * blockDim.z + threadIdx.z;
  int at = (z * gridDim.y * blockDim.y + y) * gridDim.x * blockDim.x + x;
  if (at < n)
    out[at] = x + 100 * y + 10000 * z +
              1000000 * (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
}

// ---- calls

__device__ __noinline__ int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
KERNEL(recursion, int, int) {
  AT;
  out[i] = fibonacci(a[i] & 7);
}
__device__ __noinline__ bool odd(int n);
__device__ __noinline__ bool even(int n) { return n == 0 || odd(n - 1); }
__device__ __noinline__ bool odd(int n) { return n != 0 && even(n - 1); }
KERNEL(each_other, int, int) {
  AT;
  out[i] = even(a[i] & 15) + 2 * odd(a[i] & 7);
}
struct Mixed {
  char c;
  double d;
  short s;
  int v[3];
};
__device__ __noinline__ Mixed turned(Mixed m, int by) {
  Mixed r = {(char)(m.c + 1), m.d * 2, (short)-m.s, {m.v[1], m.v[2], m.v[0] + by}};
  return r;
}
KERNEL(structures, double, int) {
  AT;
  Mixed m = {(char)a[i], a[i] * 0.5, (short)(a[i] * 3), {a[i], a[i] + 1, a[i] + 2}};
  m = turned(turned(m, 5), i);
  out[i] = m.c + m.d * 10 + m.s * 100 + m.v[0] * 7 + m.v[1] * 11 + m.v[2] * 13;
}
__device__ __noinline__ int plus(int x) { return x + 100; }
__device__ __noinline__ int minus(int x) { return x - 100; }
__device__ __noinline__ int thrice(int x) { return 3 * x; }
typedef int (*Function)(int);
__device__ Function functions[3] = {plus, minus, thrice};
KERNEL(pointers, int, int) {
  AT;
  out[i] = functions[(unsigned)a[i] % 3](a[i]);
}
struct Shape {
  __device__ virtual double area() const = 0;
};
struct Square : Shape {
  double side;
  __device__ Square(double s) : side(s) {}
  __device__ double area() const override { return side * side; }
};
struct Circle : Shape {
  double r;
  __device__ Circle(double r) : r(r) {}
  __device__ double area() const override { return 3 * r * r; }
};
KERNEL(virtual_functions, double, int) {
  AT;
  Square square(a[i]);
  Circle circle(i);
  const Shape* shape = a[i] & 1 ? (const Shape*)&square : &circle;
  out[i] = shape->area();
}
KERNEL(printing, int, int) {
  AT;
  if (i < 3) printf("%d: %5.2f %s %llx%%\n", i, a[i] * 0.5, "text", 1ull << (40 + i));
  out[i] = i;
}

// ---- memory

__constant__ int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
__device__ double scale[2] = {0.5, -2};
__device__ const int* chosen = table;
KERNEL(initialised, double, int) {
  AT;
  out[i] = table[a[i] & 7] * scale[i & 1] + chosen[i & 7];
}
KERNEL(own_arrays, int, int) {
  AT;
  int local[16];
  for (int j = 0; j < 16; ++j) local[j] = a[i] * j;
  for (int j = 0; j < 16; ++j) local[(j * 7 + a[i]) & 15] ^= j;
  out[i] = local[a[i] & 15] + local[i & 15];
}
KERNEL(vectors, float, float4) {
  AT;
  float4 v = a[i];
  ((float2*)out)[i] = make_float2(v.x + v.y, v.z * v.w);
}
KERNEL(bytes, uint8_t, uint8_t) {
  AT;
  uchar4 v = ((const uchar4*)a)[i];
  ((uchar4*)out)[i] = make_uchar4(v.w, v.z, v.y + 1, v.x);
}
KERNEL(generic_pointers, int, int) {
  __shared__ int shared[64];
  AT;
  int own[2] = {a[i], i};
  shared[threadIdx.x] = a[i] * 2;
  int* p = i % 3 == 0 ? &own[i & 1] : i % 3 == 1 ? &shared[threadIdx.x] : (int*)&a[i];
  *(volatile int*)&own[0] = own[0] + 1;
  out[i] = *(volatile int*)p;
}
KERNEL(reversed_in_block, int, int) {
  extern __shared__ int dynamic[];
  I;
  dynamic[threadIdx.x] = i < n ? a[i] : 0;
  __syncthreads();
  if (i < n) out[i] = dynamic[blockDim.x - 1 - threadIdx.x];
}
KERNEL(block_sums, int, int) {
  __shared__ int sums[256];
  I;
  sums[threadIdx.x] = i < n ? a[i] : 0;
  for (int half = blockDim.x / 2; half; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}
KERNEL(counted_at_barriers, int, int) {
  I;
  int some = __syncthreads_count(a[i] & 1), every = __syncthreads_and(a[i] < 1 << 30),
      any = __syncthreads_or(a[i] == 77);
  out[i] = some + 1000 * every + 2000 * any;
}
#ifndef __HIP__  // NVIDIA's alone
KERNEL(named_barriers, int, int) {
  __shared__ int box[64];
  I;
  if (threadIdx.x < 32) {
    box[threadIdx.x] = a[i];
    asm volatile("bar.arrive 1, 64;" ::: "memory");
    out[i] = a[i];
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[i] = box[threadIdx.x - 32] + 1;
  }
}
#endif

// ---- warps

KERNEL(shuffled, int, int) {
  I;
  int x = a[i];
  out[i] = __shfl_xor_sync(ALL, x, 5) + 3 * __shfl_up_sync(ALL, x, 3, 16) +
           5 * __shfl_down_sync(ALL, x, 2) + 7 * __shfl_sync(ALL, x, i * 3, 8);
}
KERNEL(voted, unsigned, int) {
  I;
  unsigned b = __ballot_sync(ALL, a[i] & 1);
  out[i] = b + __any_sync(ALL, a[i] == 5) + 2 * __all_sync(ALL, a[i] >= 0);
}
KERNEL(matched, unsigned, int) {
  I;
  int all;
  unsigned any = __match_any_sync(ALL, a[i] & 3), same = __match_all_sync(ALL, a[i] >> 10, &all);
  out[i] = any ^ (same + all);
}
KERNEL(reduced, unsigned, int) {
  I;
  out[i] = __reduce_add_sync(ALL, a[i]) ^ __reduce_min_sync(ALL, a[i]) ^
           __reduce_or_sync(ALL, (unsigned)a[i]);
}
KERNEL(active_in_branch, unsigned, int) {
  I;
  out[i] = 0;
  if (a[i] & 1) out[i] = __activemask();
}
KERNEL(parts_of_a_warp, int, int) {
  I;
  unsigned lower = threadIdx.x & 16 ? 0xffff0000u : 0xffffu;
  int x;
  if (threadIdx.x & 16) {
    x = a[i] * 2;
    x = __shfl_xor_sync(lower, x, 1);
  } else {
    x = __shfl_down_sync(lower, a[i], 1, 16);
  }
  __syncwarp();
  out[i] = x + __popc(__ballot_sync(ALL, x & 1));
}

// ---- atomics

KERNEL(histogram, int, int) {
  AT;
  atomicAdd(&out[a[i] & 7], 1);
}
KERNEL(shared_histogram, int, int) {
  __shared__ int counts[8];
  I;
  if (threadIdx.x < 8) counts[threadIdx.x] = 0;
  __syncthreads();
  if (i < n) atomicAdd(&counts[a[i] & 7], 2);
  __syncthreads();
  if (threadIdx.x < 8) atomicAdd(&out[threadIdx.x], counts[threadIdx.x]);
}
KERNEL(tickets, int, int) {
  AT;
  out[1 + atomicAdd(&out[0], 1)] = 1;
}
KERNEL(kinds_of_atomics, int, int) {
  AT;
  atomicMin(&out[0], a[i]);
  atomicMax(&out[1], a[i]);
  atomicAnd(&out[2], a[i]);
  atomicOr(&out[3], a[i]);
  atomicXor(&out[4], a[i]);
  atomicInc((unsigned*)&out[5], 6);
  atomicDec((unsigned*)&out[6], 9);
  atomicMax((unsigned*)&out[7], (unsigned)a[i]);
}
KERNEL(exchanged, int, int) {
  AT;
  out[i + 1] = atomicExch(&out[0], i + 1);
}
KERNEL(product_by_cas, unsigned long long, int) {
  AT;
  unsigned long long seen = out[0], old;
  do {
    old = seen;
    seen = atomicCAS(&out[0], old, old * (2 * (unsigned long long)a[i] + 1));
  } while (seen != old);
}
KERNEL(float_sum, float, int) {
  AT;
  atomicAdd(&out[i & 1], (float)(a[i] & 255));
}
KERNEL(double_sum, double, int) {
  AT;
  atomicAdd(&out[0], a[i] * 0.5);
}
#ifndef __HIP__  // lanes that leave the loop wait there for those that spin in it
KERNEL(locked, int, int) {
  AT;
  for (bool done = false; !done;) {
    if (atomicCAS(&out[0], 0, 1) == 0) {
      out[1] = out[1] + (a[i] & 3);
      __threadfence();
      atomicExch(&out[0], 0);
      done = true;
    }
  }
}
#endif
KERNEL(message, int, int) {
  AT;
  volatile int* flag = out;
  if (blockIdx.x == 0) {
    while (flag[0] != (int)(gridDim.x - 1) * (int)blockDim.x) {
    }
    __threadfence();
    out[1 + threadIdx.x] = out[64 + threadIdx.x];
  } else {
    out[64 + threadIdx.x] = a[threadIdx.x];
    __threadfence();
    atomicAdd((int*)out, 1);
  }
}
