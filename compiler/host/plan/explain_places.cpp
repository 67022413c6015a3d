#include "compiler/host/plan/explain_places.h"

#include <algorithm>

#include "abi/layout.h"
#include "compiler/host/facts/bounds.h"
#include "compiler/host/facts/roots.h"
#include "compiler/host/facts/wait_loops.h"

namespace hetjit::host {
namespace {

Span span_of(const ir::Function& kernel, const ir::Inst& inst) {
  return inst.where.valid() ? kernel.spans[inst.where.index] : Span{};
}

template <class Visit>
void for_each_inst(const ir::Function& kernel, const Structure& structure, Visit visit) {
  for (uint32_t block : structure.reverse_post_order())
    for (const ir::Inst& inst : kernel.blocks[block].insts)
      if (span_of(kernel, inst).known()) visit(block, inst);
}

// ---- accesses

std::string name_of(uint8_t access) {
  std::string name = access & ir::Atomic ? "atomic " : "";
  if (access & ir::IfExpected) return name + "exchange";
  if (access & ir::Loads) return name + (access & ir::Stores ? "update" : "load");
  return name + "store";
}

/// What a value is computed from: the number of a thread or block, the turns of a loop.
class Origin {
 public:
  Origin(const ir::Function& kernel, const Structure& structure, const ir::Definitions& definitions,
         ValueId id)
      : kernel_(kernel),
        structure_(structure),
        definitions_(definitions),
        incoming_(ir::incoming(kernel, structure.reverse_post_order())),
        seen_(kernel.types.size()),
        open_{id} {
    while (!open_.empty()) {
      const ValueId next = open_.back();
      open_.pop_back();
      if (!seen_[next.index]) visit(next);
      seen_[next.index] = true;
    }
  }

  bool threads = false, turns = false;

 private:
  void visit(ValueId id) {
    const ir::Op* op = definitions_.of(id);
    if (!op) return visit_parameter(id);
    threads |=
        std::holds_alternative<ir::ThreadIndex>(*op) || std::holds_alternative<ir::BlockIndex>(*op);
    for (ValueId operand : ir::operands(*op)) open_.push_back(operand);
  }

  void visit_parameter(ValueId id) {
    const uint32_t block = definitions_.home(id);
    turns |= structure_.loop_at(block) != nullptr;
    const std::vector<ValueId>& params = kernel_.blocks[block].params;
    const auto place =
        static_cast<size_t>(std::find(params.begin(), params.end(), id) - params.begin());
    for (const ir::Incoming& from : incoming_[block]) open_.push_back(from.edge->args[place]);
  }

  const ir::Function& kernel_;
  const Structure& structure_;
  const ir::Definitions& definitions_;
  std::vector<std::vector<ir::Incoming>> incoming_;  // by block
  std::vector<bool> seen_;                           // by value
  std::vector<ValueId> open_;                        // to be looked at
};

/// An address, and where it comes from.
class Address {
 public:
  Address(const ir::Function& kernel, const Structure& structure, const Shapes& shapes,
          const Roots& roots, uint32_t block, ValueId id)
      : kernel_(kernel),
        structure_(structure),
        shapes_(shapes),
        roots_(roots),
        block_(block),
        id_(id) {}

  TypeId pointee() const { return without_align(type(kernel_.type_of(id_)).element); }

