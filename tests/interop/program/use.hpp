// Calls each function of functions.py; 0: all is as it should be, else the number of what is not.
// An mdspan goes over as it is.
#include "clamped.hpp"
#include "length2.hpp"
#include "moved.hpp"
#include "trace.hpp"

template <class Mdspan>
HETJIT_INTEROP_HD int use(const Mdspan& m, double want) {
  if (length2({1, 2, 3}) != 14) return 1;
  const Body body = moved({2, {1, 2, 3}}, {1, 1, 1}, 0.5f);
  if (body.mass != 2 || body.pos.x != 1.5f || body.pos.y != 2.5f || body.pos.z != 3.5f) return 2;
  if (trace(m) != want) return 3;
  return clamped(-5, 0, 1ll << 40) != 0 || clamped(1ll << 50, 0, 1ll << 40) != 1ll << 40 ? 4 : 0;
}
