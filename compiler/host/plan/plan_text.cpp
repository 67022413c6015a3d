// A plan's decisions as lines, "word: what, because", and the functions that were made.
#include "compiler/host/plan/plan.h"

namespace hetjit::host {
namespace {

constexpr std::string_view kWhoms[] = {"block", "grid", "warp", "turn"};

std::string count_text(size_t count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

template <class Op>
size_t count_ops(const ir::Function& function) {
  size_t count = 0;
  for (const ir::Block& block : function.blocks)
    for (const ir::Inst& inst : block.insts) count += std::holds_alternative<Op>(inst.op);
  return count;
}

std::string shape_text(Shape shape) {
  if (shape.spread == Spread::Uniform) return "uniform";
  if (shape.spread == Spread::Affine) return "steps of " + std::to_string(shape.stride);
  return "varying";
}

class PlanText {
 public:
  explicit PlanText(const Machine& machine) : machine_(machine) {}

  std::string operator()(const ByThreads& way) {
    add("way", "threads", way.why);
    return text_;
  }
  std::string operator()(const ByRows& way) {
    add("way", "rows", way.why);
    add_lanes(way.width);
    if (way.whole_rows) add_whole_rows();
    if (way.turns)
      add("rows", "turns of the loop as memory lies",
          "threads share them out, and any may have any");
    else if (way.grid)
      add_grid(*way.grid);
    if (way.flat.differs()) add_flat(way.flat);
    if (way.in_one_period)
      add("lanes",
          std::string("between two multiples of what places are divided by, or ") +
              (way.in_parts ? "in parts that lie so" : "with masks"),
          "they are neighbours there");
    if (way.between_ends)
      add("lanes", "where indices are at no end, or once more with a question at each access",
          "they are neighbours there");
    add("side by side", count_text(way.vectors.warps, "vector"), way.vectors.why);
    if (way.rows_as_one)
      add("one piece of code",
          count_text(way.rows_as_one->rows, "row") + " of " +
              count_text(way.rows_as_one->vectors, "vector"),
          "what is the same in all of them is loaded once");
    add_function(way.kernel);
    if (way.rows_as_one) add_function(way.rows_as_one->kernel);
    if (!way.turns) return text_;
    add_function(way.turns->more);
    add_function(way.turns->limit);
    return text_;
  }
  std::string operator()(const ByPhases& way) {
    add("way", "phases, tier " + std::string(name_of(way.tier)), way.why);
    add_lanes(way.width);
    if (way.whole_rows) add_whole_rows();
    if (way.flat.differs()) add_flat(way.flat);
    add("order", way.in_step ? "warps turn by turn through loops" : "warps one after another");
    if (way.loses_lanes) add("lanes", "may be done when others of their warp wait");
    if (way.checks) add("checks", "may end a block early");
    for (size_t i = 0; i < way.phases.functions.size(); ++i) add_phase(way, i);
    for (size_t i = 0; i < way.phases.slots.size(); ++i) add_slot(way.phases.slots[i], i);
    for (const ir::Function& phase : way.phases.functions) add_function(phase);
    for (const std::optional<BusyThreads>& busy : way.busy)
      if (busy) for_each_function(*busy, [this](const ir::Function& made) { add_function(made); });
    for (const ir::Function& called : way.phases.called)
      if (!called.blocks.empty()) add_function(called);
    return text_;
  }
  std::string operator()(const NotAlone& way) {
    add("way", "none", way.why);
    return text_;
  }

 private:
  void add(const std::string& word, const std::string& what, const std::string& why = "") {
    text_ += "plan " + word + ": " + what + (why.empty() ? "" : ", because " + why) + "\n";
  }
  void add_lanes(unsigned width) {
    const char* why = width != machine_.lanes ? ""
                      : machine_.lanes_asked  ? "that was asked for"
                                              : "that suits the CPU";
    add("lanes", std::to_string(width), why);
  }
  void add_whole_rows() {
    add("rows", "of whole vectors, or with masks", "lanes count with the extent");
  }
  void add_flat(const FlatBlocks& flat) {
    if (flat.first)
      add("blocks", "along " + std::string(1, "xyz"[flat.first]), "no thread asks for its x");
    if (flat.axes > 1) add("blocks", "as one row", "threads ask for nothing but their rank");
  }
  void add_grid(const GridRows& grid) {
    std::string order = "through the grid, ";
    for (uint8_t axis : grid.axes) order += "xyz"[axis];
    if (grid.rows > 1)
      order += ", " + count_text(grid.rows, "row") + " of " + count_text(grid.vectors, "vector") +
               " together, as " + grid.why;
    add("rows", order, "no thread asks for its place in a block");
  }
  void add_phase(const ByPhases& way, size_t index) {
    const Wait& wait = way.phases.waits[index];
    std::string what = "from the kernel's start";
    if (index)
      what = "behind a wait for the " + std::string(kWhoms[static_cast<size_t>(wait.whom)]);
    if (index && wait.where.known()) what += " in line " + std::to_string(wait.where.line);
    const ir::Function& phase = way.phases.functions[index];
    if (way.by_rows[index]) what += ", rows side by side";
    if (size_t ahead = count_ops<ir::Prefetch>(phase)) what += ", " + count_text(ahead, "prefetch");
    if (size_t told = count_ops<ir::CheckAccess>(phase))
      what += ", " + count_text(told, "watched access");
    const std::optional<BusyThreads>& busy = way.busy[index];
    if (busy && busy->count) what += ", the first threads of one row only";
    if (busy && busy->settled) what += ", one question settled for whole warps of one row";
    add("phase " + std::to_string(index), what);
  }
  void add_slot(const Slot& slot, size_t index) {
    add("slot " + std::to_string(index),
        to_text(slot.type) +
            (slot.of_block ? ", once for the block" : ", " + shape_text(slot.shape)));
  }
  void add_function(const ir::Function& function) { text_ += "\n" + ir::to_text(function); }

  const Machine& machine_;
  std::string text_;
};

}  // namespace

std::string to_text(const Plan& plan) {
  std::string text;
  if (plan.block_lanes)
    text += "plan of " + count_text(plan.machine.lanes, "block") +
            " side by side: they are lanes, "
            "because their threads go one way, and to elements that are a row\n" +
            std::visit(PlanText(plan.machine), Way(*plan.block_lanes)) + "\nplan elsewhere\n";
  if (plan.sweeps) {
    text += "plan where what loops sweep is long, of parameters";
    for (uint32_t parameter : plan.sweeps->arrays) text += " " + std::to_string(parameter);
    text += "\n" + std::visit(PlanText(plan.machine), Way(plan.sweeps->way)) + "\nplan elsewhere\n";
  }
  if (plan.own_sums) {
    for (const SummedArray& array : plan.own_sums->arrays)
      text += "plan where parameter " + std::to_string(array.parameter) +
              " is small and lies apart from all others: a copy for each range of blocks, because "
              "threads only put numbers together there\n";
    text += std::visit(PlanText(plan.machine), plan.own_sums->way) + "\nplan elsewhere\n";
  }
  if (plan.few) {
    for (const KnownExtent& known : plan.few->extents)
      text += "plan where parameter " + std::to_string(known.parameter) + " has " +
              (known.is_stride ? "a stride of " : "") + std::to_string(known.elements) +
              (known.is_stride ? "" : " elements") + " along axis " + std::to_string(known.axis) +
              "\n";
    for (uint32_t parameter : plan.few->written)
      text += "plan where parameter " + std::to_string(parameter) + " lies apart from all others\n";
    text += std::visit(PlanText(plan.machine), plan.few->way) + "\nplan elsewhere\n";
  }
  return text + std::visit(PlanText(plan.machine), plan.way);
}

}  // namespace hetjit::host
