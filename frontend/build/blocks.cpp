#include "frontend/build/blocks.h"

#include <algorithm>

#include "frontend/ssa/dominators.h"

namespace hetjit::reader {
namespace {

using bytecode::Decoded;
using bytecode::NormalInst;
using bytecode::NormalOp;

bool is_loop(NormalOp op) { return op == NormalOp::ForIter || op == NormalOp::ForIterPair; }

/// Is `next` listed with the fall-through first?
bool falls_through_when_true(NormalOp op) {
  return op == NormalOp::BranchIfFalse || op == NormalOp::BranchIfNotNone || is_loop(op);
}

class Finder {
 public:
  explicit Finder(const Decoded& decoded) : insts_(decoded.insts) {}

  std::vector<CodeBlock> run() {
    cut();
    for (CodeBlock& block : blocks_) connect(block);
    give_items();
    free_the_entry();
    return in_order(std::move(blocks_));
  }

 private:
  /// A block begins at 0, at each target, and behind each instruction that may go elsewhere.
  void cut() {
    std::vector<bool> begins(insts_.size() + 1, false);
    begins[0] = true;
    for (size_t i = 0; i < insts_.size(); ++i) {
      if (bytecode::jumps(insts_[i].op)) begins[static_cast<size_t>(insts_[i].arg)] = true;
      if (bytecode::jumps(insts_[i].op) || !bytecode::falls_through(insts_[i].op))
        begins[i + 1] = true;
    }
    block_at_.resize(insts_.size(), kNone);
    for (uint32_t i = 0; i < insts_.size(); ++i) {
      if (begins[i]) blocks_.push_back({.first = i});
      block_at_[i] = static_cast<uint32_t>(blocks_.size() - 1);
      blocks_.back().last = i + 1;
    }
  }

  void connect(CodeBlock& block) {
    const NormalInst& end = insts_[block.last - 1];
    if (bytecode::jumps(end.op)) block.next.push_back(block_at_[static_cast<size_t>(end.arg)]);
    if (bytecode::falls_through(end.op)) {
      // decode() has checked that control does not run past the end.
      block.next.push_back(block_at_[block.last]);
      if (falls_through_when_true(end.op)) std::swap(block.next[0], block.next[1]);
    }
  }

  /// The next item is pushed on one edge only. When the block behind that edge has other
  /// predecessors, a block of its own is put on the edge.
  void give_items() {
    std::vector<uint32_t> entries(blocks_.size(), 0);
    ++entries[0];
    for (const CodeBlock& block : blocks_)
      for (uint32_t next : block.next) ++entries[next];
    for (size_t index = 0, count = blocks_.size(); index < count; ++index) {
      uint32_t end = blocks_[index].last - 1;
      if (!is_loop(insts_[end].op)) continue;
      uint32_t body = blocks_[index].next[0];
      if (entries[body] > 1) {
        blocks_[index].next[0] = static_cast<uint32_t>(blocks_.size());
        blocks_.push_back({.first = end, .last = end, .next = {body}});
        body = blocks_[index].next[0];
      }
      blocks_[body].item_of = end;
    }
  }

  void free_the_entry() {
    auto enters = [](const CodeBlock& block) {
      return std::find(block.next.begin(), block.next.end(), 0u) != block.next.end();
    };
    if (std::none_of(blocks_.begin(), blocks_.end(), enters)) return;
    for (CodeBlock& block : blocks_)
      for (uint32_t& next : block.next) ++next;
    blocks_.insert(blocks_.begin(), CodeBlock{.next = {1}});
  }