  Remark remark(uint8_t access, bool host) const {
    Remark made{{}, name_of(access), "", to_python(pointee()) + memory()};
    Shape shape = shapes_.of(id_, block_);
    auto size = static_cast<int64_t>(layout(pointee()).stride());
    if (shape.spread == Spread::Uniform) {
      made.word = "uniform";
    } else if (shape.spread == Spread::Affine) {
      bool backwards = shape.stride == -size && is_scalar(pointee());
      bool neighbours = shape.stride == size || backwards;
      made.word = neighbours ? "contiguous" : "strided";
      if (!neighbours) made.detail += ", " + std::to_string(shape.stride) + " bytes apart";
      if (backwards) made.detail += ", backwards";
      if (neighbours && host && has_parts(pointee())) made.detail += ", part by part";
    } else if (steps_by_array()) {
      made.word = "strided";
      made.detail += ", by a stride known at run time only";
      if (host && likely_row()) made.detail += ": side by side where it is 1";
    } else if (host && likely_row() && row()->known) {
      made.word = "contiguous";
      if (shapes_.likely_step(row()->index, block_) < 0) made.detail += ", backwards";
      made.detail += wraps() ? ", lane by lane where an index turns out negative"
                             : ", lane by lane where indices turn out to lie apart";
    } else {
      made.word = access & ir::Stores ? "scatter" : "gather";
      if (wraps()) made.detail += ", because its index may be negative, and count from the end";
    }
    made.help = help(made.word, access);
    return made;
  }

 private:
  /// How threads side by side would use neighbours.
  std::string help(std::string_view word, uint8_t access) const {
    if (roots_.of(id_) == Roots::kLocal) return "";
    if (word == "strided") return help_of_strides();
    if (word != "gather" && word != "scatter") return "";
    if (wraps())
      return "say that the index is not negative: guard it, as in 'if 0 <= i:', or count with "
             "device.thread_idx, which is unsigned";
    return access & ir::Atomic
               ? "let each block add up in shared memory, and the grid its sums at the end"
               : "sort by the index, so that neighbours ask for neighbours, or bring the data into "
                 "shared memory first";
  }

  std::string help_of_strides() const {
    const ir::ElementAddress* at = element();
    if (!at || at->in.size() < 2) return "";
    const std::optional<uint8_t> unit = shapes_.unit_axis(at->in[0]);
    if (!unit)
      return is_of_whole_array(at->in[0])
                 ? "it is the view that has gaps: make it without steps along the array's last "
                   "axis, or index the array itself"
                 : "the array may have gaps: pass one in C order, as numpy.ascontiguousarray makes "
                   "it";
    if (shapes_.of(at->in[1u + *unit], block_).spread == Spread::Uniform)
      return "the " + ordinal(*unit, at->in.size() - 2) +
             " axis is contiguous, and threads side by side go along another: " +
             help_of_rows(at->in[1u + *unit]);
    if (has_parts(type(kernel_.type_of(at->in[0])).element))
      return "an array for each field has the fields of neighbours side by side";
    return "let threads side by side take neighbours, and go on in steps of all of them: "
           "range(device.tid(1), n, device.grid_size(1))";
  }

  static std::string ordinal(size_t axis, size_t last) {
    static constexpr const char* kNames[] = {"first", "second", "third"};
    if (axis == last) return "last";
    return axis < std::size(kNames) ? kNames[axis] : std::to_string(axis + 1) + "th";
  }

  /// Is it a view of an array without gaps?
  bool is_of_whole_array(ValueId array) const {
    const ir::Definitions& definitions = shapes_.definitions();
    ValueId from = array;
    while (const ir::Op* op = definitions.of(from)) {
      const bool leads_on = std::holds_alternative<ir::MakeArray>(*op) ||
                            std::holds_alternative<ir::ArrayData>(*op) ||
                            std::holds_alternative<ir::ElementAddress>(*op) ||
                            std::holds_alternative<ir::MoveAddress>(*op);
      if (!leads_on) return false;
      from = ir::operands(*op)[0];
    }
    return is_array(kernel_.type_of(from)) &&
           type(kernel_.type_of(from)).facts.order == Order::Contiguous;
  }

  /// Of an index of the contiguous axis that threads side by side have in common. To swap the
  /// indices where it counts turns would be to compute something else.
  std::string help_of_rows(ValueId index) const {
    const Origin origin(kernel_, structure_, shapes_.definitions(), index);
    if (origin.threads)
      return "swap the indices, or their names, as in 'x, y = device.tid(2)' and a[y, x]";
    return std::string(origin.turns
                           ? "let the threads of a block or a warp go along it together, or "
                           : "") +
           "keep the array transposed, as numpy.ascontiguousarray(a.T) makes it, and swap the "
           "indices then";
  }

