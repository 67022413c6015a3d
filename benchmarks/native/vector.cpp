// The same kernels as plain.cpp in the fastest form that we could write by hand: vectors of the
// machine's width, registers and caches blocked. Not a BLAS, and the same arithmetic: no
// approximate reciprocals, no products in half precision. Ordinary stores, as in the other forms;
// stencil_streaming and transpose_streaming show what non-temporal ones would give.
#include <cmath>
#include <mutex>

#include "threads.h"
#include "vector_math.h"

static void store_streaming(float* to, Floats v) {
  __builtin_nontemporal_store(v, reinterpret_cast<Floats*>(to));
}

template <void (*put)(float*, Floats)>
static void stencil_rows(const float* in, float* out, int64_t width, int64_t begin, int64_t end) {
  for (int64_t i = begin + 1; i <= end; i++) {
    const float* row = in + i * width;
    float* to = out + i * width;
    auto one = [&](int64_t j) {
      to[j] = 0.25f * (row[j - width] + row[j + width] + row[j - 1] + row[j + 1]);
    };
    int64_t j = 1;
    for (; j < width - 1 && j % kLanes; j++) one(j);
    for (; j + kLanes < width; j += kLanes)
      put(to + j, 0.25f * (load(row + j - width) + load(row + j + width) + load(row + j - 1) +
                           load(row + j + 1)));
    for (; j < width - 1; j++) one(j);
  }
}

// Squares of kLanes x kLanes, transposed in registers: log2(kLanes) rounds in which row i and row
// i + distance exchange halves of their groups of 2 * distance elements.
template <int distance>
static void exchange(Floats (&rows)[kLanes]) {
  for (int i = 0; i < kLanes; i++) {
    if (i & distance) continue;
    Floats low = rows[i], high = rows[i + distance], first, second;
    for (int lane = 0; lane < kLanes; lane++) {
      first[lane] = lane & distance ? high[lane - distance] : low[lane];
      second[lane] = lane & distance ? high[lane] : low[lane + distance];
    }
    rows[i] = first, rows[i + distance] = second;
  }
}

template <void (*put)(float*, Floats)>
static void transpose_square(const float* in, float* out, int64_t n) {
  Floats rows[kLanes];
#pragma clang loop unroll(full)
  for (int i = 0; i < kLanes; i++) rows[i] = load(in + i * n);
  exchange<1>(rows), exchange<2>(rows), exchange<4>(rows);
  if constexpr (kLanes == 16) exchange<8>(rows);
#pragma clang loop unroll(full)
  for (int i = 0; i < kLanes; i++) put(out + i * n, rows[i]);
}

template <void (*put)(float*, Floats)>
static void transpose_all(const float* in, float* out, int64_t n, int threads) {
  constexpr int64_t kBlock = 64;
  parallel(n / kBlock, threads, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin * kBlock; i < end * kBlock; i += kBlock)
      for (int64_t j = 0; j < n; j += kBlock)
        for (int64_t r = i; r < i + kBlock; r += kLanes)
          for (int64_t c = j; c < j + kBlock; c += kLanes)
            transpose_square<put>(in + c * n + r, out + r * n + c, n);
  });
}

static Floats normal(Floats d) { return fma(erf(d * 0.70710678f), 0.5f, 0.5f); }

static Floats counting() {
  Floats v;
  for (int lane = 0; lane < kLanes; lane++) v[lane] = lane;
  return v;
}

extern "C" {

int lanes() { return kLanes; }

void saxpy(float a, const float* x, float* y, int64_t n, int threads) {
  parallel(n / kLanes, threads, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin * kLanes; i < end * kLanes; i += kLanes)
      store(y + i, fma(Floats(a), load(x + i), load(y + i)));
  });
}

void stencil(const float* in, float* out, int64_t height, int64_t width, int threads) {
  parallel(height - 2, threads,
           [=](int64_t begin, int64_t end) { stencil_rows<store>(in, out, width, begin, end); });
}

