// The text form of the typed graph. One rule for every op: its mnemonic, its attributes, its
// operands, its edges; parse.cpp reads exactly this.
#include <charconv>
#include <cmath>

#include "compiler/ir/ir.h"
#include "compiler/ir/numbers.h"
#include "compiler/ir/text.h"

namespace hetjit::ir {
namespace {

constexpr size_t kSpanColumn = 44;  // where spans stand, when the line is short enough

std::string value_text(ValueId id) { return "v" + std::to_string(id.index); }

std::string list_text(std::span<const ValueId> values) {
  std::string text;
  for (ValueId id : values) text += (text.empty() ? "" : ", ") + value_text(id);
  return text;
}

std::string edge_text(const Edge& edge) {
  std::string text = "b" + std::to_string(edge.to.index);
  return edge.args.empty() ? text : text + "(" + list_text(edge.args) + ")";
}

// ---- attributes: numbers as they are, enums as words

std::string attribute_text(uint32_t number) { return std::to_string(number); }
template <class Enum>
requires std::is_enum_v<Enum> std::string attribute_text(Enum value) {
  return std::string(Words<Enum>::words[static_cast<size_t>(value)]);
}
std::string attribute_text(const std::string& name) { return name_text(name); }
std::string attribute_text(MathFunction function) { return std::string(info(function).name); }

template <class AnyOp>
std::string attributes_text(const AnyOp& op, TypeId) {
  AnyOp copy = op;  // attributes() is one function for reading and writing
  return std::apply(
      [](auto&... each) {
        std::string text;
        ((text += " " + attribute_text(each)), ...);
        return text;
      },
      copy.attributes());
}

// A constant is printed as a person would write it, which depends on its type.
std::string attributes_text(const ConstInt& op, TypeId id) {
  if (!id.valid() || !is_scalar(id)) return " " + std::to_string(op.bits);
  Scalar scalar = type(id).scalar;
  if (scalar == Scalar::Bool) return op.bits ? " true" : " false";
  uint64_t bits = extend_bits(scalar, op.bits);
  return " " + (is_signed_integer(scalar) ? std::to_string(static_cast<int64_t>(bits))
                                          : std::to_string(bits));
}

std::string attributes_text(const ConstFloat& op, TypeId) { return " " + float_text(op.value); }

std::string attributes_text(const TableItem& op, TypeId id) {
  std::string text;
  for (uint64_t bits : op.table ? *op.table : std::vector<uint64_t>{}) {
    text += text.empty() ? "" : ",";
    if (is_scalar(id) && is_floating(type(id).scalar)) {
      text += " " + float_text(bits_to_float(type(id).scalar, bits));
    } else {
      ConstInt number;
      number.bits = bits;
      text += attributes_text(number, id);
    }
  }
  return " (" + text.substr(text.empty() ? 0 : 1) + ")";
}

std::string inst_text(const Function& function, const Inst& inst) {
  std::string text = "  ";
  TypeId type = inst.result.valid() ? function.type_of(inst.result) : TypeId{};
  if (inst.result.valid()) text += value_text(inst.result) + ": " + type_text(type) + " = ";
  text += info(inst.op).text;
  text += std::visit([&](const auto& op) { return attributes_text(op, type); }, inst.op);
  std::string rest = list_text(operands(inst.op));
  for (const Edge* edge : edges(inst.op)) rest += (rest.empty() ? "" : ", ") + edge_text(*edge);
  return rest.empty() ? text : text + " " + rest;
}

std::string span_text(const Span& span) {
  std::string text = span.source ? "@" + std::to_string(span.source) + " " : "";
  text += std::to_string(span.line) + ":" + std::to_string(span.column) + "-";
  if (span.end_line != span.line) text += std::to_string(span.end_line) + ":";
  return text + std::to_string(span.end_column);
}

std::string header_text(const Function& function) {
  std::string text = name_text(function.name) + "(";
  const Block& entry = function.blocks.front();
  for (size_t i = 0; i < function.parameter_names.size() && i < entry.params.size(); ++i) {
    if (i) text += ", ";
    text += name_text(function.parameter_names[i]) + ": ";
    text += type_text(function.type_of(entry.params[i]));
  }
  return text + ") -> " + type_text(function.result) + "\n";
}

std::string block_header(const Function& function, size_t index) {
  std::string text = "b" + std::to_string(index) + "(";
  for (ValueId id : function.blocks[index].params) {
    if (text.back() != '(') text += ", ";
    text += value_text(id) + ": " + type_text(function.type_of(id));
  }
  return text + "):\n";
}

}  // namespace

std::string type_text(TypeId id) { return id.valid() ? to_text(id) : "?"; }

std::string float_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char buffer[40];
  char* end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  std::string text(buffer, end);
  // A whole number gets a point, so that a float always looks like one.
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string name_text(std::string_view name) {
  bool plain = !name.empty();
  for (char c : name) plain = plain && is_name_char(c);
  if (plain) return std::string(name);
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text = "\"";
  for (char c : name) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || byte < 0x20)
      text += {'\\', kDigits[byte / 16], kDigits[byte % 16]};
    else
      text += c;
  }
  return text + "\"";
}

std::string to_text(const Function& function, bool with_spans) {
  if (function.blocks.empty()) return name_text(function.name) + "() -> none\n";
  std::string text = header_text(function);
  for (size_t index = 0; index < function.blocks.size(); ++index) {
    text += block_header(function, index);
    for (const Inst& inst : function.blocks[index].insts) {
      std::string line = inst_text(function, inst);
      if (with_spans && inst.where.valid()) {
        line.resize(std::max(line.size() + 2, kSpanColumn), ' ');
        line += span_text(function.spans[inst.where.index]);
      }
      text += line + "\n";
    }
  }
  return text;
}

std::string to_text(const Module& module, bool with_spans) {
  std::string text;
  for (const Function& function : module.functions) {
    if (!text.empty()) text += "\n";
    text += to_text(function, with_spans);
  }
  if (!module.sites.empty()) text += "\n" + sites_text(module.sites);
  return text;
}

}  // namespace hetjit::ir
