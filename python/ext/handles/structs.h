// Types of ours, each with a C++ struct in its objects.
#pragma once

#include "python/ext/handles/handle.h"

namespace hetjit::python {

/// A type whose objects, and those of its subclasses, are a `Struct`. Empty: an exception is set.
template <class Struct>
Handle make_type(Borrowed module, PyType_Spec& spec, Borrowed base = nullptr) {
  Handle made = Handle::own(PyType_FromModuleAndSpec(module.get(), &spec, base.get()));
  if (made && ledger::is_kept) ledger::add_struct(made.get(), &ledger::struct_tag<Struct>);
  return made;
}

/// The struct of an object, which is of such a type: where handles are noted, any other is told.
template <class Struct>
Struct& as_struct(Borrowed object, Place where = Place::current()) {
  if (ledger::is_kept) ledger::check_struct(object.get(), &ledger::struct_tag<Struct>, where);
  return *reinterpret_cast<Struct*>(object.get());
}

}  // namespace hetjit::python
