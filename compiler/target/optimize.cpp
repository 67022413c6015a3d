// The LLVM pass pipeline: shorter than -O2, because kernels are small, already in SSA form and
// compiled while the user waits. PassBuilder.h costs seconds to compile, so it stays in this file.
#include <llvm/Analysis/InlineCost.h>
#include <llvm/Analysis/MemorySSA.h>
#include <llvm/Analysis/MemorySSAUpdater.h>
#include <llvm/Analysis/SimplifyQuery.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/CodeGen/AtomicExpand.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Transforms/AggressiveInstCombine/AggressiveInstCombine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/FunctionAttrs.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/GlobalOpt.h>
#include <llvm/Transforms/IPO/Inliner.h>
#include <llvm/Transforms/IPO/ModuleInliner.h>
#include <llvm/Transforms/IPO/SCCP.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/BDCE.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopDeletion.h>
#include <llvm/Transforms/Scalar/LoopIdiomRecognize.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/Reassociate.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimpleLoopUnswitch.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LoopRotationUtils.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>
#include <llvm/Transforms/Vectorize/SLPVectorizer.h>

#include <map>
#include <optional>

#include "compiler/target/long_functions.h"
#include "compiler/target/rewrites.h"
#include "compiler/target/target_impl.h"

namespace hetjit::target {
namespace {

using llvm::FunctionPassManager;

// What LLVM's own parts of a pipeline are asked for: -O2, without link-time optimisation.
const llvm::OptimizationLevel& kOptimized = llvm::OptimizationLevel::O2;
constexpr llvm::ThinOrFullLTOPhase kWholeAtOnce = llvm::ThinOrFullLTOPhase::None;

llvm::SimplifyCFGOptions tidy_cfg(const PassChoices& wants) {
  return llvm::SimplifyCFGOptions().convertSwitchRangeToICmp(true).bonusInstThreshold(
      wants.speculated);
}

/// Does any function remain that nobody inlined yet?
bool has_callees(const llvm::Module& module) {
  for (const llvm::Function& function : module)
    if (!function.isDeclaration() && function.hasLocalLinkage()) return true;
  return false;
}

llvm::PreservedAnalyses blocks_stay(bool changed) {
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

struct MergeChoices : llvm::PassInfoMixin<MergeChoices> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return blocks_stay(merge_choices(function));
  }
};

template <Places of>
struct TakeOutConstants : llvm::PassInfoMixin<TakeOutConstants<of>> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    const bool changed = take_out_constants(function, of);
    llvm::PreservedAnalyses kept = blocks_stay(changed);
    // What neighbours share now is computed once.
    if (changed && of == Places::All) kept.intersect(llvm::EarlyCSEPass().run(function, analyses));
    return kept;
  }
};

void combine(FunctionPassManager& passes, const PassChoices& wants) {
  passes.addPass(MergeChoices());
  if (wants.has_spaces) passes.addPass(TakeOutConstants<Places::Words>());
  passes.addPass(llvm::InstCombinePass());
}

void add_cleanup(FunctionPassManager& passes, const PassChoices& wants) {
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  // First of all: others take a cast to an address space and back for nothing.
  if (wants.has_spaces) passes.addPass(llvm::InferAddressSpacesPass());
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::SimplifyCFGPass(tidy_cfg(wants)));
  combine(passes, wants);
  if (wants.has_spaces) passes.addPass(llvm::InferAddressSpacesPass());
}

/// Loops ask at the end of a turn, and before the first one. LLVM's own pass leaves out the latter
/// where it can take a short turn into the test, and leaves a loop alone that another way leaves at
/// its end: less code where the test reads something (codegen_wide.py: hash_find). But a count that
/// the analysis knows is then a maximum of those of the loops before it, and so is what the loop
/// leaves: 40 such loops took seconds, hundreds a stack.
/// (tests/differential/test_long_functions.py)
struct TurnLoops : llvm::PassInfoMixin<TurnLoops> {
  llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager&,
                              llvm::LoopStandardAnalysisResults& known, llvm::LPMUpdater&) {
    constexpr unsigned kInstructionsOfTests = 16;  // LLVM's own limit
    const bool always =
        llvm::none_of(*loop.getHeader(), [](const auto& inst) { return inst.mayReadFromMemory(); });
    std::optional<llvm::MemorySSAUpdater> memory;
    if (known.MSSA) memory.emplace(known.MSSA);
    const llvm::SimplifyQuery query(loop.getHeader()->getDataLayout(), &known.TLI, &known.DT,
                                    &known.AC);
    if (!llvm::LoopRotation(&loop, &known.LI, &known.TTI, &known.AC, &known.DT, &known.SE,
                            memory ? &*memory : nullptr, query, /*RotationOnly=*/always,
                            kInstructionsOfTests, /*IsUtilMode=*/always))
      return llvm::PreservedAnalyses::all();
    llvm::PreservedAnalyses kept = llvm::getLoopPassPreservedAnalyses();
    if (known.MSSA) kept.preserve<llvm::MemorySSAAnalysis>();
    return kept;
  }
};

