#include "compiler/host/plan/explain.h"

#include <algorithm>
#include <ranges>
#include <tuple>

#include "compiler/host/facts/row_reads.h"
#include "compiler/host/phases/expand_warp_ops.h"
#include "compiler/host/phases/interleave.h"
#include "compiler/host/plan/explain_places.h"
#include "compiler/host/plan/flat_blocks.h"
#include "compiler/host/plan/vector_form.h"

namespace hetjit::host {
namespace {

std::string lanes_text(const Machine& machine) {
  return "vectors of " + std::to_string(machine.lanes) + " lanes" +
         (machine.lanes_asked ? ", as was asked for" : ", what suits the CPU");
}

std::string together_text(const ByRows& way) {
  const GridRows& grid = *way.grid;
  if (grid.rows == 1) return "";
  const std::string as_one =
      way.rows_as_one ? ", " + std::to_string(way.rows_as_one->rows) + " of them as one" : "";
  return "; " + std::to_string(grid.rows) + " rows together" + as_one + ", as " + grid.why;
}

std::string grid_text(const ByRows& way) {
  return "along " + std::string(1, "xyz"[way.grid->axes[0]]) +
         ", through the whole grid: blocks of any shape are the same to it" + together_text(way);
}

std::string turns_text(const GridTurns& turns) {
  const std::string loop =
      "the loop" + (turns.line ? " in line " + std::to_string(turns.line) : "");
  return "turns of " + loop +
         " as memory lies, whoever's they are, where no array that is written shares memory with "
         "another: none needs another one's results";
}

size_t count_row_reads(const ByRows& way) {
  const std::optional<Structure> structure = Structure::find(way.kernel);
  const Shapes shapes(way.kernel, *structure, way.lanes());
  return RowReads{way.kernel, *structure, shapes, way.width}.count();
}

const char* barrier_name(const ir::Op& op) {
  const ir::Needs needs = ir::info(op).needs;
  return needs == ir::Needs::Block  ? "barrier"
         : needs == ir::Needs::Grid ? "grid barrier"
                                    : nullptr;
}

void add_barriers(const ByPhases& way, std::vector<Remark>& to) {
  static constexpr const char* kWho[] = {"the block's threads go on from it together",
                                         "each warp goes on from it by itself",
                                         "each thread goes on from it by itself"};
  const char* who = kWho[static_cast<size_t>(way.tier)];
  for (const ir::Block& block : way.kernel.blocks)
    for (const ir::Inst& inst : block.insts)
      if (const char* name = barrier_name(inst.op); name && inst.where.valid())
        to.push_back({way.kernel.spans[inst.where.index], name, "", who});
}

bool fetches_ahead(const ByPhases& way) {
  for (const ir::Function& phase : way.phases.functions)
    for (const ir::Block& block : phase.blocks)
      for (const ir::Inst& inst : block.insts)
        if (std::holds_alternative<ir::Prefetch>(inst.op)) return true;
  return false;
}

/// One overload per way: what the kernel as a whole is told of.
struct Summary {
  const Machine& machine;
  Explanation& to;

  void say(std::string sentence) { to.summary.push_back(std::move(sentence)); }

