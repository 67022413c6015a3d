// What the two stand-ins for a driver share: they write down what they are asked, keep memory on
// the host, insist on a current device, fail on demand, and know what has been made and not given
// back. Copies are done at once; events are passed, or not as long as "pending" is set. The symbols
// that begin with `fake_` are for the test that loads the library, from C++ or Python.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#define FAKE_EXPORT extern "C" __attribute__((visibility("default")))

namespace fake {

constexpr int kInvalidValue = 1, kOutOfMemory = 2, kNotInitialized = 3, kInvalidContext = 201,
              kInvalidHandle = 400, kNotFound = 500, kNotReady = 600, kReachedAlready = 704,
              kCaptureSpoiled = 900;
constexpr int kOfThread = 1, kRelaxed = 2;  // modes of captures
constexpr int kDeviceOrdinal = 9;           // what one can ask of a pointer, both vendors

struct Block {
  size_t bytes;
  int device;
};

struct State {
  std::mutex mutex;
  std::string calls;                // one a line
  std::map<std::string, int> fail;  // the next call of that name returns this
  std::map<std::string, int> fail_always;
  std::map<std::string, long> set;     // answers that a test has changed
  long failing_call = 0, failure = 0;  // the call of that number fails; 1 is the next
  std::map<void*, Block> memory;
  std::map<std::string, std::set<void*>> live;  // by kind: "stream", "event", "module"
  std::set<void*> ended;
  std::set<std::pair<long, long>> reached;  // devices, of which one may use the other's memory
  std::map<void*, bool> pending;  // events and streams: whether there was work not to be done yet
  uintptr_t handles = 100'000;
  std::string taken;
  pid_t started_by = 0;
};

inline State& state() {
  static State* one = new State;  // for ever: so is what tests allocate and leave
  return *one;
}

/// Writes down the call. What it returns is what the call must return when it is not 0.
inline int begin(const std::string& name, const std::string& details = "") {
  State& all = state();
  std::lock_guard lock(all.mutex);
  all.calls += name + (details.empty() ? "" : " " + details) + "\n";
  if (all.failing_call && --all.failing_call == 0) return static_cast<int>(all.failure);
  if (auto found = all.fail.find(name); found != all.fail.end()) {
    const int code = found->second;
    all.fail.erase(found);
    return code;
  }
  if (auto found = all.fail_always.find(name); found != all.fail_always.end() && found->second)
    return found->second;
  return all.started_by == getpid() ? 0 : kNotInitialized;
}

inline long setting(const std::string& name, long otherwise) {
  State& all = state();
  std::lock_guard lock(all.mutex);
  auto found = all.set.find(name);
  return found == all.set.end() ? otherwise : found->second;
}

inline std::string number(const void* pointer) {
  return std::to_string(reinterpret_cast<uintptr_t>(pointer));
}

inline int allocate(void** memory, size_t bytes, int device) {
  *memory = std::malloc(bytes);
  std::lock_guard lock(state().mutex);
  state().memory[*memory] = {bytes, device};
  return 0;
}

/// The device whose memory an address is in.
inline int owner(void* value, int attribute, uint64_t address) {
  std::lock_guard lock(state().mutex);
  for (const auto& [start, block] : state().memory)
    if (attribute == kDeviceOrdinal && address - reinterpret_cast<uint64_t>(start) < block.bytes) {
      *static_cast<int*>(value) = block.device;
      return 0;
    }
  return kInvalidValue;
}

/// Handles are numbers that never come again.
inline int make(const std::string& kind, void** handle) {
  std::lock_guard lock(state().mutex);
  *handle = reinterpret_cast<void*>(++state().handles);
  state().live[kind].insert(*handle);
  return 0;
}
inline int end(const std::string& kind, void* handle) {
  std::lock_guard lock(state().mutex);
  if (state().live[kind].erase(handle) == 0) return kInvalidHandle;
  state().ended.insert(handle);
  return 0;
}
/// Whether it may be used: streams of other libraries may, those that have ended may not.
inline int use(void* handle) {
  std::lock_guard lock(state().mutex);
  return state().ended.count(handle) ? kInvalidHandle : 0;
}

/// A graph is made of what the stream "captured" is asked. Until that ends nobody may ask events,
/// whosever they are, but in the relaxed mode.
inline thread_local int capture_mode = 0;
inline bool captured(void* stream) {
  return stream && setting("captured", 0) == reinterpret_cast<intptr_t>(stream);
}
inline bool spoils_capture() { return setting("captured", 0) != 0 && capture_mode != kRelaxed; }

/// A stream whose work is taken in cannot be waited for.
inline int wait(void* stream) { return captured(stream) ? kCaptureSpoiled : use(stream); }
inline int wait_for_all() { return setting("captured", 0) != 0 ? kCaptureSpoiled : 0; }
inline int begin_capture(void* stream, int mode) {
  if (!stream || captured(stream) || mode != kOfThread) return kInvalidValue;
  std::lock_guard lock(state().mutex);
  state().set["captured"] = reinterpret_cast<intptr_t>(stream);
  return 0;
}
/// Ends it, whatever comes of it.
inline bool end_capture(void* stream) {
  if (!captured(stream)) return false;
  std::lock_guard lock(state().mutex);
  return state().set.erase("captured") != 0;
}
inline int launch_graph(void* graph, void* stream) {
  return use(graph) ? kInvalidHandle : use(stream);
}

inline int record(void* event, void* stream) {
  if (use(event) || use(stream)) return kInvalidHandle;
  const bool pending = setting("pending", 0) != 0;
  std::lock_guard lock(state().mutex);
  state().pending[event] = state().pending[stream] = pending;
  return 0;
}
/// Of an event, or of a stream, where it is whether it has recorded one.
inline int query(void* handle) {
  if (use(handle)) return kInvalidHandle;
  if (spoils_capture()) return kCaptureSpoiled;
  const bool pending = setting("pending", 0) != 0;
  std::lock_guard lock(state().mutex);
  return state().pending[handle] && pending ? kNotReady : 0;
}

inline int release(void* memory) {
  std::lock_guard lock(state().mutex);
  if (state().memory.erase(memory) == 0) return kInvalidValue;
  std::free(memory);
  return 0;
}

/// The second time a device is let reach another it says so.
inline int reach(long from, long to) {
  if (!setting("peers", 1)) return kInvalidValue;
  std::lock_guard lock(state().mutex);
  return state().reached.insert({from, to}).second ? 0 : kReachedAlready;
}

/// What CUmemPoolProps and hipMemPoolProps hold: "1 0 1 2", the last a device's number.
inline std::string describe_pool(const void* properties) {
  int words[4];
  std::memcpy(words, properties, sizeof words);
  std::string text;
  for (const int word : words) text += (text.empty() ? "" : " ") + std::to_string(word);
  return text;
}

/// A module's variable: 1 MiB of zeros by any name but "missing".
inline int global(uint64_t* address, size_t* bytes, const std::string& name) {
  static std::map<std::string, std::string> all;
  if (name == "missing") return kNotFound;
  std::lock_guard lock(state().mutex);
  std::string& memory = all[name];
  memory.resize(1 << 20);
  *address = reinterpret_cast<uint64_t>(memory.data());
  *bytes = memory.size();
  return 0;
}

/// Of any function, by the vendors' number: 4 is registers of a thread, 0 most threads of a block.
inline int function_attribute(int attribute) { return attribute == 4 ? 40 : 512; }

/// A function is its name, kept for ever.
inline void* function(const std::string& name) {
  static std::set<std::string> names;
  std::lock_guard lock(state().mutex);
  return const_cast<std::string*>(&*names.insert(name).first);
}

/// The parameter block of a launch in hexadecimal, or "malformed" when the list does not end with
/// the vendor's own last word.
inline std::string parameters(void** extra, void* end) {
  if (!extra) return "none";
  const auto word = [](int value) { return reinterpret_cast<void*>(static_cast<intptr_t>(value)); };
  if (extra[0] != word(1) || extra[2] != word(2) || extra[4] != end) return "malformed";
  const auto* bytes = static_cast<const unsigned char*>(extra[1]);
  std::string text;
  for (size_t i = 0; i < *static_cast<size_t*>(extra[3]); i++) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", bytes[i]);
    text += digits;
  }
  return text;
}

