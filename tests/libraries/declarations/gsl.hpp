// GSL: special functions, statistics, vectors, and integration of a function of Python's.
double gsl_sf_bessel_J0(double x);
double gsl_sf_gamma(double x);
double gsl_stats_mean(const double data[] +rank(1), size_t stride, size_t n +implied(size(data)));
double gsl_stats_variance(const double data[] +rank(1), size_t stride,
    size_t n +implied(size(data)));
double gsl_stats_max(const double data[] +rank(1), size_t stride, size_t n +implied(size(data)));
void gsl_sort(double* data +rank(1), size_t stride, size_t n +implied(size(data)));
double gsl_poly_eval(const double c[] +rank(1), int len +implied(size(c)), double x);
int gsl_poly_solve_quadratic(double a, double b, double c, double* x0 +intent(out),
    double* x1 +intent(out));
int gsl_fit_linear(const double* x +rank(1), size_t xstride, const double* y +rank(1),
    size_t ystride, size_t n +implied(size(x)),
                   double* c0 +intent(out), double* c1 +intent(out), double* cov00 +intent(out),
    double* cov01 +intent(out),
                   double* cov11 +intent(out), double* sumsq +intent(out));
gsl_vector* gsl_vector_calloc(size_t n) +owner(caller)+destructor_name(vector);
void gsl_vector_set(gsl_vector* v, size_t i, double x);
double gsl_vector_get(const gsl_vector* v, size_t i);
double gsl_blas_dnrm2(const gsl_vector* x);
double* gsl_vector_ptr(gsl_vector* v, size_t i) +dimension(v->size - i);
inline double integral(double (*f)(double x, void* unused), double a, double b) {
  gsl_function of = {f, nullptr};
  double result = 0, error = 0;
  size_t evaluations = 0;
  gsl_integration_qng(&of, a, b, 1e-10, 1e-10, &result, &error, &evaluations);
  return result;
}
