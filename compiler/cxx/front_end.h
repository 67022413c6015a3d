// Who compiles the C++ that kernels call: clang; for NVIDIA's GPUs, where there is none, NVRTC.
// Private to this folder, but for Python's tools.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "abi/status.h"
#include "abi/target_name.h"
#include "compiler/cxx/shim.h"
#include "compiler/target/external_code.h"

namespace hetjit::cxx {

/// What a compiler says of a source.
struct Heard {
  bool accepted = false;
  bool failed_itself = false;        // the compiler, of which no source is the reason
  std::string messages;              // a line each, as clang writes them
  std::vector<std::string> files;    // that it included
  bool knows_files = false;          // not where one is missing
  std::vector<std::string> folders;  // where it looks for headers, where it was asked to say so
};

struct Answer {
  bool accepted = false;
  bool failed_itself = false;
  std::string messages;       // as of a source
  target::ExternalCode code;  // where it was accepted
};

/// A library that was read, as the compiler keeps it.
class ReadSource {
 public:
  virtual ~ReadSource() = default;
  /// What is made of a call: `symbol`. Errors: as FrontEnd's; Unsupported, as prepare_external's.
  virtual Result<Answer> call(const typing::ExternalCall& call, const std::string& symbol,
                              Arrays arrays) const = 0;
  /// A file that it needs and that others may remove; "": none.
  virtual std::string file() const { return ""; }

  Heard heard;
};

struct FrontEnd {
  /// Reads a library once for all calls. Errors: Unavailable; DriverFailed when a file cannot be
  /// written.
  Result<std::unique_ptr<ReadSource>> (*read)(const CxxLibrary& library, const TargetName& target);
  /// Which one it is, without starting it: its file. Errors: Unavailable.
  Result<std::string> (*find)();
};

extern const FrontEnd kClang, kNvrtc;

/// The one for a kind of target. Errors: Unavailable, with what is to be installed.
Result<const FrontEnd*> front_end(TargetKind kind);

/// The file of the compiler that is used wherever there is a choice. Errors: clang's, when there is
/// none.
Result<std::string> find_compiler();

}  // namespace hetjit::cxx