  const std::vector<NormalInst>& insts_;
  std::vector<CodeBlock> blocks_;
  std::vector<uint32_t> block_at_;
};

/// `try` and `with` are seen by their handlers, which begin with an instruction that has no normal
/// form (PUSH_EXC_INFO). The handlers of inlined comprehensions only put a variable back: what they
/// guard is ordinary code.
bool guards_user_code(const HandlerRange& range, const Decoded& decoded) {
  size_t handler = decoded.index_at(range.target);
  return handler < decoded.insts.size() && decoded.insts[handler].op == NormalOp::Unsupported;
}

bool is_try_or_with(const std::string& what) {
  return what.starts_with("'try'") || what.starts_with("'with'");
}

/// Where the statement stands that a handler belongs to: `try` leaves a NOP of its own before the
/// range.
Span statement_of(const Snapshot& snapshot, const HandlerRange& range, Span first_inside) {
  if (range.start == 0 || range.start > snapshot.positions.size()) return first_inside;
  const Position& before = snapshot.positions[range.start - 1];
  if (before.line == 0) return first_inside;
  return {first_inside.source, before.line, before.column, before.end_line, before.end_column};
}

class Refusals {
 public:
  Refusals(const Snapshot& snapshot, const Decoded& decoded, std::span<const Span> spans,
           Diagnostics& diags)
      : snapshot_(snapshot), decoded_(decoded), spans_(spans), diags_(diags) {}

  bool any(const std::vector<CodeBlock>& blocks) {
    size_t before = diags_.all().size();
    std::vector<bool> reached(decoded_.insts.size(), false);
    for (const CodeBlock& block : blocks)
      std::fill(reached.begin() + block.first, reached.begin() + block.last, true);
    for (const HandlerRange& range : snapshot_.handlers) check_range(range, reached);
    for (size_t i = 0; i < reached.size(); ++i)
      if (reached[i] && decoded_.insts[i].op == NormalOp::Unsupported) check_inst(i);
    return diags_.all().size() != before;
  }

 private:
  void check_range(const HandlerRange& range, const std::vector<bool>& reached) {
    if (!guards_user_code(range, decoded_)) return;
    size_t end = std::min(decoded_.index_at(range.end), reached.size());
    for (size_t i = decoded_.index_at(range.start); i < end; ++i)
      if (reached[i]) return report_try(statement_of(snapshot_, range, spans_[i]));
  }
  void check_inst(size_t index) {
    const std::string& what = decoded_.unsupported[static_cast<size_t>(decoded_.insts[index].arg)];
    if (is_try_or_with(what)) return report_try(spans_[index]);
    diags_.error(Code::UnsupportedInstruction, spans_[index], {what}).report();
  }
  /// One statement has several ranges, and there are statements inside it: the first is reported.
  void report_try(Span span) {
    for (const Span& known : tries_)
      if (known.line <= span.line && span.line <= known.end_line) return;
    tries_.push_back(span);
    Diagnostics::Builder error = diags_.error(Code::UnsupportedTry, span);
    if (const std::string* line = line_text({&snapshot_.source, 1}, 0, span.line);
        line &&
        std::string_view(*line).substr(std::min<size_t>(span.column, line->size())).find("with ") <
            7)
      error.help("leave 'with' out: files, locks and streams are the host's");
    error.report();
  }

  const Snapshot& snapshot_;
  const Decoded& decoded_;
  std::span<const Span> spans_;
  Diagnostics& diags_;
  std::vector<Span> tries_;
};

}  // namespace

std::vector<CodeBlock> in_order(std::vector<CodeBlock> blocks) {
  std::vector<std::vector<uint32_t>> next(blocks.size());
  for (size_t i = 0; i < blocks.size(); ++i) next[i] = blocks[i].next;
  std::vector<uint32_t> order = reverse_post_order(next), place(blocks.size(), kNone);
  for (uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  std::vector<CodeBlock> result;
  for (uint32_t old : order) {
    result.push_back(std::move(blocks[old]));
    for (uint32_t& to : result.back().next) to = place[to];
  }
  return result;
}

std::optional<std::vector<CodeBlock>> find_blocks(const Snapshot& snapshot, const Decoded& decoded,
                                                  std::span<const Span> spans, Diagnostics& diags) {
  std::vector<CodeBlock> blocks = Finder(decoded).run();
  if (Refusals(snapshot, decoded, spans, diags).any(blocks)) return std::nullopt;
  return blocks;
}

}  // namespace hetjit::reader
