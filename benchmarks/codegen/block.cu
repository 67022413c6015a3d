// The kernels of ../kernels_block.py, and the scan of ../kernels_more.py, in CUDA C++: unsigned
// where Python has uint32.
#include "prelude.h"

constexpr int kTile = 16, kBlock = 256, kChunk = 16 * kBlock, kHistogramChunk = 256 * kBlock;

extern "C" {

__global__ void matmul(Plane<const float> a, Plane<const float> b, Plane<float> c) {
  __shared__ float left[kTile][kTile], right[kTile][kTile];
  unsigned x = threadIdx.x, y = threadIdx.y;
  int column = tid_x(), row = tid_y();
  float total = 0;
#pragma unroll 1
  for (int first = 0; first < a.columns; first += kTile) {
    left[y][x] = a(row, first + x);
    right[y][x] = b(first + y, column);
    __syncthreads();
    for (int k = 0; k < kTile; k++) total += left[y][k] * right[k][x];
    __syncthreads();
  }
  c(row, column) = total;
}

__global__ void tree_sums(Line<const float> x, Line<float> partial) {
  __shared__ float cache[kBlock];
  unsigned thread = threadIdx.x, block = blockIdx.x;
  float total = 0;
  for (int k = 0; k < kChunk / kBlock; k++) total += x[block * kChunk + k * kBlock + thread];
  cache[thread] = total;
  __syncthreads();
  for (int distance = kBlock / 2; distance > 0; distance /= 2) {
    if (thread < distance) cache[thread] += cache[thread + distance];
    __syncthreads();
  }
  if (thread == 0) partial[block] = cache[0];
}

__device__ inline float warp_sum(float value) {
  for (int distance = kWarp / 2; distance > 0; distance /= 2)
    value += shuffle_down(value, distance);
  return value;
}

__global__ void shuffle_sums(Line<const float> x, Line<float> partial) {
  __shared__ float cache[kBlock];
  unsigned thread = threadIdx.x, block = blockIdx.x;
  float total = 0;
  for (int k = 0; k < kChunk / kBlock; k++) total += x[block * kChunk + k * kBlock + thread];
  total = warp_sum(total);
  if (thread % kWarp == 0) cache[thread / kWarp] = total;
  __syncthreads();
  if (thread < kWarp) {
    total = warp_sum(thread < kBlock / kWarp ? cache[thread] : 0.0f);
    if (thread == 0) partial[block] = total;
  }
}

__global__ void histogram(Line<const unsigned char> x, Line<int> counts) {
  __shared__ int own[kBlock];
  unsigned thread = threadIdx.x, first = blockIdx.x * kHistogramChunk + thread;
  own[thread] = 0;
  __syncthreads();
  for (int k = 0; k < kHistogramChunk / kBlock; k++) add_block(&own[x[first + k * kBlock]], 1);
  __syncthreads();
  add_device(&counts[thread], own[thread]);
}

__global__ void transpose(Plane<const float> source, Plane<float> result) {
  __shared__ float tile[32][33];
  unsigned x = threadIdx.x, y = threadIdx.y, left = blockIdx.x * 32, top = blockIdx.y * 32;
  for (int k = 0; k < 32; k += 8) tile[y + k][x] = source(top + y + k, left + x);
  __syncthreads();
  for (int k = 0; k < 32; k += 8) result(left + y + k, top + x) = tile[x][y + k];
}

__global__ void scan(Line<const float> x, Line<float> out) {
  __shared__ float cache[kBlock];
  unsigned thread = threadIdx.x;
  int i = tid_x();
  cache[thread] = i < x.size ? x[i] : 0.0f;
  __syncthreads();
  for (int distance = 1; distance < kBlock; distance *= 2) {
    float earlier = thread >= distance ? cache[thread - distance] : 0.0f;
    __syncthreads();
    cache[thread] += earlier;
    __syncthreads();
  }
  if (i < x.size) out[i] = cache[thread];
}

}  // extern "C"
