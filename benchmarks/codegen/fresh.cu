// The kernels of ../kernels_fresh.py in CUDA C++: solvers, layers of networks, lattices, texts,
// ciphers, sorting by digits, colours, clusters, transforms.
#include "prelude.h"

constexpr int kRow = 256, kDigits = 16;

extern "C" {

// ---- solvers

__global__ void thomas(Plane<const float> a, Plane<const float> b, Plane<const float> c,
                       Plane<float> d, Plane<float> scratch) {
  int s = tid_x(), n = d.rows;
  if (s >= d.columns) return;
  float ratio = c(0, s) / b(0, s), value = d(0, s) / b(0, s);
  scratch(0, s) = ratio;
  d(0, s) = value;
  ROLLED for (int i = 1; i < n; i++) {
    float m = 1.0f / (b(i, s) - a(i, s) * ratio);
    ratio = c(i, s) * m;
    value = (d(i, s) - a(i, s) * value) * m;
    scratch(i, s) = ratio;
    d(i, s) = value;
  }
  ROLLED for (int i = n - 2; i >= 0; i--) {
    value = d(i, s) - scratch(i, s) * value;
    d(i, s) = value;
  }
}

// ---- layers of networks

__global__ void conv_padded(Volume<const float> image, Volume<const float> weight,
                            Plane<float> out) {
  int x = tid_x(), y = tid_y(), h = image.rows, w = image.columns;
  if (x >= w || y >= h) return;
  float total = 0;
  ROLLED for (int c = 0; c < image.layers; c++)
    ROLLED for (int ky = 0; ky < weight.rows; ky++)
      ROLLED for (int kx = 0; kx < weight.columns; kx++) {
        int yy = y + ky - weight.rows / 2, xx = x + kx - weight.columns / 2;
        if (yy >= 0 && yy < h && xx >= 0 && xx < w) total += image(c, yy, xx) * weight(c, ky, kx);
      }
  out(y, x) = total;
}

__global__ void max_pool(Volume<const float> image, Volume<float> out, int size, int stride) {
  int x = tid_x(), y = tid_y(), c = tid_z();
  if (x >= out.columns || y >= out.rows || c >= out.layers) return;
  int y0 = y * stride, x0 = x * stride;
  int y1 = min(y0 + size, image.rows), x1 = min(x0 + size, image.columns);
  float best = image(c, y0, x0);
  ROLLED for (int yy = y0; yy < y1; yy++)
    ROLLED for (int xx = x0; xx < x1; xx++) {
      float v = image(c, yy, xx);
      if (v > best) best = v;
    }
  out(c, y, x) = best;
}

__global__ void softmax_rows(Plane<const float> x, Plane<float> out) {
  __shared__ float cache[kRow];
  int row = blockIdx.x, t = threadIdx.x, n = x.columns;
  float top = -1e30f;
  ROLLED for (int j = t; j < n; j += blockDim.x) top = x(row, j) > top ? x(row, j) : top;
  cache[t] = top;
  __syncthreads();
  for (int d = kRow / 2; d > 0; d /= 2) {
    if (t < d && cache[t + d] > cache[t]) cache[t] = cache[t + d];
    __syncthreads();
  }
  top = cache[0];
  __syncthreads();
  float total = 0;
  ROLLED for (int j = t; j < n; j += blockDim.x) {
    float e = expf(x(row, j) - top);
    out(row, j) = e;
    total += e;
  }
  cache[t] = total;
  __syncthreads();
  for (int d = kRow / 2; d > 0; d /= 2) {
    if (t < d) cache[t] += cache[t + d];
    __syncthreads();
  }
  total = 1.0f / cache[0];
  ROLLED for (int j = t; j < n; j += blockDim.x) out(row, j) *= total;
}

// ---- lattices

__global__ void lattice_stream(Volume<const float> f, Volume<float> g) {
  int x = tid_x(), y = tid_y(), h = f.rows, w = f.columns;
  if (x >= w || y >= h) return;
  int west = x > 0 ? x - 1 : w - 1, east = x < w - 1 ? x + 1 : 0;
  int north = y > 0 ? y - 1 : h - 1, south = y < h - 1 ? y + 1 : 0;
  g(0, y, x) = f(0, y, x);
  g(1, y, east) = f(1, y, x);
  g(2, south, x) = f(2, y, x);
  g(3, y, west) = f(3, y, x);
  g(4, north, x) = f(4, y, x);
  g(5, south, east) = f(5, y, x);
  g(6, south, west) = f(6, y, x);
  g(7, north, west) = f(7, y, x);
  g(8, north, east) = f(8, y, x);
}

__global__ void ising(Plane<int> spin, Line<const float> chance, int colour, unsigned seed) {
  int x = tid_x(), y = tid_y(), h = spin.rows, w = spin.columns;
  if (x >= w || y >= h || (x + y) % 2 != colour) return;
  int around = spin(y, (x + 1) % w) + spin(y, (x + w - 1) % w) + spin((y + 1) % h, x) +
               spin((y + h - 1) % h, x);
  int gain = spin(y, x) * around;
  unsigned r = seed ^ (unsigned)(y * w + x) * 2654435761u;
  r ^= r >> 15;
  r *= 0x2c1b3c6du;
  r ^= r >> 12;
  float u = (r >> 8) * (1.0f / 16777216.0f);
  if (gain <= 0 || u < chance[gain]) spin(y, x) = -spin(y, x);
}

// ---- texts and ciphers

__global__ void find_text(Line<const unsigned char> text, Line<const unsigned char> word,
                          Line<int> found) {
  int i = tid_x();
  if (i > text.size - word.size) return;
  int k = 0;
  ROLLED while (k < word.size && text[i + k] == word[k]) k++;
  if (k == word.size) found[i] = 1;
}

__device__ inline unsigned turn(unsigned v, int n) { return v << n | v >> (32 - n); }

__global__ void chacha(Line<const unsigned> key, Line<unsigned> out, unsigned nonce) {
  int i = tid_x();
  if (16 * i + 15 >= out.size) return;
  unsigned s[16], first[16];
  for (int k = 0; k < 8; k++) s[4 + k] = key[k];
  s[0] = 0x61707865u;
  s[1] = 0x3320646eu;
  s[2] = 0x79622d32u;
  s[3] = 0x6b206574u;
  s[12] = i;
  s[13] = 0;
  s[14] = nonce;
  s[15] = 0;
  for (int k = 0; k < 16; k++) first[k] = s[k];
  for (int round = 0; round < 10; round++)
    for (int q = 0; q < 8; q++) {
      int a = q % 4, b = 4 + (q + q / 4) % 4, c = 8 + (q + 2 * (q / 4)) % 4,
          d = 12 + (q + 3 * (q / 4)) % 4;
      s[a] += s[b];
      s[d] = turn(s[d] ^ s[a], 16);
      s[c] += s[d];
      s[b] = turn(s[b] ^ s[c], 12);
      s[a] += s[b];
      s[d] = turn(s[d] ^ s[a], 8);
      s[c] += s[d];
      s[b] = turn(s[b] ^ s[c], 7);
    }
  for (int k = 0; k < 16; k++) out[16 * i + k] = s[k] + first[k];
}

// ---- sorting by digits

__global__ void digit_counts(Line<const unsigned> key, Plane<int> counts, int shift) {
  __shared__ int own[kDigits];
  int t = threadIdx.x;
  if (t < kDigits) own[t] = 0;
  __syncthreads();
  ROLLED for (int i = tid_x(); i < key.size; i += gridDim.x * blockDim.x)
    add_block(&own[key[i] >> shift & kDigits - 1], 1);
  __syncthreads();
  if (t < kDigits) counts(t, blockIdx.x) = own[t];
}

// ---- colours, clusters, transforms

__device__ inline unsigned char byte(int v) { return v < 0 ? 0 : v > 255 ? 255 : v; }

__global__ void yuv_to_rgb(Plane<const unsigned char> luma, Plane<const unsigned char> chroma,
                           Volume<unsigned char> rgb) {
  int x = tid_x(), y = tid_y();
  if (x >= luma.columns || y >= luma.rows) return;
  int c = 298 * (luma(y, x) - 16), d = chroma(y / 2, x / 2 * 2) - 128,
      e = chroma(y / 2, x / 2 * 2 + 1) - 128;
  rgb(y, x, 0) = byte((c + 409 * e + 128) >> 8);
  rgb(y, x, 1) = byte((c - 100 * d - 208 * e + 128) >> 8);
  rgb(y, x, 2) = byte((c + 516 * d + 128) >> 8);
}

__global__ void assign_clusters(Plane<const float> point, Plane<const float> centre,
                                Line<int> label, Line<int> members) {
  int i = tid_x();
  if (i >= point.rows) return;
  int best = 0;
  float least = 1e30f;
  ROLLED for (int c = 0; c < centre.rows; c++) {
    float d = 0;
    ROLLED for (int k = 0; k < point.columns; k++) {
      float gap = point(i, k) - centre(c, k);
      d += gap * gap;
    }
    if (d < least) {
      least = d;
      best = c;
    }
  }
  label[i] = best;
  add_device(&members[best], 1);
}

__global__ void butterflies(Plane<const float> in, Plane<float> out, int half) {
  int i = tid_x(), n = in.rows;
  if (i >= n / 2) return;
  int k = i % half, to = (i / half) * 2 * half + k;
  float angle = -3.14159265f * k / half, c = cosf(angle), s = sinf(angle);
  float re = in(i, 0), im = in(i, 1), x = in(i + n / 2, 0), y = in(i + n / 2, 1);
  float p = x * c - y * s, q = x * s + y * c;
  out(to, 0) = re + p;
  out(to, 1) = im + q;
  out(to + half, 0) = re - p;
  out(to + half, 1) = im - q;
}

}  // extern "C"
