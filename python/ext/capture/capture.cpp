#include "python/ext/capture/capture.h"

#include <algorithm>

#include "python/ext/capture/capturer.h"
#include "python/ext/handles/versions.h"

namespace hetjit::python {
namespace {

constexpr size_t kMostFunctions = 4096;  // what one kernel may reach; more is a mistake of naming
constexpr long kVarargs = 0x4, kVarkeywords = 0x8, kGenerator = 0x20, kCoroutine = 0x80,
               kAsyncGenerator = 0x200;

long number_attribute(Borrowed object, const char* name) {
  Handle value = Handle::own(PyObject_GetAttrString(object.get(), name));
  return value ? PyLong_AsLong(value.get()) : -1;
}

bool read_bytes(Borrowed object, const char* name, std::vector<uint8_t>& to) {
  Handle bytes = Handle::own(PyObject_GetAttrString(object.get(), name));
  char* data = nullptr;
  Py_ssize_t size = 0;
  if (!bytes || PyBytes_AsStringAndSize(bytes.get(), &data, &size) < 0) return false;
  to.assign(data, data + size);
  return true;
}

// The exception table's numbers: 6 bits per byte, bit 6 says that more follow, bit 7 marks the
// first byte of an entry.
struct TableReader {
  const std::vector<uint8_t>& bytes;
  size_t at = 0;
  bool done() const { return at >= bytes.size(); }
  uint32_t next() {
    uint32_t value = 0;
    while (!done()) {
      uint8_t byte = bytes[at++];
      value = value << 6 | (byte & 0x3F);
      if (!(byte & 0x40)) break;
    }
    return value;
  }
};

std::vector<HandlerRange> read_handlers(const std::vector<uint8_t>& table) {
  std::vector<HandlerRange> found;
  for (TableReader reader{table}; !reader.done();) {
    HandlerRange range;
    range.start = reader.next();
    range.end = range.start + reader.next();
    range.target = reader.next();
    uint32_t depth = reader.next();
    range.depth = depth >> 1;
    range.lasti = depth & 1;
    found.push_back(range);
  }
  return found;
}

}  // namespace

std::optional<Captured> capture(State& state, Borrowed function,
                                const std::vector<TypeId>& arguments, BoundObjects bound) {
  std::optional<Python> version = running_python();
  if (!version) {
    fail(PyExc_NotImplementedError,
         "hetjit reads the bytecode of CPython 3.11 to 3.15; this is 3." +
             std::to_string(running_minor()));
    return std::nullopt;
  }
  Capturer capturer(state, *version, std::move(bound));
  if (!state.numpy.look() || !capturer.start(function)) return std::nullopt;
  for (TypeId argument : arguments)
    if (!capturer.add_structs(argument)) return std::nullopt;
  if (!capturer.run() || interrupted()) return std::nullopt;
  return capturer.take();
}

bool Capturer::start(Borrowed function) { return index_of_function(function) == 0; }

bool Capturer::run() {
  for (; !pending_.empty(); pending_.pop_front())
    if (!read(pending_.front())) return false;
  return disagreement_.empty() || fail(PyExc_TypeError, disagreement_);
}

Captured Capturer::take() {
  return {std::make_shared<const Program>(std::move(program_)), std::move(watches_)};
}

// UINT32_MAX when the program has grown beyond reason.
uint32_t Capturer::index_of_function(Borrowed function) {
  for (uint32_t i = 0; i < known_.size(); ++i)
    if (is(known_[i], function)) return i;
  if (known_.size() >= kMostFunctions) return UINT32_MAX;
  auto scope = std::make_shared<Scope>();
  scope->globals = find_attribute(function, "__globals__");
  scope->builtins = find_attribute(function, "__builtins__");
  known_.push_back(function.dup());
  program_.functions.emplace_back();
  auto index = static_cast<uint32_t>(known_.size() - 1);
  watches_.add_function(function, state_.fields);  // reloading an edited module replaces them
  pending_.push_back(
      {index, find_attribute(function, "__code__"), std::move(scope), function.dup()});
  return index;
}

uint32_t Capturer::index_of_code(Borrowed code, const Pending& owner) {
  known_.push_back(code.dup());
  program_.functions.emplace_back();
  auto index = static_cast<uint32_t>(known_.size() - 1);
  pending_.push_back({index, code.dup(), owner.scope, Handle()});
  return index;
}

bool Capturer::read(const Pending& pending) {
  if (!pending.code) return fail(PyExc_TypeError, "a function without code");
  Snapshot made;
  made.version = version_;
  if (!read_code(made, pending.code) || !read_variables(made, pending.code)) return false;
  if (!read_positions(made, pending.code) || !read_source(made, pending)) return false;
  Handle constants = Handle::own(PyObject_GetAttrString(pending.code.get(), "co_consts"));
  if (!constants) return false;
  for (Py_ssize_t i = 0; i < PyTuple_Size(constants.get()); ++i)
    made.constants.push_back(constant(held_item(constants, i), &pending));
  size_t parameters = made.parameter_count + made.keyword_only_count;
  made.defaults.resize(parameters);
  made.annotations.resize(parameters);
  std::vector<std::string> names(made.locals.begin(),
                                 made.locals.begin() + static_cast<ptrdiff_t>(parameters));
  if (pending.function && (!read_defaults(made, pending.function) ||
                           !read_annotations(state_, pending.function, names, made.annotations,
                                             made.constant_parameters)))
    return false;
  for (std::optional<Parameter>& annotation : made.annotations) {
    if (annotation && is_array(annotation->type)) annotation.reset();  // checked at the launch
    if (annotation && !add_structs(annotation->type)) return false;
  }
  if (pending.index == 0)
    for (const auto& [parameter, object] : bound_) {
      made.bound.push_back({parameter, meaning(object)});
      add_companions(made, made.bound.back().value);
    }
  if (!read_names(made, pending)) return false;
  program_.functions[pending.index] = std::move(made);
  return true;
}

bool Capturer::read_code(Snapshot& to, Borrowed code) {
  std::vector<uint8_t> handlers;
  to.name = text_attribute(code, "co_name");
  to.attribute_names = texts_of(Handle::own(PyObject_GetAttrString(code.get(), "co_names")));
  // co_code, not _co_code_adaptive: specialisation and instrumentation are undone in it.
  if (!read_bytes(code, "co_code", to.code)) return false;
  if (!read_bytes(code, "co_exceptiontable", handlers)) return false;
  to.handlers = read_handlers(handlers);
  long flags = number_attribute(code, "co_flags");
  to.has_varargs = flags & kVarargs;
  to.has_varkeywords = flags & kVarkeywords;
  to.is_generator = flags & (kGenerator | kCoroutine | kAsyncGenerator);
  to.parameter_count = static_cast<uint32_t>(number_attribute(code, "co_argcount"));
  to.positional_only_count = static_cast<uint32_t>(number_attribute(code, "co_posonlyargcount"));
  to.keyword_only_count = static_cast<uint32_t>(number_attribute(code, "co_kwonlyargcount"));
  return !PyErr_Occurred();
}

bool Capturer::read_variables(Snapshot& to, Borrowed code) {
  to.locals = texts_of(Handle::own(PyObject_GetAttrString(code.get(), "co_varnames")));
  for (std::string& name : texts_of(Handle::own(PyObject_GetAttrString(code.get(), "co_cellvars"))))
    if (std::find(to.locals.begin(), to.locals.end(), name) == to.locals.end())
      to.locals.push_back(std::move(name));
  to.free_variables = texts_of(Handle::own(PyObject_GetAttrString(code.get(), "co_freevars")));
  return !PyErr_Occurred();
}

bool Capturer::read_positions(Snapshot& to, Borrowed code) {
  Handle iterator = Handle::own(PyObject_CallMethod(code.get(), "co_positions", nullptr));
  if (!iterator) return false;
  while (Handle item = Handle::own(PyIter_Next(iterator.get()))) {
    uint32_t at[4] = {};  // line, end line, column, end column
    bool whole = true;
    for (int i = 0; i < 4; ++i) {
      const Borrowed value = held_item(item, i);
      if (value.get() == Py_None)
        whole = false;
      else
        at[i] = static_cast<uint32_t>(PyLong_AsLong(value.get()));
    }
    if (at[0] && !whole) at[1] = at[0], at[2] = at[3] = 0;  // python -X no_debug_ranges
    to.positions.push_back({at[0], at[1], at[2], at[3]});
  }
  return !PyErr_Occurred();
}

// The lines of the function (hetjit/sources.py): files, notebooks and doctests have them, exec does
// not. Only messages need them, so whatever goes wrong here leaves the function without.
bool Capturer::read_source(Snapshot& to, const Pending& pending) {
  long first = number_attribute(pending.code, "co_firstlineno");
  to.source.path = text_attribute(pending.code, "co_filename");
  to.source.first_line = first > 0 ? static_cast<uint32_t>(first) : 1;
  uint32_t last = to.source.first_line;
  for (const Position& position : to.positions) last = std::max(last, position.end_line);
  Handle sources = Handle::own(PyImport_ImportModule("hetjit.sources"));
  Handle path = new_text(to.source.path);
  Handle lines = sources && path && pending.scope->globals
                     ? Handle::own(PyObject_CallMethod(sources.get(), "lines", "OO", path.get(),
                                                       pending.scope->globals.get()))
                     : Handle();
  forget();
  Py_ssize_t count = lines ? PyList_Size(lines.get()) : 0;
  for (Py_ssize_t i = to.source.first_line - 1; i < std::min<Py_ssize_t>(last, count); ++i) {
    std::string line = text_of(list_item(lines, static_cast<size_t>(i)));
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.pop_back();
    to.source.lines.push_back(std::move(line));
  }
  forget();
  return true;
}

bool Capturer::read_defaults(Snapshot& to, Borrowed function) {
  Handle positional = find_attribute(function, "__defaults__");
  if (positional && positional.get() != Py_None) {
    auto count = static_cast<uint32_t>(PyTuple_Size(positional.get()));
    for (uint32_t i = 0; i < count && count <= to.parameter_count; ++i)
      to.defaults[to.parameter_count - count + i] = meaning(held_item(positional, i));
  }
  Handle keyword = find_attribute(function, "__kwdefaults__");
  for (uint32_t i = to.parameter_count;
       keyword && keyword.get() != Py_None && i < to.parameter_count + to.keyword_only_count; ++i)
    if (Handle value = find_item(keyword, to.locals[i])) to.defaults[i] = meaning(value);
  watches_.add_keyword_defaults(state_.names, function, state_.fields,
                                {to.locals.begin() + to.parameter_count,
                                 to.locals.begin() + to.parameter_count + to.keyword_only_count});
  return !PyErr_Occurred();
}

}  // namespace hetjit::python
