// A program in C++ on the host; with a standard library that has mdspan, by way of one.
#include <cstdio>

#include "use.hpp"

int main() {
  double data[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
#if HETJIT_INTEROP_STD_MDSPAN
  const int wrong = use(std::mdspan<double, std::extents<int, 3, 3>, std::layout_left>(data), 15);
  std::printf("mdspan %d\n", wrong);
#else
  hetjit::interoperable_array_descriptor<double, 2> m;
  m.data = data;
  for (int i = 0; i < 2; ++i) m.shape[i] = 3, m.strides[i] = i ? 1 : 3;
  const int wrong = use(m, 15);
  std::printf("descriptor %d\n", wrong);
#endif
  return wrong;
}
