// What the C++ forms are made of. `each`: a loop as one would write it. `strips`: the body is given
// kStrip elements at a time, to loop over them inside of its own loops, where compilers vectorise.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

#include "../native/threads.h"

template <class Body>
void each(int64_t n, int threads, Body body) {
  parallel(n, threads, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) body(i);
  });
}

constexpr int kStrip = 64;

template <class Body>
void strips(int64_t n, int threads, Body body) {
  parallel((n + kStrip - 1) / kStrip, threads, [=](int64_t begin, int64_t end) {
    for (int64_t strip = begin; strip < end; strip++) {
      int64_t first = strip * kStrip;
      body(first, (int)(n - first < kStrip ? n - first : kStrip));
    }
  });
}
