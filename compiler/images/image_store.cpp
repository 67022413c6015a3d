#include "compiler/images/image_store.h"

#include <algorithm>
#include <filesystem>

#include "compiler/images/image_key.h"
#include "compiler/target/identity.h"

namespace hetjit {
namespace {

// An image that cannot be moved is kept for the places that it was made for.
std::string name_at(const std::string& name, const Places& places) {
  std::string text = name;
  for (const Place& place : places) {
    text += "\n" + place.path;
    for (uint32_t line : place.lines) text += ":" + std::to_string(line);
  }
  return to_text(fingerprint(text));
}

bool can_move(const Compiled& made) {
  Places elsewhere = made.places;
  for (Place& place : elsewhere)
    for (uint32_t& line : place.lines) ++line;
  return moved(made.image.sites, made.places, elsewhere).has_value();
}

bool can_be_kept(const Compiled& made) {
  return std::ranges::none_of(made.sources,
                              [](const cxx::Sources& read) { return read.compiler.empty(); });
}

// Whoever looks at a compilation shall see one; and nvJitLink, which makes cubins, is a library
// that no key knows.
bool is_of_use(const Options& options) {
  const Observer& observer = options.observer;
  return !options.verify && !options.cubin && !observer.wants && !observer.timed;
}

}  // namespace

ImageStore::ImageStore(const storage::Settings& settings)
    : settings_(settings),
      own_(settings.path, storage::Owner::Mine, settings.most_bytes),
      shared_(settings.shared, storage::Owner::Anybody) {}

ImageTable::Image ImageStore::find_or_make(const Program& program, const Options& options,
                                           const std::function<ImageTable::Image()>& make,
                                           Faults& faults) const {
  const bool used = settings_.reads && is_of_use(options);
  const std::string identity = used ? target::identity(options.target) : "";
  if (identity.empty()) return make();
  const std::string name =
      to_text(fingerprint(to_text(image_key(program, options)) + "\n" + identity));
  const Places places = places_of(program);
  if (ImageTable::Image kept = find(name, places, faults)) return kept;
  ImageTable::Image made = make();
  if (made && can_be_kept(*made) && settings_.writes && !settings_.path.empty())
    keep(*made, can_move(*made) ? name : name_at(name, places),
         ingredients(program, options, identity), faults);
  return made;
}

ImageTable::Image ImageStore::find(const std::string& name, const Places& places,
                                   Faults& faults) const {
  for (const storage::DiskCache* cache : {&own_, &shared_})
    for (const std::string& one : {name, name_at(name, places)})
      if (ImageTable::Image kept = find_in(*cache, one, faults))
        if (moved(kept->image.sites, kept->places, places)) return kept;
  std::error_code unreadable;
  if (!settings_.shared.empty() && !std::filesystem::is_directory(settings_.shared, unreadable))
    faults.push_back("HETJIT_CACHE_SHARED is no folder: " + settings_.shared);
  return nullptr;
}

ImageTable::Image ImageStore::find_in(const storage::DiskCache& cache, const std::string& name,
                                      Faults& faults) const {
  if (cache.path().empty()) return nullptr;
  Result<std::optional<storage::Bytes>> file = cache.find(name);
  if (!file) faults.push_back(file.error().text);
  if (!file || !*file) return nullptr;
  Result<Compiled> kept = load_compiled(**file, name);
  if (kept && !std::ranges::all_of(kept->sources, cxx::are_current)) return nullptr;
  if (kept) return std::make_shared<const Compiled>(std::move(*kept));
  faults.push_back(cache.path_of(name) + " is not used: " + kept.error().text);
  return nullptr;
}

// That nothing can be kept where nobody asked for it to be is no fault.
void ImageStore::keep(const Compiled& made, const std::string& name, const std::string& ingredients,
                      Faults& faults) const {
  const Status kept = own_.keep(name, save_compiled(made, name, ingredients));
  if (kept || !settings_.chosen) return;
  faults.push_back("compiled kernels are not kept: " + kept.error().text);
}

}  // namespace hetjit