struct LaunchShape {
  unsigned grid[3], block[3], shared_bytes;
};

inline std::string describe(void* function, const LaunchShape& shape, void* stream) {
  char text[160];
  std::snprintf(text, sizeof text, " %u,%u,%u %u,%u,%u shared %u stream ", shape.grid[0],
                shape.grid[1], shape.grid[2], shape.block[0], shape.block[1], shape.block[2],
                shape.shared_bytes);
  return *static_cast<std::string*>(function) + text + number(stream);
}

/// What CUlaunchConfig and HIP_LAUNCH_CONFIG hold, in words: " with id=value" for each attribute,
/// of a cluster's " with 4=x,y,z".
struct LaunchConfig {
  unsigned grid[3], block[3], shared_bytes;
  void* stream;
  struct Attribute {
    int id, padding, value[16];
  } * attributes;
  unsigned attribute_count;
};
inline std::string number_text(const LaunchConfig::Attribute& attribute) {
  const int* value = attribute.value;
  std::string text = std::to_string(value[0]);
  return attribute.id != 4 ? text
                           : text + "," + std::to_string(value[1]) + "," + std::to_string(value[2]);
}
inline std::string describe(void* function, const LaunchConfig& config) {
  const LaunchShape shape{{config.grid[0], config.grid[1], config.grid[2]},
                          {config.block[0], config.block[1], config.block[2]},
                          config.shared_bytes};
  std::string text = describe(function, shape, config.stream);
  for (unsigned i = 0; i < config.attribute_count; ++i)
    text += " with " + std::to_string(config.attributes[i].id) + "=" +
            number_text(config.attributes[i]);
  return text;
}

}  // namespace fake

FAKE_EXPORT const char* fake_take_calls() {
  fake::State& all = fake::state();
  std::lock_guard lock(all.mutex);
  all.taken = std::exchange(all.calls, "");
  return all.taken.c_str();
}
FAKE_EXPORT void fake_fail(const char* call, int code) { fake::state().fail[call] = code; }
FAKE_EXPORT void fake_fail_always(const char* call, int code) {
  fake::state().fail_always[call] = code;
}
/// The call of that number, 1 for the next, fails.
FAKE_EXPORT void fake_fail_call(long number, int code) {
  fake::state().failing_call = number;
  fake::state().failure = code;
}
FAKE_EXPORT void fake_set(const char* name, long value) { fake::state().set[name] = value; }
/// How many of a kind were made and not given back: "memory", "stream", "event", "module", "taken",
/// "graph", "pool".
FAKE_EXPORT long fake_live(const char* kind) {
  fake::State& all = fake::state();
  std::lock_guard lock(all.mutex);
  const std::string name = kind;
  return static_cast<long>(name == "memory" ? all.memory.size() : all.live[name].size());
}
