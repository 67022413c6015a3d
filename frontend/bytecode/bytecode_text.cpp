// The disassembly:
//
//   bytecode floor_div 3.14 kernels.py:12
//        0  load         a                         13:11-13:12
//        1  load         b                         13:16-13:17
//        2  binary       //                        13:11-13:17
//        3  return                                 13:4-13:17
//
// `>` in front marks what a jump leads to; `-> 7` is a jump.
#include "frontend/bytecode/decode.h"
#include "frontend/bytecode/locations.h"
#include "frontend/snapshot/snapshot_text.h"

namespace hetjit::bytecode {
namespace {

constexpr std::string_view kBinary[] = {"+", "&",  "//", "<<", "@", "*", "%",
                                        "|", "**", ">>", "-",  "/", "^"};
constexpr std::string_view kCompare[] = {"<", "<=", "==", "!=", ">", ">="};

class Printer {
 public:
  Printer(const Snapshot& snapshot, const Decoded& decoded)
      : snapshot_(snapshot), decoded_(decoded), is_target_(decoded.insts.size(), false) {
    for (const NormalInst& inst : decoded.insts)
      if (jumps(inst.op)) is_target_[static_cast<size_t>(inst.arg)] = true;
  }

  std::string run() const {
    std::string text;
    const std::vector<Span> spans = locations(snapshot_, decoded_, 0);
    for (size_t i = 0; i < decoded_.insts.size(); ++i) {
      const NormalInst& inst = decoded_.insts[i];
      std::string line = (is_target_[i] ? ">" : " ");
      line += right(std::to_string(i), 5) + "  ";
      line += left(std::string(info(inst.op).text), 12) + " " + left(argument(inst), 25);
      line += spans[i].known() ? " " + place(spans[i]) : "";
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
  }

 private:
  static std::string left(std::string text, size_t width) {
    if (text.size() < width) text.resize(width, ' ');
    return text;
  }
  static std::string right(const std::string& text, size_t width) {
    return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
  }
  static std::string place(const Span& span) {
    return std::to_string(span.line) + ":" + std::to_string(span.column) + "-" +
           std::to_string(span.end_line) + ":" + std::to_string(span.end_column);
  }

  std::string argument(const NormalInst& inst) const {
    const auto arg = static_cast<size_t>(inst.arg);
    switch (info(inst.op).arg) {
      case Arg::Nothing:
        return {};
      case Arg::Number:
        return std::to_string(inst.arg);
      case Arg::Constant:
        return hetjit::to_text(snapshot_.constants[arg]);
      case Arg::Local:
        return local(arg);
      case Arg::Name:
        return snapshot_.attribute_names[arg];
      case Arg::Binary:
        return std::string(kBinary[arg]);
      case Arg::Compare:
        return std::string(kCompare[arg]);
      case Arg::Common:
        return std::string(common_name(inst.arg));
      case Arg::Target:
        return "-> " + std::to_string(inst.arg);
      case Arg::Unsupported:
        return decoded_.unsupported[arg];
    }
    return {};
  }

  const std::string& local(size_t index) const {
    const size_t locals = snapshot_.locals.size();
    return index < locals ? snapshot_.locals[index] : snapshot_.free_variables[index - locals];
  }

  const Snapshot& snapshot_;
  const Decoded& decoded_;
  std::vector<bool> is_target_;
};

}  // namespace

std::string to_text(const Snapshot& snapshot) {
  std::string text = "bytecode " + snapshot.name + " " +
                     std::string(hetjit::to_text(snapshot.version)) + " " + snapshot.source.path +
                     ":" + std::to_string(snapshot.source.first_line) + "\n";
  Result<Decoded> decoded = decode(snapshot);
  if (!decoded) return text + "  " + decoded.error().text + "\n";
  return text + Printer(snapshot, *decoded).run();
}

}  // namespace hetjit::bytecode
