// ORC JITLink: object bytes to addresses. The composition root hands it to runtime/host.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "abi/host_calls.h"
#include "abi/status.h"

namespace hetjit::target {

/// Code of one host image; freed with the object.
class LinkedCode {
 public:
  virtual ~LinkedCode() = default;
  virtual void* find(const std::string& symbol) = 0;  // null: no such symbol
};

/// Thread-safe. Symbols of libm (math.def) resolve to this process's, those of the runtime to
/// `calls`.
Result<std::unique_ptr<LinkedCode>> link_host_object(std::span<const std::byte> object,
                                                     std::span<const HostSymbol> calls);

}  // namespace hetjit::target
