// C++ functions that NVRTC compiles. LLVM does not see into them: a module names their texts, and
// the PTX that comes of them becomes a part of its own.
#include <llvm/ADT/MapVector.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "abi/bytes.h"
#include "compiler/target/external_code.h"
#include "compiler/target/foreign_code.h"
#include "compiler/target/ptx_text.h"
#include "compiler/target/rewrites.h"
#include "compiler/target/target_impl.h"

namespace hetjit::target {
namespace {

constexpr const char* kTexts = "hetjit.cuda";       // a node for each function
constexpr const char* kDefinitions = "hetjit.ptx";  // and one of what became of a library

using Texts = std::vector<std::string>;

llvm::MDNode* node_of(llvm::LLVMContext& context, const Texts& texts) {
  llvm::SmallVector<llvm::Metadata*, 16> parts;
  for (const std::string& text : texts) parts.push_back(llvm::MDString::get(context, text));
  return llvm::MDNode::get(context, parts);
}

Texts texts_of(const llvm::MDNode& node) {
  Texts texts;
  for (const llvm::MDOperand& text : node.operands())
    texts.push_back(llvm::cast<llvm::MDString>(text.get())->getString().str());
  return texts;
}

const llvm::MDNode& part_of(const llvm::MDNode& node, unsigned number) {
  return *llvm::cast<llvm::MDNode>(node.getOperand(number).get());
}

/// Its text, its options, and its headers, names and texts by turns.
llvm::MDNode* node_of(llvm::LLVMContext& context, const CudaSource& library) {
  Texts headers;
  for (const auto& [name, text] : library.headers) headers.insert(headers.end(), {name, text});
  return llvm::MDNode::get(context, {node_of(context, Texts{library.name, library.text}),
                                     node_of(context, library.options), node_of(context, headers)});
}

CudaSource library_in(const llvm::MDNode& node) {
  const Texts texts = texts_of(part_of(node, 0));
  CudaSource source{
      .name = texts[0], .text = texts[1], .options = texts_of(part_of(node, 1)), .headers = {}};
  const Texts headers = texts_of(part_of(node, 2));
  for (size_t i = 0; i < headers.size(); i += 2)
    source.headers.emplace_back(headers[i], headers[i + 1]);
  return source;
}

const PtxSymbol& symbol_in(const std::vector<PtxSymbol>& symbols, const std::string& name) {
  auto found = std::ranges::find(symbols, name, &PtxSymbol::name);
  HETJIT_CHECK(found != symbols.end());
  return *found;
}

std::vector<Needed> needed_by(const std::vector<PtxSymbol>& symbols) {
  std::vector<Needed> needed;
  for (const PtxSymbol& symbol : symbols)
    if (symbol.is_extern && std::ranges::none_of(symbols, [&](const PtxSymbol& other) {
          return !other.is_extern && other.name == symbol.name;
        }))
      needed.push_back({symbol.name, llvm::demangle(symbol.name), !symbol.is_function});
  return needed;
}

/// A declaration, in which threads may wait for one another.
void declare(llvm::Module& module, const std::string& symbol, size_t addresses) {
  llvm::LLVMContext& context = module.getContext();
  const llvm::SmallVector<llvm::Type*, 8> places(addresses, llvm::PointerType::get(context, 0));
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), places, false);
  auto* function = llvm::cast<llvm::Function>(module.getOrInsertFunction(symbol, type).getCallee());
  function->addFnAttr(llvm::Attribute::NoUnwind);
  function->addFnAttr(llvm::Attribute::Convergent);
}

/// What is compiled together: a library, and the functions of it that are called.
struct Part {
  CudaSource source;
  Texts symbols;
};

llvm::MapVector<const llvm::MDNode*, Part> parts_of(const llvm::Module& module) {
  llvm::MapVector<const llvm::MDNode*, Part> parts;
  const llvm::NamedMDNode* all = module.getNamedMetadata(kTexts);
  if (!all) return parts;
  for (const llvm::MDNode* node : all->operands()) {
    const Texts call = texts_of(part_of(*node, 0));
    const llvm::Function* function = module.getFunction(call[0]);
    if (!function || function->use_empty()) continue;
    const llvm::MDNode& library = part_of(*node, 1);
    auto [found, is_new] = parts.try_emplace(&library);
    Part& part = found->second;
    if (is_new) part.source = library_in(library);
    if (std::ranges::find(part.symbols, call[0]) != part.symbols.end()) continue;
    part.source.text += call[1];
    part.symbols.push_back(call[0]);
  }
  return parts;
}

}  // namespace

std::optional<ExternalCode> prepare_cuda(const CudaCall& call, const std::string& symbol,
                                         size_t addresses, const std::string& ptx) {
  const std::vector<PtxSymbol> symbols = symbols_of_ptx(ptx);
  if (std::ranges::find(symbols, symbol, &PtxSymbol::name) == symbols.end()) return std::nullopt;
  llvm::LLVMContext context;
  llvm::Module module("C++", context);
  declare(module, symbol, addresses);
  module.getOrInsertNamedMetadata(kTexts)->addOperand(llvm::MDNode::get(
      context, {node_of(context, Texts{symbol, call.call}), node_of(context, call.library)}));
  for (const PtxSymbol& each : symbols)
    if (each.name.starts_with("hetjit_link_")) need_file(module, text_in(each));
  const PtxAddresses seen = addresses_in(symbol_in(symbols, symbol), addresses);
  auto number = [&](const char* what) { return number_in(symbol_in(symbols, symbol + what)); };
  ExternalCode code{.result = {number("_result"), number("_size"), number("_align"),
                               text_in(symbol_in(symbols, symbol + "_type"))},
                    .bitcode = bitcode_of(module),
                    .kept = seen.kept,
                    .changed = seen.changed,
                    .needed = {}};
  if (files_needed(module).empty()) code.needed = needed_by(symbols);
  return code;
}

Status compile_cuda_texts(llvm::Module& module, const Target& target) {
  for (const auto& [node, part] : parts_of(module)) {
    Result<CudaAnswer> made = compile_cuda(part.source, target.name().arch);
    HETJIT_TRY(made);
    if (!made->accepted)
      return Error{ErrorCode::Internal,
                   "NVRTC takes functions of a library apart, not together: " + made->messages};
    std::string all = part.source.text;
    for (const std::string& option : part.source.options) all += "\n" + option;
    const std::string prefix = "hetjit_" + std::to_string(checksum(all)) + "_";
    Texts texts = part.symbols;
    texts.push_back(made_internal(made->ptx, part.symbols, prefix));
    module.getOrInsertNamedMetadata(kDefinitions)->addOperand(node_of(module.getContext(), texts));
  }
  return ok();
}

std::string with_cuda_texts(const llvm::Module& module, std::string ptx) {
  const llvm::NamedMDNode* all = module.getNamedMetadata(kDefinitions);
  if (!all) return ptx;
  for (const llvm::MDNode* node : all->operands()) {
    Texts symbols = texts_of(*node);
    const std::string definitions = std::move(symbols.back());
    symbols.pop_back();
    ptx = with_definitions(std::move(ptx), definitions, symbols);
  }
  return ptx;
}

}  // namespace hetjit::target
