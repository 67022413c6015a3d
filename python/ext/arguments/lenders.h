// Libraries that lend us arrays: what they ask of those who use them (hetjit/lenders.py), and the
// arrays of a launch of which more than the memory must be known.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "abi/kernel_image.h"
#include "frontend/diag/diagnostic.h"
#include "python/ext/handles/handle.h"

namespace hetjit::python {

struct Arguments;
struct Parameters;

/// What the library of an array type asks. Functions are empty where it has nothing of the kind.
struct Lender {
  bool is_mutable = false;   // may be written though its capsules cannot say so
  Kept is_conjugated;        // of an array: is it only marked so, and holds other numbers?
  Kept is_negated;           // the same
  Kept announce;             // tells the library which of its arrays are written to
  Kept requires_grad;        // the name of the attribute
  bool has_buffers = false;  // on the host, which cost less than its capsules
};

/// Of a type; nullopt: an exception is set.
std::optional<Lender> lender_of(Borrowed type);

/// A lent array of a launch, to be announced where the kernel stores to it, or read-only.
struct Lent {
  Handle array;
  const Lender* lender = nullptr;
  bool writable = true;
  uint32_t parameter = 0;
  std::vector<uint32_t> items;  // the way to it through tuples and structs
};

/// Before a launch that may store to `stored`: asks the tensors' libraries whether that is sound,
/// and tells them. False: an exception is set.
bool announce_stores(const Parameters& parameters, const Arguments& arguments, ArraySet stored);

/// Raises what there is to say of an array that its library would not lend, for `error`, which may
/// be empty. `where` names the argument.
void refuse(const std::string& where, Borrowed array, const Handle& error);

/// The diagnostics of a compilation; to a store to a read-only array is added which arguments
/// others lent us to read only, and what to pass instead.
Diagnostics with_lenders(const Diagnostics& found, const Parameters& parameters,
                         const Arguments& arguments);

}  // namespace hetjit::python
