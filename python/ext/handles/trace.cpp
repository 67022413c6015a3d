#include "python/ext/handles/trace.h"

#include <string_view>
#include <utility>

#include "python/ext/handles/debug_words.h"

namespace hetjit::python {
namespace {

// Functions enter themselves while the extension is loaded, by one thread.
const Traced* first_traced = nullptr;

// Of "… = hetjit::python::{anonymous}::call]", with other things before it, the last name.
std::string name_in(std::string_view pretty) {
  const std::string_view name = pretty.substr(pretty.rfind("::") + 2);
  return std::string(name.substr(0, name.find_first_of(";]>")));
}

}  // namespace

const bool calls_are_traced = debug_asks_for("trace");

Traced::Traced(const char* pretty)
    : name(name_in(pretty)), next(std::exchange(first_traced, this)) {}

const Traced* Traced::first() { return first_traced; }

}  // namespace hetjit::python
