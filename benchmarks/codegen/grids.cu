// The kernels of ../kernels_grids.py in CUDA C++: halos, image pipelines, particles, small
// matrices. As CUDA C++ is commonly written: int indices, positions by hand.
#include "prelude.h"

constexpr int kRadius = 3, kLine = 256, kSide = 16;

extern "C" {

// ---- halos

__global__ void halo_line(Line<const float> in, Line<float> out) {
  __shared__ float tile[kLine + 2 * kRadius];
  int i = blockIdx.x * blockDim.x + threadIdx.x, at = threadIdx.x + kRadius, n = in.size;
  tile[at] = i < n ? in[i] : 0.0f;
  if (threadIdx.x < kRadius) {
    tile[at - kRadius] = i >= kRadius ? in[i - kRadius] : 0.0f;
    tile[at + kLine] = i + kLine < n ? in[i + kLine] : 0.0f;
  }
  __syncthreads();
  float sum = 0;
  for (int d = -kRadius; d <= kRadius; d++) sum += tile[at + d];
  if (i < n) out[i] = sum;
}

__global__ void halo_plane(Plane<const float> u, Plane<float> out, float c) {
  __shared__ float tile[kSide + 2][kSide + 2];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * kSide + tx, y = blockIdx.y * kSide + ty;
  int w = u.columns, h = u.rows;
  if (x < w && y < h) {
    tile[ty + 1][tx + 1] = u(y, x);
    if (tx == 0 && x > 0) tile[ty + 1][0] = u(y, x - 1);
    if (tx == kSide - 1 && x < w - 1) tile[ty + 1][kSide + 1] = u(y, x + 1);
    if (ty == 0 && y > 0) tile[0][tx + 1] = u(y - 1, x);
    if (ty == kSide - 1 && y < h - 1) tile[kSide + 1][tx + 1] = u(y + 1, x);
  }
  __syncthreads();
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
    out(y, x) = tile[ty + 1][tx + 1] +
                c * (tile[ty][tx + 1] + tile[ty + 2][tx + 1] + tile[ty + 1][tx] +
                     tile[ty + 1][tx + 2] - 4.0f * tile[ty + 1][tx + 1]);
}

__global__ void advect(Plane<const float> q, Plane<const float> u, Plane<float> out, float dt) {
  int x = tid_x(), y = tid_y();
  int w = q.columns, h = q.rows;
  if (x >= w || y >= h) return;
  int left = x == 0 ? w - 1 : x - 1;
  int right = x == w - 1 ? 0 : x + 1;
  float v = u(y, x);
  float flux = v > 0 ? q(y, x) - q(y, left) : q(y, right) - q(y, x);
  out(y, x) = q(y, x) - dt * v * flux;
}

__global__ void leapfrog(Plane<const float> now, Plane<float> before, float k) {
  int x = tid_x() + 1, y = tid_y() + 1;
  if (x < now.columns - 1 && y < now.rows - 1) {
    float around = now(y, x - 1) + now(y, x + 1) + now(y - 1, x) + now(y + 1, x);
    before(y, x) = 2.0f * now(y, x) - before(y, x) + k * (around - 4.0f * now(y, x));
  }
}

// ---- images

__global__ void gauss5(Plane<const float> image, Plane<float> out, Line<const float> weight) {
  int x = tid_x(), y = tid_y();
  int w = image.columns, h = image.rows;
  if (x >= w || y >= h) return;
  float sum = 0;
  for (int dy = -2; dy <= 2; dy++)
    for (int dx = -2; dx <= 2; dx++) {
      int xx = min(max(x + dx, 0), w - 1), yy = min(max(y + dy, 0), h - 1);
      sum += weight[(dy + 2) * 5 + dx + 2] * image(yy, xx);
    }
  out(y, x) = sum;
}

__global__ void bilateral(Plane<const float> image, Plane<float> out, int radius, float space,
                          float range) {
  int x = tid_x(), y = tid_y();
  int w = image.columns, h = image.rows;
  if (x >= w || y >= h) return;
  float here = image(y, x), sum = 0, total = 0;
  ROLLED for (int dy = -radius; dy <= radius; dy++)
    ROLLED for (int dx = -radius; dx <= radius; dx++) {
      int xx = x + dx, yy = y + dy;
      if (xx >= 0 && xx < w && yy >= 0 && yy < h) {
        float there = image(yy, xx), d = there - here;
        float k = expf(-(dx * dx + dy * dy) * space - d * d * range);
        sum += k * there;
        total += k;
      }
    }
  out(y, x) = sum / total;
}

__global__ void halve(Plane<const unsigned char> image, Plane<unsigned char> out) {
  int x = tid_x(), y = tid_y();
  if (x < out.columns && y < out.rows) {
    int sum = image(2 * y, 2 * x) + image(2 * y, 2 * x + 1) + image(2 * y + 1, 2 * x) +
              image(2 * y + 1, 2 * x + 1);
    out(y, x) = (unsigned char)((sum + 2) / 4);
  }
}

__global__ void median3(Plane<const float> image, Plane<float> out) {
  int x = tid_x(), y = tid_y();
  if (x < 1 || y < 1 || x >= image.columns - 1 || y >= image.rows - 1) return;
  float v[9];
  for (int dy = 0; dy < 3; dy++)
    for (int dx = 0; dx < 3; dx++) v[dy * 3 + dx] = image(y + dy - 1, x + dx - 1);
  for (int i = 0; i < 5; i++)
    for (int j = i + 1; j < 9; j++)
      if (v[j] < v[i]) {
        float t = v[i];
        v[i] = v[j];
        v[j] = t;
      }
  out(y, x) = v[4];
}

__global__ void erode(Plane<const unsigned char> image, Plane<unsigned char> out) {
  int x = tid_x(), y = tid_y();
  int w = image.columns, h = image.rows;
  if (x >= w || y >= h) return;
  int least = 255;
  for (int dy = -1; dy <= 1; dy++) {
    int yy = min(max(y + dy, 0), h - 1);
    for (int dx = -1; dx <= 1; dx++) {
      int xx = min(max(x + dx, 0), w - 1);
      least = min(least, int(image(yy, xx)));
    }
  }
  out(y, x) = (unsigned char)least;
}

__global__ void equalize(Plane<const unsigned char> image, Line<const unsigned char> table,
                         Plane<unsigned char> out) {
  int x = tid_x(), y = tid_y();
  if (x < image.columns && y < image.rows) out(y, x) = table[image(y, x)];
}

__global__ void integral_rows(Plane<const float> image, Plane<float> sums) {
  int y = tid_x();
  if (y >= image.rows) return;
  float sum = 0;
  ROLLED for (int x = 0; x < image.columns; x++) {
    sum += image(y, x);
    sums(y, x) = sum;
  }
}

// ---- particles

__global__ void bin_particles(Plane<const float> p, Line<int> cell, Line<int> count, float inverse,
                              int side) {
  int i = tid_x();
  if (i >= p.rows) return;
  int cx = min(max(int(p(i, 0) * inverse), 0), side - 1);
  int cy = min(max(int(p(i, 1) * inverse), 0), side - 1);
  int c = cy * side + cx;
  cell[i] = c;
  add_device(&count[c], 1);
}

__global__ void neighbour_forces(Plane<const float> p, Line<const int> start, Plane<float> force,
                                 float inverse, int side, float reach) {
  int i = tid_x();
  if (i >= p.rows) return;
  float px = p(i, 0), py = p(i, 1), fx = 0, fy = 0;
  int cx = min(max(int(px * inverse), 0), side - 1), cy = min(max(int(py * inverse), 0), side - 1);
  ROLLED for (int y = max(cy - 1, 0); y <= min(cy + 1, side - 1); y++)
    ROLLED for (int x = max(cx - 1, 0); x <= min(cx + 1, side - 1); x++) {
      int first = start[y * side + x], last = start[y * side + x + 1];
      ROLLED for (int j = first; j < last; j++) {
        float dx = p(j, 0) - px, dy = p(j, 1) - py, d2 = dx * dx + dy * dy;
        if (j != i && d2 < reach) {
          float s = reach - d2;
          fx += s * dx;
          fy += s * dy;
        }
      }
    }
  force(i, 0) = fx;
  force(i, 1) = fy;
}

__global__ void nbody_tile(Plane<const float> body, Plane<float> acceleration) {
  __shared__ float tile[kLine][4];
  int i = tid_x(), t = threadIdx.x, n = body.rows;
  float x = body(i, 0), y = body(i, 1), z = body(i, 2), ax = 0, ay = 0, az = 0;
  ROLLED for (int first = 0; first < n; first += kLine) {
    for (int k = 0; k < 4; k++) tile[t][k] = body(first + t, k);
    __syncthreads();
    for (int j = 0; j < kLine; j++) {
      float dx = tile[j][0] - x, dy = tile[j][1] - y, dz = tile[j][2] - z;
      float d2 = dx * dx + dy * dy + dz * dz + 1e-4f;
      float s = tile[j][3] / (d2 * sqrtf(d2));
      ax += s * dx, ay += s * dy, az += s * dz;
    }
    __syncthreads();
  }
  acceleration(i, 0) = ax, acceleration(i, 1) = ay, acceleration(i, 2) = az;
}

// ---- small matrices

__global__ void invert3(Volume<const float> m, Volume<float> out) {
  int i = tid_x();
  if (i >= m.layers) return;
  float a = m(i, 0, 0), b = m(i, 0, 1), c = m(i, 0, 2);
  float d = m(i, 1, 0), e = m(i, 1, 1), f = m(i, 1, 2);
  float g = m(i, 2, 0), h = m(i, 2, 1), k = m(i, 2, 2);
  float p = e * k - f * h, q = f * g - d * k, r = d * h - e * g;
  float s = 1.0f / (a * p + b * q + c * r);
  out(i, 0, 0) = p * s, out(i, 0, 1) = (c * h - b * k) * s, out(i, 0, 2) = (b * f - c * e) * s;
  out(i, 1, 0) = q * s, out(i, 1, 1) = (a * k - c * g) * s, out(i, 1, 2) = (c * d - a * f) * s;
  out(i, 2, 0) = r * s, out(i, 2, 1) = (b * g - a * h) * s, out(i, 2, 2) = (a * e - b * d) * s;
}

__global__ void transform4(Plane<const float> m, Plane<const float> v, Plane<float> out) {
  int i = tid_x();
  if (i >= v.rows) return;
  for (int r = 0; r < 4; r++) {
    float sum = 0;
    for (int c = 0; c < 4; c++) sum += m(r, c) * v(i, c);
    out(i, r) = sum;
  }
}

__global__ void cholesky4(Volume<const float> m, Volume<float> out) {
  int i = tid_x();
  if (i >= m.layers) return;
  float l[4][4];
  for (int r = 0; r < 4; r++)
    for (int c = 0; c <= r; c++) {
      float sum = m(i, r, c);
      for (int k = 0; k < c; k++) sum -= l[r][k] * l[c][k];
      l[r][c] = r == c ? sqrtf(sum) : sum / l[c][c];
      out(i, r, c) = l[r][c];
    }
}

}  // extern "C"
