// Numbers as arrays of no dimensions: attributes, methods, x[()]. (HET-FIX-2, HET-FIX-3, AMB-2)
#pragma once

#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

/// x.dtype, x.shape, x.real, …, or a method (compiler/builtins/names.def, "Methods of numbers").
Value number_attribute(Evaluation& at, const Value& number, const std::string& name);
/// x[()] and x[...] are the number itself; it has no items. mask[lane] is a bool.
Value number_item(Evaluation& at, const Value& number, const Value& index);
/// An integer as a WarpMask: of as many bits as it has.
Value as_mask(Value number);
/// mask[lane] = bit of a WarpMask in a local variable: the changed mask.
Value mask_with(Evaluation& at, const Value& mask, const Value& lane, const Value& bit);
/// t.name, t.itemsize, t.kind, t.signed of a number format, as hetjit.device.DType has them.
Value type_attribute(Evaluation& at, const Value& type, const std::string& name);

}  // namespace hetjit::typing
