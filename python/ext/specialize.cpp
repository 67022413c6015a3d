// A launch for which nothing is ready: capture, build, compile, load. Python is needed at both ends
// only; in the middle the GIL is released.
#include <algorithm>
#include <cstdlib>

#include "compiler/pipeline/compile.h"
#include "frontend/build/build.h"
#include "python/ext/capturer.h"
#include "python/ext/errors.h"
#include "python/ext/kernel_object.h"
#include "python/ext/state.h"

namespace hetjit::python {
namespace {

// What a program that rebinds a global all the time may keep.
constexpr size_t kMostGenerations = 16;

// What the middle produces: a kernel, or one of the two reasons why there is none.
struct Made {
  std::shared_ptr<const ssa::Module> module;
  std::unique_ptr<runtime::Kernel> kernel;
  Diagnostics diagnostics;
  std::optional<Error> error;
};

// `module` is empty when nobody has built the program yet.
Made make(const std::shared_ptr<const Program>& program, std::shared_ptr<const ssa::Module> module,
          const Options& options, runtime::Device& device) {
  Made made;
  made.module = module ? std::move(module) : std::make_shared<const ssa::Module>(build(program));
  std::optional<KernelImage> image = compile(*made.module, options, made.diagnostics);
  if (!image) return made;
  Result<std::unique_ptr<runtime::Kernel>> kernel = runtime::Kernel::load(device, *image);
  if (kernel)
    made.kernel = std::move(*kernel);
  else
    made.error = kernel.error();
  return made;
}

// What the environment asks for that there is not must not pass for what it would do.
bool check_environment() {
  std::string wrong = wrong_in_environment();
  return wrong.empty() || fail(PyExc_ValueError, wrong);
}

// Struct types that come as arguments: their methods are part of the program.
void note_structs(KernelData& kernel, const Arguments& arguments) {
  std::vector<TypeId> found;
  for (size_t i = 0; i < arguments.count; ++i)
    add_struct_types(parameter_of_word(arguments.words[i]).type, found);
  for (TypeId one : found)
    if (std::find(kernel.structs.begin(), kernel.structs.end(), one) == kernel.structs.end() &&
        class_of_struct(*kernel.state, one))
      kernel.structs.push_back(one);
}

bool knows_structs(const Generation& generation, const KernelData& kernel) {
  return std::all_of(kernel.structs.begin(), kernel.structs.end(),
                     [&](TypeId one) { return generation.program->find_struct(one); });
}

// The words of constant arguments, each with its place in the low half.
std::vector<uint64_t> constants_of(const Arguments& arguments) {
  std::vector<uint64_t> words;
  for (size_t i = 0; i < arguments.count; ++i)
    if (is_constant_word(arguments.words[i]))
      words.push_back((arguments.words[i] & ~uint64_t{3}) | i);
  return words;
}

BoundObjects objects_of(const KernelData& kernel, const std::vector<uint64_t>& constants) {
  BoundObjects bound;
  for (uint64_t word : constants)
    bound.emplace_back(static_cast<uint32_t>(word),
                       kernel.parameters.constants.object(static_cast<uint32_t>(word >> 32)).dup());
  return bound;
}

// The generation whose names still mean what they meant, moved to the front; null when there is
// none or, with an exception set, when a lookup failed.
Generation* find_generation(KernelData& kernel, const std::vector<uint64_t>& constants) {
  auto& all = kernel.generations;
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i]->failed || all[i]->constants != constants || !knows_structs(*all[i], kernel))
      continue;
    if (!still_holds(all[i]->watches)) {
      if (PyErr_Occurred()) return nullptr;
      continue;
    }
    if (i) std::swap(all[i], all[0]);
    return all[0].get();
  }
  return nullptr;
}

Specialization* find_ready(Generation& generation, const Arguments& arguments,
                           const runtime::Device& device) {
  for (const auto& ready : generation.ready)
    if (ready->serves(arguments, &device)) return generation.last = ready.get();
  return nullptr;
}

Specialization::Waits waits_of(const runtime::Device& device) {
  if (device.name() == "cpu") return Specialization::Always;
  return device.name() == "null" ? Specialization::Never : Specialization::WhenFull;
}

Generation* add_generation(KernelData& kernel, std::vector<uint64_t> constants) {
  std::optional<Captured> captured =
      capture(*kernel.state, kernel.function, kernel.structs, objects_of(kernel, constants));
  if (!captured) return nullptr;
  // Another thread may have captured the same while this one read attributes.
  Generation* same = find_generation(kernel, constants);
  if (same || PyErr_Occurred()) return same;
  auto made = std::make_unique<Generation>();
  made->watches = std::move(captured->watches);
  made->program = std::move(captured->program);
  made->constants = std::move(constants);
  if (!kernel.options.name.empty()) {
    auto renamed = std::make_shared<Program>(*made->program);
    renamed->functions.front().name = kernel.options.name;
    made->program = std::move(renamed);
  }
  if (kernel.generations.size() >= kMostGenerations && kernel.running <= 1)
    kernel.generations.pop_back();
  kernel.generations.insert(kernel.generations.begin(), std::move(made));
  return kernel.generations.front().get();
}

}  // namespace

Options options_for(const KernelData& kernel, const Arguments& arguments,
                    const TargetName& target) {
  Options options = Options::from_environment();
  options.target = target;
  options.contract = kernel.options.contract;
  options.fastmath = kernel.options.fastmath;
  options.portable_math = kernel.options.portable_math;
  options.checks = options.checks | kernel.options.checks;
  for (size_t i = 0; i < arguments.count; ++i)
    options.signature.parameters.push_back(parameter_of_word(arguments.words[i]));
  return options;
}

Generation* current_generation(KernelData& kernel, const Arguments& arguments) {
  note_structs(kernel, arguments);
  std::vector<uint64_t> constants = constants_of(arguments);
  Generation* found = find_generation(kernel, constants);
  return found || PyErr_Occurred() ? found : add_generation(kernel, std::move(constants));
}

Specialization* specialize(KernelData& kernel, const Arguments& arguments,
                           runtime::Device& device) {
  Generation* generation = current_generation(kernel, arguments);
  if (!generation) return nullptr;
  if (Specialization* ready = find_ready(*generation, arguments, device)) return ready;
  if (!check_environment()) return nullptr;
  Options options = options_for(kernel, arguments, device.info().target);
  Made made;
  auto program = generation->program;
  auto module = generation->module;
  Py_BEGIN_ALLOW_THREADS;
  made = make(program, std::move(module), options, device);
  Py_END_ALLOW_THREADS;
  generation->module = made.module;
  if (made.error) return fail(*made.error);
  if (!made.kernel) {
    generation->failed = generation->ready.empty();
    return fail(with_lenders(made.diagnostics, kernel.parameters, arguments), *generation->program);
  }
  if (Specialization* ready = find_ready(*generation, arguments, device)) return ready;
  auto ready = std::make_unique<Specialization>();
  ready->words.assign(arguments.words.begin(), arguments.words.begin() + arguments.count);
  ready->device = &device;
  ready->waits = waits_of(device);
  ready->kernel = std::move(made.kernel);
  generation->failed = false;
  generation->ready.push_back(std::move(ready));
  return generation->last = generation->ready.back().get();
}

}  // namespace hetjit::python
