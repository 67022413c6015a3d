#include "frontend/bytecode/decode.h"

#include <algorithm>
#include <limits>

#include "frontend/bytecode/decoder.h"

namespace hetjit::bytecode {
namespace {

constexpr uint32_t kLargestArgument = std::numeric_limits<int32_t>::max();

bool applies(When when, uint32_t arg) {
  switch (when) {
    case When::Always:
      return true;
    case When::Bit0:
      return arg & 1;
    case When::NoBit0:
      return !(arg & 1);
    case When::Bit4:
      return arg & 16;
  }
  return false;
}

/// The instructions whose Number argument has a range of its own.
struct NumberRange {
  NormalOp op;
  int32_t least, most;
};
constexpr NumberRange kNumberRanges[] = {
    {NormalOp::Copy, 1, INT32_MAX},
    {NormalOp::Swap, 1, INT32_MAX},
    {NormalOp::BuildSlice, 2, 3},
    {NormalOp::ListAppend, 1, INT32_MAX},
    {NormalOp::ListExtend, 1, INT32_MAX},
    {NormalOp::Is, 0, 1},
    {NormalOp::Contains, 0, 1},
    {NormalOp::Convert, 1, 3},
    {NormalOp::Raise, 0, 2},
    {NormalOp::MakeFunction, 0, 31},
    {NormalOp::LoadBool, 0, 1},
};

}  // namespace

size_t Decoded::index_at(uint32_t unit) const {
  auto found = std::lower_bound(
      insts.begin(), insts.end(), unit,
      [](const NormalInst& inst, uint32_t wanted) { return inst.offset < wanted; });
  return static_cast<size_t>(found - insts.begin());
}

Result<Decoded> decode(const Snapshot& snapshot) { return Decoder(snapshot).run(); }

Result<Decoded> Decoder::run() {
  HETJIT_TRY(read_all());
  HETJIT_TRY(resolve_targets());
  find_closures();
  HETJIT_TRY(check_arguments());
  HETJIT_TRY(check_flow());
  return std::move(out_);
}

Error Decoder::malformed(const std::string& what) const {
  return {ErrorCode::Invalid, "malformed bytecode in '" + snapshot_.name + "': " + what +
                                  " at code unit " + std::to_string(offset_)};
}

void Decoder::emit_unsupported(std::string what) {
  emit(NormalOp::Unsupported, static_cast<int32_t>(out_.unsupported.size()));
  out_.unsupported.push_back(std::move(what));
}

Status Decoder::read_all() {
  if (snapshot_.code.size() % 2 != 0) return malformed("half a code unit");
  index_of_unit_.assign(units(), kInside);
  while (unit_ < units()) HETJIT_TRY(read_one());
  if (keyword_call_) return malformed("keyword names without a call");
  return ok();
}

// One instruction with its EXTENDED_ARG prefixes, which carry the argument's higher bytes.
Status Decoder::read_one() {
  offset_ = unit_;
  index_of_unit_[unit_] = static_cast<uint32_t>(out_.insts.size());
  uint64_t arg = snapshot_.code[unit_ * 2 + 1];
  while (entry(unit_).name == "EXTENDED_ARG") {
    if (++unit_ == units()) return malformed("a prefix without an instruction");
    arg = (arg << 8) | snapshot_.code[unit_ * 2 + 1];
    if (arg > kLargestArgument) return malformed("an argument that is too large");
  }
  const Entry& current = entry(unit_);
  unit_ += 1u + current.caches;
  if (unit_ > units()) return malformed("a cut-off instruction");
  return apply(current, static_cast<uint32_t>(arg));
}

Status Decoder::apply(const Entry& entry, uint32_t arg) {
  if (keyword_call_ && entry.name != "PRECALL" && entry.name != "CALL")
    return malformed("keyword names without a call");
  if (!entry.rule) {
    const std::string_view construct = construct_name(entry.name);
    if (!construct.empty())
      emit_unsupported(std::string(construct));
    else if (!entry.name.empty())
      emit_unsupported("the instruction " + std::string(entry.name));
    else
      emit_unsupported("an unknown instruction");
    return ok();
  }
  if (entry.rule->expand) return entry.rule->expand(*this, arg);
  for (size_t i = 0; i < entry.rule->step_count; ++i) {
    const Step& step = entry.rule->steps[i];
    if (!applies(step.when, arg)) continue;
    Result<int32_t> taken = take(step.take, arg);
    if (!taken) return taken.error();
    emit(step.op, *taken);
  }
  return ok();
}

Result<int32_t> Decoder::take(Take take, uint32_t arg) const {
  const auto whole = static_cast<int32_t>(arg);
  switch (take) {
    case Take::Zero:
      return 0;
    case Take::One:
      return 1;
    case Take::Two:
      return 2;
    case Take::Whole:
      return whole;
    case Take::Shift1:
      return whole >> 1;
    case Take::Shift4:
      return whole >> 4;
    case Take::Shift5:
      return whole >> 5;
    case Take::High4:
      return whole >> 4;
    case Take::Low4:
      return whole & 15;
    // Code units for now; resolve_targets() makes them indices.
    case Take::Forward:
      if (arg < units() - unit_) return static_cast<int32_t>(unit_ + arg);
      break;
    case Take::Backward:
      if (arg <= unit_) return static_cast<int32_t>(unit_ - arg);
      break;
    case Take::LoopEnd:
      if (arg < units() - unit_)
        if (auto behind = behind_loop_end(unit_ + arg)) return static_cast<int32_t>(*behind);
      return malformed("a loop without its end");
  }
  return malformed("a jump out of the code");
}

std::optional<uint32_t> Decoder::behind_loop_end(uint32_t unit) const {
  for (std::string_view name : loop_end(snapshot_.version)) {
    if (name.empty()) continue;
    if (unit >= units() || entry(unit).name != name) return std::nullopt;
    unit += 1u + entry(unit).caches;
  }
  if (unit >= units()) return std::nullopt;
  return unit;
}

// FOR_ITER's jump already leads behind these, so nothing comes here any more.
Status Decoder::skip_loop_end() {
  auto behind = behind_loop_end(offset_);
  if (!behind) return malformed("a loop's end without its pops");
  unit_ = *behind;
  index_of_unit_[offset_] = kInside;
  return ok();
}

Status Decoder::resolve_targets() {
  for (NormalInst& inst : out_.insts) {
    if (!jumps(inst.op)) continue;
    offset_ = inst.offset;
    const uint32_t unit = static_cast<uint32_t>(inst.arg);
    if (unit >= units()) return malformed("a jump out of the code");
    const uint32_t index = index_of_unit_[unit];
    if (index == kInside) return malformed("a jump into the middle of an instruction");
    if (index >= out_.insts.size()) return malformed("a jump to the end of the code");
    const NormalOp target = out_.insts[index].op;
    // These belong to the LoadConst before them.
    if (target == NormalOp::CallKeywords || target == NormalOp::MakeFunction)
      return malformed("a jump into the middle of a call");
    inst.arg = static_cast<int32_t>(index);
  }
  return ok();
}

// From 3.13 on the cells of a closure are loaded by LOAD_FAST. Cells are the free variables and
// what the function begins with MAKE_CELL of; an inlined comprehension may make its own later,
// which come too late to be loaded so by anything but its own LOAD_FAST_AND_CLEAR.
void Decoder::find_closures() {
  const size_t local_count = snapshot_.locals.size();
  std::vector<bool> is_cell(local_count, false);
  for (const NormalInst& inst : out_.insts) {
    if (inst.op != NormalOp::MakeCell) break;
    if (static_cast<size_t>(inst.arg) < local_count) is_cell[static_cast<size_t>(inst.arg)] = true;
  }
  for (NormalInst& inst : out_.insts) {
    if (inst.op != NormalOp::LoadLocal) continue;
    const auto local = static_cast<size_t>(inst.arg);
    if (local >= local_count || is_cell[local]) inst.op = NormalOp::LoadClosure;
  }
}

Status Decoder::check_arguments() const {
  for (size_t i = 0; i < out_.insts.size(); ++i) HETJIT_TRY(check_argument(i));
  return ok();
}

Status Decoder::check_argument(size_t index) const {
  const NormalInst& inst = out_.insts[index];
  auto fail = [&](const char* what) -> Status {
    return Error{ErrorCode::Invalid, "malformed bytecode in '" + snapshot_.name + "': " + what +
                                         " at code unit " + std::to_string(inst.offset)};
  };
  const auto arg = static_cast<size_t>(inst.arg);
  const Arg kind = info(inst.op).arg;
  if (kind == Arg::Constant && arg >= snapshot_.constants.size())
    return fail("a constant that does not exist");
  if (kind == Arg::Local && arg >= snapshot_.locals.size() + snapshot_.free_variables.size())
    return fail("a variable that does not exist");
  if (kind == Arg::Name && arg >= snapshot_.attribute_names.size())
    return fail("a name that does not exist");
  if (kind == Arg::Compare && arg > 5) return fail("an unknown comparison");
  for (const NumberRange& range : kNumberRanges)
    if (range.op == inst.op && (inst.arg < range.least || inst.arg > range.most))
      return fail("an argument out of range");
  const bool needs_constant =
      inst.op == NormalOp::CallKeywords || inst.op == NormalOp::MakeFunction;
  if (needs_constant && (index == 0 || out_.insts[index - 1].op != NormalOp::LoadConst))
    return fail("a call without its constant");
  return ok();
}

Status Decoder::check_flow() const {
  if (out_.insts.empty()) return malformed("no instructions");
  if (falls_through(out_.insts.back().op)) return malformed("an end that is not a return");
  return ok();
}

}  // namespace hetjit::bytecode
