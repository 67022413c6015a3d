#include "compiler/typing/kinds/named_values.h"

#include "compiler/builtins/registry.h"
#include "compiler/ir/numbers.h"
#include "compiler/typing/core/explain.h"
#include "compiler/typing/core/instance.h"
#include "compiler/typing/core/remedies.h"
#include "compiler/typing/core/source_text.h"
#include "compiler/typing/core/specializer.h"
#include "compiler/typing/kinds/items.h"
#include "compiler/typing/kinds/memory.h"
#include "compiler/typing/kinds/number_attributes.h"
#include "compiler/typing/kinds/targets.h"

namespace hetjit::typing {

namespace {

struct ConstantMeaning {
  Evaluation& at;

  Value operator()(const NoneConstant&) const { return none_value(); }
  Value operator()(bool value) const { return static_value(bool_value(value)); }
  Value operator()(const IntConstant& value) const {
    const Integer magnitude = value.magnitude;
    const Integer number = value.negative ? -magnitude : magnitude;
    return value.mask ? mask_of(number) : at.literal(kInt, Literal{number});
  }
  // The lanes of a warp, the highest one as the sign. A negative number names all that follow its
  // digits, as many as there are.
  Value mask_of(Integer number) const {
    const unsigned lanes = warp_size(at.whole().target());
    const Integer half = Integer{1} << (lanes - 1), all = 2 * half;
    if (number < -all || number >= all)
      return at
          .error(Code::LiteralTooLarge,
                 {to_text(Literal{number}), "a mask of " + std::to_string(lanes) + " lanes"})
          .help("a mask has a bit for each lane of a warp")
          .report();
    if (number >= half) number -= all;
    if (number < -half) number += all;
    const Scalar format = lanes == 64 ? Scalar::Int64 : Scalar::Int32;
    return as_mask(at.literal({format, true}, Literal{number}));
  }
  Value operator()(const HugeConstant& value) const {
    return at.error(Code::HugeInteger, {value.digits}).report();
  }
  Value operator()(double value) const { return at.literal(kFloat, Literal{value}); }
  Value operator()(const ComplexConstant& value) const {
    return at.literal(kComplex, Literal{ComplexLiteral{value.real, value.imag}});
  }
  Value operator()(const FixedConstant& value) const {
    Number number{value.scalar, false};
    if (is_complex(value.scalar)) return complex_of(number, value.bits);
    if (is_floating(value.scalar))
      return at.literal(number, Literal{ir::bits_to_float(value.scalar, value.bits[0])});
    uint64_t bits = ir::extend_bits(value.scalar, value.bits[0]);
    if (is_signed_integer(value.scalar))
      return at.literal(number, Literal{Integer{static_cast<int64_t>(bits)}});
    return at.literal(number, Literal{Integer{bits}});
  }
  // The parts of a complex64 are the halves of the first word.
  Value complex_of(Number number, const uint64_t (&bits)[2]) const {
    bool wide = number.scalar == Scalar::Complex128;
    uint64_t imag = wide ? bits[1] : bits[0] >> 32, mask = wide ? ~0ull : 0xFFFFFFFF;
    Scalar part = hetjit::part_of(number.scalar);
    return at.literal(number, Literal{ComplexLiteral{ir::bits_to_float(part, bits[0] & mask),
                                                     ir::bits_to_float(part, imag)}});
  }
  Value operator()(const std::string& text) const { return static_value({StringType{text}}); }
  Value operator()(const EllipsisConstant&) const { return static_value({EllipsisType{}}); }
  Value operator()(const TupleConstant& tuple) const {
    std::vector<Value> items;
    for (const Constant& item : tuple.items) items.push_back(constant_value(at, item));
    return made_of<TupleType>(items);
  }
  Value operator()(const SliceConstant& slice) const {
    std::vector<Value> parts;
    for (const Constant& part : slice.parts) parts.push_back(constant_value(at, part));
    return made_of<SliceType>(parts);
  }
  Value operator()(const RecordConstant& record) const {
    std::vector<Value> items;
    for (const Constant& item : record.items) items.push_back(constant_value(at, item));
    TypeValue type = parameter_value({record.type, false});
    Value whole = made_of<TupleType>(items);
    if (whole.erroneous()) return whole;
    std::optional<TypeValues> wanted = items_of(type);
    bool matches = wanted && wanted->size() == items.size();
    for (size_t i = 0; matches && i < items.size(); ++i)
      matches = is_assignable(items[i].type, (*wanted)[i]);
    if (!matches) return unusable("a value of type " + to_python(record.type));
    Value result = static_value(type);
    for (size_t i = 0; i < items.size(); ++i) {
      Value item = assigned(at, items[i], (*wanted)[i]);
      if (item.erroneous()) return {};
      result.leaves.insert(result.leaves.end(), item.leaves.begin(), item.leaves.end());
    }
    return result;
  }
  Value operator()(const CodeConstant&) const { return unusable("a code object"); }
  Value operator()(const FunctionMeaning& meaning) const { return meaning_value(at, meaning, ""); }
  Value operator()(const BuiltinMeaning& meaning) const {
    return meaning_value(at, meaning, meaning.name.substr(meaning.name.rfind('.') + 1));
  }
  Value operator()(const TypeMeaning& meaning) const { return meaning_value(at, meaning, ""); }
  Value operator()(const OtherConstant& value) const {
    if (value.python_type == "frozenset") return a_set();
    return unusable("a constant of type " + value.python_type);
  }
  // What `x in {1, 2}` searches is a constant of Python's: a tuple does the same.
  Value a_set() const {
    Diagnostics::Builder error = at.error(Code::UnsupportedInstruction, {"a set"});
    const std::string text = text_at(at.whole().source_of(at.instance()), at.where());
    if (text.starts_with('{') && text.ends_with('}')) {
      const bool one = text.find(',') == std::string::npos;
      error.help("use a tuple, which 'in' searches, too")
          .edit(at.where(), "(" + text.substr(1, text.size() - 2) + (one ? ",)" : ")"));
    }
    return error.report();
  }
  Value unusable(const std::string& description) const {
    return at.error(Code::UnusableConstant, {description}).report();
  }
};

// `path` is how the function names what it asked for: what the user wrote, if it has dots.
Value not_in_module(Evaluation& at, const std::string& module, const std::string& name,
                    const std::string& path) {
  const size_t dot = path.rfind('.');
  Diagnostics::Builder error =
      dot == std::string::npos
          ? at.error(Code::NotInModule, {module, name})
          : at.error(Code::NotInModule, {path.substr(0, dot), path.substr(dot + 1)});
  std::vector<std::string_view> known = builtins::names_of(module);
  if (module == "numpy" || module == "hetjit.device")
    for (const ScalarInfo& scalar : kScalars) known.push_back(scalar.python_name);
  advise(error, at, path, name, known);
  return error.report();
}

struct NameMeaning {
  Evaluation& at;
  const std::string& path;

