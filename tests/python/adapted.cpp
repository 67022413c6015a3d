// What the tests of hetjit.types call by way of ctypes: functions of C with each kind of pointer.
#include <cstddef>
#include <cstring>

extern "C" {

size_t address_of(const void* memory) { return reinterpret_cast<size_t>(memory); }

void increment(int* number) { ++*number; }

size_t length(const char* text) { return text ? std::strlen(text) : 0; }

void join(const char* const* texts, int count, char* to) {
  *to = 0;
  for (int i = 0; i < count; ++i) std::strcat(to, texts[i]);
}

long sum_of_ints(const int* numbers, int count) {
  long sum = 0;
  for (int i = 0; i < count; ++i) sum += numbers[i];
  return sum;
}

struct Opaque;
size_t address_of_opaque(Opaque* one) { return reinterpret_cast<size_t>(one); }

struct P {
  int x;
  double y;
};
double value_of(const P* p) { return p ? p->x + p->y : -1; }
void move(P* p, double by) { p->y += by; }

using Callback = int (*)(int, void*);
int call(Callback callback, int number) { return callback ? callback(number, nullptr) : -1; }
int twice(int number, void*) { return 2 * number; }
}
