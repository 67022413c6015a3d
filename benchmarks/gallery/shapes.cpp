// The kernels of shapes.py: what they compute, in whatever order suits the CPU.
#include <algorithm>

#include "forms.h"

static void stencil(const float* z, float* out, int64_t rows, int64_t columns, int threads) {
  each(rows - 2, threads, [=](int64_t above) {
    int64_t i = above + 1;
    for (int64_t j = 1; j < columns - 1; j++)
      out[i * columns + j] = 0.25f * (z[(i - 1) * columns + j] + z[(i + 1) * columns + j] +
                                      z[i * columns + j - 1] + z[i * columns + j + 1]);
  });
}

static void polynomial(const float* x, float* out, int64_t n, int threads) {
  each(n, threads, [=](int64_t i) {
    float v = x[i];
    out[i] = ((((v * 0.1f + 0.2f) * v - 0.3f) * v + 0.4f) * v - 0.5f) * v + 0.6f;
  });
}

static void row_sums(const float* a, float* out, int64_t rows, int64_t columns, int threads) {
  each(rows, threads, [=](int64_t i) {
    float total = 0;
    for (int64_t k = 0; k < columns; k++) total += a[i * columns + k];
    out[i] = total;
  });
}

// `kStrip` partial sums, so that it may be vectors.
template <class Term>
static float sum_of(int64_t n, Term term) {
  float part[kStrip] = {}, total = 0;
  int64_t k = 0;
  for (; k + kStrip <= n; k += kStrip)
    for (int l = 0; l < kStrip; l++) part[l] += term(k + l);
  for (; k < n; k++) total += term(k);
  for (int half = kStrip / 2; half > 0; half /= 2)
    for (int l = 0; l < half; l++) part[l] += part[l + half];
  return total + part[0];
}

static void row_sums_by_parts(const float* a, float* out, int64_t rows, int64_t columns,
                              int threads) {
  each(rows, threads,
       [=](int64_t i) { out[i] = sum_of(columns, [=](int64_t k) { return a[i * columns + k]; }); });
}

extern "C" {

void stencil_8x8_plain(const float* z, float* out, int64_t rows, int64_t columns, int threads) {
  stencil(z, out, rows, columns, threads);
}
void stencil_1x256_plain(const float* z, float* out, int64_t rows, int64_t columns, int threads) {
  stencil(z, out, rows, columns, threads);
}
void stencil_rows_first_plain(const float* z, float* out, int64_t rows, int64_t columns,
                              int threads) {
  stencil(z, out, rows, columns, threads);
}

void product_rows_first_plain(const float* a, const float* b, float* c, int64_t n, int threads) {
  each(n, threads, [=](int64_t i) {
    std::memset(c + i * n, 0, n * sizeof(float));
    for (int64_t k = 0; k < n; k++)
      for (int64_t j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
  });
}
void product_rows_first_best(const float* a, const float* b, float* c, int64_t n, int threads) {
  constexpr int kRows = 4;  // n is a multiple of it, and of kStrip
  each(n / kRows, threads, [=](int64_t group) {
    for (int64_t first = 0; first < n; first += kStrip) {
      float total[kRows][kStrip] = {};
      for (int64_t k = 0; k < n; k++)
        for (int row = 0; row < kRows; row++)
          for (int l = 0; l < kStrip; l++)
            total[row][l] += a[(group * kRows + row) * n + k] * b[k * n + first + l];
      for (int row = 0; row < kRows; row++)
        std::memcpy(c + (group * kRows + row) * n + first, total[row], sizeof total[row]);
    }
  });
}

void add_rows_first_plain(const double* a, double* b, int64_t rows, int64_t columns, int threads) {
  each(rows * columns, threads, [=](int64_t i) { b[i] = a[i] + 1.0; });
}

void heat_8x8x8_plain(const float* now, float* after, float factor, int64_t n, int threads) {
  each(n - 2, threads, [=](int64_t below) {
    for (int64_t y = 1; y < n - 1; y++)
      for (int64_t x = 1; x < n - 1; x++) {
        int64_t at = ((below + 1) * n + y) * n + x;
        float here = now[at], around = now[at - n * n] + now[at + n * n] + now[at - n] +
                                       now[at + n] + now[at - 1] + now[at + 1];
        after[at] = here + factor * (around - 6 * here);
      }
  });
}

void polynomial_by_100_plain(const float* x, float* out, int64_t n, int threads) {
  polynomial(x, out, n, threads);
}
void polynomial_by_8_plain(const float* x, float* out, int64_t n, int threads) {
  polynomial(x, out, n, threads);
}

void row_sums_plain(const float* a, float* out, int64_t rows, int64_t columns, int threads) {
  row_sums(a, out, rows, columns, threads);
}
void row_sums_best(const float* a, float* out, int64_t rows, int64_t columns, int threads) {
  row_sums_by_parts(a, out, rows, columns, threads);
}
void row_sums_by_warp_plain(const float* a, float* out, int64_t rows, int64_t columns,
                            int threads) {
  row_sums(a, out, rows, columns, threads);
}
void row_sums_by_warp_best(const float* a, float* out, int64_t rows, int64_t columns, int threads) {
  row_sums_by_parts(a, out, rows, columns, threads);
}

void recurrence_plain(const float* a, float* out, float keep, int64_t rows, int64_t columns,
                      int threads) {
  each(rows, threads, [=](int64_t i) {
    float value = 0;
    for (int64_t k = 0; k < columns; k++)
      out[i * columns + k] = value = keep * value + (1 - keep) * a[i * columns + k];
  });
}
void recurrence_best(const float* a, float* out, float keep, int64_t rows, int64_t columns,
                     int threads) {
  constexpr int kRows = 8;  // chains side by side
  each(rows / kRows, threads, [=](int64_t group) {
    float value[kRows] = {};
    const float* from = a + group * kRows * columns;
    float* to = out + group * kRows * columns;
    for (int64_t k = 0; k < columns; k++)
      for (int row = 0; row < kRows; row++)
        to[row * columns + k] = value[row] =
            keep * value[row] + (1 - keep) * from[row * columns + k];
  });
}

void layer_norm_plain(const float* a, float* out, int64_t rows, int64_t columns, int threads) {
  each(rows, threads, [=](int64_t i) {
    const float* row = a + i * columns;
    float total = 0, squares = 0;
    for (int64_t k = 0; k < columns; k++) total += row[k], squares += row[k] * row[k];
    float mean = total / columns, scale = 1 / std::sqrt(squares / columns - mean * mean + 1e-5f);
    for (int64_t k = 0; k < columns; k++) out[i * columns + k] = (row[k] - mean) * scale;
  });
}
void layer_norm_best(const float* a, float* out, int64_t rows, int64_t columns, int threads) {
  each(rows, threads, [=](int64_t i) {
    const float* row = a + i * columns;
    float mean = sum_of(columns, [=](int64_t k) { return row[k]; }) / columns;
    float squares = sum_of(columns, [=](int64_t k) { return row[k] * row[k]; }) / columns;
    float scale = 1 / std::sqrt(squares - mean * mean + 1e-5f);
    for (int64_t k = 0; k < columns; k++) out[i * columns + k] = (row[k] - mean) * scale;
  });
}

void columns_scaled_plain(const float* a, const float* by, float* out, int64_t rows,
                          int64_t columns, int threads) {
  each(rows, threads, [=](int64_t i) {
    for (int64_t k = 0; k < columns; k++) out[i * columns + k] = a[i * columns + k] * by[k];
  });
}

}  // extern "C"