void stencil_streaming(const float* in, float* out, int64_t height, int64_t width, int threads) {
  parallel(height - 2, threads, [=](int64_t begin, int64_t end) {
    stencil_rows<store_streaming>(in, out, width, begin, end);
  });
}

// Four vectors at a time hide an iteration's latency; a lane that has escaped keeps its count.
void mandelbrot(int32_t* counts, int64_t height, int64_t width, float left, float top, float step,
                int limit, int threads) {
  constexpr int kVectors = 4;
  parallel(height, threads, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++)
      for (int64_t j = 0; j < width; j += kVectors * kLanes) {
        Floats cr[kVectors], zr[kVectors] = {}, zi[kVectors] = {}, ci = top + i * step;
        Ints n[kVectors] = {}, going[kVectors];
        for (int v = 0; v < kVectors; v++)
          cr[v] = left + (counting() + float(j + v * kLanes)) * step, going[v] = -1;
        for (int k = 0; k < limit; k++) {
          Ints any = 0;
#pragma clang loop unroll(full)
          for (int v = 0; v < kVectors; v++) {
            Floats rr = zr[v] * zr[v], ii = zi[v] * zi[v];
            going[v] &= rr + ii <= 4.0f;
            n[v] -= going[v];
            zi[v] = fma(2.0f * zr[v], zi[v], ci);
            zr[v] = rr - ii + cr[v];
            any |= going[v];
          }
          if (!__builtin_reduce_or(any)) break;
        }
        for (int v = 0; v < kVectors; v++)
          std::memcpy(counts + i * width + j + v * kLanes, &n[v], sizeof n[v]);
      }
  });
}

void kick(const float* p, float* v, const float* m, float dt, float softening, int64_t n,
          int threads) {
  constexpr int kVectors = 2;
  parallel(n / (kVectors * kLanes), threads, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin * kVectors * kLanes; i < end * kVectors * kLanes;
         i += kVectors * kLanes) {
      Floats x[kVectors], y[kVectors], z[kVectors];
      Floats ax[kVectors] = {}, ay[kVectors] = {}, az[kVectors] = {};
      for (int k = 0; k < kVectors * kLanes; k++) {
        const float* own = p + 3 * (i + k);
        int vector = k / kLanes, lane = k % kLanes;
        x[vector][lane] = own[0], y[vector][lane] = own[1], z[vector][lane] = own[2];
      }
      for (int64_t j = 0; j < n; j++)
#pragma clang loop unroll(full)
        for (int k = 0; k < kVectors; k++) {
          Floats dx = p[3 * j] - x[k], dy = p[3 * j + 1] - y[k], dz = p[3 * j + 2] - z[k];
          Floats r2 = fma(dz, dz, fma(dy, dy, dx * dx)) + softening;
          Floats s = m[j] / (r2 * __builtin_elementwise_sqrt(r2));
          ax[k] = fma(s, dx, ax[k]), ay[k] = fma(s, dy, ay[k]), az[k] = fma(s, dz, az[k]);
        }
      for (int k = 0; k < kVectors * kLanes; k++) {
        float* own = v + 3 * (i + k);
        int vector = k / kLanes, lane = k % kLanes;
        own[0] += dt * ax[vector][lane], own[1] += dt * ay[vector][lane],
            own[2] += dt * az[vector][lane];
      }
    }
  });
}

