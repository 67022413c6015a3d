// The kernels of tables.py.
#include <algorithm>

#include "forms.h"

extern "C" {

void sparse_product_plain(const int32_t* starts, const int32_t* columns, const float* values,
                          const float* x, float* y, int64_t rows, int threads) {
  each(rows, threads, [=](int64_t i) {
    float total = 0;
    for (int32_t k = starts[i]; k < starts[i + 1]; k++) total += values[k] * x[columns[k]];
    y[i] = total;
  });
}

void padded_product_plain(const int32_t* columns, const float* values, const float* x, float* y,
                          int64_t many, int64_t rows, int threads) {
  each(rows, threads, [=](int64_t i) {
    float total = 0;
    for (int64_t k = 0; k < many; k++)
      if (columns[k * rows + i] >= 0) total += values[k * rows + i] * x[columns[k * rows + i]];
    y[i] = total;
  });
}
void padded_product_best(const int32_t* columns, const float* values, const float* x, float* y,
                         int64_t many, int64_t rows, int threads) {
  strips(rows, threads, [=](int64_t first, int) {  // rows are a multiple of kStrip
    float total[kStrip] = {};
    for (int64_t k = 0; k < many; k++)
      for (int l = 0; l < kStrip; l++) {
        int32_t column = columns[k * rows + first + l];
        float product = values[k * rows + first + l] * x[column < 0 ? 0 : column];
        total[l] += column < 0 ? 0 : product;
      }
    std::memcpy(y + first, total, sizeof total);
  });
}

void byte_product_plain(const int8_t* a, const int8_t* b, int32_t* c, int64_t n, int threads) {
  each(n, threads, [=](int64_t i) {
    for (int64_t j = 0; j < n; j++) {
      int32_t total = 0;
      for (int64_t k = 0; k < n; k++) total += a[i * n + k] * b[j * n + k];
      c[i * n + j] = total;
    }
  });
}

void search_plain(const uint8_t* text, const uint8_t* word, uint8_t* out, int64_t length, int64_t n,
                  int threads) {
  each(n, threads, [=](int64_t i) {
    int64_t k = 0;
    while (k < length && text[i + k] == word[k]) k++;
    out[i] = k == length;
  });
}
void search_best(const uint8_t* text, const uint8_t* word, uint8_t* out, int64_t length, int64_t n,
                 int threads) {
  strips(n, threads, [=](int64_t first, int many) {
    uint8_t same[kStrip];
    std::memset(same, 1, sizeof same);
    for (int64_t k = 0; k < length; k++)
      for (int l = 0; l < many; l++) same[l] &= text[first + l + k] == word[k];
    std::memcpy(out + first, same, many);
  });
}

void medians_plain(const float* x, float* out, int64_t n, int threads) {
  each(n, threads, [=](int64_t i) {
    float v[9];
    for (int k = 0; k < 9; k++) {
      float own = x[i + k];
      int at = k;
      for (; at > 0 && v[at - 1] > own; at--) v[at] = v[at - 1];
      v[at] = own;
    }
    out[i] = v[4];
  });
}
void medians_best(const float* x, float* out, int64_t n, int threads) {
  strips(n, threads, [=](int64_t first, int many) {
    float v[9][kStrip];
    for (int k = 0; k < 9; k++) {
      for (int l = 0; l < many; l++) v[k][l] = x[first + l + k];
      for (int at = k; at > 0; at--)
        for (int l = 0; l < kStrip; l++) {
          float low = std::min(v[at - 1][l], v[at][l]), high = std::max(v[at - 1][l], v[at][l]);
          v[at - 1][l] = low, v[at][l] = high;
        }
    }
    std::memcpy(out + first, v[4], many * sizeof(float));
  });
}

void sorted_windows_plain(const uint8_t* x, uint8_t* out, int64_t rows, int64_t columns,
                          int threads) {
  each(rows - 2, threads, [=](int64_t row) {
    for (int64_t j = 1; j < columns - 1; j++) {
      uint8_t v[9];
      for (int y = 0; y < 3; y++)
        for (int k = 0; k < 3; k++) v[3 * y + k] = x[(row + y) * columns + j + k - 1];
      for (int p = 0; p < 5; p++)
        for (int q = p + 1; q < 9; q++) {
          uint8_t low = std::min(v[p], v[q]), high = std::max(v[p], v[q]);
          v[p] = low, v[q] = high;
        }
      out[(row + 1) * columns + j] = v[4];
    }
  });
}

void products_4x4_plain(const float* a, const float* b, float* c, int64_t n, int threads) {
  each(n, threads, [=](int64_t i) {
    for (int row = 0; row < 4; row++)
      for (int column = 0; column < 4; column++) {
        float total = 0;
        for (int k = 0; k < 4; k++) total += a[i * 16 + row * 4 + k] * b[i * 16 + k * 4 + column];
        c[i * 16 + row * 4 + column] = total;
      }
  });
}
void products_4x4_best(const float* a, const float* b, float* c, int64_t n, int threads) {
  each(n, threads, [=](int64_t i) {
    float total[16] = {};
    for (int k = 0; k < 4; k++)
      for (int l = 0; l < 16; l++)
        total[l] += a[i * 16 + l / 4 * 4 + k] * b[i * 16 + k * 4 + l % 4];
    std::memcpy(c + i * 16, total, sizeof total);
  });
}

void factors_6x6_plain(const double* a, double* out, int64_t n, int threads) {
  each(n, threads, [=](int64_t i) {
    double l[6][6];
    for (int row = 0; row < 6; row++)
      for (int column = 0; column <= row; column++) {
        double total = a[i * 36 + row * 6 + column];
        for (int k = 0; k < column; k++) total -= l[row][k] * l[column][k];
        l[row][column] = row == column ? std::sqrt(total) : total / l[column][column];
        out[i * 36 + row * 6 + column] = l[row][column];
      }
  });
}
void factors_6x6_best(const double* a, double* out, int64_t n, int threads) {
  constexpr int kTogether = 8;
  each(n / kTogether, threads, [=](int64_t group) {
    double l[6][6][kTogether], total[kTogether];
    const double* from = a + group * kTogether * 36;
    double* to = out + group * kTogether * 36;
    for (int row = 0; row < 6; row++)
      for (int column = 0; column <= row; column++) {
        for (int m = 0; m < kTogether; m++) total[m] = from[m * 36 + row * 6 + column];
        for (int k = 0; k < column; k++)
          for (int m = 0; m < kTogether; m++) total[m] -= l[row][k][m] * l[column][k][m];
        for (int m = 0; m < kTogether; m++)
          to[m * 36 + row * 6 + column] = l[row][column][m] =
              row == column ? std::sqrt(total[m]) : total[m] / l[column][column][m];
      }
  });
}

void automaton_plain(const uint8_t* now, uint8_t* after, int64_t h, int64_t w, int threads) {
  each(h, threads, [=](int64_t y) {
    for (int64_t x = 0; x < w; x++) {
      int around = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
          if (dx != 0 || dy != 0) around += now[(y + dy + h) % h * w + (x + dx + w) % w];
      after[y * w + x] = around == 3 || (around == 2 && now[y * w + x] == 1);
    }
  });
}
void automaton_best(const uint8_t* now, uint8_t* after, int64_t h, int64_t w, int threads) {
  each(h, threads, [=](int64_t y) {
    const uint8_t *above = now + (y ? y - 1 : h - 1) * w, *here = now + y * w,
                  *below = now + (y + 1 < h ? y + 1 : 0) * w;
    auto cell = [=](int64_t left, int64_t x, int64_t right) {
      uint8_t around = above[left] + above[x] + above[right] + here[left] + here[right] +
                       below[left] + below[x] + below[right];
      after[y * w + x] = (around == 3) | ((around == 2) & here[x]);
    };
    cell(w - 1, 0, 1), cell(w - 2, w - 1, 0);
    for (int64_t x = 1; x < w - 1; x++) cell(x - 1, x, x + 1);
  });
}

void dilation_plain(const uint8_t* image, uint8_t* out, int64_t radius, int64_t h, int64_t w,
                    int threads) {
  each(h, threads, [=, r = (int)radius](int64_t y) {
    for (int64_t x = 0; x < w; x++) {
      uint8_t most = image[y * w + x];
      for (int dy = -r; dy <= r; dy++)
        for (int dx = -r; dx <= r; dx++)
          if (y + dy >= 0 && y + dy < h && x + dx >= 0 && x + dx < w) {
            uint8_t other = image[(y + dy) * w + x + dx];
            most = other > most ? other : most;
          }
      out[y * w + x] = most;
    }
  });
}
void dilation_best(const uint8_t* image, uint8_t* out, int64_t radius, int64_t h, int64_t w,
                   int threads) {
  each(h, threads, [=](int64_t y) {
    uint8_t* row = out + y * w;
    std::memcpy(row, image + y * w, (size_t)w);
    for (int64_t dy = -radius; dy <= radius; dy++) {
      if (y + dy < 0 || y + dy >= h) continue;
      for (int64_t dx = -radius; dx <= radius; dx++) {
        const uint8_t* other = image + (y + dy) * w + dx;
        const int64_t begin = dx < 0 ? -dx : 0, end = dx > 0 ? w - dx : w;
        for (int64_t x = begin; x < end; x++) row[x] = other[x] > row[x] ? other[x] : row[x];
      }
    }
  });
}

void ring_plain(const float* u, float* out, int64_t n, int threads) {
  each(n, threads, [=](int64_t i) {
    int64_t left = i > 0 ? i - 1 : n - 1, right = i + 1 < n ? i + 1 : 0;
    out[i] = u[i] + 0.25f * (u[left] - 2.0f * u[i] + u[right]);
  });
}
void ring_best(const float* u, float* out, int64_t n, int threads) {
  auto one = [=](int64_t left, int64_t i, int64_t right) {
    out[i] = u[i] + 0.25f * (u[left] - 2.0f * u[i] + u[right]);
  };
  one(n - 1, 0, 1), one(n - 2, n - 1, 0);
  each(n - 2, threads, [=](int64_t k) { one(k, k + 1, k + 2); });
}

void digits_plain(const int32_t* x, int64_t base, int32_t* out, int64_t n, int threads) {
  each(n, threads, [=, by = (int32_t)base](int64_t i) {
    int32_t rest = x[i], total = 0;
    for (; rest > 0; rest /= by) total += rest % by;
    out[i] = total;
  });
}

void rolled_plain(const float* x, int64_t shift, float* out, int64_t n, int threads) {
  each(n, threads, [=](int64_t i) { out[i] = x[(i + shift) % n]; });
}
void rolled_best(const float* x, int64_t shift, float* out, int64_t n, int threads) {
  std::memcpy(out, x + shift, (n - shift) * sizeof(float));
  std::memcpy(out + n - shift, x, shift * sizeof(float));
}

}  // extern "C"