  void operator()(const ByThreads& way) {
    say("thread by thread: " + way.why);
    if (way.where.known())
      to.remarks.push_back({way.where, "note", "", "why the kernel runs thread by thread"});
  }
  void operator()(const ByRows& way) {
    say("rows of threads: " + way.why);
    say(lanes_text(machine));
    if (way.turns)
      say(turns_text(*way.turns));
    else if (way.grid)
      say(grid_text(way));
    if (way.flat.differs()) say_flat(way.flat);
    if (way.whole_rows) say_whole_rows(way.width);
    if (way.in_one_period)
      say(std::string("where threads side by side lie between two multiples of what their place is "
                      "divided by, they are neighbours; ") +
          (way.in_parts ? "other vectors come in parts that do, and those of many short parts read "
                          "and write one by one"
                        : "else each reads and writes by itself"));
    if (way.between_ends)
      say("where no index of threads side by side is at an end, they read neighbours; else they "
          "begin again and ask at each access");
    if (count_row_reads(way))
      say("where each thread reads a row of its own, some turns of the loop are read at once");
    if (way.vectors.warps > 1)
      say(std::to_string(way.vectors.warps) +
          " vectors side by side, where a row has as many: " + way.vectors.why);
  }
  void operator()(const ByPhases& way) {
    say("tier " + std::string(name_of(way.tier)) + ": " + way.why);
    if (size_t phases = way.phases.functions.size(); phases > 1)
      say(std::to_string(phases) + " phases, from wait to wait");
    if (way.tier == Tier::Threads)
      say("1 lane: each thread goes from wait to wait by itself");
    else if (way.warp_ops)
      say("vectors of " + std::to_string(way.width) + " lanes: the kernel uses warps, which have " +
          std::to_string(kLanguageWarp) + " threads");
    else
      say(lanes_text(machine));
    if (way.flat.differs()) say_flat(way.flat);
    if (way.whole_rows) say_whole_rows(way.width);
    if (std::find(way.by_rows.begin(), way.by_rows.end(), true) != way.by_rows.end())
      say(std::to_string(kRowsTogether) +
          " rows of the block side by side, where a row is one vector: they read the same in a "
          "loop");
    if (std::ranges::any_of(way.busy, [](const auto& busy) { return busy && busy->count; }))
      say("warps that have nothing to do between two waits are skipped, in blocks of one row");
    if (std::ranges::any_of(way.busy, [](const auto& busy) { return busy && busy->settled; }))
      say("whole warps on one side of a question of their place do not ask it, in blocks of one "
          "row");
    if (fetches_ahead(way)) say("what a loop with barriers reads is fetched a turn ahead");
    add_barriers(way, to.remarks);
  }
  void say_flat(const FlatBlocks& flat) {
    if (flat.first)
      say("along " + std::string(1, "xyz"[flat.first]) +
          " of each block: no thread asks for its x");
    if (flat.axes > 1)
      say("blocks of any shape are one row to it: threads ask for nothing but their rank");
  }
  void say_whole_rows(unsigned width) {
    say("best in blocks whose extent along x is a multiple of " + std::to_string(width));
  }
  void operator()(const NotAlone&) {}  // there is nothing to explain
};

/// "colour has 3 elements along axis 1"
std::string extents_text(const ir::Function& kernel, const KnownExtents& extents) {
  std::string text;
  for (const KnownExtent& known : extents)
    text += (text.empty() ? "" : ", ") + kernel.parameter_names[known.parameter] + " has " +
            std::to_string(known.elements) + " elements along axis " + std::to_string(known.axis);
  return text;
}

/// "a, b"
std::string names_text(const ir::Function& kernel, const auto& parameters) {
  std::string text;
  for (uint32_t parameter : parameters)
    text += (text.empty() ? "" : ", ") + kernel.parameter_names[parameter];
  return text;
}

/// Of a plan that has a way for arrays that lie in columns.
std::string columns_text(const ir::Function& kernel, const Plan& plan) {
  const auto parameters = plan.few->extents | std::views::transform(&KnownExtent::parameter);
  const ByRows &any = std::get<ByRows>(plan.way), &few = std::get<ByRows>(plan.few->way);
  return "where the first axis of " + names_text(kernel, parameters) +
         " is contiguous, as in Fortran order, lanes go along " +
         (any.grid->axes[0] == few.grid->axes[0] ? "the other one" : "it") + together_text(few);
}

/// Whose accesses and branches are told of: full warps.
Lanes lanes_of(const Way& way) {
  if (const auto* rows = std::get_if<ByRows>(&way)) return rows->lanes();
  const auto* phases = std::get_if<ByPhases>(&way);
  return phases && phases->width > 1 ? phases->lanes() : Lanes{};
}

void sort(std::vector<Remark>& remarks) {
  auto place = [](const Remark& it) {
    return std::tie(it.where.source, it.where.line, it.where.column, it.where.end_line,
                    it.where.end_column, it.thing, it.word, it.detail, it.help);
  };
  std::sort(remarks.begin(), remarks.end(),
            [&](const Remark& a, const Remark& b) { return place(a) < place(b); });
  remarks.erase(std::unique(remarks.begin(), remarks.end()), remarks.end());
}

/// `kernel`: with calls taken in; without, places of the source are not told of.
Explanation finish(Explanation made, const std::optional<ir::Function>& kernel, Lanes lanes,
                   bool host) {
  std::optional<Structure> structure;
  if (kernel) structure = Structure::find(*kernel);
  if (structure) {
    Shapes shapes(*kernel, *structure, lanes);
    add_accesses(*kernel, shapes, *structure, host, made.remarks);
    add_branches(*kernel, shapes, *structure, made.remarks);
    add_inexact(*kernel, *structure, made.remarks);
  }
  sort(made.remarks);
  return made;
}

}  // namespace

Explanation explain(const ir::Module& module, const Plan& plan) {
  Explanation made;
  // Launches are likely to be of those that the kernel's indices suggest.
  const bool suggested = plan.few && !plan.few->extents.empty();
  const bool in_columns = suggested && plan.few->extents.front().is_stride;
  const bool few = plan.few && !in_columns;
  const Way& way = few ? plan.few->way : plan.way;
  std::visit(Summary{plan.machine, made}, way);
  if (plan.block_lanes)
    made.summary.push_back("blocks side by side along x are lanes, " +
                           std::to_string(plan.machine.lanes) +
                           " at a time: threads of one block go different ways, or to elements "
                           "that lie apart; what follows is of a block by itself");
  if (in_columns) made.summary.push_back(columns_text(module.functions[0], plan));
  if (few && suggested)
    made.summary.push_back("this is where " + extents_text(module.functions[0], plan.few->extents) +
                           ", as the indices suggest; else strides are not known");
  if (plan.few && !plan.few->written.empty())
    made.summary.push_back("and where " + names_text(module.functions[0], plan.few->written) +
                           " shares no memory with another array: a thread's reads need not wait "
                           "for its writes");
  if (plan.own_sums)
    made.summary.push_back(
        "where they are small, copies of " +
        names_text(module.functions[0],
                   plan.own_sums->arrays | std::views::transform(&SummedArray::parameter)) +
        " for each range of blocks, put together at its end: no atomic instructions");
  if (plan.sweeps)
    made.summary.push_back("with more elements of " +
                           names_text(module.functions[0], plan.sweeps->arrays) +
                           " than caches hold, the warps of a block go through a loop over memory "
                           "turn by turn");
  const Way& told = plan.own_sums && !few ? plan.own_sums->way : way;
  const auto* rows = std::get_if<ByRows>(&told);
  const auto* phases = std::get_if<ByPhases>(&told);
  std::optional<ir::Function> kernel = rows ? rows->laid_out() : flattened(module);
  if (kernel && phases && phases->flat.differs()) flatten_blocks(*kernel);
  // With local arrays where they lie.
  if (kernel && std::holds_alternative<ByPhases>(plan.way) && plan.machine.lanes > 1)
    interleave_locals({&*kernel, 1}, plan.machine.lanes);
  return finish(std::move(made), kernel, lanes_of(told), true);
}

Explanation explain_on_gpu(const ir::Module& module, unsigned warp_size) {
  std::optional<ir::Function> kernel = flattened(module);
  Explanation made;
  made.summary.push_back(kernel ? "warps of " + std::to_string(warp_size) + " threads"
                                : "thread by thread: functions call each other in a circle, or are "
                                  "too large together");
  return finish(std::move(made), kernel, {View::Row, warp_size}, false);
}

}  // namespace hetjit::host
