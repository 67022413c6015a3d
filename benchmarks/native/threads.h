// Work shared out over threads: as many contiguous parts as threads, the caller takes the first.
#pragma once
#include <cstdint>
#include <thread>
#include <vector>

template <class Body>
void parallel(int64_t n, int threads, Body body) {
  std::vector<std::thread> pool;
  for (int t = 1; t < threads; t++) pool.emplace_back(body, n * t / threads, n * (t + 1) / threads);
  body(0, n / threads);
  for (auto& thread : pool) thread.join();
}