void add_loops(FunctionPassManager& passes, const PassChoices& wants, bool crowded) {
  llvm::LoopPassManager early;
  early.addPass(TurnLoops());
  early.addPass(llvm::LICMPass(llvm::LICMOptions()));
  early.addPass(llvm::SimpleLoopUnswitchPass(false));
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(early), /*UseMemorySSA=*/true));
  passes.addPass(llvm::SimplifyCFGPass(tidy_cfg(wants)));
  combine(passes, wants);
  if (!crowded)  // it looks at each address of a loop
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::IndVarSimplifyPass()));
}

void add_scalar(FunctionPassManager& passes, bool loops, const PassChoices& wants) {
  passes.addPass(llvm::GVNPass());
  passes.addPass(llvm::BDCEPass());
  if (!wants.has_vectors) combine(passes, wants);  // else after vectorising
  passes.addPass(llvm::DSEPass());
  if (loops)
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()),
                                                         /*UseMemorySSA=*/true));
}

/// The lanes are threads of a block, so only loops are vectorised. Without interleaving and without
/// a second, narrower vector loop for the remainder: half the code, and half the time to compile
/// it.
void add_vectors(FunctionPassManager& passes) {
  passes.addPass(
      llvm::LoopVectorizePass(llvm::LoopVectorizeOptions(/*InterleaveOnlyWhenForced=*/true,
                                                         /*VectorizeOnlyWhenForced=*/false)));
}

/// What one thread does alike with neighbours, a row of a small matrix, is vectors where threads go
/// one by one. Code of warps asks for wide registers: its lanes are threads already. (gallery:
/// products_4x4)
struct AlikeInOneThread : llvm::PassInfoMixin<AlikeInOneThread> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    if (function.hasFnAttribute("min-legal-vector-width")) return llvm::PreservedAnalyses::all();
    return llvm::SLPVectorizerPass().run(function, analyses);
  }
};

/// LLVM has this as a command line switch only.
void switch_off_epilogue_vectors() {
  static const bool done = [] {
    auto& options = llvm::cl::getRegisteredOptions();
    auto found = options.find("enable-epilogue-vectorization");
    HETJIT_CHECK(found != options.end());
    // As what it is when nobody says anything: lld sets options back to that.
    static_cast<llvm::cl::opt<bool>*>(found->second)->setInitialValue(false);
    return true;
  }();
  (void)done;
}

struct WriteOutArrayLoops : llvm::PassInfoMixin<WriteOutArrayLoops> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    write_out_array_loops(function, analyses.getResult<llvm::LoopAnalysis>(function),
                          analyses.getResult<llvm::ScalarEvolutionAnalysis>(function));
    return llvm::PreservedAnalyses::all();
  }
};

struct WriteOutShortLoops : llvm::PassInfoMixin<WriteOutShortLoops> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    write_out_short_loops(analyses.getResult<llvm::LoopAnalysis>(function),
                          analyses.getResult<llvm::ScalarEvolutionAnalysis>(function));
    return llvm::PreservedAnalyses::all();
  }
};

void add_finish(FunctionPassManager& passes, bool unroll, bool arrays, const PassChoices& wants) {
  if (unroll) {
    const bool asks_for_arrays = !wants.has_vectors && arrays;
    if (asks_for_arrays) passes.addPass(WriteOutArrayLoops());
    if (!wants.has_vectors) passes.addPass(WriteOutShortLoops());
    // Of loops in one another, written out, the inner ones' counts are known only then. An array of
    // the thread's own whose indices are all known lies in registers. (codegen_wide.py: median3;
    // gallery: sorted_windows)
    if (!wants.has_vectors || arrays)
      passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LoopFullUnrollPass(2)));
    if (asks_for_arrays) passes.addPass(WriteOutArrayLoops());
    // Known trip counts only: a loop unrolled by a run-time count costs compile time and code.
    passes.addPass(llvm::LoopUnrollPass(llvm::LoopUnrollOptions(2).setRuntime(false)));
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  }
  combine(passes, wants);
  // What unrolled loops of several warps read alike lies between stores to the warps' slots.
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/unroll && wants.has_vectors));
  passes.addPass(
      llvm::SimplifyCFGPass(tidy_cfg(wants).hoistCommonInsts(true).sinkCommonInsts(true)));
  // Turns that were written out are one block now.
  if (unroll && wants.has_vectors) passes.addPass(AlikeInOneThread());
}

