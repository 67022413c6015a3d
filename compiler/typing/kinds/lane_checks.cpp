#include "compiler/typing/kinds/lane_checks.h"

#include "compiler/typing/core/specializer.h"
#include "compiler/typing/kinds/targets.h"
#include "compiler/typing/kinds/texts.h"

namespace hetjit::typing {
namespace {

bool wanted(Evaluation& at) { return at.code().on() && at.whole().checks().has(Check::Bounds); }

/// The numbers of a warp's lanes, in code.
struct Lanes {
  Evaluation& at;
  Emitter& code = at.code();
  const Scalar kWord = Scalar::UInt32;

  Leaf number(int64_t value) { return code.constant(value, kWord); }
  Leaf size() { return number(warp_size(at.whole().target())); }
  Leaf own() { return code.builder().emit(ir::LaneIndex{}, scalar_type(kWord)); }
  Leaf is_below(Leaf a, Leaf b) { return code.compare(ssa::CompareKind::Lt, a, b); }

  /// How many lanes of this thread's warp are threads of the block.
  Leaf present() {
    Leaf place = number(0), threads = number(1);
    for (uint8_t axis : {2, 1, 0}) {
      Leaf extent = code.place<ir::BlockDimension>(axis);
      threads = code.binary<ir::Mul>(threads, extent);
      place = code.binary<ir::Add>(code.binary<ir::Mul>(place, extent),
                                   code.place<ir::ThreadIndex>(axis));
    }
    Leaf left = code.binary<ir::Sub>(threads, code.binary<ir::Sub>(place, own()));
    return code.select(is_below(left, size()), left, size());
  }
  /// 1 where the mask does not name the lane, which is one of the warp's.
  Leaf is_unnamed(Leaf mask, Leaf lane) {
    Scalar bits = type(code.builder().type_of(mask)).scalar;
    Leaf bit = code.binary<ir::ShiftRight>(mask, code.convert(lane, bits));
    return code.binary<ir::BitAnd>(code.convert(code.unary<ir::BitNot>(bit), kWord), number(1));
  }
  /// The lane that a shuffle reads; beyond the warp's where there is none.
  Leaf source(ir::ShuffleKind kind, Leaf amount) {
    Leaf by = code.convert(amount, kWord);
    if (kind == ir::ShuffleKind::Index)
      return code.binary<ir::BitAnd>(by, code.binary<ir::Sub>(size(), number(1)));
    if (kind == ir::ShuffleKind::Up) return code.binary<ir::Sub>(own(), by);
    if (kind == ir::ShuffleKind::Down) return code.binary<ir::Add>(own(), by);
    return code.binary<ir::BitXor>(own(), by);
  }
};

/// That `number` is below `limit`; else says `before`, `told` and `after`.
void require_below(Evaluation& at, Leaf number, Leaf limit, std::string_view before, Leaf told,
                   std::string after) {
  Text text;
  text.add(before);
  text.pieces.push_back({"", Scalar::Int64, false});
  text.add(after);
  ir::CheckBelow check;
  check.in = {number, limit, at.code().convert(told, Scalar::Int64)};
  check.site = site_here(at, {SiteKind::Raise, "BoundsError", true, text.pieces, "", "", 0});
  at.code().builder().emit(std::move(check));
}

}  // namespace

void check_caller(Evaluation& at, std::string_view function, Leaf mask) {
  if (!wanted(at)) return;
  Lanes lanes{at};
  Leaf own = lanes.own();
  require_below(at, lanes.is_unnamed(mask, own), lanes.number(1), "lane ", own,
                " calls " + std::string(function) + " with a mask that does not name it");
}

void check_lane(Evaluation& at, std::string_view function, Leaf lane) {
  if (!wanted(at)) return;
  Lanes lanes{at};
  const std::string size = std::to_string(warp_size(at.whole().target()));
  require_below(at, at.code().convert(lane, lanes.kWord), lanes.size(),
                std::string(function) + " reads lane ", lane, " of a warp of " + size + " lanes");
}

Leaf source_that_is(Evaluation& at, ir::ShuffleKind kind, Leaf amount) {
  if (!wanted(at)) return amount;
  Lanes lanes{at};
  const bool by_number = kind == ir::ShuffleKind::Index;
  Leaf own = by_number ? at.code().convert(lanes.own(), Scalar::Int32)
                       : at.code().constant(0, Scalar::Int32);
  return at.code().select(lanes.is_below(lanes.source(kind, amount), lanes.present()), amount, own);
}

void check_source(Evaluation& at, std::string_view function, ir::ShuffleKind kind, Leaf mask,
                  Leaf amount) {
  if (!wanted(at)) return;
  Lanes lanes{at};
  Leaf source = lanes.source(kind, amount);
  Leaf is_there = lanes.is_below(source, lanes.present());
  Leaf lane = at.code().select(is_there, source, lanes.own());  // which its caller is in the mask
  require_below(at, lanes.is_unnamed(mask, lane), lanes.number(1),
                std::string(function) + " reads lane ", lane, ", which its mask does not name");
}

}  // namespace hetjit::typing
