#include "tests/unit/typing/compiled.h"

#include <gtest/gtest.h>

#include <charconv>
#include <cstring>
#include <fstream>
#include <sstream>

#include "abi/layout.h"
#include "abi/param_buffer.h"
#include "compiler/ir/interpret.h"
#include "compiler/ir/numbers.h"
#include "compiler/typing/run/specialize.h"
#include "frontend/build/build.h"
#include "frontend/diag/render.h"
#include "frontend/snapshot/snapshot_text.h"
#include "tests/source_dir.h"

namespace hetjit::typing {

Recording::Recording(const std::string& path) {
  std::ifstream file(std::string(HETJIT_SOURCE_DIR) + "/" + path);
  std::stringstream text;
  text << file.rdbuf();
  Result<Program> program = parse_program(text.str());
  EXPECT_TRUE(program.ok()) << path << ": " << (program.ok() ? "" : program.error().text);
  if (!program.ok()) return;
  program_ = std::make_shared<Program>(*std::move(program));
  module_ = build(program_);
}

const ssa::Module* Recording::with_entry(std::string_view name) {
  for (size_t i = 1; program_ && i < program_->functions.size(); ++i) {
    if (program_->functions[i].name != name) continue;
    program_->functions[0] = program_->functions[i];
    module_.functions[0] = module_.functions[i];
    return &module_;
  }
  return nullptr;
}

Outcome compile(const ssa::Module& module, std::string_view signature, bool kernel) {
  Outcome outcome;
  Result<Signature> parsed = parse_signature(signature);
  EXPECT_TRUE(parsed.ok()) << signature << ": " << (parsed.ok() ? "" : parsed.error().text);
  if (!parsed.ok()) return outcome;
  outcome.module = specialize(module, *parsed, kernel, outcome.diags);
  outcome.messages = render(outcome.diags, module.program->sources());
  return outcome;
}

namespace {

// ---- text to bytes

void put_scalar(Scalar scalar, std::string_view text, std::byte* to) {
  double real = 0;
  uint64_t bits = 0;
  std::string digits(text);
  if (is_floating(scalar)) {
    real = std::strtod(digits.c_str(), nullptr);
    bits = ir::float_to_bits(scalar, real);
  } else {
    bits = digits[0] == '-' ? static_cast<uint64_t>(std::strtoll(digits.c_str(), nullptr, 10))
                            : std::strtoull(digits.c_str(), nullptr, 10);
  }
  std::memcpy(to, &bits, info(scalar).bytes());
}

// The pieces of "[a,b,[c]]" or "(a,b)" between the outer brackets.
std::vector<std::string_view> pieces(std::string_view text) {
  std::vector<std::string_view> result;
  int depth = 0;
  size_t begin = 1;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[' || text[i] == '(') ++depth;
    bool last = i + 1 == text.size();
    if ((text[i] == ',' && depth == 1) || last) {
      if (i > begin) result.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
    if (text[i] == ']' || text[i] == ')') --depth;
  }
  return result;
}

class Block {
 public:
  explicit Block(const ir::Function& entry) {
    for (ValueId id : entry.blocks[0].params) types_.push_back(entry.type_of(id));
    layout_ = parameter_block(types_);
    bytes_.resize(layout_.size);
  }

  std::span<const std::byte> write(const std::vector<std::string>& arguments) {
    for (size_t i = 0; i < types_.size() && i < arguments.size(); ++i)
      put(types_[i], arguments[i], bytes_.data() + layout_.offsets[i]);
    return bytes_;
  }

 private:
  void put(TypeId id, std::string_view text, std::byte* to) {
    const Type& shape = type(id);
    if (shape.kind == TypeKind::Scalar) put_scalar(shape.scalar, text, to);
    if (shape.kind == TypeKind::Array) put_array(shape, text, to);
    if (!ir::item_type(id, 0).valid()) return;
    std::vector<std::string_view> items = pieces(text);  // of a tuple, vector or struct
    Layout where = layout(id);
    for (uint32_t i = 0; i < where.offsets.size() && i < items.size(); ++i)
      put(ir::item_type(id, i), items[i], to + where.offsets[i]);
  }

  void put_array(const Type& shape, std::string_view text, std::byte* to) {
    Scalar scalar = type(shape.element).scalar;
    std::vector<std::string_view> rows = pieces(text), items;
    ArrayValue array;
    array.rank = shape.rank;
    array.shape[0] = static_cast<int64_t>(rows.size());
    for (std::string_view row : rows) {
      std::vector<std::string_view> in_row = {row};
      if (shape.rank == 2) in_row = pieces(row);
      array.shape[shape.rank - 1] =
          static_cast<int64_t>(shape.rank == 2 ? in_row.size() : rows.size());
      items.insert(items.end(), in_row.begin(), in_row.end());
    }
    array.strides[shape.rank - 1] = 1;
    if (shape.rank == 2) array.strides[0] = array.shape[1];
    memory_.push_back(std::vector<std::byte>(items.size() * info(scalar).bytes() + 1));
    for (size_t i = 0; i < items.size(); ++i)
      put_scalar(scalar, items[i], memory_.back().data() + i * info(scalar).bytes());
    array.data = memory_.back().data();
    write_array(to, array);
  }

  std::vector<TypeId> types_;
  BlockLayout layout_;
  std::vector<std::byte> bytes_;
  std::vector<std::vector<std::byte>> memory_;
};

// ---- bytes to text

std::string shortest(Scalar scalar, double value) {
  char buffer[40];
  auto end = info(scalar).bits == 64
                 ? std::to_chars(buffer, buffer + sizeof buffer, value).ptr
                 : std::to_chars(buffer, buffer + sizeof buffer, static_cast<float>(value)).ptr;
  return {buffer, end};
}

std::string scalar_text(Scalar scalar, const std::byte* from) {
  uint64_t bits = 0;
  std::memcpy(&bits, from, info(scalar).bytes());
  if (is_floating(scalar)) return shortest(scalar, ir::bits_to_float(scalar, bits));
  uint64_t value = ir::extend_bits(scalar, bits);
  return is_signed_integer(scalar) ? std::to_string(static_cast<int64_t>(value))
                                   : std::to_string(value);
}

std::string value_text(TypeId id, const std::byte* from) {
  const Type& shape = type(id);
  if (shape.kind == TypeKind::None) return "None";
  if (shape.kind == TypeKind::Scalar) return scalar_text(shape.scalar, from);
  Layout where = layout(id);
  std::string text;
  for (size_t i = 0; i < shape.fields.size(); ++i)
    text += (i ? ", " : "") + value_text(shape.fields[i].type, from + where.offsets[i]);
  return "(" + text + ")";
}

}  // namespace

std::string run(const ir::Module& module, const std::vector<std::string>& arguments) {
  Block block(module.functions[0]);
  auto bytes = ir::interpret_function(module, block.write(arguments), 1 << 20);
  if (!bytes.ok()) return bytes.error().text;
  TypeId result = module.functions[0].result;
  bytes->resize(bytes->size() + 8);
  return to_text(result) + " " + value_text(result, bytes->data());
}

}  // namespace hetjit::typing
