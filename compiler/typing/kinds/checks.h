// The checks that a program was asked for, written where the operation that may fail is: here it is
// known what the user wrote. Each is nothing where it was not asked for.
#pragma once

#include "compiler/typing/kinds/array_index.h"

namespace hetjit::typing {

/// That the indices of an access, counted from the end where negative, lie inside the array.
void check_indices(Evaluation& at, const Value& array, const Subscripts& subscripts);
/// That an array of as many or fewer axes has the shape of `target`, to which it is assigned, but
/// for axes of one element, which are repeated.
void check_same_shape(Evaluation& at, const Value& target, const Value& array);
/// That an index lies among `count` items of a tuple or vector.
void check_position(Evaluation& at, const Value& whole, const Value& index, size_t count);
/// That an array of `old_size` elements has as many as the extents of another shape ask for.
void check_reshape(Evaluation& at, const Value& array, Leaf old_size, Leaf new_size,
                   const std::vector<Leaf>& extents);
/// That an integer is not divided by zero.
void check_divisor(Evaluation& at, ssa::BinaryKind kind, Scalar type, Leaf dividend, Leaf divisor);

/// That what a thread reads or writes of an array's element is ordered against other threads.
void check_access(Evaluation& at, AccessKind kind, const Value& array, Leaf address,
                  const std::vector<Leaf>& indices);
/// The same of other memory; `name` is the value by way of which the user says it.
void check_memory(Evaluation& at, AccessKind kind, const Value& name, Leaf address, TypeId type);
/// That all threads of the block come to this barrier; that what is before and after it is ordered.
void check_wait(Evaluation& at, WaitKind kind);

}  // namespace hetjit::typing
