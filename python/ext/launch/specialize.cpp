// A launch for which nothing is ready: capture, then find what was compiled from the same content,
// or build, compile and load. Python is needed at both ends only; in the middle the GIL is
// released.
#include <algorithm>
#include <cstdlib>

#include "python/ext/capture/capturer.h"
#include "python/ext/handles/errors.h"
#include "python/ext/handles/set_aside.h"
#include "python/ext/launch/compiling.h"
#include "python/ext/launch/kernel_object.h"
#include "python/ext/launch/make_image.h"
#include "python/ext/state.h"

namespace hetjit::python {
namespace {

// What a program may keep that rebinds a global all the time, or passes ever new functions.
constexpr size_t kMostGenerations = 64;

// What the middle produces: an image and a kernel, or one of the two reasons why there is none.
struct Made : MadeImage {
  std::shared_ptr<runtime::Kernel> kernel;
  std::optional<Error> error;
};

// Unloading calls the driver, which may be Python, at whatever moment the last user lets go.
std::shared_ptr<runtime::Kernel> shared(std::unique_ptr<runtime::Kernel> kernel,
                                        ImageTable::Image image) {
  return {kernel.release(), [image = std::move(image)](runtime::Kernel* unloaded) {
            const SetAside raised;
            delete unloaded;
          }};
}

// Whether there is a kernel now.
bool load(Made& made, runtime::Device& device) {
  KernelImage image = made.image->image;
  image.sites = made.sites;
  Result<std::unique_ptr<runtime::Kernel>> kernel = runtime::Kernel::load(device, image);
  if (kernel)
    made.kernel = shared(std::move(*kernel), made.image);
  else
    made.error = kernel.error();
  return kernel.ok();
}

// The same, where another function with the same content may have it. False: an exception is set.
bool find_or_load(State& state, Made& made, runtime::Device& device) {
  made.kernel = state.loaded.find(*made.image, device, made.sites);
  if (made.kernel) return true;
  const TargetKind target = device.info().target.kind;
  if (!compiling(
          LlvmWork::Load, target, [] { return true; }, [&] { return load(made, device); }))
    return false;
  if (made.kernel) state.loaded.add(*made.image, made.kernel);
  return true;
}

// What a program is captured for, beside what names mean.
struct Asked {
  std::vector<uint64_t> constants;  // words of constant arguments, each with its place as low half
  std::vector<TypeId> structs;      // that come as arguments: their methods are part of the program
};

Asked asked_of(const KernelData& kernel, const Arguments& arguments) {
  Asked asked;
  std::vector<TypeId> types;
  for (size_t i = 0; i < arguments.count; ++i) {
    if (is_constant_word(arguments.words[i]))
      asked.constants.push_back((arguments.words[i] & ~uint64_t{3}) | i);
    else
      add_struct_types(parameter_of_word(arguments.words[i]).type, types);
  }
  for (TypeId one : types)
    if (!kernel.state->classes.of(one).empty()) asked.structs.push_back(one);
  return asked;
}

uint32_t number_of_constant(uint64_t word) { return static_cast<uint32_t>(word >> 32); }

BoundObjects objects_of(const KernelData& kernel, const std::vector<uint64_t>& constants) {
  BoundObjects bound;
  for (uint64_t word : constants)
    bound.emplace_back(static_cast<uint32_t>(word),
                       kernel.parameters->objects->object(number_of_constant(word)));
  return bound;
}

bool answers(const Generation& generation, const Asked& asked) {
  return !generation.failed && generation.constants == asked.constants &&
         std::all_of(asked.structs.begin(), asked.structs.end(),
                     [&](TypeId one) { return generation.program->find_struct(one) != nullptr; });
}

// The generation whose names still mean what they meant, moved to the front; null when there is
// none or, with an exception set, when a lookup failed.
Generation* find_generation(KernelData& kernel, const Asked& asked) {
  auto& all = kernel.generations;
  for (size_t i = 0; i < all.size(); ++i) {
    Generation& one = *all[i];
    if (!answers(one, asked)) continue;
    const bool holds = one.watches.hold();
    if (PyErr_Occurred()) return nullptr;
    if (!holds) continue;
    // Not by number: looking names up may have run Python, which may have launched.
    auto place = std::find_if(all.begin(), all.end(), [&](auto& it) { return it.get() == &one; });
    std::iter_swap(place, all.begin());
    return &one;
  }
  return nullptr;
}

Specialization* find_ready(Generation& generation, const Arguments& arguments,
                           const runtime::Device& device) {
  for (const auto& ready : generation.ready)
    if (ready->serves(arguments, &device)) return generation.last = ready.get();
  return nullptr;
}

bool is_host(const runtime::Device& device) {
  return device.info().kind == runtime::DeviceKind::Host;
}

Specialization::Waits waits_of(const runtime::Device& device) {
  if (is_host(device)) return Specialization::Always;
  const bool nowhere = device.info().kind == runtime::DeviceKind::Null;
  return nowhere ? Specialization::Never : Specialization::WhenFull;
}

// Lets go what can never serve again, then what served least lately. Not the newest, which serves
// this launch even where what it was captured from has ended meanwhile.
void make_room(KernelData& kernel) {
  auto& all = kernel.generations;
  if (kernel.running > 1) return;
  std::vector<std::unique_ptr<Generation>> gone;  // ends last: what it held may launch this kernel
  for (size_t i = 1; i < all.size(); ++i)
    if (all[i]->watches.ended() || i >= kMostGenerations) gone.push_back(std::move(all[i]));
  std::erase(all, nullptr);
  std::vector<uint32_t> used;
  for (const auto& generation : all)
    for (uint64_t word : generation->constants) used.push_back(number_of_constant(word));
  kernel.parameters->objects->keep(used);
}

Generation* add_generation(KernelData& kernel, Asked asked) {
  std::optional<Captured> captured =
      capture(*kernel.state, kernel.function, asked.structs, objects_of(kernel, asked.constants));
  if (!captured) return nullptr;
  // Another thread may have captured the same while this one read attributes.
  Generation* same = find_generation(kernel, asked);
  if (same || PyErr_Occurred()) return same;
  auto made = std::make_unique<Generation>();
  made->number = ++kernel.generations_made;
  made->watches = std::move(captured->watches);
  made->program = std::move(captured->program);
  made->constants = std::move(asked.constants);
  if (!kernel.options.name.empty()) {
    auto renamed = std::make_shared<Program>(*made->program);
    renamed->functions.front().name = kernel.options.name;
    made->program = std::move(renamed);
  }
  Generation* added = made.get();
  kernel.generations.insert(kernel.generations.begin(), std::move(made));
  make_room(kernel);
  return added;
}

// After so many compilations for one name the user is told.
constexpr uint32_t kOften = 8;

// A name that means something else in two captures of the same functions; "": there is none.
std::string name_that_differs(const Program& before, const Program& now) {
  for (size_t i = 0; i < std::min(before.functions.size(), now.functions.size()); ++i) {
    const std::vector<Name>&old = before.functions[i].names, &names = now.functions[i].names;
    for (size_t k = 0; k < std::min(old.size(), names.size()); ++k)
      if (old[k].path == names[k].path && old[k].meaning != names[k].meaning) return names[k].path;
  }
  return "";
}

// Tells of a name whose values are constants of ever new compilations. False: an exception is set,
// for a filter may turn a warning into one.
bool warn_of_rebinding(KernelData& kernel) {
  const auto& all = kernel.generations;
  if (all.size() < 2 || !all[0]->ready.empty() || all[0]->constants != all[1]->constants)
    return true;
  const Program& now = *all[0]->program;
  const std::string name = name_that_differs(*all[1]->program, now);
  if (name != kernel.rebound.name) kernel.rebound = {name, 0};
  if (name.empty() || ++kernel.rebound.times != kOften) return true;
  const Source& source = now.functions[0].source;
  const std::string text = "warning: '" + now.functions[0].name + "' has been compiled " +
                           std::to_string(kOften) + " times more because '" + name +
                           "' was bound to other values\n  = help: names from outside are "
                           "constants of a compilation; pass what changes as an argument";
  Handle warn = error_class("warn");
  return warn && Handle::own(PyObject_CallFunction(warn.get(), "ss(sIIII)()()", text.c_str(), "",
                                                   source.path.c_str(), source.first_line, 0u,
                                                   source.first_line, 0u));
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
  options.limits = kernel.options.limits;
  options.debug = kernel.options.debug;
  for (size_t i = 0; i < arguments.count; ++i)
    options.signature.parameters.push_back(parameter_of_word(arguments.words[i]));
  return options;
}

Generation* current_generation(KernelData& kernel, const Arguments& arguments) {
  Asked asked = asked_of(kernel, arguments);
  Generation* found = find_generation(kernel, asked);
  return found || PyErr_Occurred() ? found : add_generation(kernel, std::move(asked));
}

namespace {

// What is wrong in a device.func that was launched may be that alone.
Diagnostics as_launched(const Diagnostics& found, const Program& program) {
  Diagnostics told;
  for (Diagnostic each : found.all()) {
    if (told.all().empty())
      each.notes.push_back("'" + program.functions.front().name +
                           "' is a device.func, which kernels call: what is launched is a "
                           "@device.kernel, which stores its results in arrays");
    told.add(std::move(each));
  }
  return told;
}

Specialization* make_ready(KernelData& kernel, const Arguments& arguments,
                           runtime::Device& device) {
  Generation* generation = current_generation(kernel, arguments);
  if (!generation) return nullptr;
  if (Specialization* ready = find_ready(*generation, arguments, device)) return ready;
  if (!check_environment()) return nullptr;
  Options options = options_for(kernel, arguments, device.info().target);
  Made made;
  made.module = generation->module;
  const auto program = generation->program;
  const ImageStore store = store_for(kernel);
  auto work = [&] { return make_image(program, options, store, made); };
  if (!compiling(LlvmWork::Emit, options.target.kind, work)) return nullptr;
  generation->module = made.module;
  if (made.image && !find_or_load(*kernel.state, made, device)) return nullptr;
  if (made.error && made.error->code == ErrorCode::OutOfMemory && is_host(device))
    return fail(PyExc_MemoryError, made.error->text);
  if (made.error) return fail(*made.error);
  if (!made.kernel) {
    generation->failed = generation->ready.empty();
    Diagnostics found = with_lenders(made.diagnostics, *arguments.parameters, arguments);
    return fail(kernel.options.device_function ? as_launched(found, *program) : found, *program);
  }
  // Before it is kept: a warning that a filter makes an error comes again at the next launch.
  if (!warn(made.diagnostics, *program)) return nullptr;
  if (made.by_llvm && !warn_of_rebinding(kernel)) return nullptr;
  if (Specialization* ready = find_ready(*generation, arguments, device)) return ready;
  auto ready = std::make_unique<Specialization>();
  ready->generation = generation->number;
  ready->words.assign(arguments.words.begin(), arguments.words.begin() + arguments.count);
  ready->device = &device;
  ready->waits = waits_of(device);
  ready->kernel = std::move(made.kernel);
  generation->failed = false;
  generation->ready.push_back(std::move(ready));
  generation->last = generation->ready.back().get();
  return warn_of_cache(made.cache_faults) ? generation->last : nullptr;
}

}  // namespace

Specialization* specialize(KernelData& kernel, const Arguments& arguments,
                           runtime::Device& device) {
  Specialization* made = nullptr;
  return with_memory([&] { made = make_ready(kernel, arguments, device); }) ? made : nullptr;
}

}  // namespace hetjit::python
