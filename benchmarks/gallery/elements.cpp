// The kernels of elements.py: loops that compilers vectorise by themselves; NAME_best where they
// need help.
#include "forms.h"

extern "C" {

void bytes_mixed_plain(const uint8_t* x, const uint8_t* y, uint8_t* out, int64_t n, int threads) {
  each(n, threads, [=](int64_t i) { out[i] = (x[i] * 77 + y[i] * 179) >> 8; });
}

static void axpy(float a, const float* x, const float* y, float* out, int64_t n, int threads) {
  each(n, threads, [=](int64_t i) { out[i] = a * x[i] + y[i]; });
}
void axpy_tiny_plain(float a, const float* x, const float* y, float* out, int64_t n, int threads) {
  axpy(a, x, y, out, n, threads);
}
void axpy_cached_plain(float a, const float* x, const float* y, float* out, int64_t n,
                       int threads) {
  axpy(a, x, y, out, n, threads);
}
void axpy_half_plain(float a, const _Float16* x, const _Float16* y, _Float16* out, int64_t n,
                     int threads) {
  each(n, threads, [=](int64_t i) { out[i] = (_Float16)(a * (float)x[i] + (float)y[i]); });
}

void triad_double_plain(const double* a, const double* b, const double* c, double* out, int64_t n,
                        int threads) {
  each(n, threads, [=](int64_t i) { out[i] = a[i] * b[i] + c[i]; });
}

// Without the special cases of C++'s own product, as Python's and NumPy's.
void complex_product_plain(const float* x, const float* y, float* out, int64_t n, int threads) {
  each(n, threads, [=](int64_t i) {
    float a = x[2 * i], b = x[2 * i + 1], c = y[2 * i], d = y[2 * i + 1];
    out[2 * i] = a * c - b * d, out[2 * i + 1] = a * d + b * c;
  });
}

void hashes_plain(const uint64_t* x, uint64_t* out, int64_t n, int threads) {
  each(n, threads, [=](int64_t i) {
    uint64_t z = x[i];
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    out[i] = z ^ (z >> 31);
  });
}

void grey_plain(const uint8_t* colour, uint8_t* out, int64_t n, int threads) {
  each(n, threads, [=](int64_t i) {
    out[i] = (77 * colour[3 * i] + 150 * colour[3 * i + 1] + 29 * colour[3 * i + 2]) >> 8;
  });
}

struct Particle {
  float x, y, dx, dy;
};
void particles_plain(const Particle* now, Particle* after, float dt, int64_t n, int threads) {
  each(n, threads, [=](int64_t i) {
    after[i] = {now[i].x + dt * now[i].dx, now[i].y + dt * now[i].dy, now[i].dx * 0.5f,
                now[i].dy * 0.5f};
  });
}

void gathered_plain(const float* x, const int32_t* where, float* out, int64_t n, int threads) {
  each(n, threads, [=](int64_t i) { out[i] = x[where[i]]; });
}
void gathered_far_plain(const float* x, const int32_t* where, float* out, int64_t n, int threads) {
  each(n, threads, [=](int64_t i) { out[i] = x[where[i]]; });
}
void looked_up_plain(const uint8_t* x, const uint8_t* table, uint8_t* out, int64_t n, int threads) {
  each(n, threads, [=](int64_t i) { out[i] = table[x[i]]; });
}
void scattered_plain(const float* x, const int32_t* where, float* out, int64_t n, int threads) {
  each(n, threads, [=](int64_t i) { out[where[i]] = x[i]; });
}

void flat_index_plain(const float* table, const int32_t* rows, float* out, int64_t n, int64_t width,
                      int threads) {
  each(n * width, threads, [=](int64_t i) { out[i] = table[rows[i / width] * width + i % width]; });
}
void flat_index_best(const float* table, const int32_t* rows, float* out, int64_t n, int64_t width,
                     int threads) {
  each(n, threads, [=](int64_t i) {
    std::memcpy(out + i * width, table + rows[i] * width, (size_t)width * sizeof(float));
  });
}

static void butterfly(const float* a, const float* root, float* out, int64_t low, int64_t high) {
  const float x = a[2 * high] * root[0] - a[2 * high + 1] * root[1];
  const float y = a[2 * high] * root[1] + a[2 * high + 1] * root[0];
  const float real = a[2 * low], imag = a[2 * low + 1];
  out[2 * low] = real + x, out[2 * low + 1] = imag + y;
  out[2 * high] = real - x, out[2 * high + 1] = imag - y;
}
void butterflies_plain(const float* a, const float* roots, float* out, int32_t half, int64_t n,
                       int threads) {
  each(n / 2, threads, [=](int64_t i) {
    const int64_t k = i & (half - 1), low = 2 * (i - k) + k;
    butterfly(a, roots + 2 * k, out, low, low + half);
  });
}
void butterflies_best(const float* __restrict a, const float* __restrict roots,
                      float* __restrict out, int32_t half, int64_t n, int threads) {
  each(n / 2 / half, threads, [=](int64_t block) {
    const int64_t first = 2 * block * half;
#pragma omp simd
    for (int64_t k = 0; k < half; k++)
      butterfly(a, roots + 2 * k, out, first + k, first + k + half);
  });
}

}  // extern "C"
