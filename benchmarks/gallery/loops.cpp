// The kernels of loops.py.
#include <algorithm>

#include "forms.h"

extern "C" {

void axpy_by_grid_plain(float a, const float* x, const float* y, float* out, int64_t n,
                        int threads) {
  each(n, threads, [=](int64_t i) { out[i] = a * x[i] + y[i]; });
}

void squares_plain(const double* x, double* out, int64_t n, int64_t parts, int threads) {
  each(parts, threads, [=](int64_t i) {
    double total = 0;
    for (int64_t k = i; k < n; k += parts) total += x[k] * x[k];
    out[i] = total;
  });
}
void squares_best(const double* x, double* out, int64_t n, int64_t parts, int threads) {
  parallel(parts, threads, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) out[i] = 0;
    for (int64_t k = 0; k < n; k += parts)
      for (int64_t i = begin; i < end; i++) out[i] += x[k + i] * x[k + i];
  });
}

void rows_by_block_plain(const float* a, const float* by, float* out, int64_t rows, int64_t columns,
                         int threads) {
  each(rows, threads, [=](int64_t i) {
    for (int64_t k = 0; k < columns; k++) out[i * columns + k] = a[i * columns + k] * by[i];
  });
}

void runs_plain(const int32_t* start, const float* value, float* out, int64_t n, int threads) {
  each(n, threads, [=](int64_t run) {
    for (int32_t k = start[run]; k < start[run + 1]; k++) out[k] = value[run];
  });
}
void runs_best(const int32_t* start, const float* value, float* out, int64_t n, int threads) {
  each(n, threads, [=](int64_t run) {
    std::fill(out + start[run], out + start[run + 1], value[run]);
  });
}

void windows_plain(const float* x, int64_t radius, float* out, int64_t n, int threads) {
  each(n, threads, [=](int64_t i) {
    float total = 0;
    for (int64_t k = -radius; k <= radius; k++)
      if (0 <= i + k && i + k < n && k != 0) total += x[i + k];
    out[i] = total;
  });
}
void windows_best(const float* x, int64_t radius, float* out, int64_t n, int threads) {
  strips(n, threads, [=](int64_t first, int many) {
    float total[kStrip] = {};
    bool inside = first >= radius && first + kStrip + radius <= n;
    for (int64_t k = -radius; k <= radius; k++) {
      if (k == 0) continue;
      if (inside)
        for (int l = 0; l < kStrip; l++) total[l] += x[first + l + k];
      else
        for (int l = 0; l < many; l++)
          if (0 <= first + l + k && first + l + k < n) total[l] += x[first + l + k];
    }
    for (int l = 0; l < many; l++) out[first + l] = total[l];
  });
}

void hits_plain(const float* px, const float* py, const float* radius, const float* ox,
                const float* oy, float* out, int64_t circles, int64_t n, int threads) {
  each(n, threads, [=](int64_t i) {
    float best = 1e30f;
    for (int64_t k = 0; k < circles; k++) {
      float dx = px[k] - ox[i], dy = py[k] - oy[i], b = dx * 0.6f + dy * 0.8f;
      float d = b * b - (dx * dx + dy * dy - radius[k]);
      if (d > 0 && b > 0) {
        float t = b - d;
        if (t > 0 && t < best) best = t;
      }
    }
    out[i] = best;
  });
}
void hits_best(const float* px, const float* py, const float* radius, const float* ox,
               const float* oy, float* out, int64_t circles, int64_t n, int threads) {
  strips(n, threads, [=](int64_t first, int) {  // whole strips: n is a multiple
    float best[kStrip], x[kStrip], y[kStrip];
    for (int l = 0; l < kStrip; l++) best[l] = 1e30f, x[l] = ox[first + l], y[l] = oy[first + l];
    for (int64_t k = 0; k < circles; k++)
      for (int l = 0; l < kStrip; l++) {
        float dx = px[k] - x[l], dy = py[k] - y[l], b = dx * 0.6f + dy * 0.8f;
        float d = b * b - (dx * dx + dy * dy - radius[k]), t = b - d;
        best[l] = ((d > 0) & (b > 0) & (t > 0) & (t < best[l])) ? t : best[l];
      }
    for (int l = 0; l < kStrip; l++) out[first + l] = best[l];
  });
}

void ranks_plain(const float* x, const float* table, int32_t* out, int64_t n, int64_t many,
                 int threads) {
  each(n, threads, [=](int64_t i) {
    int count = 0;
    for (int64_t k = 0; k < many; k++)
      if (table[k] > x[i]) count++;
    out[i] = count;
  });
}
void ranks_best(const float* x, const float* table, int32_t* out, int64_t n, int64_t many,
                int threads) {
  strips(n, threads, [=](int64_t first, int) {
    float own[kStrip];
    int32_t count[kStrip] = {};
    for (int l = 0; l < kStrip; l++) own[l] = x[first + l];
    for (int64_t k = 0; k < many; k++)
      for (int l = 0; l < kStrip; l++) count[l] += table[k] > own[l];
    for (int l = 0; l < kStrip; l++) out[first + l] = count[l];
  });
}