/// Analyses and the builder that knows the target's own; made per module.
struct Analyses {
  explicit Analyses(llvm::TargetMachine* machine) : builder(machine) { add(); }
  /// With these costs in place of a target's own.
  explicit Analyses(llvm::TargetIRAnalysis costs) {
    functions.registerPass([&] { return std::move(costs); });
    add();
  }
  // Destroyed in reverse: each refers to those before it.
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;

 private:
  void add() {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(sccs);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, sccs, modules);
  }
};

template <class Add>
void run_on_functions(llvm::Module& module, Analyses& analyses, Add&& add) {
  FunctionPassManager functions;
  add(functions);
  llvm::ModulePassManager passes;
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(functions)));
  passes.run(module, analyses.modules);
}

const llvm::Function* callee_of(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && !callee->isDeclaration() ? callee : nullptr;
}

/// How many instructions functions would have with everything inlined that they call.
class WholeSizes {
 public:
  size_t of(const llvm::Function& function, int depth = 0) {
    auto [known, is_new] = sizes_.try_emplace(&function, kHuge);  // itself, when it is recursive
    if (!is_new || depth > 500) return known->second;
    size_t size = 0;
    for (const llvm::BasicBlock& block : function)
      for (const llvm::Instruction& instruction : block) {
        const llvm::Function* callee = callee_of(instruction);
        size = std::min(kHuge, size + 1 + (callee ? of(*callee, depth + 1) : 0));
      }
    return sizes_[&function] = size;
  }

 private:
  static constexpr size_t kHuge = 1u << 20;
  std::map<const llvm::Function*, size_t> sizes_;
};

/// Calls are dear on GPUs and keep the host's loops from being vectorised, so everything is inlined
/// that fits. Where functions that call functions would grow with the square of their number, or
/// worse, the larger ones stay functions.
void keep_large_functions(llvm::Module& module) {
  WholeSizes sizes;
  bool fits = true;
  for (const llvm::Function& function : module)
    if (!function.isDeclaration()) fits = fits && sizes.of(function) <= kFitsInlined;
  if (fits) return;
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && function.hasLocalLinkage() && !function.hasOneUse() &&
        !function.hasFnAttribute(llvm::Attribute::AlwaysInline) &&
        sizes.of(function) > kStaysFunction)
      function.addFnAttr(llvm::Attribute::NoInline);
}

void inline_calls(llvm::Module& module, Analyses& analyses, const PassChoices& wants) {
  llvm::ModulePassManager first;
  first.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/false));
  first.addPass(llvm::GlobalDCEPass());
  first.run(module, analyses.modules);
  if (!has_callees(module)) return;
  if (wants.has_spaces) share_argument_spaces(module);
  run_on_functions(module, analyses,
                   [&](FunctionPassManager& passes) { add_cleanup(passes, wants); });
  keep_large_functions(module);
  llvm::ModulePassManager second;
  second.addPass(llvm::ModuleInlinerPass(llvm::getInlineParams(wants.inline_cost)));
  second.addPass(llvm::GlobalDCEPass());
  second.run(module, analyses.modules);
}

/// That bits are counted by an instruction, LLVM does not know of every GPU.
struct CountsBits : llvm::TargetTransformInfoImplCRTPBase<CountsBits> {
  explicit CountsBits(const llvm::DataLayout& layout) : TargetTransformInfoImplCRTPBase(layout) {}
  llvm::TargetTransformInfo::PopcntSupportKind getPopcntSupport(unsigned) const override {
    return llvm::TargetTransformInfo::PSK_FastHardware;
  }
};

