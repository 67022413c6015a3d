// The kernels of blocks.py: without blocks, where C++ has no need of them.
#include <algorithm>
#include <atomic>

#include "forms.h"

constexpr int64_t kBlock = 256;

extern "C" {

void prefix_sums_plain(const float* x, float* out, int64_t n, int threads) {
  each(n / kBlock, threads, [=](int64_t b) {
    float total = 0;
    for (int64_t i = b * kBlock; i < (b + 1) * kBlock; i++) out[i] = total += x[i];
  });
}
void prefix_sums_best(const float* x, float* out, int64_t n, int threads) {
  constexpr int kChains = 8;
  each(n / kBlock / kChains, threads, [=](int64_t group) {
    float total[kChains] = {};
    const int64_t first = group * kChains * kBlock;
    for (int64_t i = 0; i < kBlock; i++)
      for (int chain = 0; chain < kChains; chain++)
        out[first + chain * kBlock + i] = total[chain] += x[first + chain * kBlock + i];
  });
}

void sort_blocks_plain(const int32_t* x, int32_t* out, int64_t n, int threads) {
  each(n / kBlock, threads, [=](int64_t b) {
    std::copy(x + b * kBlock, x + (b + 1) * kBlock, out + b * kBlock);
    std::sort(out + b * kBlock, out + (b + 1) * kBlock);
  });
}
// The same network: its steps from a place on are loops without branches.
void sort_blocks_best(const int32_t* x, int32_t* out, int64_t n, int threads) {
  each(n / kBlock, threads, [=](int64_t b) {
    int32_t key[kBlock];
    std::copy(x + b * kBlock, x + (b + 1) * kBlock, key);
    for (int size = 2; size <= kBlock; size *= 2)
      for (int distance = size / 2; distance > 0; distance /= 2)
        for (int first = 0; first < kBlock; first += 2 * distance) {
          bool up = (first & size) == 0;
          for (int l = first; l < first + distance; l++) {
            int32_t low = std::min(key[l], key[l + distance]);
            int32_t high = std::max(key[l], key[l + distance]);
            key[l] = up ? low : high, key[l + distance] = up ? high : low;
          }
        }
    std::copy(key, key + kBlock, out + b * kBlock);
  });
}

void odd_even_sort_plain(const float* x, float* out, int64_t n, int threads) {
  each(n / kBlock, threads, [=](int64_t b) {
    float* key = out + b * kBlock;
    std::copy(x + b * kBlock, x + (b + 1) * kBlock, key);
    for (int k = 0; k < kBlock; k++)
      for (int t = k % 2; t + 1 < kBlock; t += 2)
        if (key[t] > key[t + 1]) std::swap(key[t], key[t + 1]);
  });
}
// Side by side.
void odd_even_sort_best(const float* x, float* out, int64_t n, int threads) {
  constexpr int kTogether = 16;
  each(n / kBlock / kTogether, threads, [=](int64_t group) {
    float key[kBlock][kTogether];
    const int64_t first = group * kTogether * kBlock;
    for (int t = 0; t < kBlock; t++)
      for (int b = 0; b < kTogether; b++) key[t][b] = x[first + b * kBlock + t];
    for (int k = 0; k < kBlock; k++)
      for (int t = k % 2; t + 1 < kBlock; t += 2)
        for (int b = 0; b < kTogether; b++) {
          const float low = std::min(key[t][b], key[t + 1][b]);
          key[t + 1][b] = std::max(key[t][b], key[t + 1][b]);
          key[t][b] = low;
        }
    for (int t = 0; t < kBlock; t++)
      for (int b = 0; b < kTogether; b++) out[first + b * kBlock + t] = key[t][b];
  });
}

void radix_counts_plain(const uint32_t* x, int64_t shift, int32_t* counts, int64_t parts,
                        int threads) {
  each(parts, threads, [=](int64_t part) {
    int32_t own[16] = {};
    for (int64_t i = part * 16 * kBlock; i < (part + 1) * 16 * kBlock; i++)
      own[x[i] >> shift & 15]++;
    std::memcpy(counts + part * 16, own, sizeof own);
  });
}
void radix_counts_best(const uint32_t* x, int64_t shift, int32_t* counts, int64_t parts,
                       int threads) {
  each(parts, threads, [=](int64_t part) {
    constexpr int kCopies = 8;  // an addition does not wait for the one before
    int32_t own[kCopies][16] = {};
    const uint32_t* from = x + part * 16 * kBlock;
    for (int64_t i = 0; i < 16 * kBlock; i += kCopies)
      for (int copy = 0; copy < kCopies; copy++) own[copy][from[i + copy] >> shift & 15]++;
    for (int digit = 0; digit < 16; digit++) {
      int32_t sum = 0;
      for (int copy = 0; copy < kCopies; copy++) sum += own[copy][digit];
      counts[part * 16 + digit] = sum;
    }
  });
}

constexpr int64_t kHalo = 8;
void tiled_convolution_plain(const float* x, const float* weights, float* out, int64_t n,
                             int threads) {
  each(n, threads, [=](int64_t i) {
    float total = 0;
    for (int64_t k = -kHalo; k <= kHalo; k++)
      if (0 <= i + k && i + k < n) total += weights[k + kHalo] * x[i + k];
    out[i] = total;
  });
}
void tiled_convolution_best(const float* x, const float* weights, float* out, int64_t n,
                            int threads) {
  strips(n, threads, [=](int64_t first, int) {  // n is a multiple of kStrip
    float tile[kStrip + 2 * kHalo], total[kStrip] = {};
    for (int64_t k = 0; k < kStrip + 2 * kHalo; k++) {
      int64_t at = first + k - kHalo;
      tile[k] = 0 <= at && at < n ? x[at] : 0;
    }
    for (int k = 0; k <= 2 * kHalo; k++)
      for (int l = 0; l < kStrip; l++) total[l] += weights[k] * tile[l + k];
    std::memcpy(out + first, total, sizeof total);
  });
}

void maxima_plain(const float* a, float* out, int64_t rows, int64_t columns, int threads) {
  each(rows, threads, [=](int64_t i) {
    float best = a[i * columns];
    for (int64_t k = 0; k < columns; k++)
      if (a[i * columns + k] > best) best = a[i * columns + k];
    out[i] = best;
  });
}
void maxima_best(const float* a, float* out, int64_t rows, int64_t columns, int threads) {
  each(rows, threads, [=](int64_t i) {
    const float* row = a + i * columns;
    float best[kStrip];
    std::memcpy(best, row, sizeof best);
    int64_t k = 0;
    for (; k + kStrip <= columns; k += kStrip)
      for (int l = 0; l < kStrip; l++) best[l] = row[k + l] > best[l] ? row[k + l] : best[l];
    for (; k < columns; k++) best[0] = std::max(best[0], row[k]);
    out[i] = *std::max_element(best, best + kStrip);
  });
}

void bins_plain(const uint16_t* x, int32_t* counts, int64_t n, int threads) {
  each(n, threads, [=](int64_t i) {
    std::atomic_ref<int32_t>(counts[x[i] >> 4]).fetch_add(1, std::memory_order_relaxed);
  });
}
void bins_best(const uint16_t* x, int32_t* counts, int64_t n, int threads) {
  parallel(n, threads, [=](int64_t begin, int64_t end) {
    int32_t own[4096] = {};
    for (int64_t i = begin; i < end; i++) own[x[i] >> 4]++;
    for (int bin = 0; bin < 4096; bin++)
      std::atomic_ref<int32_t>(counts[bin]).fetch_add(own[bin], std::memory_order_relaxed);
  });
}

static uint32_t first_slot(int32_t key, int64_t slots) {
  return (uint32_t)key * 2654435769u >> (32 - slots);
}
void hash_insert_plain(const int32_t* keys, int32_t* table, int64_t slots, int64_t n, int threads) {
  each(n, threads, [=](int64_t i) {
    for (uint32_t slot = first_slot(keys[i], slots);; slot = (slot + 1) & ((1u << slots) - 1)) {
      int32_t found = -1;
      std::atomic_ref<int32_t> here(table[slot]);
      if (here.compare_exchange_strong(found, keys[i], std::memory_order_relaxed)) break;
      if (found == keys[i]) break;
    }
  });
}
void hash_look_up_plain(const int32_t* keys, const int32_t* table, int64_t slots, uint8_t* out,
                        int64_t n, int threads) {
  each(n, threads, [=](int64_t i) {
    uint32_t slot = first_slot(keys[i], slots);
    while (table[slot] != keys[i] && table[slot] != -1) slot = (slot + 1) & ((1u << slots) - 1);
    out[i] = table[slot] == keys[i];
  });
}

void union_find_plain(const int32_t* a, const int32_t* b, int32_t* parent, int64_t n, int threads) {
  each(n, threads, [=](int64_t i) {
    auto root = [=](int32_t x) {
      for (;;) {
        int32_t up = std::atomic_ref<int32_t>(parent[x]).load(std::memory_order_relaxed);
        if (up == x) return x;
        x = up;
      }
    };
    for (int32_t x = a[i], y = b[i];;) {
      x = root(x), y = root(y);
      if (x == y) break;
      if (x < y) std::swap(x, y);
      int32_t own = x;
      if (std::atomic_ref<int32_t>(parent[x]).compare_exchange_strong(own, y)) break;
    }
  });
}

}  // extern "C"
