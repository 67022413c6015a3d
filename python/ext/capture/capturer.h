// One capture in progress. Private to capture*.cpp.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "python/ext/capture/capture.h"
#include "python/ext/handles/errors.h"
#include "python/ext/handles/objects.h"
#include "python/ext/state.h"

namespace hetjit::python {

/// Where the names of a function are looked up.
struct Scope {
  Handle globals;   // a dict
  Handle builtins;  // a dict
};

/// A function whose code is still to be read.
struct Pending {
  uint32_t index = 0;  // in the program
  Handle code;
  std::shared_ptr<const Scope> scope;
  Handle function;  // empty for code that is made into a function inside another one
};

class Capturer {
 public:
  Capturer(State& state, Python version, BoundObjects bound)
      : state_(state), version_(version), bound_(std::move(bound)) {}

  /// The function where compilation begins, then all it reaches. False: an exception is set.
  bool start(Borrowed function);
  bool run();
  /// The struct types in a type, with their defaults and methods. False: an exception is set.
  bool add_structs(TypeId type);
  Captured take();

 private:
  // capture.cpp
  uint32_t index_of_function(Borrowed function);
  uint32_t index_of_code(Borrowed code, const Pending& owner);
  bool read(const Pending& pending);
  bool read_code(Snapshot& to, Borrowed code);
  bool read_variables(Snapshot& to, Borrowed code);
  bool read_positions(Snapshot& to, Borrowed code);
  bool read_source(Snapshot& to, const Pending& pending);
  bool read_defaults(Snapshot& to, Borrowed function);

  // capture_constants.cpp
  Constant constant(Borrowed object, const Pending* owner);
  Constant bounded_constant(Borrowed object, const Pending* owner);
  std::optional<Constant> function_or_type(Borrowed object);
  Constant record_constant(TypeId type, Borrowed object);
  std::optional<Constant> number(Borrowed object);

  // capture_structs.cpp
  bool add_struct(TypeId type, Borrowed cls);
  bool compare(TypeId type, const std::vector<Handle>& classes);
  bool read_struct_defaults(Borrowed cls, StructRecord& to);
  bool read_members(Borrowed cls, StructRecord& to);

  // capture_names.cpp
  Meaning meaning(Borrowed object);
  Meaning meaning_of_type(Borrowed type);
  Meaning meaning_of_callable(Borrowed object);
  // capture_libraries.cpp
  std::optional<Meaning> meaning_in_cxx(Borrowed object);
  bool read_library(Borrowed parts, CxxLibrary& to);

  // capture_names.cpp
  Meaning meaning_of_builtin(const std::string& name);
  Handle from_library(const std::string& name);
  void add_companions(Snapshot& to, const Meaning& of);
  void add_companions(Snapshot& to, const Constant& of);
  void add_companion(Snapshot& to, const BuiltinMeaning& of);
  // capture_attributes.cpp
  using Asked = std::vector<std::string>;
  void add_attributes(Snapshot& to, const std::string& path, Borrowed object,
                      const Asked& attributes, int depth);
  void add_of_module(Snapshot& to, const std::string& path, Borrowed module,
                     const Asked& attributes, int depth);
  void add_of_class(Snapshot& to, const std::string& path, Borrowed cls, const Asked& attributes,
                    int depth);
  void add_of_named_tuple(Snapshot& to, const std::string& path, Borrowed tuple,
                          const Asked& attributes);
  void add_of_member(Snapshot& to, const std::string& path, Borrowed member,
                     const Asked& attributes);
  Handle class_attribute(Borrowed cls, const std::string& attribute);

  bool read_names(Snapshot& to, const Pending& pending);
  bool read_globals(Snapshot& to, const Scope& scope, const std::vector<std::string>& asked,
                    const std::vector<std::string>& attributes);
  bool read_closure(Snapshot& to, Borrowed function, const std::vector<std::string>& attributes);
  void add_name(Snapshot& to, std::string path, Borrowed object,
                const std::vector<std::string>& attributes, int depth);

  State& state_;
  Python version_;
  const BoundObjects bound_;
  Handle library_;  // dict: qualified name -> function (python/hetjit/library); empty until asked
  Program program_;
  Watches watches_;
  std::vector<Handle> known_;  // the function, or nested code object, behind each index
  std::deque<Pending> pending_;
  /// Of the classes of one struct type, the one to read; empty: the first, and all must agree.
  std::optional<std::pair<TypeId, Handle>> chosen_;
  std::string disagreement_;  // what is wrong when they do not
};

/// The struct types in a type, appended, each once.
void add_struct_types(TypeId type, std::vector<TypeId>& to);
/// Why a tuple or slice cannot be a constant, "a tuple of more than … items"; "" of all else.
std::string wrong_with_constant(Borrowed object);

/// A member of an enum.Flag, whose '~' is not that of its number.
bool is_flag(Borrowed object);
/// "a member of 'Mode'"; "" of all else.
std::string member_of_enumeration(Borrowed object);

}  // namespace hetjit::python
