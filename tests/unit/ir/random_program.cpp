#include "tests/unit/ir/random_program.h"

#include <cmath>

namespace hetjit::ir {
namespace {

constexpr Scalar kTypes[] = {Scalar::Bool,   Scalar::Int8,    Scalar::Int16,    Scalar::Int32,
                             Scalar::Int64,  Scalar::UInt8,   Scalar::UInt16,   Scalar::UInt32,
                             Scalar::UInt64, Scalar::Float16, Scalar::BFloat16, Scalar::Float32,
                             Scalar::Float64};

bool integer(Scalar s) { return is_integer(s); }
bool signed_integer(Scalar s) { return is_signed_integer(s); }
bool floating(Scalar s) { return is_floating(s); }
bool anything(Scalar) { return true; }

}  // namespace

std::vector<TypeId> RandomProgram::parameter_types() {
  std::vector<TypeId> types;
  for (Scalar s : kTypes) types.push_back(scalar_type(s));
  return types;
}

Module RandomProgram::make() {
  build_.set_block(build_.new_block());
  for (TypeId type : parameter_types()) {
    function_.parameter_names.push_back("p" + std::to_string(scope_.size()));
    scope_.push_back(build_.add_param({0}, type));
  }
  function_.name = "random";
  add_body(0);
  std::vector<ValueId> results;
  for (size_t i = 0; i < 8; ++i) results.push_back(any());
  results.push_back(scope_.back());
  ValueId result = build_.tuple(results);
  function_.result = build_.type_of(result);
  build_.ret(result);
  return {{function_}};
}

ValueId RandomProgram::any() {
  // Late values more often than early ones: expressions get deep.
  size_t back = one_in(3) ? below(scope_.size()) : below(std::min<size_t>(scope_.size(), 8));
  return scope_[scope_.size() - 1 - back];
}

ValueId RandomProgram::any_of(Scalar s) {
  for (int tries = 0; tries < 6; ++tries)
    if (ValueId id = any(); scalar(id) == s) return id;
  return one_in(3) ? constant(s) : build_.convert(any(), scalar_type(s));
}

Scalar RandomProgram::any_scalar(bool (*is)(Scalar)) {
  for (;;)
    if (Scalar s = kTypes[below(std::size(kTypes))]; is(s)) return s;
}

ValueId RandomProgram::constant(Scalar s) {
  constexpr double kFloats[] = {0.0, -0.0, 1, -1, 0.5, 2, 3, 1e30, NAN, INFINITY};
  if (is_floating(s)) return build_.const_float(scalar_type(s), kFloats[below(10)]);
  uint64_t bits = one_in(4) ? random_() : below(10) - 2;
  return build_.const_int(scalar_type(s), bits);
}

ValueId RandomProgram::add_integer_op() {
  Scalar s = any_scalar(integer);
  ValueId a = any_of(s), b = any_of(s);
  switch (below(13)) {
    case 0:
      return build_.binary<Add>(a, b);
    case 1:
      return build_.binary<Sub>(a, b);
    case 2:
      return build_.binary<Mul>(a, b);
    case 3:
      return build_.binary<FloorDiv>(a, b);
    case 4:
      return build_.binary<Mod>(a, b);
    case 5:
      return build_.binary<BitAnd>(a, b);
    case 6:
      return build_.binary<BitOr>(a, b);
    case 7:
      return build_.binary<BitXor>(a, b);
    case 8:
      return build_.binary<ShiftLeft>(a, b);
    case 9:
      return build_.binary<ShiftRight>(a, b);
    case 10:
      return build_.unary<Neg>(a);
    case 11:
      return build_.unary<Abs>(a);
    default:
      return build_.unary<BitNot>(a);
  }
}

ValueId RandomProgram::add_float_op() {
  Scalar s = any_scalar(floating);
  ValueId a = any_of(s), b = any_of(s);
  switch (below(9)) {
    case 0:
      return build_.binary<Add>(a, b);
    case 1:
      return build_.binary<Sub>(a, b);
    case 2:
      return build_.binary<Mul>(a, b);
    case 3:
      return build_.binary<Div>(a, b);
    case 4:
      return build_.binary<FloorDiv>(a, b);
    case 5:
      return build_.binary<Mod>(a, b);
    case 6:
      return build_.unary<Neg>(a);
    case 7:
      return build_.unary<Abs>(a);
    default:
      return build_.math(MathFunction::Floor, {any_of(Scalar::Float32)});
  }
}

ValueId RandomProgram::add_bool_op() {
  ValueId a = any_of(Scalar::Bool), b = any_of(Scalar::Bool);
  switch (below(6)) {
    case 0:
      return build_.binary<BitAnd>(a, b);
    case 1:
      return build_.binary<BitOr>(a, b);
    case 2:
      return build_.binary<BitXor>(a, b);
    case 3:
      return build_.unary<BitNot>(a);
    default: {
      Scalar s = any_scalar(anything);
      ValueId left = any_of(s), right = any_of(s);
      return build_.compare(static_cast<Comparison>(below(6)), left, right);
    }
  }
}

void RandomProgram::add_instruction() {
  switch (below(8)) {
    case 0: {
      Scalar s = any_scalar(signed_integer);
      ValueId index = any_of(s), extent = any_of(s);
      return scope_.push_back(build_.binary<WrapIndex>(index, extent));
    }
    case 1: {
      Scalar s = any_scalar(anything);
      ValueId condition = any_of(Scalar::Bool), yes = any_of(s), no = any_of(s);
      return scope_.push_back(build_.select(condition, yes, no));
    }
    case 2:
      return scope_.push_back(add_bool_op());
    case 3:
      return scope_.push_back(add_float_op());
    case 4:
      return scope_.push_back(build_.convert(any(), scalar_type(any_scalar(anything))));
    case 5: {
      ValueId first = any(), second = any();
      ValueId tuple = build_.tuple({first, second});
      return scope_.push_back(build_.extract(tuple, static_cast<uint32_t>(below(2))));
    }
    default:
      return scope_.push_back(add_integer_op());
  }
}

void RandomProgram::add_branch(int depth) {
  BlockId yes = build_.new_block(), no = build_.new_block(), join = build_.new_block();
  build_.branch(any_of(Scalar::Bool), {yes, {}}, {no, {}});
  std::vector<Scalar> types;
  for (size_t i = below(4); i > 0; --i) types.push_back(any_scalar(anything));
  size_t outer = scope_.size();
  for (BlockId side : {yes, no}) {
    build_.set_block(side);
    if (!one_in(3)) add_body(depth + 1);
    std::vector<ValueId> arguments;
    for (Scalar s : types) arguments.push_back(any_of(s));
    build_.jump(join, arguments);
    scope_.resize(outer);
  }
  build_.set_block(join);
  for (Scalar s : types) scope_.push_back(build_.add_param(join, scalar_type(s)));
}

// A counter of any integer type from a small start, up by one, below a small limit; a few values
// are carried along. The limit is reached within 8 rounds: it counts a second, hidden counter.
void RandomProgram::add_loop(int depth) {
  BlockId header = build_.new_block(), body = build_.new_block(), after = build_.new_block();
  Scalar counter = any_scalar(integer);
  std::vector<Scalar> types = {Scalar::Int32, counter};
  std::vector<ValueId> start = {build_.const_int(scalar_type(Scalar::Int32), below(4)),
                                build_.const_int(scalar_type(counter), below(3))};
  for (size_t i = below(3); i > 0; --i) {
    types.push_back(any_scalar(anything));
    start.push_back(any_of(types.back()));
  }
  ValueId limit = any_of(counter);
  build_.jump(header, start);
  build_.set_block(header);
  std::vector<ValueId> params;
  for (Scalar s : types) params.push_back(build_.add_param(header, scalar_type(s)));
  ValueId rounds =
      build_.compare(Comparison::Lt, params[0], build_.const_int(scalar_type(Scalar::Int32), 6));
  ValueId below_limit = build_.compare(Comparison::Lt, params[1], limit);
  build_.branch(build_.binary<BitAnd>(rounds, below_limit), {body, {}}, {after, {}});
  build_.set_block(body);
  size_t outer = scope_.size();
  scope_.insert(scope_.end(), params.begin(), params.end());
  add_body(depth + 1);
  std::vector<ValueId> next;
  for (size_t i = 0; i < params.size(); ++i) {
    ValueId one = i < 2 ? build_.const_int(scalar_type(types[i]), 1) : ValueId{};
    next.push_back(i < 2 ? build_.binary<Add>(params[i], one) : any_of(types[i]));
  }
  build_.jump(header, next);
  scope_.resize(outer);
  build_.set_block(after);
  scope_.insert(scope_.end(), params.begin(), params.end());
}

void RandomProgram::add_body(int depth) {
  for (size_t i = 4 + below(12); i > 0; --i) {
    if (depth < 3 && one_in(8))
      add_branch(depth);
    else if (depth < 3 && one_in(12))
      add_loop(depth);
    else
      add_instruction();
  }
}

}  // namespace hetjit::ir
