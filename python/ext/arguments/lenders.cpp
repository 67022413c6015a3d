#include "python/ext/arguments/lenders.h"

#include "abi/array_numbers.h"
#include "python/ext/arguments/read_arguments.h"
#include "python/ext/handles/errors.h"
#include "python/ext/handles/objects.h"

namespace hetjit::python {
namespace {

Handle helper(const char* name) {
  Handle module = Handle::own(PyImport_ImportModule("hetjit.lenders"));
  return module ? Handle::own(PyObject_GetAttrString(module.get(), name)) : Handle();
}

// Of an argument; on the way of launches, so without making its type.
uint32_t arrays_in_word(uint64_t word) {
  if ((word & 3) == Word::Array) return 1;
  return is_constant_word(word) ? 0 : arrays_in({static_cast<uint32_t>(word >> 32)});
}

// The number of a lent array among those of the arguments (abi/array_numbers.h).
uint32_t number_of(const Arguments& arguments, const Lent& lent) {
  uint32_t number = 0;
  for (uint32_t i = 0; i < lent.parameter; ++i) number += arrays_in_word(arguments.words[i]);
  if (lent.items.empty()) return number;
  TypeId whole = parameter_of_word(arguments.words[lent.parameter]).type;
  for (uint32_t item : lent.items) {
    number += arrays_before(whole, item);
    whole = type(whole).fields[item].type;
  }
  return number;
}

// "argument 'p'.left[2]"
std::string name_of(const Parameters& parameters, const Arguments& arguments, const Lent& lent) {
  std::string text = "argument '" + parameters.texts[lent.parameter] + "'";
  TypeId whole = parameter_of_word(arguments.words[lent.parameter]).type;
  for (uint32_t item : lent.items) {
    const Type& of = type(whole);
    text +=
        of.kind == TypeKind::Struct ? "." + of.fields[item].name : "[" + std::to_string(item) + "]";
    whole = of.fields[item].type;
  }
  return text;
}

// 1 or 0; -1: an exception is set.
int requires_gradient(const Lent& lent) {
  Handle answer = Handle::own(PyObject_GetAttr(lent.array.get(), lent.lender->requires_grad.get()));
  return answer ? PyObject_IsTrue(answer.get()) : -1;
}

// Where a gradient is required, the library's rules decide.
bool check_gradient(const std::string& where, Borrowed tensor) {
  Handle check = helper("check_gradient");
  return check &&
         Handle::own(PyObject_CallFunction(check.get(), "sO", where.c_str(), tensor.get()));
}

// One call per library, which is one in nearly all programs.
bool announce(const std::vector<const Lent*>& stored) {
  for (size_t i = 0; i < stored.size(); ++i) {
    const Handle& tell = stored[i]->lender->announce;
    Handle arrays = Handle::own(PyList_New(0));
    for (size_t j = 0; arrays && j < stored.size(); ++j) {
      if (stored[j]->lender->announce.get() != tell.get()) continue;
      if (j < i) arrays = Handle();  // told already
      if (arrays && PyList_Append(arrays.get(), stored[j]->array.get()) < 0) return false;
    }
    if (PyErr_Occurred()) return false;
    if (arrays && !Handle::own(PyObject_CallFunctionObjArgs(tell.get(), arrays.get(), nullptr)))
      return false;
  }
  return true;
}

}  // namespace

std::optional<Lender> lender_of(Borrowed type) {
  Handle ask = helper("lender");
  Handle told =
      ask ? Handle::own(PyObject_CallFunctionObjArgs(ask.get(), type.get(), nullptr)) : Handle();
  if (!told) return std::nullopt;
  auto function = [&](Py_ssize_t i) {
    const Borrowed found = held_item(told, i);
    return found.get() == Py_None ? Handle() : Handle::share(found.get());
  };
  return Lender{held_item(told, 0).get() == Py_True,
                function(1),
                function(2),
                function(3),
                Handle::own(PyUnicode_InternFromString("requires_grad")),
                held_item(told, 4).get() == Py_True};
}

bool announce_stores(const Parameters& parameters, const Arguments& arguments, ArraySet stored) {
  std::vector<const Lent*> touched;
  for (const Lent& lent : arguments.lent) {
    if (!lent.lender->announce || !stored.has(number_of(arguments, lent))) continue;
    const int needed = requires_gradient(lent);
    if (needed < 0) return false;
    const std::string where =
        needed ? parameters.function + "(): " + name_of(parameters, arguments, lent) : "";
    if (needed && !check_gradient(where, lent.array)) return false;
    touched.push_back(&lent);
  }
  return touched.empty() || announce(touched);
}

void refuse(const std::string& where, Borrowed array, const Handle& error) {
  Handle raise = helper("refuse");
  if (raise)
    Handle::own(PyObject_CallFunction(raise.get(), "sOO", where.c_str(), array.get(),
                                      error ? error.get() : Py_None));
}

Diagnostics with_lenders(const Diagnostics& found, const Parameters& parameters,
                         const Arguments& arguments) {
  Diagnostics told;
  for (Diagnostic one : found.all()) {
    for (const Lent& lent : arguments.lent) {
      if (one.code != Code::ReadOnlyArray || lent.writable) continue;
      one.notes.push_back(name_of(parameters, arguments, lent) + " is " + describe(lent.array) +
                          ", whose library does not say that others may write to its memory");
      const char* help =
          "let the kernel write to an array of your own, or to device.writable(copy), where the "
          "copy is one that nothing else uses";
      if (one.helps.empty() || one.helps.back() != help) one.helps.push_back(help);
    }
    told.add(std::move(one));
  }
  return told;
}

}  // namespace hetjit::python