// Tiles of 16 rows by one vector of columns as in the kernel, the totals in registers; the tile of
// the right matrix is copied, as the kernel copies it, to where it is contiguous.
void matmul(const float* a, const float* b, float* c, int64_t n, int threads) {
  constexpr int64_t kRows = 12, kColumns = 2 * kLanes, kDepth = 256;
  parallel((n + kRows - 1) / kRows, threads, [=](int64_t begin, int64_t end) {
    alignas(64) float right[kDepth * kColumns];
    int64_t first_row = begin * kRows, last_row = end * kRows < n ? end * kRows : n;
    for (int64_t j = 0; j < n; j += kColumns)
      for (int64_t first = 0; first < n; first += kDepth) {
        for (int64_t k = 0; k < kDepth; k++)
          std::memcpy(right + k * kColumns, b + (first + k) * n + j, kColumns * sizeof(float));
        auto rows = [&]<int count>(int64_t i) {
          Floats total[count][2];
          for (int r = 0; r < count; r++)
            for (int v = 0; v < 2; v++)
              total[r][v] = first ? load(c + (i + r) * n + j + v * kLanes) : Floats(0.0f);
          for (int64_t k = 0; k < kDepth; k++) {
            Floats low = load(right + k * kColumns), high = load(right + k * kColumns + kLanes);
#pragma clang loop unroll(full)
            for (int r = 0; r < count; r++) {
              Floats left = a[(i + r) * n + first + k];
              total[r][0] = fma(left, low, total[r][0]);
              total[r][1] = fma(left, high, total[r][1]);
            }
          }
          for (int r = 0; r < count; r++)
            for (int v = 0; v < 2; v++) store(c + (i + r) * n + j + v * kLanes, total[r][v]);
        };
        int64_t i = first_row;
        for (; i + kRows <= last_row; i += kRows) rows.template operator()<kRows>(i);
        for (; i < last_row; i++) rows.template operator()<1>(i);
      }
  });
}

void sums(const float* x, float* partial, int64_t chunks, int64_t chunk, int threads) {
  parallel(chunks, threads, [=](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; b++) {
      Floats total[8] = {};
      for (int64_t i = b * chunk; i < (b + 1) * chunk; i += 8 * kLanes)
#pragma clang loop unroll(full)
        for (int k = 0; k < 8; k++) total[k] += load(x + i + k * kLanes);
      Floats whole = ((total[0] + total[1]) + (total[2] + total[3])) +
                     ((total[4] + total[5]) + (total[6] + total[7]));
      float sum = 0;
      for (int lane = 0; lane < kLanes; lane++) sum += whole[lane];
      partial[b] = sum;
    }
  });
}

// Eight tables, so that equal neighbours do not wait for each other's store.
void histogram(const uint8_t* x, int32_t* counts, int64_t n, int threads) {
  std::memset(counts, 0, 256 * sizeof(int32_t));
  std::mutex merge;
  parallel(n / 8, threads, [=, &merge](int64_t begin, int64_t end) {
    int32_t own[8][256] = {};
    for (int64_t i = begin; i < end; i++) {
      uint64_t word;
      std::memcpy(&word, x + 8 * i, 8);
#pragma clang loop unroll(full)
      for (int k = 0; k < 8; k++) own[k][uint8_t(word >> (8 * k))]++;
    }
    std::lock_guard<std::mutex> lock(merge);
    for (auto& table : own)
      for (int bin = 0; bin < 256; bin++) counts[bin] += table[bin];
  });
}

void black_scholes(const float* price, const float* strike, const float* years, float* call,
                   float* put, float rate, float volatility, int64_t n, int threads) {
  parallel(n / kLanes, threads, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin * kLanes; i < end * kLanes; i += kLanes) {
      Floats s = load(price + i), k = load(strike + i), t = load(years + i);
      Floats deviation = volatility * __builtin_elementwise_sqrt(t);
      float drift = rate + 0.5f * volatility * volatility;
      Floats d1 = fma(Floats(drift), t, log(s / k)) / deviation, d2 = d1 - deviation;
      Floats discounted = k * exp(-rate * t), above = normal(d1), below = normal(d2);
      store(call + i, s * above - discounted * below);
      store(put + i, discounted * (1.0f - below) - s * (1.0f - above));
    }
  });
}

void transpose(const float* in, float* out, int64_t n, int threads) {
  transpose_all<store>(in, out, n, threads);
}

void transpose_streaming(const float* in, float* out, int64_t n, int threads) {
  transpose_all<store_streaming>(in, out, n, threads);
}

}  // extern "C"
