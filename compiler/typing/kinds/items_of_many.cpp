#include "compiler/typing/kinds/items_of_many.h"

#include <algorithm>
#include <map>
#include <optional>

#include "compiler/ir/numbers.h"
#include "compiler/ir/uses.h"

namespace hetjit::typing {
namespace {

using Rows = std::vector<std::vector<Leaf>>;  // by item: its leaves

/// min(place, count - 1) as uint32.
Leaf clamped(Evaluation& at, const Place& place, size_t count) {
  const Scalar scalar = info(place.scalar).bits == 64 ? Scalar::UInt64 : Scalar::UInt32;
  Leaf wanted = at.code().convert(place.leaf, scalar);
  Leaf last = at.code().constant(static_cast<int64_t>(count - 1), scalar);
  Leaf below = at.code().compare(ssa::CompareKind::Lt, wanted, last);
  return at.code().convert(at.code().select(below, wanted, last), Scalar::UInt32);
}

/// Items out of tables, leaf by leaf.
class Tables {
 public:
  /// The leaves were made in `made_in`, which may grow from now on: hence the copy.
  Tables(Evaluation& at, const Place& place, const ir::Function& made_in)
      : at_(at), place_(place), made_in_(made_in), definitions_(made_in_) {}

  /// Of the same leaf of all items; nullopt: they are neither constants nor items of tables.
  std::optional<Leaf> item(const std::vector<Leaf>& leaves) {
    if (definitions_.made_by<ir::MakeComplex>(leaves[0])) return complex_item(leaves);
    if (auto constants = all_constants(leaves))
      return from(std::move(*constants), place_.leaf, leaves[0]);
    const ir::TableItem* first = definitions_.made_by<ir::TableItem>(leaves[0]);
    if (!first || !one_place(leaves, *first)) return std::nullopt;
    const Place row{first->in[0], type(at_.code().builder().type_of(first->in[0])).scalar};
    const size_t rows = first->table->size();
    return from(interleaved(leaves, rows), flat_place(row, rows, leaves.size()), leaves[0]);
  }

 private:
  static constexpr size_t kMostJoined = 65536;  // numbers: as many as a constant tuple has

  std::optional<Leaf> complex_item(const std::vector<Leaf>& leaves) {
    std::vector<Leaf> reals, imaginaries;
    for (Leaf leaf : leaves) {
      const ir::MakeComplex* made = definitions_.made_by<ir::MakeComplex>(leaf);
      if (!made) return std::nullopt;
      reals.push_back(made->in[0]);
      imaginaries.push_back(made->in[1]);
    }
    const Scalar complex = type(made_in_.type_of(leaves[0])).scalar;
    std::optional<Leaf> real = item(reals), imaginary = item(imaginaries);
    if (!real || !imaginary) return std::nullopt;
    return at_.code().make_complex(*real, *imaginary, complex);
  }

  std::optional<std::vector<uint64_t>> all_constants(const std::vector<Leaf>& leaves) const {
    std::vector<uint64_t> bits;
    for (Leaf leaf : leaves) {
      if (const auto* integer = definitions_.made_by<ir::ConstInt>(leaf))
        bits.push_back(integer->bits);
      else if (const auto* number = definitions_.made_by<ir::ConstFloat>(leaf))
        bits.push_back(ir::float_to_bits(type(made_in_.type_of(leaf)).scalar, number->value));
      else
        return std::nullopt;
    }
    return bits;
  }

  /// Whether all are items at one place in tables of one size, few enough for one table.
  bool one_place(const std::vector<Leaf>& leaves, const ir::TableItem& first) const {
    if (first.table->size() * leaves.size() > kMostJoined) return false;
    return std::all_of(leaves.begin(), leaves.end(), [&](Leaf leaf) {
      const ir::TableItem* item = definitions_.made_by<ir::TableItem>(leaf);
      return item && item->in == first.in && item->table->size() == first.table->size();
    });
  }
  std::vector<uint64_t> interleaved(const std::vector<Leaf>& leaves, size_t rows) const {
    std::vector<uint64_t> bits(rows * leaves.size());
    for (size_t column = 0; column < leaves.size(); ++column) {
      const ir::Table& table = definitions_.made_by<ir::TableItem>(leaves[column])->table;
      for (size_t row = 0; row < rows; ++row) bits[row * leaves.size() + column] = (*table)[row];
    }
    return bits;
  }
  // One for all leaves, so that items of these are at one place as well.
  Leaf flat_place(const Place& row, size_t rows, size_t columns) {
    Leaf& flat = flat_places_[{row.leaf.index, rows}];
    if (flat.valid()) return flat;
    Leaf width = at_.code().constant(static_cast<int64_t>(columns), Scalar::UInt32);
    Leaf before = at_.code().binary<ir::Mul>(clamped(at_, row, rows), width);
    return flat = at_.code().binary<ir::Add>(before, clamped(at_, place_, columns));
  }

