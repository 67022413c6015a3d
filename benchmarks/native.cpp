// The same kernels as benchmarks/kernels.py, written by hand: plain loops, two threads or as many
// as asked. Built by benchmarks/run.py with clang++-22 -O3 -march=native (or g++) and called
// through ctypes.
#include <cmath>
#include <cstdint>
#include <thread>
#include <vector>

template <class Body>
static void parallel(int64_t n, int threads, Body body) {
  std::vector<std::thread> pool;
  for (int t = 1; t < threads; t++) pool.emplace_back(body, n * t / threads, n * (t + 1) / threads);
  body(0, n / threads);
  for (auto& thread : pool) thread.join();
}

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

}  // extern "C"
