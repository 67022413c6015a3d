// A program, not a unit test: abi/interop.hpp's descriptor from and to mdspan, with whichever
// library has one. Compiled and run by tests/unit/abi/mdspan_test.cpp. (HET-DSC-3, HET-DSC-4,
// HET-DSC-5, AMB-11 to 16)
#include <cstdio>

#include "abi/interop.hpp"

#if HETJIT_INTEROP_CCCL
namespace library = cuda::std;
#elif HETJIT_INTEROP_STD_MDSPAN
namespace library = std;
#else
#error "no mdspan here"
#endif

using hetjit::uint64;
template <class T, uint64 N>
using Array = hetjit::interoperable_array_descriptor<T, N>;
template <class T, uint64 N>
using Strided = library::mdspan<T, library::dextents<uint64, N>, library::layout_stride>;

static int failures = 0;
static void expect(bool holds, const char* what) {
  if (!holds) std::printf("failed: %s\n", what);
  failures += !holds;
}

template <class M, class... I>
static float at(const M& m, I... index) {
  return m.accessor().access(m.data_handle(), m.mapping()(index...));
}

// What a function of the user's looks like: the descriptor converts as its argument.
static float last_of(Strided<float, 2> m) { return at(m, m.extent(0) - 1, m.extent(1) - 1); }

static_assert(library::is_convertible<library::mdspan<float, library::extents<int, 2, 3>>,
                                      Array<float, 2>>::value,
              "any extents and any strided layout");
static_assert(!library::is_convertible<library::mdspan<float, library::extents<int, 2>>,
                                       Array<float, 2>>::value,
              "but not another rank");
static_assert(!library::is_convertible<library::mdspan<const float, library::extents<int, 2, 3>>,
                                       Array<float, 2>>::value,
              "nor away from const");
static_assert(!library::is_same<Array<float, 2>, Strided<float, 2>>::value &&
                  !library::is_base_of<Strided<float, 2>, Array<float, 2>>::value,
              "it is none itself: its layout is its own");
static_assert(library::is_trivially_copyable<Array<float, 2>>::value, "AMB-16");

int main() {
  float data[6] = {10, 11, 12, 13, 14, 15};
  library::mdspan<float, library::extents<int, 2, 3>> rows(data);
  Array<float, 2> a = rows;
  expect(a.data == data && a.shape[0] == 2 && a.shape[1] == 3, "shape");
  expect(a.strides[0] == 3 && a.strides[1] == 1, "strides in elements");
  expect(last_of(a) == 15, "implicit conversion");

  library::mdspan<float, library::extents<int, 2, 3>, library::layout_left> columns(data);
  Array<float, 2> left = columns;
  expect(left.strides[0] == 1 && left.strides[1] == 2, "layout_left");
  expect(at(Strided<float, 2>(left), 1, 0) == 11, "layout_left, read back");

  Array<float, 2> reversed{};
  reversed.data = data + 5;
  reversed.shape[0] = 2, reversed.shape[1] = 3;
  reversed.strides[0] = static_cast<uint64>(-3), reversed.strides[1] = static_cast<uint64>(-1);
  expect(last_of(reversed) == 10, "negative strides");

  Array<float, 2> copy(reversed), other;
  other = copy;
  expect(other.size() == 6 && other.strides[1] == reversed.strides[1], "copies");

  Array<float, 0> one = library::mdspan<float, library::extents<int>>(data + 2);
  expect(at(Strided<float, 0>(one)) == 12 && one.size() == 1, "no axes");
  Array<const float, 2> constant = rows;
  expect(constant.data == data, "to const");
  return failures;
}
