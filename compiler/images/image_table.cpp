#include "compiler/images/image_table.h"

#include <algorithm>
#include <mutex>

#include "abi/memory_limit.h"

namespace hetjit {

ImageTable::Entries::iterator ImageTable::find(const Fingerprint& key, const Places& places) {
  return std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.key == key &&
           (!entry.image || moved(entry.image->image.sites, entry.image->places, places));
  });
}

ImageTable::Image ImageTable::find_or_make(const Fingerprint& key, const Places& places,
                                           const std::function<Image()>& make) {
  std::unique_lock lock(mutex_);
  for (auto found = find(key, places); found != entries_.end(); found = find(key, places)) {
    if (found->image) {
      entries_.splice(entries_.begin(), entries_, found);
      return found->image;
    }
    const uint32_t before = finished_.load();
    lock.unlock();
    finished_.wait(before);
    lock.lock();
  }
  const auto entry = entries_.insert(entries_.begin(), {key, nullptr});
  lock.unlock();
  Image made;
  const bool enough = within_memory([&] { made = make(); });
  finish(entry, made);
  if (!enough) end_for_memory();
  return made;
}

// Whoever waits looks again, and makes it where this thread could not.
void ImageTable::finish(Entries::iterator made, Image image) {
  {
    const std::lock_guard lock(mutex_);
    if (image) {
      bytes_ += image->image.code.size();
      made->image = std::move(image);
      entries_.splice(entries_.begin(), entries_, made);
      make_room();
    } else {
      entries_.erase(made);
    }
  }
  ++finished_;
  finished_.notify_all();
}

// Not the newest, however large it is, and not what is being made.
void ImageTable::make_room() {
  for (auto last = std::prev(entries_.end()); bytes_ > kMostBytes && last != entries_.begin();) {
    const auto oldest = last--;
    if (!oldest->image) continue;
    bytes_ -= oldest->image->image.code.size();
    entries_.erase(oldest);
  }
}

ImageTable& image_table() {
  static ImageTable& table = *new ImageTable;
  return table;
}

}  // namespace hetjit