  static bool has_parts(TypeId id) {
    TypeKind kind = type(id).kind;
    return kind == TypeKind::Vector || kind == TypeKind::Tuple || kind == TypeKind::Struct;
  }

  const char* memory() const {
    if (roots_.is_shared(id_)) return " of shared memory";
    return roots_.of(id_) == Roots::kLocal ? " of the thread's own memory" : "";
  }

  /// The element that the address is of, or of which it is a part; null: some other address.
  const ir::ElementAddress* element() const { return ir::element_of(shapes_.definitions(), id_); }

  /// Would the index step evenly if it did not count from the end when it is negative?
  bool wraps() const {
    const ir::ElementAddress* at = element();
    return at && std::any_of(at->in.begin() + 1, at->in.end(), [&](ValueId index) {
             const auto* wrap = shapes_.definitions().made_by<ir::WrapIndex>(index);
             return wrap && shapes_.of(wrap->in[0], block_).spread == Spread::Affine;
           });
  }

  /// Are the elements in most warps neighbours, which is asked at run time?
  bool likely_row() const {
    const std::optional<Row> along = is_scalar(pointee()) ? row() : std::nullopt;
    std::optional<int64_t> step = along ? shapes_.likely_step(along->index, block_) : std::nullopt;
    return step == 1 || step == -1;
  }
  std::optional<Row> row() const {
    const auto* at = shapes_.definitions().made_by<ir::ElementAddress>(id_);
    return at ? shapes_.row_of(*at, block_) : std::nullopt;
  }

  /// Does the one index that differs from lane to lane do so in even steps? The steps in bytes are
  /// then the array's stride.
  bool steps_by_array() const {
    const ir::ElementAddress* at = element();
    if (!at || shapes_.of(at->in[0], block_).spread != Spread::Uniform) return false;
    return std::all_of(at->in.begin() + 1, at->in.end(), [&](ValueId index) {
      Spread spread = shapes_.of(index, block_).spread;
      return spread == Spread::Uniform || spread == Spread::Affine;
    });
  }

