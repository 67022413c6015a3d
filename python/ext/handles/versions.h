// The one file that asks which Python is running. Everything that differs between versions is data
// behind the answer (frontend/bytecode), or a slot that older versions do not know.
#pragma once

#include <optional>

#include "frontend/snapshot/snapshot.h"
#include "python/ext/handles/objects.h"

namespace hetjit::python {

/// Minor version of the running CPython 3.
inline long running_minor() {
  Handle info = system_object("version_info");
  Handle minor = Handle::own(info ? PySequence_GetItem(info.get(), 1) : nullptr);
  return minor ? PyLong_AsLong(minor.get()) : -1;
}

/// Whose bytecode functions have here; nullopt for versions whose bytecode is not known yet.
inline std::optional<Python> running_python() {
  long minor = running_minor();
  if (minor < 11 || minor > 15) return std::nullopt;
  return static_cast<Python>(minor - 11);
}

/// Py_mod_multiple_interpreters with Py_MOD_PER_INTERPRETER_GIL_SUPPORTED: known since 3.12, and
/// not in 3.11's header.
inline constexpr int kMultipleInterpretersSlot = 3;
inline void* const kOwnGilSupported = reinterpret_cast<void*>(2);

/// Py_mod_gil with Py_MOD_GIL_USED, known since 3.13: the module's state is guarded by the GIL.
inline constexpr int kGilSlot = 4;
inline void* const kGilUsed = nullptr;
inline bool knows_gil_slot() { return running_minor() >= 13; }
inline bool knows_multiple_interpreters() { return running_minor() >= 12; }

}  // namespace hetjit::python
