// What an OS thread keeps while it runs blocks of a watched launch. Private to the watch.
#pragma once

#include <pthread.h>

#include "runtime/host/race_watch.h"

namespace hetjit::runtime {

struct WatchWorker {
  /// Pieces of shadow memory that were used last, by their keys.
  template <class Piece>
  struct Recent {
    static constexpr size_t kPlaces = 64;
    std::array<uint64_t, kPlaces> keys{};  // plus 1
    std::array<Piece*, kPlaces> pieces{};
  };

  RaceWatch* watch = nullptr;
  uint32_t block = UINT32_MAX;  // that was at work last,
  uintptr_t memory = 1;         // and where its memory begins; 1: none was
  BlockState* state = nullptr;
  uintptr_t stack_end = 0;  // beyond the highest address of this OS thread's stack
  Recent<RaceWatch::Chunk> chunks;
  Recent<RaceWatch::Contents> contents;
  Finding finding{};

  // Blocks without memory of their own run one after another.
  void enter(const WatchedThreads& who) {
    if (who.block == block && who.shared_begin == memory) return;
    if (who.shared_begin != memory)
      state =
          &watch->block_at(who.shared_begin ? who.shared_begin : reinterpret_cast<uintptr_t>(this));
    if (!stack_end) stack_end = find_stack_end();
    memory = who.shared_begin;
    block = who.block;
    if (state->block != block) state->begin(block);
  }
  RaceWatch::Chunk* chunk(uint64_t key) {
    return recent(chunks, key, [&] { return watch->chunk(key); });
  }
  RaceWatch::Contents* contents_piece(uint64_t key) {
    return recent(contents, key, [&] { return watch->contents(key); });
  }

 private:
  static uintptr_t find_stack_end() {
    pthread_attr_t attributes;
    void* begin = nullptr;
    size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 1;
    pthread_attr_getstack(&attributes, &begin, &bytes);
    pthread_attr_destroy(&attributes);
    return reinterpret_cast<uintptr_t>(begin) + bytes;
  }
  template <class Piece, class Find>
  static Piece* recent(Recent<Piece>& of, uint64_t key, Find find) {
    size_t place = (key ^ key >> 4) % Recent<Piece>::kPlaces;
    if (of.keys[place] != key + 1) {
      of.pieces[place] = find();
      of.keys[place] = key + 1;
    }
    return of.pieces[place];
  }
};

inline thread_local WatchWorker watch_worker;

}  // namespace hetjit::runtime