  const ir::Function& kernel_;
  const Structure& structure_;
  const Shapes& shapes_;
  const Roots& roots_;
  uint32_t block_;
  ValueId id_;
};

}  // namespace

void add_accesses(const ir::Function& kernel, const Shapes& shapes, const Structure& structure,
                  bool host, std::vector<Remark>& to) {
  const Roots roots(kernel);
  for_each_inst(kernel, structure, [&](uint32_t block, const ir::Inst& inst) {
    const uint8_t access = ir::info(inst.op).access;
    if (!access) return;
    Address address(kernel, structure, shapes, roots, block, ir::operands(inst.op)[0]);
    to.push_back(address.remark(access, host));
    to.back().where = span_of(kernel, inst);
    if (const auto* update = std::get_if<ir::AtomicUpdate>(&inst.op);
        update && host && update->scope == ir::MemoryScope::Block)
      to.back().help.clear();  // it costs little already
  });
}

// ---- branches and loops

namespace {

const char* word(bool divergent) { return divergent ? "divergent" : "uniform"; }

bool goes_back(const ir::Function& kernel, const Loop& loop, uint32_t block) {
  for (const ir::Edge* edge : ir::edges(kernel.blocks[block].insts.back().op))
    if (edge->to.index == loop.header) return true;
  return false;
}

bool leaves(const Loop& loop, const ir::Branch& branch) {
  return !loop.holds(branch.yes.to.index) || !loop.holds(branch.no.to.index);
}

/// Where a loop's condition stands: a branch at its head or at its end. Else: its first place.
Span condition_of(const ir::Function& kernel, const Structure& structure, const Loop& loop) {
  Span first;
  for (uint32_t block : structure.reverse_post_order()) {
    if (!loop.holds(block)) continue;
    const ir::Inst& last = kernel.blocks[block].insts.back();
    auto* branch = std::get_if<ir::Branch>(&last.op);
    bool asks = block == loop.header || goes_back(kernel, loop, block);
    if (branch && asks && leaves(loop, *branch) && span_of(kernel, last).known())
      return span_of(kernel, last);
    for (const ir::Inst& inst : kernel.blocks[block].insts)
      if (!first.known()) first = span_of(kernel, inst);
  }
  return first;
}

bool waits(const ir::Function& kernel, const Loop& loop, const std::vector<bool>& wait_loops) {
  for (uint32_t block = 0; block < kernel.blocks.size(); ++block)
    if (loop.holds(block) && wait_loops[block] && goes_back(kernel, loop, block)) return true;
  return false;
}

}  // namespace

void add_branches(const ir::Function& kernel, const Shapes& shapes, const Structure& structure,
                  std::vector<Remark>& to) {
  std::vector<bool> wait_loops = find_wait_loops(kernel, structure);
  std::vector<Remark> loops;
  for (const auto& loop : structure.loops()) {
    Span where = condition_of(kernel, structure, *loop);
    const char* detail = waits(kernel, *loop, wait_loops) ? "waits for another thread"
                         : shapes.leaves_in_steps(*loop)  ? "full warps until their last turns"
                         : !asks_for_bounds(kernel, structure, shapes, *loop) ? ""
                         : bounds_blocks(kernel, shapes, *loop).empty()
                             ? "neighbours while no lane is at an end"
                             : "without masks while all lanes are within bounds";
    if (where.known())
      loops.push_back({where, "loop", word(shapes.leaves_apart(loop.get())), detail});
  }
  for_each_inst(kernel, structure, [&](uint32_t block, const ir::Inst& inst) {
    const auto* branch = std::get_if<ir::Branch>(&inst.op);
    if (!branch) return;
    // A loop's condition; CPython asks it once more before the first turn.
    Span where = span_of(kernel, inst);
    for (const Remark& loop : loops)
      if (loop.where == where) return;
    const Loop* loop = structure.loop_of(block);
    const char* detail = loop && leaves(*loop, *branch) ? "leaves the loop" : "";
    to.push_back({where, "branch", word(shapes.diverges(block)), detail});
  });
  to.insert(to.end(), loops.begin(), loops.end());
}

// ---- numbers

// A conversion that nobody wrote has the place of the arithmetic that asked for it.
void add_inexact(const ir::Function& kernel, const Structure& structure, std::vector<Remark>& to) {
  passes::ValueRanges ranges(kernel);
  std::vector<std::optional<Remark>> converted(kernel.types.size());
  for_each_inst(kernel, structure, [&](uint32_t block, const ir::Inst& inst) {
    Span where = span_of(kernel, inst);
    if (!std::holds_alternative<ir::Convert>(inst.op)) {
      for (ValueId operand : ir::operands(inst.op))
        if (auto& remark = converted[operand.index]; remark && remark->where == where)
          to.push_back(*remark);
      return;
    }
    ValueId from = ir::operands(inst.op)[0];
    TypeId number = kernel.type_of(from), result = kernel.type_of(inst.result);
    if (!is_scalar(number) || !is_scalar(result) || !is_integer(type(number).scalar)) return;
    if (!is_floating(type(result).scalar)) return;
    int bits = info(type(result).scalar).mantissa_bits + 1;  // with the hidden one
    passes::Wide end = passes::Wide{1} << bits;
    if (ranges.interval(from, {block}).hi <= end && ranges.interval(from, {block}).lo >= -end)
      return;
    converted[inst.result.index] = Remark{where, "note", "",
                                          to_python(number) + " becomes " + to_python(result) +
                                              ", exact up to 2**" + std::to_string(bits) + " only"};
  });
}

}  // namespace hetjit::host
