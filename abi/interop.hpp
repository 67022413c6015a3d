// The types of kernels' and interoperable functions' parameters, for C++ code on the other side:
// the array descriptor, the scalars and the 56 vectors, laid out as CUDA C++ lays them out, with
// every compiler. Stands alone: needs C++17 and nothing else of hetjit. Works with nvcc, clang
// (host, CUDA, HIP), hipcc and g++.
//
// In CUDA code the names are CUDA's own types wherever it has them (`hetjit::float32x4` is
// `::float4`, `hetjit::float16` is `::__half`); elsewhere, and for the ten vectors that CUDA lacks,
// they are structs of ours with the same layout.
//
// Parameters of its templates are words, not single letters, which users have for macros.
//
// With HETJIT_INTEROP_LEAN it includes none of CUDA's headers, which take long to read: CUDA's
// types are those of the headers that were included before it, in whatever language.
#ifndef HETJIT_INTEROP_HPP
#define HETJIT_INTEROP_HPP

#if defined(__CUDACC__) && !defined(__HIP__) && !defined(HETJIT_INTEROP_LEAN)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#if __has_include(<cuda/std/mdspan>)  // clang finds it only when told of <toolkit>/include/cccl
#include <cuda/std/complex>
#include <cuda/std/mdspan>
#endif
#endif

// Which of CUDA's types there are: vectors, small floats, those of its C++ library.
#if !defined(__HIP__) && defined(__VECTOR_TYPES_H__) && \
    (defined(__CUDACC__) || defined(HETJIT_INTEROP_LEAN))
#define HETJIT_INTEROP_CUDA 1
#else
#define HETJIT_INTEROP_CUDA 0
#endif
#if HETJIT_INTEROP_CUDA && defined(__CUDA_FP16_H__)
#define HETJIT_INTEROP_FP16 1
#else
#define HETJIT_INTEROP_FP16 0
#endif
#if HETJIT_INTEROP_CUDA && defined(__CUDA_BF16_H__)
#define HETJIT_INTEROP_BF16 1
#else
#define HETJIT_INTEROP_BF16 0
#endif
#if HETJIT_INTEROP_CUDA && defined(__CUDA_FP8_H__)
#define HETJIT_INTEROP_FP8 1
#else
#define HETJIT_INTEROP_FP8 0
#endif
#if HETJIT_INTEROP_CUDA && defined(_CUDA_STD_COMPLEX) && defined(_CUDA_STD_MDSPAN)
#define HETJIT_INTEROP_CCCL 1
#include <cuda/std/array>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/type_traits>
#elif defined(__CUDACC_RTC__) && defined(HETJIT_INTEROP_LEAN)
#define HETJIT_INTEROP_CCCL 0  // who includes it says what <type_traits> would
#else
#define HETJIT_INTEROP_CCCL 0
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#endif

#if !defined(__CUDACC_RTC__) && __has_include(<mdspan>)
#include <mdspan>
#endif
#if defined(__cpp_lib_mdspan)
#define HETJIT_INTEROP_STD_MDSPAN 1
#else
#define HETJIT_INTEROP_STD_MDSPAN 0
#endif

#if defined(__CUDACC__) || defined(__HIP__)
#define HETJIT_INTEROP_HD __attribute__((host)) __attribute__((device))
#else
#define HETJIT_INTEROP_HD
#endif