  Value operator()(const Constant& constant) const { return constant_value(at, constant); }
  Value operator()(const ModuleMeaning& module) const {
    return static_value({ModuleType{path, module.module}});
  }
  Value operator()(const FunctionMeaning& function) const {
    FunctionType type;
    type.function = function.function;
    return static_value({std::move(type)});
  }
  Value operator()(const BuiltinMeaning& meaning) const {
    if (std::optional<Value> value = target_meaning(at, meaning.name)) return *value;
    if (const builtins::Builtin* builtin = builtins::find(meaning.name))
      return static_value({BuiltinType{builtin}});
    size_t dot = meaning.name.rfind('.');
    std::string module = meaning.name.substr(0, dot), name = meaning.name.substr(dot + 1);
    if (path.starts_with('<')) return not_written();
    if (module != "builtins") return not_in_module(at, module, name, path);
    return static_value({OpaqueType{"a builtin of Python's", path}});
  }
  // What the reader asks for by itself, as `match` and f-strings need it.
  Value not_written() const {
    return at.error(Code::UnsupportedInstruction, {"matching the parts of a sequence"}).report();
  }
  Value operator()(const TypeMeaning& meaning) const {
    return static_value({TypeObject{meaning.type}});
  }
  Value operator()(const OpaqueMeaning& meaning) const {
    return static_value({OpaqueType{meaning.description, path}});
  }
  Value operator()(const CxxMeaning& meaning) const {
    if (meaning.library >= at.whole().libraries())
      return static_value({OpaqueType{"a C++ library that is not there", path}});
    return static_value({ExternalType{meaning.library, meaning.name}});
  }
  Value operator()(const UnboundMeaning&) const {
    Diagnostics::Builder error = at.error(Code::UnboundName, {path});
    std::vector<std::string_view> names;
    for (const std::string& local : at.function().local_names) names.push_back(local);
    for (const Name& name : at.function().names)
      if (name.path != path) names.push_back(name.path);
    for (std::string_view name : builtins::names_of("builtins")) names.push_back(name);
    advise(error, at, path, path, names);
    return error.report();
  }
};

const Meaning* find_meaning(const ssa::Function& function, const std::string& path) {
  for (const Name& name : function.names)
    if (name.path == path) return &name.meaning;
  return nullptr;
}

// The function that is being compiled, as it calls itself by name: with its captured variables as
// they are. Defaults that were computed where it was made are not at hand here.
Value itself(const Instance& instance) {
  FunctionType closure = instance.closure;
  for (const TypeValue& value : instance.closure.defaults)
    if (leaf_count(value) != 0) closure.defaults.clear();
  Value function = static_value({std::move(closure)});
  function.leaves = instance.captured_leaves;
  return function;
}

// A captured variable of the enclosing function, when the name is one.
std::optional<Value> captured(Evaluation& at, const std::string& name) {
  const FunctionType& closure = at.instance().closure;
  for (size_t i = 0; i < closure.captures.size(); ++i)
    if (closure.captures[i] == name) return at.captured(i);
  if (!closure.self.empty() && closure.self == name) return itself(at.instance());
  return std::nullopt;
}

}  // namespace

Value constant_value(Evaluation& at, const Constant& constant) {
  return std::visit(ConstantMeaning{at}, constant.value);
}

Value meaning_value(Evaluation& at, const Meaning& meaning, const std::string& path) {
  return std::visit(NameMeaning{at, path}, meaning);
}

Value evaluate(Evaluation& at, const ssa::Const& op) { return constant_value(at, op.value); }

Value evaluate(Evaluation& at, const ssa::LoadName& op) {
  const Name& name = at.function().names[op.name];
  if (std::optional<Value> value = captured(at, name.path)) return *value;
  return meaning_value(at, name.meaning, name.path);
}

Value module_attribute(Evaluation& at, const ModuleType& module, const std::string& name) {
  std::string path = module.path + "." + name;
  const Meaning* meaning = find_meaning(at.function(), path);
  if (meaning && !std::holds_alternative<UnboundMeaning>(*meaning))
    return meaning_value(at, *meaning, path);
  if (const builtins::Builtin* builtin = builtins::find(module.module + "." + name))
    return static_value({BuiltinType{builtin}});
  return not_in_module(at, module.module, name, path);
}

namespace {

// "Cfg.N" of what is written so, by way of names outside of the function; "" of all else.
std::string path_of(Evaluation& at, ValueId id) {
  auto [block, place] = at.instance().flow->defined[id.index];
  if (place == Flow::kParameter) return "";
  const ssa::Op& op = at.function().blocks[block].insts[place].op;
  if (const auto* load = std::get_if<ssa::LoadName>(&op)) {
    const std::string& path = at.function().names[load->name].path;
    return captured(at, path) ? "" : path;
  }
  const auto* get = std::get_if<ssa::GetAttribute>(&op);
  std::string whole = get ? path_of(at, get->in[0]) : "";
  return whole.empty() ? "" : whole + "." + get->attribute;
}

}  // namespace

std::optional<Value> attribute_by_name(Evaluation& at, ValueId whole, const std::string& name) {
  if (at.carried(whole).as<ModuleType>()) return std::nullopt;
  std::string path = path_of(at, whole);
  if (path.empty()) return std::nullopt;
  path += "." + name;
  const Meaning* meaning = find_meaning(at.function(), path);
  return meaning ? std::optional(meaning_value(at, *meaning, path)) : std::nullopt;
}

}  // namespace hetjit::typing
