// What a function of Python's leaves behind when it raises, for the C++ that has called it. C++17.
//
// On the host the handler hears of it that the program has installed:
//
//     hetjit_on_raise = [](const hetjit::raised& what) { throw my_error(what); };
//
// It must not return: by throwing, by longjmp, by ending the process. Without one, and when it does
// return, the message goes to standard error and the process is aborted.
//
// On a GPU the thread ends, on AMD's its wave, and the first that raised has left the record in
// the variable `hetjit_raised`, which the program reads, and sets to zero for the next. A text of
// what it says makes raised_text.hpp.
#ifndef HETJIT_RAISED_HPP
#define HETJIT_RAISED_HPP

#include "hetjit/interop.hpp"

namespace hetjit {

/// Numbers and bytes of text that a record has room for.
inline constexpr unsigned raised_numbers = 64, raised_bytes = 1024;

struct raised {
  uint64 claimed;  // 1: somebody has raised
  uint32 block[3], thread[3];
  uint32 line;   // of the source; 0: not known
  uint32 count;  // of numbers
  uint64 numbers[raised_numbers];
  /// Exception, function, file and message, a zero behind each. A number in the message is
  /// `{int32}`, or `{float32:.3f}`, of str() `{float32!s:>8}`; braces are doubled.
  char text[raised_bytes];
};
static_assert(sizeof(raised) == 40 + 8 * raised_numbers + raised_bytes, "no gaps");

using raise_handler = void (*)(const raised&);

}  // namespace hetjit

extern "C" {
/// The process's. Defined by each function of Python's that may raise.
extern hetjit::raise_handler hetjit_on_raise;
#if defined(__CUDACC__) || defined(__HIP__)
/// The GPU's.
inline __attribute__((device)) hetjit::raised hetjit_raised;
#endif
}

#endif  // HETJIT_RAISED_HPP
