// The kernels of ../kernels_bits.py in CUDA C++: grid-stride loops, scans, sorting networks, bit
// tricks, random walks.
#include "prelude.h"

constexpr int kSort = 512, kScan = 256;

extern "C" {

// ---- grid-stride loops

__global__ void axpy_stride(float a, Line<const float> x, Line<float> y) {
  ROLLED for (int i = tid_x(); i < x.size; i += gridDim.x * blockDim.x)
    y[i] = a * x[i] + y[i];
}

__global__ void dot_stride(Line<const float> x, Line<const float> y, Line<float> partial) {
  __shared__ float cache[kScan];
  int t = threadIdx.x;
  float sum = 0;
  ROLLED for (int i = blockIdx.x * blockDim.x + t; i < x.size; i += gridDim.x * blockDim.x)
    sum += x[i] * y[i];
  cache[t] = sum;
  __syncthreads();
  for (int half = kScan / 2; half > 0; half /= 2) {
    if (t < half) cache[t] += cache[t + half];
    __syncthreads();
  }
  if (t == 0) partial[blockIdx.x] = cache[0];
}

__global__ void sieve(Line<unsigned char> composite, Line<const int> primes) {
  int k = tid_x();
  if (k >= primes.size) return;
  int p = primes[k];
  ROLLED for (int m = p * p; m < composite.size; m += p) composite[m] = 1;
}

// ---- scans

__global__ void warp_scan(Line<const int> x, Line<int> out) {
  int i = tid_x(), in_warp = lane();
  int value = i < x.size ? x[i] : 0;
  for (int d = 1; d < kWarp; d *= 2) {
    int below = shuffle_up(value, d);
    if (in_warp >= d) value += below;
  }
  if (i < x.size) out[i] = value;
}

__global__ void sweep_scan(Line<int> x) {
  __shared__ int cache[2 * kScan];
  int t = threadIdx.x, first = blockIdx.x * 2 * kScan, offset = 1;
  cache[2 * t] = x[first + 2 * t];
  cache[2 * t + 1] = x[first + 2 * t + 1];
  for (int d = kScan; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) cache[offset * (2 * t + 2) - 1] += cache[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0) cache[2 * kScan - 1] = 0;
  for (int d = 1; d < 2 * kScan; d *= 2) {
    offset /= 2;
    __syncthreads();
    if (t < d) {
      int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1, v = cache[a];
      cache[a] = cache[b];
      cache[b] += v;
    }
  }
  __syncthreads();
  x[first + 2 * t] = cache[2 * t];
  x[first + 2 * t + 1] = cache[2 * t + 1];
}

// ---- sorting networks

__global__ void bitonic_sort(Line<int> x) {
  __shared__ int cache[kSort];
  int t = threadIdx.x, i = blockIdx.x * kSort + t;
  cache[t] = x[i];
  __syncthreads();
  ROLLED for (int size = 2; size <= kSort; size *= 2)
    ROLLED for (int stride = size / 2; stride > 0; stride /= 2) {
      int other = t ^ stride;
      if (other > t) {
        int a = cache[t], b = cache[other];
        if ((t & size) == 0 ? a > b : a < b) {
          cache[t] = b;
          cache[other] = a;
        }
      }
      __syncthreads();
    }
  x[i] = cache[t];
}

__global__ void odd_even_sort(Line<float> x) {
  __shared__ float cache[2 * kScan];
  int t = threadIdx.x;
  cache[2 * t] = x[2 * t];
  cache[2 * t + 1] = x[2 * t + 1];
  __syncthreads();
  for (int round = 0; round < 2 * kScan; round++) {
    int k = 2 * t + round % 2;
    if (k + 1 < 2 * kScan && cache[k] > cache[k + 1]) {
      float swap = cache[k];
      cache[k] = cache[k + 1];
      cache[k + 1] = swap;
    }
    __syncthreads();
  }
  x[2 * t] = cache[2 * t];
  x[2 * t + 1] = cache[2 * t + 1];
}

// ---- bits

__global__ void count_bits(Line<const unsigned> x, Line<int> out) {
  int i = tid_x();
  if (i >= x.size) return;
  unsigned v = x[i];
  int count = 0;
  while (v) {
    v &= v - 1;
    count++;
  }
  out[i] = count;
}

__global__ void highest_bit(Line<const unsigned> x, Line<int> out) {
  int i = tid_x();
  if (i >= x.size) return;
  unsigned v = x[i];
  int bits = 0;
  while (v) {
    v >>= 1;
    bits++;
  }
  out[i] = bits;
}

__device__ inline unsigned spread(unsigned v) {
  v = (v | v << 8) & 0x00ff00ffu;
  v = (v | v << 4) & 0x0f0f0f0fu;
  v = (v | v << 2) & 0x33333333u;
  return (v | v << 1) & 0x55555555u;
}

__global__ void morton(Plane<const unsigned> p, Line<unsigned> code) {
  int i = tid_x();
  if (i < p.rows) code[i] = spread(p(i, 0)) | spread(p(i, 1)) << 1;
}

__global__ void crc32(Plane<const unsigned char> rows, Line<const unsigned> table,
                      Line<unsigned> out) {
  int i = tid_x();
  if (i >= rows.rows) return;
  unsigned crc = 0xffffffffu;
  ROLLED for (int k = 0; k < rows.columns; k++) crc = table[(crc ^ rows(i, k)) & 255] ^ crc >> 8;
  out[i] = ~crc;
}

__global__ void life(Plane<const unsigned char> now, Plane<unsigned char> after) {
  int x = tid_x(), y = tid_y();
  int w = now.columns, h = now.rows;
  if (x >= w || y >= h) return;
  int alive = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (dx != 0 || dy != 0) alive += now((y + dy + h) % h, (x + dx + w) % w);
  after(y, x) = alive == 3 || (alive == 2 && now(y, x) == 1);
}

// ---- random walks

__global__ void count_inside(Line<int> hits, int rounds, unsigned seed) {
  int i = tid_x();
  if (i >= hits.size) return;
  unsigned state = seed + i;
  int inside = 0;
  ROLLED for (int k = 0; k < rounds; k++) {
    state = state * 1664525u + 1013904223u;
    float x = (state >> 8) * (1.0f / 16777216.0f);
    state = state * 1664525u + 1013904223u;
    float y = (state >> 8) * (1.0f / 16777216.0f);
    if (x * x + y * y < 1.0f) inside++;
  }
  hits[i] = inside;
}

__global__ void walk(Plane<int> visits, int steps, unsigned seed) {
  int i = tid_x(), w = visits.columns, h = visits.rows, x = w / 2, y = h / 2;
  unsigned state = seed + 0x9e3779b9u * (i + 1);
  ROLLED for (int k = 0; k < steps; k++) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    unsigned turn = state & 3;
    if (turn == 0) x = x + 1 < w ? x + 1 : 0;
    if (turn == 1) x = x > 0 ? x - 1 : w - 1;
    if (turn == 2) y = y + 1 < h ? y + 1 : 0;
    if (turn == 3) y = y > 0 ? y - 1 : h - 1;
    add_device(&visits(y, x), 1);
  }
}

// ---- arithmetic

__global__ void waves(Line<const float> t, Line<float> out) {
  int i = tid_x();
  if (i < t.size) {
    float x = t[i];
    out[i] = sinf(x) * sinf(x) + 0.5f * sinf(x);
  }
}

__global__ void powers(Line<const float> x, Line<float> out) {
  int i = tid_x();
  if (i < x.size) {
    float v = x[i];
    out[i] = v * v * v - 2.0f * v * v + 1.0f / (v * v);
  }
}

__global__ void deal(Line<const int> x, Line<int> out, int width) {
  int i = tid_x();
  if (i < x.size) {
    int row = i / width, column = i % width;
    out[column * (x.size / width) + row] = x[i];
  }
}

}  // extern "C"
