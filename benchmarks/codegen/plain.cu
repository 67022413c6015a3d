// The kernels of ../kernels.py and ../kernels_more.py in CUDA C++: the same algorithm, the same
// checks, int indices. Compiled by nvcc and by clang++ -x hip; codegen.py compares. Loops of
// unknown length are not to be unrolled: a round's instructions would be counted several times.
#include "prelude.h"

extern "C" {

__global__ void saxpy(float a, Line<const float> x, Line<float> y) {
  int i = tid_x();
  if (i < x.size) y[i] = a * x[i] + y[i];
}

__global__ void stencil(Plane<const float> z, Plane<float> out) {
  int j = tid_x(), i = tid_y();
  if (0 < i && i < z.rows - 1 && 0 < j && j < z.columns - 1)
    out(i, j) = 0.25f * (z(i - 1, j) + z(i + 1, j) + z(i, j - 1) + z(i, j + 1));
}

__global__ void mandelbrot(Plane<int> counts, float left, float top, float step, int limit) {
  int x = tid_x(), y = tid_y();
  if (x >= counts.columns || y >= counts.rows) return;
  float cr = left + x * step, ci = top + y * step, zr = 0, zi = 0;
  int n = 0;
  while (n < limit) {
    float rr = zr * zr, ii = zi * zi;
    if (rr + ii > 4.0f) break;
    zi = 2.0f * zr * zi + ci;
    zr = rr - ii + cr;
    n++;
  }
  counts(y, x) = n;
}

__global__ void kick(Plane<const float> p, Plane<float> v, Line<const float> m, float dt,
                     float softening) {
  int i = tid_x();
  if (i >= p.rows) return;
  float ax = 0, ay = 0, az = 0;
#pragma unroll 1
  for (int j = 0; j < p.rows; j++) {
    float dx = p(j, 0) - p(i, 0), dy = p(j, 1) - p(i, 1), dz = p(j, 2) - p(i, 2);
    float r2 = dx * dx + dy * dy + dz * dz + softening;
    float s = m[j] / (r2 * sqrtf(r2));
    ax += s * dx, ay += s * dy, az += s * dz;
  }
  v(i, 0) += dt * ax, v(i, 1) += dt * ay, v(i, 2) += dt * az;
}

__device__ inline float normal_distribution(float d) { return 0.5f + 0.5f * erff(d * 0.70710678f); }

__global__ void black_scholes(Line<const float> price, Line<const float> strike,
                              Line<const float> years, Line<float> call, Line<float> put,
                              float rate, float volatility) {
  int i = tid_x();
  if (i >= price.size) return;
  float s = price[i], k = strike[i], t = years[i];
  float deviation = volatility * sqrtf(t);
  float d1 = (logf(s / k) + (rate + 0.5f * volatility * volatility) * t) / deviation;
  float d2 = d1 - deviation, discounted = k * expf(-rate * t);
  float above = normal_distribution(d1), below = normal_distribution(d2);
  call[i] = s * above - discounted * below;
  put[i] = discounted * (1.0f - below) - s * (1.0f - above);
}

__global__ void matmul_naive(Plane<const float> a, Plane<const float> b, Plane<float> c) {
  int column = tid_x(), row = tid_y();
  if (row < c.rows && column < c.columns) {
    float total = 0;
#pragma unroll 1
    for (int k = 0; k < a.columns; k++) total += a(row, k) * b(k, column);
    c(row, column) = total;
  }
}

__global__ void sobel(Plane<const float> image, Plane<float> edges) {
  int x = tid_x(), y = tid_y();
  if (0 < y && y < image.rows - 1 && 0 < x && x < image.columns - 1) {
    float right = image(y - 1, x + 1) + 2.0f * image(y, x + 1) + image(y + 1, x + 1);
    float left = image(y - 1, x - 1) + 2.0f * image(y, x - 1) + image(y + 1, x - 1);
    float below = image(y + 1, x - 1) + 2.0f * image(y + 1, x) + image(y + 1, x + 1);
    float above = image(y - 1, x - 1) + 2.0f * image(y - 1, x) + image(y - 1, x + 1);
    float dx = right - left, dy = below - above;
    edges(y, x) = sqrtf(dx * dx + dy * dy);
  }
}

__global__ void blur(Plane<const float> image, Line<const float> weights, int radius,
                     Plane<float> out) {
  int x = tid_x(), y = tid_y();
  if (y >= image.rows || x >= image.columns) return;
  float total = 0;
#pragma unroll 1
  for (int k = 0; k < 2 * radius + 1; k++) {
    int column = max(min(x + k - radius, image.columns - 1), 0);
    total += weights[k] * image(y, column);
  }
  out(y, x) = total;
}

__global__ void grey(Plane<const unsigned char> colour, Line<unsigned char> out) {
  int i = tid_x();
  if (i < out.size)
    out[i] = (unsigned char)(0.299f * colour(i, 0) + 0.587f * colour(i, 1) + 0.114f * colour(i, 2));
}

__global__ void collatz(Line<int> steps) {
  int i = tid_x();
  if (i < steps.size) {
    long long n = i + 1;
    int count = 0;
    while (n != 1) {
      n = n % 2 == 0 ? n >> 1 : 3 * n + 1;
      count++;
    }
    steps[i] = count;
  }
}

__global__ void horner(Line<const double> coefficients, Line<const double> x, Line<double> y) {
  int i = tid_x();
  if (i < x.size) {
    double value = x[i], sum = 0;
#pragma unroll 1
    for (int k = 0; k < coefficients.size; k++) sum = sum * value + coefficients[k];
    y[i] = sum;
  }
}

__global__ void zoom(Plane<const float> image, Plane<float> out, float step) {
  int j = tid_x(), i = tid_y();
  if (i >= out.rows || j >= out.columns) return;
  float y = i * step, x = j * step;
  int top = max(int(y), 0), left = max(int(x), 0);
  float dy = y - top, dx = x - left;
  int bottom = max(min(top + 1, image.rows - 1), 0);
  int right = max(min(left + 1, image.columns - 1), 0);
  float above = image(top, left) * (1.0f - dx) + image(top, right) * dx;
  float below = image(bottom, left) * (1.0f - dx) + image(bottom, right) * dx;
  out(i, j) = above * (1.0f - dy) + below * dy;
}

__global__ void heat(Volume<const float> now, Volume<float> after, float factor) {
  int x = tid_x(), y = tid_y(), z = tid_z();
  if (0 < z && z < now.layers - 1 && 0 < y && y < now.rows - 1 && 0 < x && x < now.columns - 1) {
    float here = now(z, y, x);
    float around = now(z - 1, y, x) + now(z + 1, y, x) + now(z, y - 1, x) + now(z, y + 1, x) +
                   now(z, y, x - 1) + now(z, y, x + 1);
    after(z, y, x) = here + factor * (around - 6.0f * here);
  }
}

__global__ void rotate(Plane<const float> points, Plane<float> out, float angle) {
  int i = tid_x();
  if (i < points.rows) {
    float turn = angle * i, c = cosf(turn), s = sinf(turn);
    out(i, 0) = c * points(i, 0) - s * points(i, 1);
    out(i, 1) = s * points(i, 0) + c * points(i, 1);
  }
}

}  // extern "C"
