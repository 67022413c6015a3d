#include "compiler/typing/kinds/lane_checks.h"

#include "compiler/typing/core/specializer.h"
#include "compiler/typing/kinds/lanes_left.h"
#include "compiler/typing/kinds/targets.h"
#include "compiler/typing/kinds/texts.h"

namespace hetjit::typing {
namespace {

bool wanted(Evaluation& at, Check check) {
  return at.code().on() && at.whole().checks().has(check);
}

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
  /// The lanes of the mask that are at this call, and that name the same lanes.
  Leaf here(Leaf mask) {
    const Scalar bits = type(code.builder().type_of(mask)).scalar;
    ir::Match met;
    met.kind = ir::MatchKind::Any;
    met.in = {mask, code.binary<ir::BitXor>(mask, code.constant(number_of_place(), bits))};
    return code.builder().emit(met, scalar_type(bits));
  }
  /// Of the call in the source, so that lanes at two calls with one mask are not taken to have met:
  /// copies of an instruction, as a loop's question has them, are one call.
  uint32_t number_of_place() {
    const Span where = at.where();
    return (where.line * 0x9E3779B1u) ^ (where.column * 0x85EBCA6Bu) ^ (where.source << 24);
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

/// A message in the making.
struct Message {
  Evaluation& at;
  Text text{};

  Message& operator<<(std::string_view words) {
    text.add(words);
    return *this;
  }
  Message& operator<<(Leaf lane) { return number(lane, Scalar::Int64, ""); }
  Message& bits(Leaf mask) { return number(mask, Scalar::UInt64, "#x"); }

 private:
  Message& number(Leaf leaf, Scalar as, const char* format) {
    text.pieces.push_back({format, as, false});
    text.leaves.push_back(at.code().convert(leaf, as));
    return *this;
  }
};

/// That `number` is below `limit`; else says so.
void require_below(Evaluation& at, Leaf number, Leaf limit, const Message& message,
                   const char* exception = "BoundsError") {
  ir::CheckBelow check;
  check.in = {number, limit};
  check.in.insert(check.in.end(), message.text.leaves.begin(), message.text.leaves.end());
  check.site = site_here(at, {SiteKind::Raise, exception, true, message.text.pieces, "", "", 0});
  at.code().builder().emit(std::move(check));
}

}  // namespace

void check_caller(Evaluation& at, std::string_view function, Leaf mask) {
  if (!wanted(at, Check::Bounds) && !wanted(at, Check::Warp)) return;
  Lanes lanes{at};
  Leaf own = lanes.own();
  Message message{at};
  message << "lane " << own << " calls " << function << " with a mask that does not name it";
  require_below(at, lanes.is_unnamed(mask, own), lanes.number(1), message);
}

Leaf check_all_come(Evaluation& at, std::string_view function, Leaf mask) {
  if (!wanted(at, Check::Warp)) return {};
  Lanes lanes{at};
  Emitter& code = at.code();
  const Scalar bits = type(code.builder().type_of(mask)).scalar;
  Leaf here = lanes.here(mask);
  Leaf left = lanes_left(code.builder(), lanes_left_variable(at.whole()), bits);
  Leaf missing = code.binary<ir::BitAnd>(
      mask, code.unary<ir::BitNot>(code.binary<ir::BitOr>(here, left)));
  Message message{at};
  message << function << " waits for lane " << code.unary<ir::TrailingZeros>(missing)
          << ", which does not come: the mask is ";
  message.bits(mask) << ", and lanes ";
  message.bits(missing) << " of it are elsewhere";
  require_below(at, missing, code.constant(1, bits), message, "BarrierError");
  return here;
}

void check_lane(Evaluation& at, std::string_view function, Leaf lane) {
  if (!wanted(at, Check::Bounds)) return;
  Lanes lanes{at};
  Message message{at};
  message << function << " reads lane " << lane << " of a warp of "
          << std::to_string(warp_size(at.whole().target())) << " lanes";
  require_below(at, at.code().convert(lane, lanes.kWord), lanes.size(), message);
}

Leaf source_that_is(Evaluation& at, ir::ShuffleKind kind, Leaf amount) {
  if (!wanted(at, Check::Bounds)) return amount;
  Lanes lanes{at};
  const bool by_number = kind == ir::ShuffleKind::Index;
  Leaf own = by_number ? at.code().convert(lanes.own(), Scalar::Int32)
                       : at.code().constant(0, Scalar::Int32);
  return at.code().select(lanes.is_below(lanes.source(kind, amount), lanes.present()), amount, own);
}

void check_source(Evaluation& at, std::string_view function, ir::ShuffleKind kind, Leaf mask,
                  Leaf amount) {
  if (!wanted(at, Check::Bounds)) return;
  Lanes lanes{at};
  Leaf source = lanes.source(kind, amount);
  Leaf is_there = lanes.is_below(source, lanes.present());
  Leaf lane = at.code().select(is_there, source, lanes.own());  // which its caller is in the mask
  Message message{at};
  message << function << " reads lane " << lane << ", which its mask does not name";
  require_below(at, lanes.is_unnamed(mask, lane), lanes.number(1), message);
}

void check_source_is_here(Evaluation& at, std::string_view function, ir::ShuffleKind kind,
                          Leaf here, Leaf amount) {
  if (!wanted(at, Check::Warp)) return;
  Lanes lanes{at};
  Leaf source = lanes.source(kind, amount);
  Leaf lane = at.code().select(lanes.is_below(source, lanes.size()), source, lanes.own());
  Message message{at};
  message << function << " reads lane " << lane << ", which takes no part: lanes ";
  message.bits(here) << " do";
  require_below(at, lanes.is_unnamed(here, lane), lanes.number(1), message);
}

}  // namespace hetjit::typing
