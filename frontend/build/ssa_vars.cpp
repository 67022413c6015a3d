#include "frontend/build/ssa_vars.h"

#include "abi/status.h"

namespace hetjit::reader {

SsaVars::SsaVars(std::vector<std::vector<uint32_t>> predecessors, std::function<ValueId()> fresh,
                 std::function<ValueId(Variable)> missing)
    : blocks_(predecessors.size()), fresh_(std::move(fresh)), missing_(std::move(missing)) {
  for (size_t block = 0; block < blocks_.size(); ++block)
    blocks_[block].predecessors = std::move(predecessors[block]);
  HETJIT_CHECK(blocks_.empty() || blocks_[0].predecessors.empty());
}

void SsaVars::write(Variable variable, uint32_t block, ValueId value) {
  blocks_[block].values[variable] = value;
}

ValueId SsaVars::read(Variable variable, uint32_t block) {
  ValueId value = find(variable, block);
  fill_pending();
  return value;
}

/// Walks up while there is one way to come from. Where there are more, a parameter is the answer at
/// once, which ends loops; what its predecessors pass is found later.
ValueId SsaVars::find(Variable variable, uint32_t block) {
  std::vector<uint32_t> passed;
  ValueId value;
  for (uint32_t at = block; !value.valid();) {
    State& state = blocks_[at];
    if (auto found = state.values.find(variable); found != state.values.end()) {
      value = found->second;
    } else if (at == 0) {
      value = missing_(variable);
      write(variable, 0, value);
    } else if (!state.sealed) {
      value = declare(variable, at);  // seal() finds the arguments
    } else if (state.predecessors.size() == 1) {
      passed.push_back(at);
      at = state.predecessors[0];
    } else {
      value = declare(variable, at);
      pending_.push_back({at, static_cast<uint32_t>(state.params.size() - 1)});
    }
  }
  for (uint32_t at : passed) write(variable, at, value);
  return value;
}

ValueId SsaVars::declare(Variable variable, uint32_t block) {
  ValueId value = fresh_();
  blocks_[block].params.push_back({variable, value, {}});
  write(variable, block, value);
  return value;
}

void SsaVars::fill_pending() {
  while (!pending_.empty()) {
    Pending next = pending_.back();
    pending_.pop_back();
    Variable variable = blocks_[next.block].params[next.param].variable;
    std::vector<ValueId> args;
    for (uint32_t from : blocks_[next.block].predecessors) args.push_back(find(variable, from));
    blocks_[next.block].params[next.param].args = std::move(args);
  }
}

void SsaVars::seal(uint32_t block) {
  State& state = blocks_[block];
  HETJIT_CHECK(!state.sealed);
  state.sealed = true;
  for (uint32_t param = 0; param < state.params.size(); ++param) pending_.push_back({block, param});
  fill_pending();
}

}  // namespace hetjit::reader
