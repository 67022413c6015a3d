#include "frontend/ssa/function.h"

#include <type_traits>

namespace hetjit::ssa {

Op::Op() = default;
Op::Op(const Op&) = default;
Op::Op(Op&&) noexcept = default;
Op& Op::operator=(const Op&) = default;
Op& Op::operator=(Op&&) noexcept = default;
Op::~Op() = default;


std::span<const ValueId> operands(const Op& op) {
  return std::visit([](const auto& typed) { return std::span<const ValueId>(typed.in); }, op);
}

std::span<ValueId> operands(Op& op) {
  return std::visit([](auto& typed) { return std::span<ValueId>(typed.in); }, op);
}

bool is_terminator(const Op& op) {
  return std::holds_alternative<Jump>(op) || std::holds_alternative<Branch>(op) ||
         std::holds_alternative<Return>(op) || std::holds_alternative<Raise>(op);
}

namespace {

template <class EdgePointer, class AnyOp>
std::vector<EdgePointer> edges_of(AnyOp& op) {
  if (auto* jump = std::get_if<Jump>(&op)) return {&jump->to};
  if (auto* branch = std::get_if<Branch>(&op)) return {&branch->yes, &branch->no};
  return {};
}

}  // namespace

std::vector<const Edge*> edges(const Op& op) { return edges_of<const Edge*>(op); }
std::vector<Edge*> edges(Op& op) { return edges_of<Edge*>(op); }

Span span_of(const Function& function, SpanId where) {
  if (where.index < function.spans.size()) return function.spans[where.index];
  return Span{.source = function.source};
}

std::vector<std::vector<uint32_t>> successors(const Function& function) {
  std::vector<std::vector<uint32_t>> result(function.blocks.size());
  for (size_t block = 0; block < function.blocks.size(); ++block) {
    const auto& insts = function.blocks[block].insts;
    if (insts.empty()) continue;
    for (const Edge* edge : edges(insts.back().op)) result[block].push_back(edge->to.index);
  }
  return result;
}

}  // namespace hetjit::ssa
