// The kernels of ../kernels_lookups.py in CUDA C++: sparse products, trees, hash tables, dynamic
// programming; most indices come out of arrays.
#include "prelude.h"

constexpr int kLeaf = -1, kDepth = 32, kRow = 256;
constexpr unsigned kEmpty = 0xffffffffu;

extern "C" {

// ---- sparse matrices

__global__ void spmv_csr(Line<const int> start, Line<const int> column, Line<const float> value,
                         Line<const float> x, Line<float> y) {
  int row = tid_x();
  if (row >= y.size) return;
  float sum = 0;
  ROLLED for (int k = start[row]; k < start[row + 1]; k++) sum += value[k] * x[column[k]];
  y[row] = sum;
}

__global__ void spmv_unsigned(Line<const unsigned> start, Line<const unsigned> column,
                              Line<const float> value, Line<const float> x, Line<float> y) {
  int row = tid_x();
  if (row >= y.size) return;
  float sum = 0;
  ROLLED for (unsigned k = start[row]; k < start[row + 1]; k++) sum += value[k] * x[column[k]];
  y[row] = sum;
}

__global__ void spmv_ell(Plane<const int> column, Plane<const float> value, Line<const float> x,
                         Line<float> y) {
  int row = tid_x();
  if (row >= column.columns) return;
  float sum = 0;
  ROLLED for (int k = 0; k < column.rows; k++) {
    int c = column(k, row);
    if (c >= 0) sum += value(k, row) * x[c];
  }
  y[row] = sum;
}

__global__ void gather(Line<const float> x, Line<const int> index, Line<float> out) {
  int i = tid_x();
  if (i < index.size) out[i] = x[index[i]];
}

// ---- trees

__global__ void lower_bound(Line<const int> sorted, Line<const int> wanted, Line<int> out) {
  int i = tid_x();
  if (i >= wanted.size) return;
  int want = wanted[i], low = 0, high = sorted.size;
  while (low < high) {
    int middle = (low + high) / 2;
    if (sorted[middle] < want)
      low = middle + 1;
    else
      high = middle;
  }
  out[i] = low;
}

__global__ void heap_search(Line<const int> heap, Line<const int> wanted, Line<int> out) {
  int i = tid_x();
  if (i >= wanted.size) return;
  int want = wanted[i], node = 0;
  while (node < heap.size) node = 2 * node + (heap[node] < want ? 2 : 1);
  out[i] = node - heap.size;
}

__global__ void tree_walk(Line<const int> left, Line<const int> right, Line<const float> low,
                          Line<const float> high, Line<const float> points, Line<int> hits) {
  int i = tid_x();
  if (i >= points.size) return;
  float p = points[i];
  int stack[kDepth], depth = 0, found = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    int node = stack[--depth];
    if (p < low[node] || p > high[node]) continue;
    if (left[node] == kLeaf) {
      found++;
    } else {
      stack[depth++] = left[node];
      stack[depth++] = right[node];
    }
  }
  hits[i] = found;
}

__global__ void decision_tree(Line<const int> feature, Line<const float> threshold,
                              Line<const int> child, Plane<const float> x, Line<int> out) {
  int i = tid_x();
  if (i >= x.rows) return;
  int node = 0;
  while (feature[node] >= 0) node = child[node] + (x(i, feature[node]) > threshold[node] ? 1 : 0);
  out[i] = node;
}

// ---- hash tables

__device__ inline unsigned mix(unsigned key) {
  key ^= key >> 16;
  key *= 0x85ebca6bu;
  key ^= key >> 13;
  key *= 0xc2b2ae35u;
  return key ^ key >> 16;
}

__global__ void hash_insert(Line<unsigned> keys, Line<unsigned> values, Line<const unsigned> key,
                            Line<const unsigned> value) {
  int i = tid_x();
  if (i >= key.size) return;
  unsigned mask = keys.size - 1, k = key[i], slot = mix(k) & mask;
  while (true) {
    unsigned before = swap_device(&keys[slot], kEmpty, k);
    if (before == kEmpty || before == k) {
      values[slot] = value[i];
      return;
    }
    slot = (slot + 1) & mask;
  }
}

__global__ void hash_find(Line<const unsigned> keys, Line<const unsigned> values,
                          Line<const unsigned> key, Line<unsigned> out) {
  int i = tid_x();
  if (i >= key.size) return;
  unsigned mask = keys.size - 1, k = key[i], slot = mix(k) & mask;
  while (keys[slot] != kEmpty && keys[slot] != k) slot = (slot + 1) & mask;
  out[i] = keys[slot] == k ? values[slot] : kEmpty;
}

// ---- dynamic programming

__global__ void floyd_warshall(Plane<float> d, int k) {
  int j = tid_x(), i = tid_y();
  if (i < d.rows && j < d.columns) {
    float through = d(i, k) + d(k, j);
    if (through < d(i, j)) d(i, j) = through;
  }
}

__global__ void knapsack(Line<const int> before, Line<int> after, int weight, int value) {
  int w = tid_x();
  if (w >= before.size) return;
  int best = before[w];
  if (w >= weight) best = max(best, before[w - weight] + value);
  after[w] = best;
}

__global__ void edit_distance(Line<const unsigned char> a, Line<const unsigned char> b,
                              Line<int> out) {
  __shared__ int rows[3][kRow + 1];
  int j = threadIdx.x, n = a.size, m = b.size;
  ROLLED for (int d = 0; d <= n + m; d++) {
    int i = d - j;
    if (j <= m && i >= 0 && i <= n) {
      int cost;
      if (i == 0)
        cost = j;
      else if (j == 0)
        cost = i;
      else
        cost = min(min(rows[(d + 2) % 3][j], rows[(d + 2) % 3][j - 1]) + 1,
                   rows[(d + 1) % 3][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1));
      rows[d % 3][j] = cost;
      if (i == n && j == m) out[0] = cost;
    }
    __syncthreads();
  }
}

__global__ void viterbi(Plane<const float> emit, Plane<const float> move, Plane<float> score,
                        Plane<int> from, int t) {
  int s = tid_x();
  if (s >= move.rows) return;
  float best = score(t - 1, 0) + move(0, s);
  int which = 0;
  ROLLED for (int r = 1; r < move.rows; r++) {
    float next = score(t - 1, r) + move(r, s);
    if (next > best) {
      best = next;
      which = r;
    }
  }
  score(t, s) = best + emit(t, s);
  from(t, s) = which;
}

__global__ void back_substitute(Plane<const float> u, Plane<const float> b, Plane<float> x) {
  int column = tid_x();
  if (column >= b.columns) return;
  ROLLED for (int i = u.rows - 1; i >= 0; i--) {
    float sum = b(i, column);
    ROLLED for (int j = i + 1; j < u.rows; j++) sum -= u(i, j) * x(j, column);
    x(i, column) = sum / u(i, i);
  }
}

}  // extern "C"
