#include "frontend/build/lost_names.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace hetjit::reader {
namespace {

using bytecode::NormalInst;
using enum bytecode::NormalOp;

/// Which parameters' values are still read, at some place of the code.
using Awaited = std::vector<bool>;

/// What an instruction is to the local that it names.
enum class Touch : uint8_t { None, Reads, Writes, Shares };

Touch touch_of(bytecode::NormalOp op) {
  switch (op) {
    case LoadLocal:
      return Touch::Reads;
    case StoreLocal:
    case DeleteLocal:
      return Touch::Writes;
    case LoadLocalAndClear:
    case MakeCell:
    case LoadCell:
    case StoreCell:
    case LoadClosure:
      return Touch::Shares;
    default:
      return Touch::None;
  }
}

class Search {
 public:
  Search(const Snapshot& snapshot, const bytecode::Decoded& decoded, std::span<const Span> spans,
         const std::vector<CodeBlock>& blocks)
      : decoded_(decoded),
        spans_(spans),
        blocks_(blocks),
        plain_(parameters_of(snapshot), true),
        before_(blocks.size(), Awaited(plain_.size(), false)) {
    for (const NormalInst& inst : decoded.insts)
      if (touch_of(inst.op) == Touch::Shares && names_parameter(inst))
        plain_[local_of(inst)] = false;
  }

  std::vector<ssa::LostName> run() {
    if (!binds_any()) return {};
    while (settle_all()) {
    }
    std::map<uint32_t, Store> stores;  // by place in the code
    for (uint32_t block = 0; block < blocks_.size(); ++block)
      walk(blocks_[block], [&](uint32_t place, bool awaited) {
        if (decoded_.insts[place].op != StoreLocal) return;
        stores[place].blocks.push_back(block);
        stores[place].awaited |= awaited;
      });
    std::vector<ssa::LostName> lost;
    for (auto& [place, store] : stores)
      if (!store.awaited)
        lost.push_back({local_of(decoded_.insts[place]), spans_[place], std::move(store.blocks)});
    std::sort(lost.begin(), lost.end(), [](const ssa::LostName& a, const ssa::LostName& b) {
      return std::tuple(a.where.line, a.where.column, a.local) <
             std::tuple(b.where.line, b.where.column, b.local);
    });
    return lost;
  }

 private:
  struct Store {
    std::vector<uint32_t> blocks;
    bool awaited = false;  // its value, behind one of its copies
  };

  // As many as there are locals at most: a damaged snapshot may say anything.
  static size_t parameters_of(const Snapshot& snapshot) {
    const uint64_t count = uint64_t{snapshot.parameter_count} + snapshot.keyword_only_count;
    return std::min<uint64_t>(count, snapshot.locals.size());
  }

  static uint32_t local_of(const NormalInst& inst) { return static_cast<uint32_t>(inst.arg); }
  bool names_parameter(const NormalInst& inst) const { return local_of(inst) < plain_.size(); }

  bool binds_any() const {
    return std::any_of(decoded_.insts.begin(), decoded_.insts.end(), [this](const NormalInst& i) {
      return i.op == StoreLocal && names_parameter(i) && plain_[local_of(i)];
    });
  }

  bool settle_all() {
    bool changed = false;
    for (size_t block = blocks_.size(); block-- > 0;) {
      Awaited now = walk(blocks_[block], [](uint32_t, bool) {});
      changed |= now != before_[block];
      before_[block] = std::move(now);
    }
    return changed;
  }

  /// What is awaited where a block begins; `visit` hears of each write, the last first, and whether
  /// its value is awaited behind it.
  template <class Visit>
  Awaited walk(const CodeBlock& block, Visit visit) const {
    Awaited awaited(plain_.size(), false);
    for (uint32_t next : block.next)
      for (size_t local = 0; local < awaited.size(); ++local)
        if (before_[next][local]) awaited[local] = true;
    for (uint32_t place = block.last; place-- > block.first;) {
      const NormalInst& inst = decoded_.insts[place];
      const Touch touch = touch_of(inst.op);
      if (touch == Touch::None || !names_parameter(inst) || !plain_[local_of(inst)]) continue;
      if (touch == Touch::Writes) visit(place, awaited[local_of(inst)]);
      awaited[local_of(inst)] = touch == Touch::Reads;
    }
    return awaited;
  }

  const bytecode::Decoded& decoded_;
  std::span<const Span> spans_;
  const std::vector<CodeBlock>& blocks_;
  std::vector<bool> plain_;      // by parameter: nothing but loads and stores names it
  std::vector<Awaited> before_;  // by block: where it begins
};

}  // namespace

std::vector<ssa::LostName> find_lost_names(const Snapshot& snapshot,
                                           const bytecode::Decoded& decoded,
                                           std::span<const Span> spans,
                                           const std::vector<CodeBlock>& blocks) {
  return Search(snapshot, decoded, spans, blocks).run();
}

}  // namespace hetjit::reader