/// Does a block that follows itself take bits away, one by one or all but the highest?
bool may_count_bits(const llvm::Module& module) {
  for (const llvm::Function& function : module)
    for (const llvm::BasicBlock& block : function) {
      if (!llvm::is_contained(llvm::successors(&block), &block)) continue;
      for (const llvm::Instruction& instruction : block) {
        using llvm::PatternMatch::m_AllOnes, llvm::PatternMatch::m_c_And, llvm::PatternMatch::m_One;
        llvm::Value* number = nullptr;
        auto any = llvm::PatternMatch::m_Value(number);
        auto same = llvm::PatternMatch::m_Deferred(number);
        if (match(&instruction, llvm::PatternMatch::m_Shift(any, m_One())) ||
            match(&instruction, m_c_And(llvm::PatternMatch::m_Add(any, m_AllOnes()), same)))
          return true;
      }
    }
  return false;
}

/// Loops that count bits are instructions. (benchmarks/codegen: count_bits, highest_bit)
void count_bits(llvm::Module& module, const PassChoices& wants) {
  Analyses analyses(llvm::TargetIRAnalysis([](const llvm::Function& function) {
    return llvm::TargetTransformInfo(std::make_unique<CountsBits>(function.getDataLayout()));
  }));
  run_on_functions(module, analyses, [&](FunctionPassManager& passes) {
    llvm::LoopPassManager loops;
    loops.addPass(llvm::LoopIdiomRecognizePass());
    loops.addPass(llvm::LoopDeletionPass());
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops), /*UseMemorySSA=*/true));
    combine(passes, wants);  // takes what is counted out of the condition round it
    passes.addPass(llvm::SimplifyCFGPass(tidy_cfg(wants)));
    combine(passes, wants);
  });
}

}  // namespace

void optimize(llvm::Module& module, llvm::TargetMachine& machine, const Target& target) {
  const PassChoices& wants = target.pass_choices();
  if (wants.has_vectors) switch_off_epilogue_vectors();
  Analyses analyses(&machine);
  inline_calls(module, analyses, wants);
  const Lengths lengths(module);
  // Of loops that follow one another, each rotation changes the dominator tree of all that comes
  // after it, and each guard is a condition on the same count.
  const bool loops = lengths.has_loops && !lengths.many_loops;
  // The vectoriser compares each access of a loop with each, and gives up on hundreds; of thousands
  // of instructions it takes longer for each.
  const bool copies_loops =
      !lengths.crowded_block && !lengths.large_function && !lengths.many_loops;
  run_on_functions(module, analyses, [&](FunctionPassManager& passes) {
    add_cleanup(passes, wants);
    passes.addPass(llvm::SimplifyCFGPass(tidy_cfg(wants)));
    passes.addPass(llvm::ReassociatePass());
    if (loops) add_loops(passes, wants, lengths.crowded_block);
    add_scalar(passes, lengths.has_loops, wants);
    // Also where threads are vectors: a loop may be the same in all.
    if (wants.has_vectors && copies_loops) add_vectors(passes);
    add_finish(passes, loops && copies_loops, lengths.has_arrays, wants);
  });
  if (!wants.has_vectors && loops && may_count_bits(module)) count_bits(module, wants);
  if (wants.has_spaces)
    run_on_functions(module, analyses, [](FunctionPassManager& passes) {
      passes.addPass(TakeOutConstants<Places::All>());
    });
  // What the target itself adds: without AMD's, every kernel keeps all nineteen hidden arguments.
  llvm::ModulePassManager last;
  analyses.builder.invokeOptimizerLastEPCallbacks(last, kOptimized, kWholeAtOnce);
  last.run(module, analyses.modules);
}

void expand_atomics(llvm::Module& module, llvm::TargetMachine& machine) {
  Analyses analyses(&machine);
  run_on_functions(module, analyses, [&](FunctionPassManager& passes) {
    passes.addPass(llvm::AtomicExpandPass(machine));
  });
}

void optimize_apart(llvm::Module& module) {
  Analyses analyses(nullptr);
  llvm::ModulePassManager passes;
  passes.addPass(llvm::IPSCCPPass());
  passes.addPass(llvm::GlobalOptPass());  // constructors that can be run now
  FunctionPassManager before;
  add_cleanup(before, kHostPasses);
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(before)));
  llvm::ModuleInlinerWrapperPass inliner(llvm::getInlineParams(kOptimized.getSpeedupLevel(), 0));
  inliner.getPM().addPass(llvm::PostOrderFunctionAttrsPass());
  inliner.getPM().addPass(llvm::createCGSCCToFunctionPassAdaptor(
      analyses.builder.buildFunctionSimplificationPipeline(kOptimized, kWholeAtOnce)));
  passes.addPass(std::move(inliner));
  passes.addPass(llvm::GlobalDCEPass());
  passes.run(module, analyses.modules);
}

}  // namespace hetjit::target
