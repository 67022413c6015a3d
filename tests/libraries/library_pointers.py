"""A library with pointers of all kinds, and how it is declared."""

SOURCE = r"""
#include <cstdlib>
#include <cstring>
#include <cmath>
static int fixed_array[10];
static int scalar = 1;
static int allocations = 0;
extern "C" {
void intargs_in(const int* in) { scalar = *in; }
void intargs_out(int* out) { *out = scalar; }
void intargs_inout(int* both) { *both += 1; }
void intargs(const int in, int* both, int* out) { *out = *both; *both = in; }
void incrementIntArray(int* array, int size) { for (int i = 0; i < size; ++i) array[i] += 1; }
int returnDim2(const int* array, int rows, int columns) { return rows * 100 + columns; }
int Sum(int n, const int* values) { int sum = 0; for (int i = 0; i < n; ++i) sum += values[i]; return sum; }
double sumSixteen(const double* a) { double sum = 0; for (int i = 0; i < 16; ++i) sum += a[i]; return sum; }
void cos_doubles(const double* in, double* out, int n) { for (int i = 0; i < n; ++i) out[i] = std::cos(in[i]); }
void iota_dimension(int n, int* values) { for (int i = 0; i < n; ++i) values[i] = i + 1; }
int* returnFixed() { return fixed_array; }
const int* returnFixedConst() { return fixed_array; }
int sumFixedArray() { int sum = 0; for (int each : fixed_array) sum += each; return sum; }
int* returnIntPtrToScalar() { return &scalar; }
void getPtrToFixedArray(int** array) { *array = fixed_array; }
void getPtrToFixedConstArray(const int** array) { *array = fixed_array; }
void getPtrToDynamicArray(int** array, int* ncount) { *array = fixed_array; *ncount = 10; }
int getLen() { return 10; }
void getPtrToFuncArray(int** array) { *array = fixed_array; }
int* allocate(int n) { ++allocations; int* made = (int*)std::malloc(n * sizeof(int)); for (int i = 0; i < n; ++i) made[i] = i; return made; }
void release(void* memory) { --allocations; std::free(memory); }
int countAllocations() { return allocations; }
static int row0[] = {1, 2}, row1[] = {3, 4, 5};
static int* rows[] = {row0, row1};
void getRawPtrToInt2d(int*** out) { *out = rows; }
int** returnRows() { return rows; }
int checkInt2d(int** in) { return in[0][0] + in[0][1] + in[1][0] + in[1][1] + in[1][2]; }
int* returnNull() { return nullptr; }
void* returnAddress1(int flag) { return flag ? &scalar : nullptr; }
void fetchVoidPtr(void** out) { *out = &scalar; }
int useVoid(void* address) { return *(int*)address; }
int firstByte(void* memory) { return *(unsigned char*)memory; }
}
"""

DECLARATIONS = """
void intargs_in(const int* in);
void intargs_out(int* out +intent(out));
void intargs_inout(int* both);
void intargs(const int in, int* both +intent(inout), int* out +intent(out));
void incrementIntArray(int* array +rank(1), int size +implied(size(array)));
int returnDim2(const int* array +rank(2), int rows +implied(size(array,1)), int columns +implied(size(array,2)));
int Sum(int n +implied(size(values)), const int* values +rank(1));
double sumSixteen(const double* a +dimension(16));
void cos_doubles(const double* in +rank(1), double* out +intent(out)+dimension(size(in)), int n +implied(size(in)));
void iota_dimension(int n, int* values +intent(out)+dimension(n));
int* returnFixed() +dimension(10);
const int* returnFixedConst() +dimension(10);
int sumFixedArray();
int* returnIntPtrToScalar();
void getPtrToFixedArray(int** array +intent(out)+dimension(10));
void getPtrToFixedConstArray(const int** array +intent(out)+dimension(10));
void getPtrToDynamicArray(int** array +intent(out)+dimension(ncount), int* ncount +intent(out)+hidden);
int getLen();
void getPtrToFuncArray(int** array +intent(out)+dimension(getLen()));
int* allocate(int n) +dimension(n)+owner(caller)+destructor_name(release);
int countAllocations();
void getRawPtrToInt2d(int*** out +intent(out));
int** returnRows();
int checkInt2d(int** in);
int* returnNull() +dimension(3);
void* returnAddress1(int flag);
void fetchVoidPtr(void** out +intent(out));
int useVoid(void* address);
int firstByte(void* memory +assumedtype);
void release(void* memory);
"""

DESTRUCTORS = {"release": "release(ptr);"}
