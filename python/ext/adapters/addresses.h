// What an object means as an address in memory: the one reader behind all adapters of hetjit.types
// and all calls of hetjit.driver.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "python/ext/handles/handle.h"
#include "runtime/device.h"

namespace hetjit::python {

struct State;

/// The export of an object's buffer, released when this goes.
struct ReleaseBuffer {
  void operator()(Py_buffer* view) const;
};
using HeldBuffer = std::unique_ptr<Py_buffer, ReleaseBuffer>;

/// An array that was made for C to read, aligned as any parameter block may ask.
struct alignas(64) Line {
  std::byte bytes[64];
};
using MadeArray = std::vector<Line>;

/// Memory by its address, and what keeps it there for as long as this lives.
struct Memory {
  enum class Place : uint8_t { Unknown, Host, Device, Both };
  static constexpr size_t kUnknown = SIZE_MAX;

  runtime::Address address = 0;
  size_t bytes = kUnknown;  // from the address on, where the object tells
  Place place = Place::Unknown;
  bool writable = true;
  Kept owner;         // whose memory it is
  HeldBuffer buffer;  // the owner's, held so that it does not move
  MadeArray array;
  std::vector<Memory> elements;  // what the pointers in `array` point to

  int traverse(visitproc visit, void* arg) const;
};

enum class Found : uint8_t { No, Yes, Failed };  // Failed: an exception is set
using Step = Found (*)(State& state, Borrowed object, Memory& to);

/// The orders in which an object is asked what it is. The first that it is counts.
extern const std::span<const Step> kAnyMemory;  // None, Pointer, int, c_void_p, interface, buffer,
                                                // tensor
extern const std::span<const Step> kRecord;     // None, int, c_void_p, interface, buffer, tensor,
                                                // Pointer
extern const std::span<const Step> kNoMemory;   // None, Pointer, int, c_void_p: functions, texts

/// False: an exception is set, a TypeError for what is none of these. `what` is needed, for the
/// message: "an address".
bool read_address(State& state, std::span<const Step> order, const char* what, Borrowed object,
                  Memory& to);

/// The usual way: kAnyMemory.
bool read_pointer(State& state, Borrowed object, Memory& to);

}  // namespace hetjit::python
