#include "compiler/host/facts/record_stores.h"

#include <algorithm>
#include <map>
#include <optional>

namespace hetjit::host {
namespace {

/// Stores to one row of an array, by their places in it.
class OneRow {
 public:
  OneRow(const ir::Function& kernel, const ir::Definitions& definitions)
      : kernel_(kernel), definitions_(definitions) {}

  /// Is it one more of them?
  bool add(const ir::Store& store) {
    const auto* to = definitions_.made_by<ir::ElementAddress>(store.in[0]);
    const ir::ConstInt* place = to ? definitions_.made_by<ir::ConstInt>(to->in.back()) : nullptr;
    if (!place || ir::unit_axis(kernel_, definitions_, to->in[0]) != to->in.size() - 2)
      return false;
    const std::vector<ValueId> row(to->in.begin(), to->in.end() - 1);
    if (!fields_.empty() && row != row_) return false;
    row_ = row;
    const bool is_new = fields_.emplace(static_cast<int64_t>(place->bits), &store).second;
    if (is_new) made_.last = &store;
    return is_new;
  }

  /// Begins anew. The stores, if they are neighbours.
  std::optional<RecordStores> take() {
    RecordStores made = std::move(made_);
    made_ = {};
    for (const auto& [place, store] : fields_) made.fields.push_back(store);
    const bool close = fields_.size() > 1 && fields_.rbegin()->first - fields_.begin()->first ==
                                                 static_cast<int64_t>(fields_.size()) - 1;
    fields_.clear();
    return close ? std::optional(std::move(made)) : std::nullopt;
  }

 private:
  const ir::Function& kernel_;
  const ir::Definitions& definitions_;
  std::vector<ValueId> row_;                    // the array and all indices but the last
  std::map<int64_t, const ir::Store*> fields_;  // by their last index
  RecordStores made_;
};

}  // namespace

std::vector<RecordStores> record_stores(const ir::Function& kernel,
                                        const ir::Definitions& definitions,
                                        const ir::Block& block) {
  std::vector<RecordStores> all;
  OneRow row(kernel, definitions);
  auto end = [&] {
    if (std::optional<RecordStores> made = row.take()) all.push_back(std::move(*made));
  };
  for (const ir::Inst& inst : block.insts) {
    if (ir::info(inst.op).effects == ir::Pure) continue;
    const auto* store = std::get_if<ir::Store>(&inst.op);
    if (store && row.add(*store)) continue;
    end();
    if (store) row.add(*store);
  }
  end();
  return all;
}

}  // namespace hetjit::host
