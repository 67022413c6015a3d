#include "compiler/host/facts/combining.h"

namespace hetjit::host {

using ir::AtomicOperation;

std::optional<Combining> combining(AtomicOperation operation, Scalar scalar) {
  if (!is_integer(scalar)) return std::nullopt;
  const uint64_t top = uint64_t{1} << (info(scalar).bits - 1), all = ~uint64_t{0};
  const bool with_sign = is_signed_integer(scalar);
  switch (operation) {
    case AtomicOperation::Add:
    case AtomicOperation::Sub:
      return Combining{AtomicOperation::Add, 0};
    case AtomicOperation::And:
      return Combining{operation, all};
    case AtomicOperation::Or:
    case AtomicOperation::Xor:
      return Combining{operation, 0};
    case AtomicOperation::Max:
    case AtomicOperation::NanMax:
      return Combining{AtomicOperation::Max, with_sign ? top : 0};
    case AtomicOperation::Min:
    case AtomicOperation::NanMin:
      return Combining{AtomicOperation::Min, with_sign ? top - 1 : all};
    case AtomicOperation::Exchange:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace hetjit::host