  Leaf from(std::vector<uint64_t> bits, Leaf place, Leaf of_type) {
    ir::TableItem item;
    item.in = {place};
    item.table = std::make_shared<const std::vector<uint64_t>>(std::move(bits));
    return at_.code().builder().emit(std::move(item), made_in_.type_of(of_type));
  }

  Evaluation& at_;
  const Place& place_;
  const ir::Function made_in_;
  const ir::Definitions definitions_;
  std::map<std::pair<uint32_t, size_t>, Leaf> flat_places_;
};

std::vector<Leaf> column(const Rows& rows, size_t leaf) {
  std::vector<Leaf> leaves;
  for (const std::vector<Leaf>& row : rows) leaves.push_back(row[leaf]);
  return leaves;
}

std::optional<std::vector<Leaf>> from_tables(Evaluation& at, const Place& place, const Rows& rows,
                                             const ir::Function& made_in) {
  Tables tables(at, place, made_in);
  std::vector<Leaf> found;
  for (size_t leaf = 0; leaf < rows[0].size(); ++leaf) {
    std::optional<Leaf> item = tables.item(column(rows, leaf));
    if (!item) return std::nullopt;
    found.push_back(*item);
  }
  return found;
}

Rows coerced(Evaluation& at, const std::vector<Value>& items, const TypeValue& as) {
  Rows rows;
  for (const Value& item : items) rows.push_back(at.coerce(item, as));
  return rows;
}

/// Literals become constants in a function of their own, where only their numbers are read.
std::optional<std::vector<Leaf>> item_of_literals(Evaluation& at, const Place& place,
                                                  const std::vector<Value>& items,
                                                  const TypeValue& as) {
  ir::Function function;
  ir::Builder builder(function);
  builder.set_block(builder.new_block());
  Evaluation literals(at.whole(), at.instance(), at.diags(), &builder);
  literals.enter(at.inst());
  Rows rows = coerced(literals, items, as);
  return from_tables(at, place, rows, function);
}

/// Halves, halved again. A chain would have all its comparisons and all its items alive at once,
/// and the time to compile that grows faster than they do; so does that of LLVM with many unsigned
/// comparisons of one value.
class Halves {
 public:
  Halves(Evaluation& at, const Place& place, const Rows& rows)
      : at_(at),
        rows_(rows),
        wanted_(at.code().convert(clamped(at, place, rows.size()), Scalar::Int32)) {}
  std::vector<Leaf> pick(size_t first, size_t last) {
    if (last - first == 1) return rows_[first];
    const size_t middle = first + (last - first) / 2;
    std::vector<Leaf> low = pick(first, middle), high = pick(middle, last);
    Leaf limit = at_.code().constant(static_cast<int64_t>(middle), Scalar::Int32);
    Leaf below = at_.code().compare(ssa::CompareKind::Lt, wanted_, limit);
    for (size_t i = 0; i < low.size(); ++i) high[i] = at_.code().select(below, low[i], high[i]);
    return high;
  }

 private:
  Evaluation& at_;
  const Rows& rows_;
  Leaf wanted_;
};

}  // namespace

std::vector<Leaf> item_of_many(Evaluation& at, const Place& place, const std::vector<Value>& items,
                               const TypeValue& as) {
  const bool known = at.code().on() && std::all_of(items.begin(), items.end(), [](const Value& i) {
                       return i.leaves.empty() && leaf_count(i.type) == 0;
                     });
  if (known)
    if (auto found = item_of_literals(at, place, items, as)) return *found;
  Rows rows = coerced(at, items, as);
  if (!at.code().on()) return {};
  if (!known)
    if (auto found = from_tables(at, place, rows, at.code().builder().function())) return *found;
  return Halves(at, place, rows).pick(0, rows.size());
}

}  // namespace hetjit::typing
