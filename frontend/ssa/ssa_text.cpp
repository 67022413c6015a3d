#include "frontend/ssa/ssa_text.h"

#include <algorithm>

#include "frontend/snapshot/snapshot_text.h"

namespace hetjit::ssa {
namespace {

std::string number(uint32_t value) { return std::to_string(value); }
std::string text_of(ValueId value) { return value.valid() ? "v" + number(value.index) : "v?"; }

class Printer {
 public:
  Printer(const Function& function, bool with_spans)
      : function_(function), with_spans_(with_spans) {}

  std::string print() {
    out_ = "function " + function_.name + " source " + number(function_.source) + "\n";
    words("parameters", function_.parameter_names);
    words("locals", function_.local_names);
    for (const Name& name : function_.names)
      out_ += "  name " + name.path + " = " + hetjit::to_text(name.meaning) + "\n";
    for (uint32_t block = 0; block < function_.blocks.size(); ++block) print_block(block);
    return std::move(out_);
  }

 private:
  void words(std::string_view title, const std::vector<std::string>& words) {
    if (words.empty()) return;
    out_ += "  ";
    out_ += title;
    for (const std::string& word : words) out_ += " " + word;
    out_ += "\n";
  }

  void print_block(uint32_t index) {
    const Block& block = function_.blocks[index];
    out_ += "b" + number(index) + "(";
    for (size_t i = 0; i < block.params.size(); ++i) {
      if (i) out_ += ", ";
      out_ += text_of(block.params[i]);
      uint32_t local = i < block.param_locals.size() ? block.param_locals[i] : UINT32_MAX;
      if (local != UINT32_MAX) out_ += ":" + local_name(local);
    }
    out_ += "):\n";
    for (const Inst& inst : block.insts) print_inst(inst);
  }

  void print_inst(const Inst& inst) {
    out_ += "  ";
    if (inst.result.valid()) out_ += text_of(inst.result) + " = ";
    std::visit(
        [this](const auto& op) {
          out_ += op.text;
          body(op);
        },
        inst.op);
    Span span = span_of(function_, inst.where);
    if (with_spans_ && span.known())
      out_ += "  @ " + number(span.line) + ":" + number(span.column) + "-" + number(span.end_line) +
              ":" + number(span.end_column);
    out_ += "\n";
  }

  // What follows an op's name; first the common case, then whoever has more than operands.
  template <class AnyOp>
  void body(const AnyOp& op) {
    list(op.in);
  }
  void body(const Const& op) { out_ += " " + hetjit::to_text(op.value); }
  void body(const LoadName& op) {
    out_ += " " + (op.name < function_.names.size() ? function_.names[op.name].path
                                                    : "#" + number(op.name));
  }
  void body(const Undefined& op) { out_ += " " + local_name(op.local); }
  void body(const MakeFunction& op) {
    out_ += " " + number(op.function);
    if (!op.self.empty()) out_ += " self " + op.self;
    size_t positional = op.in.size() - std::min(op.in.size(), op.captures.size());
    for (size_t i = 0; i < op.in.size(); ++i)
      argument(i, i < positional ? "" : op.captures[i - positional] + "=", op.in[i]);
  }
  void body(const StoreCell& op) {
    out_ += " " + local_name(op.local);
    list(op.in);
  }
  void body(const Unary& op) { with_word(symbol(op.kind), op.in); }
  void body(const Binary& op) {
    with_word(std::string(symbol(op.kind)) + (op.in_place ? "=" : ""), op.in);
  }
  void body(const Compare& op) { with_word(symbol(op.kind), op.in); }
  void body(const Is& op) { with_word(op.negated ? "not" : "", op.in); }
  void body(const Contains& op) { with_word(op.negated ? "not" : "", op.in); }
  void body(const GetAttribute& op) { with_word(op.attribute, op.in); }
  void body(const SetAttribute& op) {
    with_word(op.attribute, op.in);
    written_local(op.local);
  }
  void body(const SetItem& op) {
    list(op.in);
    written_local(op.local);
  }
  void body(const UnpackItem& op) {
    with_word(number(op.index) + " of " + number(op.count), op.in);
  }
  void body(const UnpackStar& op) {
    with_word(number(op.before) + " to " + number(op.after), op.in);
  }
  void body(const Call& op) {
    if (!op.in.empty()) out_ += " " + text_of(op.in[0]);
    out_ += "(";
    size_t positional = op.in.size() - std::min(op.in.size(), op.keywords.size());
    for (size_t i = 1; i < op.in.size(); ++i) {
      bool spread = std::find(op.spread.begin(), op.spread.end(), i) != op.spread.end();
      if (i > 1) out_ += ", ";
      if (i >= positional) out_ += op.keywords[i - positional] + "=";
      if (spread) out_ += "*";
      out_ += text_of(op.in[i]);
    }
    out_ += ")";
  }
  void body(const Jump& op) { edge(op.to); }
  void body(const Branch& op) {
    list(op.in);
    edge(op.yes);
    edge(op.no);
  }

  void argument(size_t index, const std::string& prefix, ValueId value) {
    out_ += (index ? ", " : " ") + prefix + text_of(value);
  }
  template <class Values>
  void list(const Values& values) {
    for (size_t i = 0; i < values.size(); ++i) argument(i, "", values[i]);
  }
  template <class Values>
  void with_word(std::string_view word, const Values& values) {
    if (!word.empty()) out_ += " ";
    out_ += word;
    list(values);
  }
  void written_local(uint32_t local) {
    if (local != UINT32_MAX) out_ += " local " + local_name(local);
  }
  void edge(const Edge& edge) {
    out_ += " b" + number(edge.to.index) + "(";
    for (size_t i = 0; i < edge.args.size(); ++i) out_ += (i ? ", " : "") + text_of(edge.args[i]);
    out_ += ")";
  }
  std::string local_name(uint32_t local) const {
    return local < function_.local_names.size() ? function_.local_names[local]
                                                : "#" + number(local);
  }

  const Function& function_;
  bool with_spans_;
  std::string out_;
};

}  // namespace

std::string to_text(const Function& function, bool with_spans) {
  return Printer(function, with_spans).print();
}

}  // namespace hetjit::ssa
