// Litmus programs: a few accesses by a few waves, in one block (n = 1) or each in one of its own
// (n = 0), and what they found (test_amd_litmus.py). In all orders and scopes: relaxed, acquire
// with release, sequentially consistent, and relaxed between fences of both kinds.
enum {
  WORKGROUP = __MEMORY_SCOPE_WRKGRP,
  AGENT = __MEMORY_SCOPE_DEVICE,
  SYSTEM = __MEMORY_SCOPE_SYSTEM,
  RELAXED = __ATOMIC_RELAXED,
  ACQUIRE = __ATOMIC_ACQUIRE,
  RELEASE = __ATOMIC_RELEASE,
  BOTH = __ATOMIC_ACQ_REL,
  TOTAL = __ATOMIC_SEQ_CST
};

template <int STORE, int LOAD, int FENCE, int SCOPE>
struct Order {
  INLINE void store(int* p, int value) { __scoped_atomic_store_n(p, value, STORE, SCOPE); }
  INLINE int load(int* p) { return __scoped_atomic_load_n(p, LOAD, SCOPE); }
  INLINE int add(int* p) {
    return __scoped_atomic_fetch_add(p, 1, STORE == RELEASE ? BOTH : STORE, SCOPE);
  }
  INLINE void fence() {
    if constexpr (FENCE != RELAXED) __scoped_atomic_thread_fence(FENCE, SCOPE);
  }
};

template <class O>
INLINE void message(int role, int* x, int* y, int* z, int* out) {
  if (role == 0) {
    *x = 1;
    O::fence();
    O::store(y, 1);
  } else {
    out[0] = O::load(y);
    O::fence();
    out[1] = *x;
  }
}

template <class O>
INLINE void store_buffering(int role, int* x, int* y, int* z, int* out) {
  O::store(role ? y : x, 1);
  O::fence();
  out[role] = O::load(role ? x : y);
}

template <class O>
INLINE void load_buffering(int role, int* x, int* y, int* z, int* out) {
  int found = O::load(role ? y : x);
  O::fence();
  O::store(role ? x : y, 1);
  out[role] = found;
}

template <class O>
INLINE void independent_reads(int role, int* x, int* y, int* z, int* out) {
  if (role < 2) {
    O::store(role ? y : x, 1);
  } else {
    int first = O::load(role == 2 ? x : y);
    O::fence();
    out[2 * role - 3] = O::load(role == 2 ? y : x);
    out[2 * role - 4] = first;
  }
}

template <class O>
INLINE void causality(int role, int* x, int* y, int* z, int* out) {
  if (role == 0) {
    O::store(x, 1);
  } else if (role == 1) {
    out[0] = O::load(x);
    O::fence();
    O::store(y, 1);
  } else {
    out[1] = O::load(y);
    O::fence();
    out[2] = O::load(x);
  }
}

template <class O>
INLINE void handed_on(int role, int* x, int* y, int* z, int* out) {
  if (role == 0) {
    *x = 1;
    O::fence();
    O::store(y, 1);
  } else if (role == 1) {
    out[0] = O::load(y);
    O::fence();
    O::store(z, 1);
  } else {
    out[1] = O::load(z);
    O::fence();
    out[2] = *x;
  }
}

template <class O>
INLINE void two_writes(int role, int* x, int* y, int* z, int* out) {
  O::store(role ? y : x, 1);
  O::fence();
  O::store(role ? x : y, 2);
}

template <class O>
INLINE void read_and_write(int role, int* x, int* y, int* z, int* out) {
  if (role == 0) {
    O::store(x, 2);
    O::fence();
    O::store(y, 1);
  } else {
    out[0] = O::load(y);
    O::fence();
    O::store(x, 1);
  }
}

template <class O>
INLINE void coherence(int role, int* x, int* y, int* z, int* out) {
  if (role == 0) {
    O::store(x, 1);
    O::store(x, 2);
  } else {
    out[0] = O::load(x);
    out[1] = O::load(x);
  }
}

template <class O>
INLINE void counting(int role, int* x, int* y, int* z, int* out) {
  out[role] = O::add(x);
  O::add(x);
}

// A message whose flag, or whose data, lies in shared memory: within a block alone.
template <class O>
INLINE void shared_flag(int role, int* x, int* y, int* z, int* out) {
  message<O>(role, x, z, y, out);
}

template <class O>
INLINE void shared_data(int role, int* x, int* y, int* z, int* out) {
  message<O>(role, z, x, y, out);
}

#define LITMUS(shape, order, store, load, fence, scope, name, shared)                   \
  extern "C" __global__ void shape##_##order##_##name(int* places, int* out, int n) {  \
    __shared__ int box[1];                                                             \
    if (shared) {                                                                      \
      if (threadIdx.x == 0) box[0] = 0;                                                \
      __syncthreads();                                                                 \
    }                                                                                  \
    int role = n ? threadIdx.x / WAVE : blockIdx.x;                                    \
    int* third = shared ? box : places + 128;                                          \
    if (threadIdx.x % WAVE == 0)                                                       \
      shape<Order<store, load, fence, scope>>(role, places, places + 64, third, out);  \
  }
#define ORDERS(shape, scope, name, shared)                                              \
  LITMUS(shape, relaxed, RELAXED, RELAXED, RELAXED, scope, name, shared)                \
  LITMUS(shape, acquire, RELEASE, ACQUIRE, RELAXED, scope, name, shared)                \
  LITMUS(shape, total, TOTAL, TOTAL, RELAXED, scope, name, shared)                      \
  LITMUS(shape, fences, RELAXED, RELAXED, BOTH, scope, name, shared)                    \
  LITMUS(shape, totalfences, RELAXED, RELAXED, TOTAL, scope, name, shared)
#define SCOPES(shape)                         \
  ORDERS(shape, WORKGROUP, workgroup, false)  \
  ORDERS(shape, AGENT, agent, false)          \
  ORDERS(shape, SYSTEM, system, false)
SCOPES(message)
SCOPES(store_buffering)
SCOPES(load_buffering)
SCOPES(independent_reads)
SCOPES(causality)
SCOPES(handed_on)
SCOPES(two_writes)
SCOPES(read_and_write)
SCOPES(coherence)
SCOPES(counting)
ORDERS(shared_flag, WORKGROUP, workgroup, true)
ORDERS(shared_data, WORKGROUP, workgroup, true)
