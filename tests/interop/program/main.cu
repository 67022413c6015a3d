// A program in CUDA C++: on the GPU where there is one, and on the host.
#include <cstdio>

#include "use.hpp"

using Matrix =
    cuda::std::mdspan<double, cuda::std::extents<int, 3, 3>, cuda::std::layout_left>;

__global__ void on_gpu(double* data, int* wrong) { *wrong = use(Matrix(data), 15); }

int main() {
  double data[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const int wrong = use(Matrix(data), 15);
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("host %d, no GPU\n", wrong);
    return wrong;
  }
  double* there = nullptr;
  int *answer = nullptr, wrong_there = -1;
  cudaMalloc(&there, sizeof data);
  cudaMalloc(&answer, sizeof(int));
  cudaMemcpy(there, data, sizeof data, cudaMemcpyHostToDevice);
  on_gpu<<<1, 1>>>(there, answer);
  cudaMemcpy(&wrong_there, answer, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("host %d, GPU %d\n", wrong, wrong_there);
  return wrong || wrong_there;
}
