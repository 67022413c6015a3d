// Who waits for a launch wants to be asked now and then whether it shall end, and compiled loops do
// not look at clocks. So a thread sets a word that they look at, every kInterruptInterval.
#pragma once

#include <atomic>
#include <cstdint>

namespace hetjit::runtime {

using AttentionWord = std::atomic<uint32_t>;  // kAttentionSymbol of a loaded module

/// A launch under way, whose kernel looks at the word; null: at none.
class Attention {
 public:
  explicit Attention(AttentionWord* word);
  ~Attention();
  Attention(const Attention&) = delete;
  Attention& operator=(const Attention&) = delete;

  /// Who waits for the launch has been asked. When it shall end, all who work on it are to hear of
  /// it, at once and until they do.
  void answered(bool ends);

 private:
  friend class Ticker;
  AttentionWord* const word_;
  bool wanted_ = false;  // under the ticker's lock
  bool ends_ = false;    // the same
};

}  // namespace hetjit::runtime