namespace hetjit {

namespace interop_detail {
#if HETJIT_INTEROP_CCCL
namespace library = ::cuda::std;
#else
namespace library = ::std;
#endif

constexpr unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

// Two and four lanes are aligned as a whole, up to 16 bytes; one and three as their element.
template <class Element, unsigned Lanes>
constexpr unsigned vector_align() {
  return Lanes % 2 ? static_cast<unsigned>(alignof(Element)) : least(sizeof(Element) * Lanes, 16);
}
}  // namespace interop_detail

// ---------------------------------------------------------------------------- scalars

using int8 = interop_detail::library::int8_t;
using int16 = interop_detail::library::int16_t;
using int32 = interop_detail::library::int32_t;
using int64 = interop_detail::library::int64_t;
using uint8 = interop_detail::library::uint8_t;
using uint16 = interop_detail::library::uint16_t;
using uint32 = interop_detail::library::uint32_t;
using uint64 = interop_detail::library::uint64_t;
using float32 = float;
using float64 = double;

// Ours are storage only. Class types on purpose: CUDA's are too, and travel in integer registers.
#if HETJIT_INTEROP_FP16
using float16 = ::__half;
#else
struct float16 {
  uint16 bits;
};
#endif
#if HETJIT_INTEROP_BF16
using bfloat16 = ::__nv_bfloat16;
#else
struct bfloat16 {
  uint16 bits;
};
#endif
#if HETJIT_INTEROP_FP8
using float8e4m3 = ::__nv_fp8_e4m3;
using float8e5m2 = ::__nv_fp8_e5m2;
#else
struct float8e4m3 {  // the OCP "fn" format
  uint8 bits;
};
struct float8e5m2 {
  uint8 bits;
};
#endif
// AMD's, of which CUDA has none.
struct float8e4m3fnuz {
  uint8 bits;
};
struct float8e5m2fnuz {
  uint8 bits;
};

#if HETJIT_INTEROP_CCCL
using complex64 = ::cuda::std::complex<float>;
using complex128 = ::cuda::std::complex<double>;
#else
// Aligned to their size, unlike std::complex<float> and like cuda::std::complex<float>.
struct alignas(8) complex64 {
  float real, imag;
};
struct alignas(16) complex128 {
  double real, imag;
};
#endif

// ---------------------------------------------------------------------------- vectors

/// One to four lanes.
template <class Element, unsigned Lanes>
struct vector;

template <class Element>
struct alignas(interop_detail::vector_align<Element, 1>()) vector<Element, 1> {
  Element x;
};
template <class Element>
struct alignas(interop_detail::vector_align<Element, 2>()) vector<Element, 2> {
  Element x, y;
};
template <class Element>
struct alignas(interop_detail::vector_align<Element, 3>()) vector<Element, 3> {
  Element x, y, z;
};
template <class Element>
struct alignas(interop_detail::vector_align<Element, 4>()) vector<Element, 4> {
  Element x, y, z, w;
};

namespace interop_detail {
// CUDA's __half2 and __nv_bfloat162 have copy constructors of their own, so they are passed and
// returned through pointers (Itanium C++ ABI); these must be, too.
template <class Element>
struct alignas(4) pair_by_reference {
  Element x, y;
  pair_by_reference() = default;
  HETJIT_INTEROP_HD constexpr pair_by_reference(Element first, Element second)
      : x(first), y(second) {}
  HETJIT_INTEROP_HD constexpr pair_by_reference(const pair_by_reference& other)
      : x(other.x), y(other.y) {}
  HETJIT_INTEROP_HD constexpr pair_by_reference& operator=(const pair_by_reference& other) {
    x = other.x;
    y = other.y;
    return *this;
  }
};
}  // namespace interop_detail
#if !HETJIT_INTEROP_FP16
template <>
struct vector<float16, 2> : interop_detail::pair_by_reference<float16> {
  using pair_by_reference::pair_by_reference;
};
#endif
#if !HETJIT_INTEROP_BF16
template <>
struct vector<bfloat16, 2> : interop_detail::pair_by_reference<bfloat16> {
  using pair_by_reference::pair_by_reference;
};
#endif

// One alias and its assertions. The type is named twice because a CUDA name may not exist.
#define HETJIT_INTEROP_VECTOR(element, n, ...)                                               \
  using element##x##n = __VA_ARGS__;                                                         \
  static_assert(sizeof(element##x##n) == sizeof(element) * n, #element "x" #n " is packed"); \
  static_assert(alignof(element##x##n) == interop_detail::vector_align<element, n>(),        \
                #element "x" #n " is aligned as in CUDA C++");
#define HETJIT_INTEROP_OURS(element)                    \
  HETJIT_INTEROP_VECTOR(element, 1, vector<element, 1>) \
  HETJIT_INTEROP_VECTOR(element, 2, vector<element, 2>) \
  HETJIT_INTEROP_VECTOR(element, 3, vector<element, 3>) \
  HETJIT_INTEROP_VECTOR(element, 4, vector<element, 4>)

#if HETJIT_INTEROP_CUDA
#define HETJIT_INTEROP_CUDAS(element, name)    \
  HETJIT_INTEROP_VECTOR(element, 1, ::name##1) \
  HETJIT_INTEROP_VECTOR(element, 2, ::name##2) \
  HETJIT_INTEROP_VECTOR(element, 3, ::name##3) \
  HETJIT_INTEROP_VECTOR(element, 4, ::name##4)
// The four-lane vectors of 64-bit elements were renamed in CUDA 13; the old names warn.
#if defined(CUDART_VERSION) && CUDART_VERSION < 13000 || \
    defined(CUDA_VERSION) && CUDA_VERSION < 13000
#define HETJIT_INTEROP_FOUR(name) ::name##4
#else
#define HETJIT_INTEROP_FOUR(name) ::name##4_16a
#endif
#define HETJIT_INTEROP_CUDAS_64(element, name) \
  HETJIT_INTEROP_VECTOR(element, 1, ::name##1) \
  HETJIT_INTEROP_VECTOR(element, 2, ::name##2) \
  HETJIT_INTEROP_VECTOR(element, 3, ::name##3) \
  HETJIT_INTEROP_VECTOR(element, 4, HETJIT_INTEROP_FOUR(name))
HETJIT_INTEROP_CUDAS(int8, char)
HETJIT_INTEROP_CUDAS(int16, short)
HETJIT_INTEROP_CUDAS(int32, int)
HETJIT_INTEROP_CUDAS_64(int64, longlong)
HETJIT_INTEROP_CUDAS(uint8, uchar)
HETJIT_INTEROP_CUDAS(uint16, ushort)
HETJIT_INTEROP_CUDAS(uint32, uint)
HETJIT_INTEROP_CUDAS_64(uint64, ulonglong)
HETJIT_INTEROP_CUDAS(float32, float)
HETJIT_INTEROP_CUDAS_64(float64, double)
#undef HETJIT_INTEROP_CUDAS
#undef HETJIT_INTEROP_CUDAS_64
#undef HETJIT_INTEROP_FOUR
#else
HETJIT_INTEROP_OURS(int8)
HETJIT_INTEROP_OURS(int16)
HETJIT_INTEROP_OURS(int32)
HETJIT_INTEROP_OURS(int64)
HETJIT_INTEROP_OURS(uint8)
HETJIT_INTEROP_OURS(uint16)
HETJIT_INTEROP_OURS(uint32)
HETJIT_INTEROP_OURS(uint64)
HETJIT_INTEROP_OURS(float32)
HETJIT_INTEROP_OURS(float64)
#endif

// Of small floats CUDA has pairs, and of 8-bit ones fours.
#if HETJIT_INTEROP_FP8
HETJIT_INTEROP_VECTOR(float8e4m3, 1, vector<float8e4m3, 1>)
HETJIT_INTEROP_VECTOR(float8e4m3, 2, ::__nv_fp8x2_e4m3)
HETJIT_INTEROP_VECTOR(float8e4m3, 3, vector<float8e4m3, 3>)
HETJIT_INTEROP_VECTOR(float8e4m3, 4, ::__nv_fp8x4_e4m3)
HETJIT_INTEROP_VECTOR(float8e5m2, 1, vector<float8e5m2, 1>)
HETJIT_INTEROP_VECTOR(float8e5m2, 2, ::__nv_fp8x2_e5m2)
HETJIT_INTEROP_VECTOR(float8e5m2, 3, vector<float8e5m2, 3>)
HETJIT_INTEROP_VECTOR(float8e5m2, 4, ::__nv_fp8x4_e5m2)
#else
HETJIT_INTEROP_OURS(float8e4m3)
HETJIT_INTEROP_OURS(float8e5m2)
#endif
#if HETJIT_INTEROP_FP16
HETJIT_INTEROP_VECTOR(float16, 1, vector<float16, 1>)
HETJIT_INTEROP_VECTOR(float16, 2, ::__half2)
HETJIT_INTEROP_VECTOR(float16, 3, vector<float16, 3>)
HETJIT_INTEROP_VECTOR(float16, 4, vector<float16, 4>)
#else
HETJIT_INTEROP_OURS(float16)
#endif
#if HETJIT_INTEROP_BF16
HETJIT_INTEROP_VECTOR(bfloat16, 1, vector<bfloat16, 1>)
HETJIT_INTEROP_VECTOR(bfloat16, 2, ::__nv_bfloat162)
HETJIT_INTEROP_VECTOR(bfloat16, 3, vector<bfloat16, 3>)
HETJIT_INTEROP_VECTOR(bfloat16, 4, vector<bfloat16, 4>)
#else
HETJIT_INTEROP_OURS(bfloat16)
#endif
HETJIT_INTEROP_OURS(float8e4m3fnuz)
HETJIT_INTEROP_OURS(float8e5m2fnuz)
#undef HETJIT_INTEROP_OURS
#undef HETJIT_INTEROP_VECTOR

static_assert(sizeof(complex64) == 8 && alignof(complex64) == 8, "complex64");
static_assert(sizeof(complex128) == 16 && alignof(complex128) == 16, "complex128");
static_assert(sizeof(float16) == 2 && alignof(float16) == 2, "float16");
static_assert(sizeof(bfloat16) == 2 && alignof(bfloat16) == 2, "bfloat16");
static_assert(sizeof(float8e4m3) == 1 && sizeof(float8e5m2) == 1, "8-bit floats");
static_assert(sizeof(float8e4m3fnuz) == 1 && sizeof(float8e5m2fnuz) == 1, "8-bit floats of AMD");
static_assert(sizeof(bool) == 1 && sizeof(void*) == 8, "bool and pointers");

// ---------------------------------------------------------------------------- arrays

namespace interop_detail {
template <class Mdspan, class = void>
struct is_mdspan : library::false_type {};
template <class Mdspan>
struct is_mdspan<Mdspan,
                 library::void_t<typename Mdspan::mapping_type, typename Mdspan::accessor_type>>
    : library::true_type {};

// What can describe its elements by one pointer, its extents and its strides.
template <class Mdspan, class Element, uint64 Rank, bool = is_mdspan<Mdspan>::value>
struct is_source : library::false_type {};
template <class Mdspan, class Element, uint64 Rank>
struct is_source<Mdspan, Element, Rank, true>
    : library::bool_constant<
          Mdspan::rank() == Rank &&
          library::is_convertible<typename Mdspan::data_handle_type, Element*>::value> {};

#if HETJIT_INTEROP_CCCL
template <class Element, uint64 Rank>
using cuda_mdspan =
    ::cuda::std::mdspan<Element, ::cuda::std::dextents<uint64, Rank>, ::cuda::std::layout_stride>;
#endif
#if HETJIT_INTEROP_STD_MDSPAN
template <class Element, uint64 Rank>
using std_mdspan = ::std::mdspan<Element, ::std::dextents<uint64, Rank>, ::std::layout_stride>;
#endif

// A strided mdspan over `data`.
template <class Mdspan, template <class, decltype(sizeof(0))> class Array, uint64 Rank,
          class Element>
HETJIT_INTEROP_HD constexpr Mdspan make_mdspan(Element* data, const uint64* shape,
                                               const uint64* strides) {
  Array<uint64, Rank> extents{}, steps{};
  for (uint64 axis = 0; axis != Rank; ++axis) {
    extents[axis] = shape[axis];
    steps[axis] = strides[axis];
  }
  using Mapping = typename Mdspan::mapping_type;
  return Mdspan(data, Mapping(typename Mdspan::extents_type(extents), steps));
}
}  // namespace interop_detail

// Conversions to every mdspan there is, implicit, as a parameter of a function of the user's is.
#if HETJIT_INTEROP_CCCL
#define HETJIT_INTEROP_TO_CUDA(shape, strides)                                              \
  HETJIT_INTEROP_HD constexpr operator interop_detail::cuda_mdspan<Element, Rank>() const { \
    return interop_detail::make_mdspan<interop_detail::cuda_mdspan<Element, Rank>,          \
                                       ::cuda::std::array, Rank>(data, shape, strides);     \
  }
#else
#define HETJIT_INTEROP_TO_CUDA(shape, strides)
#endif
#if HETJIT_INTEROP_STD_MDSPAN
#define HETJIT_INTEROP_TO_STD(shape, strides)                                                   \
  constexpr operator interop_detail::std_mdspan<Element, Rank>() const {                        \
    return interop_detail::make_mdspan<interop_detail::std_mdspan<Element, Rank>, ::std::array, \
                                       Rank>(data, shape, strides);                             \
  }
#else
#define HETJIT_INTEROP_TO_STD(shape, strides)
#endif

/// What a kernel or interoperable function receives for an array. `strides` are in
/// elements, as mdspan's layout_stride has them; a reversed axis has its negative stride modulo
/// 2^64, and index arithmetic modulo 2^64 reads the right element (layout_stride's formal
/// requirement of positive strides is not checked by the libraries we know).
template <class Element, uint64 Rank>
struct interoperable_array_descriptor {
  Element* data;
  uint64 shape[Rank];
  uint64 strides[Rank];

  interoperable_array_descriptor() = default;

  /// From any strided mdspan of the same rank, cuda::std's or std's.
  template <class Mdspan, interop_detail::library::enable_if_t<
                              interop_detail::is_source<Mdspan, Element, Rank>::value, int> = 0>
  HETJIT_INTEROP_HD constexpr interoperable_array_descriptor(const Mdspan& source)
      : data(source.data_handle()), shape{}, strides{} {
    for (uint64 axis = 0; axis != Rank; ++axis) {
      shape[axis] = static_cast<uint64>(source.extent(axis));
      strides[axis] = static_cast<uint64>(source.stride(axis));
    }
  }

  HETJIT_INTEROP_TO_CUDA(shape, strides)
  HETJIT_INTEROP_TO_STD(shape, strides)

  /// Number of elements.
  HETJIT_INTEROP_HD constexpr uint64 size() const {
    uint64 product = 1;
    for (uint64 axis = 0; axis != Rank; ++axis) product *= shape[axis];
    return product;
  }
};

/// An array without axes is one element; members of no elements would not be C++.
template <class Element>
struct interoperable_array_descriptor<Element, 0> {
  static constexpr uint64 Rank = 0;
  Element* data;

  interoperable_array_descriptor() = default;

  template <class Mdspan, interop_detail::library::enable_if_t<
                              interop_detail::is_source<Mdspan, Element, 0>::value, int> = 0>
  HETJIT_INTEROP_HD constexpr interoperable_array_descriptor(const Mdspan& source)
      : data(source.data_handle()) {}

  HETJIT_INTEROP_TO_CUDA(nullptr, nullptr)
  HETJIT_INTEROP_TO_STD(nullptr, nullptr)

  HETJIT_INTEROP_HD constexpr uint64 size() const { return 1; }
};

#undef HETJIT_INTEROP_TO_CUDA
#undef HETJIT_INTEROP_TO_STD

namespace interop_detail {
template <uint64 Rank>
struct check_descriptor {
  using Descriptor = interoperable_array_descriptor<float, Rank>;
  static_assert(sizeof(Descriptor) == 8 + 16 * Rank && alignof(Descriptor) == 8,
                "size and alignment");
  static_assert(offsetof(Descriptor, data) == 0, "offset of data");
  static_assert(offsetof(Descriptor, shape) == 8, "offset of shape");
  static_assert(offsetof(Descriptor, strides) == 8 + 8 * Rank, "offset of strides");
  static_assert(library::is_standard_layout<Descriptor>::value &&
                    library::is_trivially_copyable<Descriptor>::value,
                "passed by value, as plain bytes");
};
template <>
struct check_descriptor<0> {
  using Descriptor = interoperable_array_descriptor<float, 0>;
  static_assert(sizeof(Descriptor) == 8 && alignof(Descriptor) == 8 &&
                    offsetof(Descriptor, data) == 0,
                "one pointer");
  static_assert(library::is_standard_layout<Descriptor>::value &&
                    library::is_trivially_copyable<Descriptor>::value,
                "passed by value, as plain bytes");
};
template struct check_descriptor<1>;
template struct check_descriptor<2>;
template struct check_descriptor<3>;
template struct check_descriptor<4>;
template struct check_descriptor<5>;
template struct check_descriptor<6>;
template struct check_descriptor<7>;
template struct check_descriptor<8>;
}  // namespace interop_detail

#if !defined(__CUDACC__) && !defined(__HIP__) && defined(__GNUC__)
/// Where a thread of the host is, for functions of Python's that ask for it. Until C++ says
/// otherwise it is the only thread of the only block.
struct thread_place {
  uint32 thread[3], block[3], block_dimension[3], grid_dimension[3];
};
#endif

}  // namespace hetjit

#if !defined(__CUDACC__) && !defined(__HIP__) && defined(__GNUC__)
/// The calling thread's. Defined by each function of Python's that asks for it.
extern "C" __thread hetjit::thread_place hetjit_place;
#endif

#endif  // HETJIT_INTEROP_HPP
