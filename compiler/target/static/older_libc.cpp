// What is called under versions of a newer C library than the wheel asks for (glibc 2.34): the
// linker sends each reference here (--wrap, cmake/llvm.cmake).
#include <sys/random.h>

#include <cstdint>
#include <cstdlib>

extern "C" {

// The same functions under their first version; 2.35 has others that set no errno.
double first_hypot(double x, double y);
float first_hypotf(float x, float y);
__asm__(".symver first_hypot, hypot@GLIBC_2.2.5");
__asm__(".symver first_hypotf, hypotf@GLIBC_2.2.5");

double __wrap_hypot(double x, double y) { return first_hypot(x, y); }
float __wrap_hypotf(float x, float y) { return first_hypotf(x, y); }

// New in 2.36, for names of temporary files.
uint32_t __wrap_arc4random() {
  uint32_t number = 0;
  if (getentropy(&number, sizeof number) != 0) std::abort();
  return number;
}

}  // extern "C"