void pieces_plain(const float* x, const float* table, float* out, int64_t n, int64_t many,
                  int threads) {
  each(n, threads, [=](int64_t i) {
    float total = 0;
    for (int64_t k = 0; k < many; k++) {
      float d = x[i] - table[k];
      if (d < 0) continue;
      if (d > 0.5f)
        total += 0.5f;
      else if (d > 0.25f)
        total += d;
      else
        total += d * d;
    }
    out[i] = total;
  });
}
void pieces_best(const float* x, const float* table, float* out, int64_t n, int64_t many,
                 int threads) {
  strips(n, threads, [=](int64_t first, int) {
    float own[kStrip], total[kStrip] = {};
    for (int l = 0; l < kStrip; l++) own[l] = x[first + l];
    for (int64_t k = 0; k < many; k++)
      for (int l = 0; l < kStrip; l++) {
        float d = own[l] - table[k], near = d > 0.25f ? d : d * d, part = d > 0.5f ? 0.5f : near;
        total[l] += d < 0 ? 0 : part;
      }
    for (int l = 0; l < kStrip; l++) out[first + l] = total[l];
  });
}

void newton_plain(const double* x, double* out, int64_t n, int threads) {
  each(n, threads, [=](int64_t i) {
    double v = x[i] * 1000 + 1, r = v, step;
    do {
      step = (r - v / (r * r)) / 3;
      r -= step;
    } while (!(std::fabs(step) < 1e-5 * r));
    out[i] = r;
  });
}
void newton_best(const double* x, double* out, int64_t n, int threads) {
  constexpr int kTogether = 16;
  parallel(n / kTogether, threads, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin * kTogether; i < end * kTogether; i += kTogether) {
      double v[kTogether], r[kTogether], more[kTogether];
      for (int l = 0; l < kTogether; l++) r[l] = v[l] = x[i + l] * 1000 + 1, more[l] = 1;
      for (double left = 1; left > 0;) {
        left = 0;
        for (int l = 0; l < kTogether; l++) {
          double step = (r[l] - v[l] / (r[l] * r[l])) / 3, next = r[l] - step;
          r[l] = more[l] > 0 ? next : r[l];
          more[l] = std::fabs(step) < 1e-5 * r[l] ? 0 : more[l];
        }
        for (int l = 0; l < kTogether; l++) left = more[l] > left ? more[l] : left;
      }
      for (int l = 0; l < kTogether; l++) out[i + l] = r[l];
    }
  });
}

void gcd_plain(const uint32_t* a, const uint32_t* b, uint32_t* out, int64_t n, int threads) {
  each(n, threads, [=](int64_t i) {
    uint32_t x = a[i], y = b[i];
    while (y != 0) {
      uint32_t rest = x % y;
      x = y, y = rest;
    }
    out[i] = x;
  });
}

void interpolation_plain(const float* places, const float* values, const float* x, float* out,
                         int64_t many, int64_t n, int threads) {
  each(n, threads, [=](int64_t i) {
    int32_t low = 0, high = (int32_t)many - 1;
    while (high - low > 1) {
      int32_t middle = (low + high) / 2;
      if (places[middle] <= x[i])
        low = middle;
      else
        high = middle;
    }
    float part = (x[i] - places[low]) / (places[high] - places[low]);
    out[i] = values[low] + part * (values[high] - values[low]);
  });
}

void queens_plain(int32_t* out, int64_t n, int threads) {
  constexpr int kQueens = 11, kFull = (1 << kQueens) - 1;
  each(n, threads, [=](int64_t i) {
    int left[kQueens], columns[kQueens], up[kQueens], down[kQueens];
    int a = 1 << (i / kQueens), b = 1 << (i % kQueens), count = 0;
    out[i] = 0;
    if (b & (a | a << 1 | a >> 1)) return;
    columns[0] = a | b, up[0] = (a << 2 | b << 1) & kFull, down[0] = a >> 2 | b >> 1;
    left[0] = kFull & ~(columns[0] | up[0] | down[0]);
    for (int depth = 0; depth >= 0;) {
      int free = left[depth], bit = free & -free;
      if (free == 0) {
        depth--;
        continue;
      }
      left[depth] = free ^ bit;
      if ((columns[depth] | bit) == kFull) {
        count++;
        continue;
      }
      columns[depth + 1] = columns[depth] | bit;
      up[depth + 1] = (up[depth] | bit) << 1 & kFull;
      down[depth + 1] = (down[depth] | bit) >> 1;
      depth++;
      left[depth] = kFull & ~(columns[depth] | up[depth] | down[depth]);
    }
    out[i] = count;
  });
}

}  // extern "C"
