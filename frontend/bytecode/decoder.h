// Private to this folder: the state of one decode().
#pragma once

#include <optional>
#include <string>

#include "frontend/bytecode/decode.h"
#include "frontend/bytecode/rules.h"

namespace hetjit::bytecode {

class Decoder {
 public:
  explicit Decoder(const Snapshot& snapshot)
      : snapshot_(snapshot), table_(table(snapshot.version)) {}

  Result<Decoded> run();

  // ---- for the expansions
  Python version() const { return snapshot_.version; }
  void emit(NormalOp op, int32_t arg = 0) { out_.insts.push_back({op, arg, offset_}); }
  /// Ends the path here; `what` completes "… is not supported in a compiled function".
  void emit_unsupported(std::string what);
  NormalInst* last() { return out_.insts.empty() ? nullptr : &out_.insts.back(); }
  Error malformed(const std::string& what) const;

  /// KW_NAMES stands before its call; between the two nothing else may stand.
  void expect_keyword_call() { keyword_call_ = true; }
  bool take_keyword_call() { return std::exchange(keyword_call_, false); }

  /// Passes over the rest of a loop's end (rules.h, loop_end), END_FOR being the current one.
  Status skip_loop_end();

 private:
  static constexpr uint32_t kInside = UINT32_MAX;

  const Entry& entry(uint32_t unit) const { return table_[snapshot_.code[unit * 2]]; }
  uint32_t units() const { return static_cast<uint32_t>(snapshot_.code.size() / 2); }

  Status read_all();
  Status read_one();
  Status apply(const Entry& entry, uint32_t arg);
  Result<int32_t> take(Take take, uint32_t arg) const;
  /// The first unit behind a loop's end that begins at `unit`.
  std::optional<uint32_t> behind_loop_end(uint32_t unit) const;

  Status resolve_targets();
  void find_closures();
  Status check_arguments() const;
  Status check_argument(size_t index) const;
  Status check_flow() const;

  const Snapshot& snapshot_;
  const Table& table_;
  Decoded out_;
  std::vector<uint32_t> index_of_unit_;  // kInside where no instruction begins
  uint32_t unit_ = 0;                    // next to read
  uint32_t offset_ = 0;                  // of the current instruction, prefixes included
  bool keyword_call_ = false;
};

}  // namespace hetjit::bytecode
