// FFTW: plans over arrays whose sizes are implied, and what they cost.
typedef struct fftw_plan_s planned;
inline planned* plan_dft(std::complex<double>* in +rank(1), std::complex<double>* out +rank(1),
    int n +implied(size(in)), int sign)
    +owner(caller)+destructor_name(plan) {
  return fftw_plan_dft_1d(n, (fftw_complex*)in, (fftw_complex*)out, sign, FFTW_ESTIMATE);
}
inline planned* plan_r2c(double* in +rank(1), std::complex<double>* out +rank(1),
    int n +implied(size(in)))
    +owner(caller)+destructor_name(plan) {
  return fftw_plan_dft_r2c_1d(n, in, (fftw_complex*)out, FFTW_ESTIMATE);
}
void fftw_execute(const fftw_plan p);
double fftw_cost(const fftw_plan p);
void fftw_flops(const fftw_plan p, double* add +intent(out), double* mul +intent(out),
    double* fmas +intent(out));
char* fftw_sprint_plan(const fftw_plan p) +owner(caller);
int fftw_alignment_of(double* p +rank(1));
void fftw_cleanup();
double* fftw_alloc_real(size_t n) +dimension(n)+owner(caller)+destructor_name(memory);
