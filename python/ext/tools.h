// Functions of the module beside its types: for tests, benchmarks and `python -m hetjit show`
// (tools_*.cpp), and for devices (device_functions.cpp).
#pragma once

#include <memory>
#include <string>

#include "frontend/snapshot/snapshot.h"
#include "python/ext/handles/objects.h"

namespace hetjit::python {

extern PyMethodDef capture_functions[];     // tools.cpp
extern PyMethodDef interpret_functions[];   // tools_interpret.cpp
extern PyMethodDef explain_functions[];     // explain.cpp
extern PyMethodDef cache_functions[];       // cache_functions.cpp
extern PyMethodDef precompile_functions[];  // precompile.cpp
extern PyMethodDef resource_functions[];    // kernel_resources.cpp
extern PyMethodDef device_functions[];      // device_functions.cpp
extern PyMethodDef driver_functions[];      // driver_memory.cpp
extern PyMethodDef type_functions[];        // type_functions.cpp
extern PyMethodDef number_functions[];      // number_functions.cpp
extern PyMethodDef launch_functions[];      // launch_functions.cpp
extern PyMethodDef library_functions[];     // library_functions.cpp
extern PyMethodDef memory_functions[];      // memory_functions.cpp
extern PyMethodDef ledger_functions[];      // ledger_functions.cpp

/// A `.snap` text as a program. Null: an exception is set.
std::shared_ptr<const Program> program_of(const char* text, Py_ssize_t size);

}  // namespace hetjit::python
