#include "abi/signature.h"

#include "abi/bytes.h"
#include "abi/text_reader.h"

namespace hetjit {
namespace {

struct Builtin {
  std::string_view name;
  Scalar scalar;
};
constexpr Builtin kBuiltins[] = {{"bool", Scalar::Bool},
                                 {"int", Scalar::Int32},
                                 {"float", Scalar::Float32},
                                 {"complex", Scalar::Complex64}};

Result<Parameter> read_parameter(TextReader& reader) {
  if (reader.accept_word("weak")) {
    Result<TypeId> type = read_type(reader);
    HETJIT_TRY(type);
    return Parameter{*type, true};
  }
  bool builtin = false;
  for (const Builtin& row : kBuiltins) builtin = builtin || reader.peek_word() == row.name;
  Result<TypeId> type = read_type(reader);
  HETJIT_TRY(type);
  // `float[:]` is an array of float32; only the bare name is a builtin number.
  return Parameter{*type, builtin && is_scalar(*type)};
}

}  // namespace

std::vector<TypeId> Signature::types() const {
  std::vector<TypeId> types;
  types.reserve(parameters.size());
  for (const Parameter& parameter : parameters) types.push_back(parameter.type);
  return types;
}

uint64_t Signature::hash() const { return checksum(to_text(*this)); }

std::string to_text(const Parameter& parameter) {
  for (const Builtin& row : kBuiltins) {
    if (!is_scalar(parameter.type, row.scalar)) continue;
    if (parameter.weak) return std::string(row.name);
    if (row.scalar == Scalar::Bool) return "bool_";
  }
  if (parameter.weak) return "weak " + to_text(parameter.type);
  return exact_python(parameter.type).value_or(to_text(parameter.type));
}

std::string to_text(const Signature& signature) {
  std::string text = "(";
  for (size_t i = 0; i < signature.parameters.size(); ++i)
    text += (i ? ", " : "") + to_text(signature.parameters[i]);
  return text + ")";
}

Result<Signature> parse_signature(std::string_view text) {
  TextReader reader(text);
  Signature signature;
  if (!reader.accept('(')) return reader.expected("'('");
  bool comma = true;
  while (!reader.accept(')')) {
    if (!comma) return reader.expected("',' or ')'");
    Result<Parameter> parameter = read_parameter(reader);
    HETJIT_TRY(parameter);
    signature.parameters.push_back(*parameter);
    comma = reader.accept(',');
  }
  if (!reader.at_end()) return reader.expected("the end");
  return signature;
}

}  // namespace hetjit
