#include "compiler/host/facts/record_stores.h"

#include <algorithm>
#include <map>
#include <optional>

namespace hetjit::host {
namespace {

/// An index as a number and what constants add to it; without a number they are all of it.
struct Place {
  ValueId number;
  int64_t offset = 0;
};

/// Which of the ways to a place may begin anew, or count from the end, is not asked here.
class Places {
 public:
  Places(const ir::Function& kernel, const ir::Definitions& definitions)
      : kernel_(kernel), definitions_(definitions) {}

  Place of(ValueId index) const {
    Place place{index};
    while (place.number.valid()) {
      const ir::Op* made = definitions_.of(place.number);
      if (!made || !std::visit([&](const auto& op) { return step(place, op); }, *made)) break;
    }
    return place;
  }

 private:
  // False: this is the number.
  template <class Op>
  bool step(Place&, const Op&) const {
    return false;
  }
  bool step(Place& place, const ir::ConstInt& op) const {
    place.offset += number(op, kernel_.type_of(place.number));
    place.number = {};
    return true;
  }
  bool step(Place& place, const ir::WrapIndex& op) const { return go(place, op.in[0]); }
  bool step(Place& place, const ir::Convert& op) const { return go(place, op.in[0]); }
  bool step(Place& place, const ir::Add& op) const { return moved(place, op, 1); }
  bool step(Place& place, const ir::Sub& op) const { return moved(place, op, -1); }

  static bool go(Place& place, ValueId to) {
    place.number = to;
    return true;
  }
  template <class Op>
  bool moved(Place& place, const Op& op, int64_t sign) const {
    const auto* constant = definitions_.made_by<ir::ConstInt>(op.in[1]);
    if (!constant) return false;
    place.offset += sign * number(*constant, kernel_.type_of(op.in[1]));
    return go(place, op.in[0]);
  }
  static int64_t number(const ir::ConstInt& constant, TypeId of) {
    const unsigned unused = 64 - info(type(of).scalar).bits;
    return static_cast<int64_t>(constant.bits << unused) >> unused;
  }

  const ir::Function& kernel_;
  const ir::Definitions& definitions_;
};

/// Stores to one row of an array, by their places in it.
class OneRow {
 public:
  OneRow(const ir::Function& kernel, const ir::Definitions& definitions)
      : kernel_(kernel), definitions_(definitions) {}

  /// Is it one more of them?
  bool add(const ir::Store& store) {
    const auto* to = definitions_.made_by<ir::ElementAddress>(store.in[0]);
    if (!to || ir::unit_axis(kernel_, definitions_, to->in[0]) != to->in.size() - 2) return false;
    const Place place = Places(kernel_, definitions_).of(to->in.back());
    std::vector<ValueId> row(to->in.begin(), to->in.end());
    row.back() = place.number;
    if (!fields_.empty() && row != row_) return false;
    row_ = std::move(row);
    const bool is_new = fields_.emplace(place.offset, &store).second;
    if (is_new) made_.in_order.push_back(&store);
    return is_new;
  }

  /// Begins anew. The stores, if they are neighbours.
  std::optional<RecordStores> take() {
    RecordStores made = std::move(made_);
    made_ = {};
    made.is_sure = !row_.empty() && !row_.back().valid();
    for (const auto& [place, store] : fields_) made.fields.push_back(store);
    const bool close = fields_.size() > 1 && fields_.rbegin()->first - fields_.begin()->first ==
                                                 static_cast<int64_t>(fields_.size()) - 1;
    fields_.clear();
    return close ? std::optional(std::move(made)) : std::nullopt;
  }

 private:
  const ir::Function& kernel_;
  const ir::Definitions& definitions_;
  std::vector<ValueId> row_;  // the array, all indices but the last, and that one's number
  std::map<int64_t, const ir::Store*> fields_;  // by what is added to it
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
