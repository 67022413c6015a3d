// device.target(…), is_exactly(…), provides(…), machine_representation(). (HETX-TS, HETX-MR)
#include "compiler/builtins/functions.h"
#include "compiler/typing/core/specializer.h"
#include "compiler/typing/kinds/targets.h"

namespace hetjit::builtins {

using typing::static_value;
using typing::TargetType;

namespace {

Value selected(Evaluation& at, const Builtin& self, const Value& value, const char* word) {
  const TargetType* selector = value.as<TargetType>();
  if (selector && !selector->selector.empty()) {
    bool is = typing::matches(at.whole().target(), word + selector->selector);
    return static_value({TargetType{"", is}});
  }
  return at
      .error(Code::ArgumentType,
             {quoted(self), "an architecture such as device.sm90", name_of(value.type)}, {&value})
      .report();
}

}  // namespace

Value target(Evaluation& at, const Builtin& self, const Values& values) {
  const TargetType* description = values[0].as<TargetType>();
  if (description && description->selector.empty())
    return static_value(typing::bool_value(description->matches));
  return at
      .error(Code::ArgumentType,
             {quoted(self), "a device.TargetDescription", name_of(values[0].type)}, {&values[0]})
      .help("device.is_host, device.is_nvidia, device.provides(device.sm90), and such with | & ~")
      .report();
}

Value is_exactly(Evaluation& at, const Builtin& self, const Values& values) {
  return selected(at, self, values[0], "exactly_");
}

Value provides(Evaluation& at, const Builtin& self, const Values& values) {
  return selected(at, self, values[0], "provides_");
}

Value machine_representation(Evaluation&, const Builtin&, const Values&) {
  return static_value({typing::StringType{"itanium"}});
}

}  // namespace hetjit::builtins
