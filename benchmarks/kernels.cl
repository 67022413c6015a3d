// The timed kernels in OpenCL C: the same work per work item and the same groups as the Python ones.
#define TILE 16
#define BLOCK 256
#define CHUNK (16 * BLOCK)
#define HISTOGRAM_CHUNK (256 * BLOCK)

kernel void saxpy(float a, global const float* x, global float* y, int n) {
  int i = get_global_id(0);
  if (i < n) y[i] = fma(a, x[i], y[i]);
}

kernel void stencil(global const float* z, global float* out, int height, int width) {
  int j = get_global_id(0), i = get_global_id(1);
  if (0 < i && i < height - 1 && 0 < j && j < width - 1)
    out[i * width + j] = 0.25f * (z[(i - 1) * width + j] + z[(i + 1) * width + j] +
                                  z[i * width + j - 1] + z[i * width + j + 1]);
}

kernel void mandelbrot(global int* counts, float left, float top, float step, int limit, int height,
                       int width) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height) return;
  float cr = left + x * step, ci = top + y * step, zr = 0, zi = 0;
  int n = 0;
  while (n < limit) {
    float rr = zr * zr, ii = zi * zi;
    if (rr + ii > 4.0f) break;
    zi = 2.0f * zr * zi + ci;
    zr = rr - ii + cr;
    n++;
  }
  counts[y * width + x] = n;
}

kernel void nbody(global const float* p, global float* v, global const float* m, float dt,
                  float softening, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float ax = 0, ay = 0, az = 0;
  for (int j = 0; j < n; j++) {
    float dx = p[3 * j] - p[3 * i], dy = p[3 * j + 1] - p[3 * i + 1], dz = p[3 * j + 2] - p[3 * i + 2];
    float r2 = dx * dx + dy * dy + dz * dz + softening;
    float s = m[j] / (r2 * sqrt(r2));
    ax += s * dx, ay += s * dy, az += s * dz;
  }
  v[3 * i] += dt * ax, v[3 * i + 1] += dt * ay, v[3 * i + 2] += dt * az;
}

kernel void matmul(global const float* a, global const float* b, global float* c, int n) {
  local float left[TILE][TILE], right[TILE][TILE];
  int x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
  float total = 0;
  for (int first = 0; first < n; first += TILE) {
    left[y][x] = a[row * n + first + x];
    right[y][x] = b[(first + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; k++) total += left[y][k] * right[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = total;
}

kernel void tree_sums(global const float* x, global float* partial) {
  local float cache[BLOCK];
  int thread = get_local_id(0), block = get_group_id(0);
  float total = 0;
  for (int k = 0; k < CHUNK / BLOCK; k++) total += x[block * CHUNK + k * BLOCK + thread];
  cache[thread] = total;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int distance = BLOCK / 2; distance > 0; distance /= 2) {
    if (thread < distance) cache[thread] += cache[thread + distance];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (thread == 0) partial[block] = cache[0];
}

kernel void histogram(global const uchar* x, global int* counts) {
  local int own[BLOCK];
  int thread = get_local_id(0), first = get_group_id(0) * HISTOGRAM_CHUNK + thread;
  own[thread] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < HISTOGRAM_CHUNK / BLOCK; k++) atomic_inc(&own[x[first + k * BLOCK]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&counts[thread], own[thread]);
}

float normal(float d) { return 0.5f + 0.5f * erf(d * 0.70710678f); }

kernel void black_scholes(global const float* price, global const float* strike,
                          global const float* years, global float* call, global float* put,
                          float rate, float volatility, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float s = price[i], k = strike[i], t = years[i];
  float deviation = volatility * sqrt(t);
  float d1 = (log(s / k) + (rate + 0.5f * volatility * volatility) * t) / deviation;
  float d2 = d1 - deviation, discounted = k * exp(-rate * t);
  float above = normal(d1), below = normal(d2);
  call[i] = s * above - discounted * below;
  put[i] = discounted * (1.0f - below) - s * (1.0f - above);
}

kernel void transpose(global const float* source, global float* result, int n) {
  local float tile[32][33];
  int x = get_local_id(0), y = get_local_id(1);
  int left = get_group_id(0) * 32, top = get_group_id(1) * 32;
  for (int k = 0; k < 32; k += 8) tile[y + k][x] = source[(top + y + k) * n + left + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 32; k += 8) result[(left + y + k) * n + top + x] = tile[x][y + k];
}
