// Where threads run one by one, what lanes of a warp do together goes by way of memory: each posts
// its value, waits for the others, reads theirs, and waits again so that nobody posts anew too
// early.
#include "compiler/host/phases/expand_warp_ops.h"

#include "compiler/ir/edit.h"

namespace hetjit::host {
namespace {

class Expander {
 public:
  explicit Expander(ir::Function& function) : edit_(function) {}

  void run() {
    edit_.run([&](ir::Inst& inst) {
      return std::visit([&](const auto& op) { return expand(op, inst.result); }, inst.op);
    });
  }

 private:
  template <class Op>
  requires(Op::info.needs != ir::Needs::Warp) std::optional<ValueId> expand(const Op&, ValueId) {
    return std::nullopt;
  }
  std::optional<ValueId> expand(const ir::WarpBarrier&, ValueId) { return std::nullopt; }
  // A thread by itself: which others come along nobody can know.
  std::optional<ValueId> expand(const ir::ActiveMask&, ValueId result) {
    TypeId mask = edit_.type_of(result);
    return binary<ir::ShiftLeft>(number(1, mask), convert(lane(), mask));
  }
  std::optional<ValueId> expand(const ir::Ballot& op, ValueId) {
    return exchange(op.in[0], convert(op.in[1], kWord), [&] { return equal(op.in[0], 1); });
  }
  std::optional<ValueId> expand(const ir::Vote& op, ValueId) {
    ValueId mask = op.in[0];
    return exchange(mask, convert(op.in[1], kWord), [&] {
      ValueId none = number(0, edit_.type_of(mask));
      ValueId any = compare(ir::Comparison::Ne, equal(mask, 1), none);
      ValueId all = compare(ir::Comparison::Eq, equal(mask, 0), none);
      if (op.vote == ir::WarpVote::Any) return any;
      if (op.vote == ir::WarpVote::All) return all;
      return binary<ir::BitOr>(all, unary<ir::BitNot>(any));
    });
  }
  std::optional<ValueId> expand(const ir::Match& op, ValueId) {
    ValueId mask = op.in[0], value = convert(op.in[1], kWord);
    ValueId same = exchange(mask, value, [&] { return posted_equal(mask, value); });
    if (op.kind == ir::MatchKind::Any) return same;
    ValueId zero = number(0, kWord);
    ValueId present = exchange(mask, zero, [&] { return posted_equal(mask, zero); });
    TypeId type = edit_.type_of(mask);
    return edit_.make<ir::Select>(type, compare(ir::Comparison::Eq, same, present), same,
                                  number(0, type));
  }
  std::optional<ValueId> expand(const ir::Shuffle& op, ValueId result) {
    ValueId from = source(op);
    ValueId bits =
        exchange(op.in[0], to_word(op.in[1]), [&] { return edit_.make<ir::Posted>(kWord, from); });
    return from_word(bits, edit_.type_of(result));
  }

  template <class Read>
  ValueId exchange(ValueId mask, ValueId word, Read read) {
    ir::Post post;
    post.in = {word};
    add(post);
    wait(mask);
    ValueId result = read();
    wait(mask);
    return result;
  }
  void wait(ValueId mask) {
    ir::WarpBarrier barrier;
    barrier.in = {mask};
    add(barrier);
  }
  void add(ir::Op op) { edit_.emit(std::move(op)); }

  ValueId equal(ValueId mask, uint64_t value) { return posted_equal(mask, number(value, kWord)); }
  ValueId posted_equal(ValueId mask, ValueId value) {
    return edit_.make<ir::PostedEqual>(edit_.type_of(mask), mask, value);
  }

  ValueId source(const ir::Shuffle& op) {
    ValueId own = convert(lane(), kInt), delta = op.in[2];
    ValueId last = number(kLanguageWarp - 1, kInt);
    switch (op.kind) {
      case ir::ShuffleKind::Index:
        return binary<ir::BitAnd>(delta, last);
      case ir::ShuffleKind::Up:
        return inside(binary<ir::Sub>(own, delta), own);
      case ir::ShuffleKind::Down:
        return inside(binary<ir::Add>(own, delta), own);
      case ir::ShuffleKind::Xor:
        return inside(binary<ir::BitXor>(own, delta), own);
    }
    return own;
  }
  ValueId inside(ValueId from, ValueId own) {
    TypeId bits = scalar_type(Scalar::UInt32);
    ValueId there = compare(ir::Comparison::Lt, convert(from, bits), number(kLanguageWarp, bits));
    return edit_.make<ir::Select>(kInt, there, from, own);
  }

  // Any scalar of up to 8 bytes as a u64, and back.
  static Scalar bits_of(Scalar scalar) {
    switch (info(scalar).bits) {
      case 8:
        return Scalar::UInt8;
      case 16:
        return Scalar::UInt16;
      case 32:
        return Scalar::UInt32;
      default:
        return Scalar::UInt64;
    }
  }
  ValueId to_word(ValueId value) {
    Scalar scalar = type(edit_.type_of(value)).scalar;
    if (is_floating(scalar)) value = reinterpret(value, scalar_type(bits_of(scalar)));
    return convert(value, kWord);
  }
  ValueId from_word(ValueId word, TypeId wanted) {
    Scalar scalar = type(wanted).scalar;
    if (!is_floating(scalar)) return convert(word, wanted);
    return reinterpret(convert(word, scalar_type(bits_of(scalar))), wanted);
  }

  ValueId lane() { return edit_.emit(ir::LaneIndex{}, scalar_type(Scalar::UInt32)); }
  ValueId number(uint64_t value, TypeId type) { return edit_.number(value, type); }
  ValueId convert(ValueId value, TypeId to) { return edit_.convert(value, to); }
  ValueId reinterpret(ValueId value, TypeId to) { return edit_.make<ir::Reinterpret>(to, value); }
  ValueId compare(ir::Comparison kind, ValueId a, ValueId b) {
    ir::Compare op;
    op.in = {a, b};
    op.kind = kind;
    return edit_.emit(op, scalar_type(Scalar::Bool));
  }
  template <class Op>
  ValueId binary(ValueId a, ValueId b) {
    return edit_.make<Op>(edit_.type_of(a), a, b);
  }
  template <class Op>
  ValueId unary(ValueId a) {
    return edit_.make<Op>(edit_.type_of(a), a);
  }

  const TypeId kWord = scalar_type(Scalar::UInt64), kInt = scalar_type(Scalar::Int32);
  ir::Editor edit_;
};

}  // namespace

void expand_warp_ops(ir::Function& function) { Expander(function).run(); }

}  // namespace hetjit::host
