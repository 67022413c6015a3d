#include "python/ext/launch/make_image.h"

#include "compiler/cxx/functions.h"
#include "compiler/images/image_key.h"
#include "compiler/pipeline/compile.h"
#include "frontend/build/build.h"
#include "python/ext/handles/errors.h"

namespace hetjit::python {
namespace {

ImageTable::Image compile_anew(const std::shared_ptr<const Program>& program,
                               const Options& options, MadeImage& made) {
  image_table().count_compilation();
  if (!made.module) made.module = std::make_shared<const ssa::Module>(build(program));
  std::optional<KernelImage> image = compile(*made.module, options, made.diagnostics);
  if (!image) return nullptr;
  made.by_llvm = true;
  return std::make_shared<const Compiled>(Compiled{std::move(*image), made.diagnostics.warnings(),
                                                   places_of(*program),
                                                   cxx::sources_of(*program, options.target)});
}

}  // namespace

// Who watches the compiler shall see it at work.
bool make_image(const std::shared_ptr<const Program>& program, const Options& options,
                const ImageStore& store, MadeImage& made) {
  const Places places = places_of(*program);
  auto compile = [&] {
    auto anew = [&] { return compile_anew(program, options, made); };
    return store.find_or_make(*program, options, anew, made.cache_faults);
  };
  // What this process has compiled may be of headers that have changed; a file knows them.
  if (options.observer.wants || !program->libraries.empty())
    made.image = compile();
  else
    made.image = image_table().find_or_make(image_key(*program, options), places, compile);
  if (!made.image) return false;
  made.sites = moved(made.image->image.sites, made.image->places, places).value_or(Sites());
  made.diagnostics = moved(made.image->warnings, made.image->places, places);
  return made.by_llvm;
}

ImageStore store_for(const KernelData& kernel) {
  storage::Settings settings = storage::settings_from_environment();
  if (!kernel.options.cached) settings.reads = settings.writes = false;
  return ImageStore(settings);
}

bool check_environment() {
  std::string wrong = wrong_in_environment();
  if (wrong.empty()) wrong = storage::wrong_in_environment();
  return wrong.empty() || fail(PyExc_ValueError, wrong);
}

}  // namespace hetjit::python
