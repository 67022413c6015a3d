// The kernels of benchmarks/kernels.py as one would write them by hand without thinking of vectors:
// plain loops, as many threads as asked. Built by benchmarks/native_forms.py with
// clang++-22 -O3 -march=native (or g++) and called through ctypes.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <mutex>

#include "threads.h"

extern "C" {

void saxpy(float a, const float* x, float* y, int64_t n, int threads) {
  parallel(n, threads, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) y[i] = a * x[i] + y[i];
  });
}

void stencil(const float* in, float* out, int64_t height, int64_t width, int threads) {
  parallel(height - 2, threads, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin + 1; i <= end; i++)
      for (int64_t j = 1; j < width - 1; j++)
        out[i * width + j] = 0.25f * (in[(i - 1) * width + j] + in[(i + 1) * width + j] +
                                      in[i * width + j - 1] + in[i * width + j + 1]);
  });
}

void mandelbrot(int32_t* counts, int64_t height, int64_t width, float left, float top, float step,
                int limit, int threads) {
  parallel(height, threads * 8 < height ? threads : 1, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++)
      for (int64_t j = 0; j < width; j++) {
        float cr = left + j * step, ci = top + i * step, zr = 0, zi = 0;
        int n = 0;
        while (n < limit) {
          float rr = zr * zr, ii = zi * zi;
          if (rr + ii > 4.0f) break;
          zi = 2.0f * zr * zi + ci;
          zr = rr - ii + cr;
          n++;
        }
        counts[i * width + j] = n;
      }
  });
}

void kick(const float* p, float* v, const float* m, float dt, float softening, int64_t n,
          int threads) {
  parallel(n, threads, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) {
      float ax = 0, ay = 0, az = 0;
      for (int64_t j = 0; j < n; j++) {
        float dx = p[3 * j] - p[3 * i], dy = p[3 * j + 1] - p[3 * i + 1],
              dz = p[3 * j + 2] - p[3 * i + 2];
        float r2 = dx * dx + dy * dy + dz * dz + softening;
        float s = m[j] / (r2 * std::sqrt(r2));
        ax += s * dx, ay += s * dy, az += s * dz;
      }
      v[3 * i] += dt * ax, v[3 * i + 1] += dt * ay, v[3 * i + 2] += dt * az;
    }
  });
}

void matmul(const float* a, const float* b, float* c, int64_t n, int threads) {
  parallel(n, threads, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) {
      std::memset(c + i * n, 0, n * sizeof(float));
      for (int64_t k = 0; k < n; k++)
        for (int64_t j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
  });
}

// partial[b]: the sum of the b-th `chunk` elements.
void sums(const float* x, float* partial, int64_t chunks, int64_t chunk, int threads) {
  parallel(chunks, threads, [=](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; b++) {
      float total = 0;
      for (int64_t i = 0; i < chunk; i++) total += x[b * chunk + i];
      partial[b] = total;
    }
  });
}

void histogram(const uint8_t* x, int32_t* counts, int64_t n, int threads) {
  std::memset(counts, 0, 256 * sizeof(int32_t));
  std::mutex merge;
  parallel(n, threads, [=, &merge](int64_t begin, int64_t end) {
    int32_t own[256] = {};
    for (int64_t i = begin; i < end; i++) own[x[i]]++;
    std::lock_guard<std::mutex> lock(merge);
    for (int bin = 0; bin < 256; bin++) counts[bin] += own[bin];
  });
}

static float normal(float d) { return 0.5f + 0.5f * std::erf(d * 0.70710678f); }

void black_scholes(const float* price, const float* strike, const float* years, float* call,
                   float* put, float rate, float volatility, int64_t n, int threads) {
  parallel(n, threads, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) {
      float s = price[i], k = strike[i], t = years[i];
      float deviation = volatility * std::sqrt(t);
      float d1 = (std::log(s / k) + (rate + 0.5f * volatility * volatility) * t) / deviation;
      float d2 = d1 - deviation, discounted = k * std::exp(-rate * t);
      float above = normal(d1), below = normal(d2);
      call[i] = s * above - discounted * below;
      put[i] = discounted * (1.0f - below) - s * (1.0f - above);
    }
  });
}

void transpose(const float* in, float* out, int64_t n, int threads) {
  parallel(n, threads, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++)
      for (int64_t j = 0; j < n; j++) out[i * n + j] = in[j * n + i];
  });
}

}  // extern "C"
