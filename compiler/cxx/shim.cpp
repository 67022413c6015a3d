#include "compiler/cxx/shim.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <sstream>

#include "abi/cxx_names.h"
#include "abi/layout.h"
#include "compiler/cxx/dialect.h"
#include "compiler/cxx/headers.h"
#include "compiler/cxx/includes.h"
#include "compiler/typing/known/external_objects.h"

namespace hetjit::cxx {
namespace {

/// Numbers of results: integers and bool by shim.hpp's rule, enumerations as the integers that they
/// are of but for this much more, then what is listed for a call.
constexpr int kFirstEnumeration = 40, kFirstListed = 100;
constexpr std::string_view kOfWords =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

/// How the library's C++ writes a type of ours that is one of its own.
std::optional<std::string> mapped(const CxxLibrary& library, TypeId id) {
  for (const CxxType& each : library.types)
    if (each.type == id) return each.spelling;
  return typing::is_object(id) ? std::optional(typing::spelling_of_object(id)) : std::nullopt;
}

void add_once(std::vector<TypeId>& to, TypeId id) {
  if (std::find(to.begin(), to.end(), id) == to.end()) to.push_back(id);
}

/// The tuples and structs in a type, parts first.
void add_records(TypeId id, std::vector<TypeId>& to) {
  const Type& it = type(id);
  if (it.element.valid()) add_records(it.element, to);
  for (const Field& field : it.fields) add_records(field.type, to);
  if (it.kind == TypeKind::Tuple || it.kind == TypeKind::Struct) add_once(to, id);
}

std::vector<TypeId> records_of(const typing::ExternalCall& call) {
  std::vector<TypeId> records;
  for (TypeId id : call.named) add_records(id, records);
  for (TypeId id : call.arguments) add_records(id, records);
  for (const CxxType& each : call.library.types) add_records(each.type, records);
  return records;
}

/// Types that a result may have beside integers.
std::vector<TypeId> listed_results(const typing::ExternalCall& call) {
  std::vector<TypeId> listed;
  for (const CxxType& each : call.library.types) add_once(listed, each.type);
  for (const ScalarInfo& scalar : kScalars) {
    if (scalar.category > Category::Integer) add_once(listed, scalar_type(scalar.scalar));
    for (uint8_t lanes = 1; lanes <= 4; ++lanes)
      if (is_integer(scalar.scalar) || is_floating(scalar.scalar))
        add_once(listed, vector_type(scalar.scalar, lanes));
  }
  for (TypeId id : records_of(call)) add_once(listed, id);
  for (TypeId id : call.arguments)
    if (is_array(id)) add_once(listed, array_type(type(id).element, type(id).rank));
  return listed;
}

std::string spelling(const CxxLibrary& library, TypeId id) {
  return mapped(library, id).value_or(cxx_name(id));
}

/// Are the members of a type a tuple's items, in its order? Asked of what C++ takes apart into as
/// many, where the compiler says that it does; yes of all others.
std::string checks_of_members(const CxxLibrary& library, const CxxType& mapped,
                              const std::string& function) {
  const auto& items = type(mapped.type).fields;
  const Layout lies = layout(mapped.type);
  if (items.empty()) return "";
  std::string names, asked, checks;
  for (size_t i = 0; i < items.size(); ++i) {
    const std::string name = "hetjit_i" + std::to_string(i);
    names += (i ? ", " : "") + name;
    asked += "    if (item == " + std::to_string(i) + ") return hetjit::shim::is_item<decltype(" +
             name + "), " + spelling(library, items[i].type) + ">(HETJIT_PLACE_IN(Type, " + name +
             "), " + std::to_string(lies.offsets[i]) + ");\n";
    checks += "static_assert(" + function + "<" + mapped.spelling + ">(" + std::to_string(i) +
              "), \"item " + std::to_string(i) + " of " + to_python(mapped.type) +
              " is not the member of '" + mapped.spelling + "' in its place\");\n";
  }
  return "#if defined(__clang__)\n#if __has_builtin(__builtin_structured_binding_size)\n"
         "template <class Type>\nconstexpr bool " +
         function +
         "(int item) {\n  if constexpr (requires { requires "
         "__builtin_structured_binding_size(Type) == " +
         std::to_string(items.size()) + "; }) {\n    const auto& [" + names +
         "] = hetjit::shim::nobody<Type>::one;\n" + asked + "  }\n  return true;\n}\n" + checks +
         "#endif\n#endif\n";
}

/// What a mapped type must have in common with ours, so that one's memory is the other's.
std::string checks_of(const CxxLibrary& library, const CxxType& mapped) {
  const Layout lies = layout(mapped.type);
  const std::string name = cxx_name(mapped.type), type_name = "'" + mapped.spelling + "'";
  std::string text = "static_assert(sizeof(" + mapped.spelling +
                     ") == " + std::to_string(lies.size) + ", \"" + to_python(mapped.type) +
                     " has " + std::to_string(lies.size) + " bytes, " + type_name +
                     " has others\");\n";
  text += "static_assert(alignof(" + mapped.spelling + ") <= " + std::to_string(lies.align) +
          ", \"" + type_name + " is aligned to more than " + to_python(mapped.type) + "\");\n";
  if (type(mapped.type).kind == TypeKind::Tuple)
    for (size_t i = 0; i < lies.offsets.size(); ++i)
      text += "static_assert(hetjit::shim::lies_at<" + mapped.spelling + ", " + std::to_string(i) +
              ">(" + std::to_string(lies.offsets[i]) + "), \"item " + std::to_string(i) + " of " +
              type_name + " lies elsewhere than in " + to_python(mapped.type) + "\");\n";
  if (type(mapped.type).kind != TypeKind::Struct) return text;
  for (size_t i = 0; i < lies.offsets.size(); ++i) {
    const std::string& field = type(mapped.type).fields[i].name;
    if (field.starts_with('_')) continue;  // of what C++ keeps to itself
    const std::string of_both = ", \"field '" + field + "' of " + type_name;
    text += "static_assert(__builtin_offsetof(" + mapped.spelling + ", " + field +
            ") == " + std::to_string(lies.offsets[i]) + of_both + " lies elsewhere than in " +
            to_python(mapped.type) + "\");\n";
    text += "static_assert(hetjit::shim::is_same_number<decltype(((" + mapped.spelling + "*)0)->" +
            field + "), " + spelling(library, type(mapped.type).fields[i].type) + ">()" + of_both +
            " is another number than in " + to_python(mapped.type) + "\");\n";
  }
  return text;
}

/// What an argument is declared as.
std::string declared(const CxxLibrary& library, TypeId id) {
  const Type& it = type(id);
  if (it.kind == TypeKind::None) return "decltype(nullptr)";
  if (it.kind != TypeKind::Array) return spelling(library, id);
  return "hetjit::shim::array<" + std::string(it.facts.writable ? "" : "const ") +
         spelling(library, it.element) + ", " + std::to_string(it.rank) + ", " +
         (it.facts.order == Order::Contiguous || it.rank == 0 ? "true>" : "false>");
}

std::string records(const typing::ExternalCall& call) {
  std::string text;
  for (TypeId id : records_of(call)) {
    const std::string name = cxx_name(id), guard = "hetjit_has_" + name;
    const std::optional<std::string> given = mapped(call.library, id);
    text +=
        given ? "using " + name + " = " + *given + ";\n"
              : "#ifndef " + guard + "\n#define " + guard + "\n" + cxx_definition(id) + "#endif\n";
  }
  return text;
}

/// What is asked of a call's types, and what types its result may have.
std::string questions(const typing::ExternalCall& call) {
  std::string text;
  int tuples = 0;
  for (const CxxType& each : call.library.types) {
    text += checks_of(call.library, each);
    if (type(each.type).kind == TypeKind::Tuple)
      text += checks_of_members(call.library, each, "hetjit_items" + std::to_string(tuples++));
  }
  int number = kFirstListed;
  for (TypeId id : listed_results(call))
    text += "template <> inline constexpr int hetjit::shim::number<" + spelling(call.library, id) +
            "> = " + std::to_string(number++) + ";\n";
  return text;
}

using Text = const std::string&;

/// An argument as C++ sees it. An object may be changed: of what comes of that, external_code.h.
std::string passed(const typing::ExternalCall& call, size_t i) {
  const TypeId id = call.arguments[i];
  return (typing::is_object(id) ? "" : "const ") + declared(call.library, id);
}

/// An array that may be a plain pointer.
bool follows_itself(TypeId id) { return is_array(id) && type(id).facts.order == Order::Contiguous; }

/// What the expression's operand is. Templates that want `T*` take no array of ours for one.
std::string operand(const typing::ExternalCall& call, size_t i, Arrays arrays) {
  const TypeId id = call.arguments[i];
  if (arrays != Arrays::Pointers || !follows_itself(id)) return passed(call, i);
  return std::string(type(id).facts.writable ? "" : "const ") +
         spelling(call.library, type(id).element) + "* const";
}

/// What `each` makes of an argument's type and number, with commas.
template <class Each>
std::string list(const typing::ExternalCall& call, Each&& each, bool goes_on = false) {
  std::string text;
  for (size_t i = 0; i < call.arguments.size(); ++i)
    text += (i || goes_on ? ", " : "") + each(passed(call, i), i);
  return text;
}

/// What a source says of its function's result, as constants.
std::string facts(const std::string& symbol) {
  const std::string result = "hetjit::shim::result_of<decltype(" + symbol + "_call)>::type";
  auto constant = [&](const char* type, const char* name, const std::string& value) {
    return "extern \"C\" HETJIT_SHIM const " + std::string(type) + " " + symbol + name +
           " =\n    " + value + "<" + result + ">" + (value.ends_with("number") ? "" : "()") +
           ";\n";
  };
  return constant("hetjit::int64", "_result", "hetjit::shim::number") +
         constant("hetjit::int64", "_size", "hetjit::shim::size_of") +
         constant("hetjit::int64", "_align", "hetjit::shim::align_of") +
         constant("auto", "_type", "hetjit::shim::signature_of");
}

/// Is it a header of the compiler's, of a library's or of ours?
bool is_others(std::string_view included) {
  return included.starts_with('<') || included.starts_with("\"hetjit/");
}

/// Does lines' numbering begin anew behind it? Lines that are left out by a condition are counted.
bool ends_condition(const std::string& line) {
  const size_t hash = line.find_first_not_of(" \t");
  if (hash == std::string::npos || line[hash] != '#' || line.back() == '\\') return false;
  const size_t word = line.find_first_not_of(" \t", hash + 1);
  return word != std::string::npos && (line.compare(word, 2, "el") == 0 ||  // else, elif, elifdef
                                       line.compare(word, 5, "endif") == 0);
}

constexpr const char *kForBoth =
                         "#pragma clang force_cuda_host_device begin\n#define hetjit_for_both\n",
                     *kAsItSays =
                         "#undef hetjit_for_both\n#pragma clang force_cuda_host_device end\n";
/// A header of one's own may also be included by others'.
std::string included_as_it_says(const std::string& line) {
  return "#ifdef hetjit_for_both\n" + (kAsItSays + line) + "\n" + kForBoth + "#else\n" + line +
         "\n#endif\n";
}

/// A file's name in a text.
std::string literal(const std::string& name) {
  std::string text = "\"";
  for (char letter : name) {
    if (letter == '"' || letter == '\\') text += '\\';
    text += letter == '\n' ? "\\n" : std::string(1, letter);
  }
  return text + '"';
}

/// "auto signature_of() [Type = app::body]", of NVRTC "[with Type = …": "app::body". "": nobody can
/// write it.
std::string spelling_in(const std::string& signature) {
  constexpr std::string_view kMark = "Type = ";
  const size_t from = signature.find(kMark), to = signature.rfind(']');
  HETJIT_CHECK(from != std::string::npos && to != std::string::npos);
  const std::string spelling = signature.substr(from + kMark.size(), to - from - kMark.size());
  for (const char* unnamed : {"(lambda", "(anonymous", "(unnamed", "lambda [", "<unnamed>"})
    if (spelling.find(unnamed) != std::string::npos) return "";
  return spelling;
}

/// Invalid: its type has no name.
TypeId object_of(const typing::ExternalCall& call, const target::ExternalResult& result) {
  const std::string spelling = spelling_in(result.type);
  return spelling.empty()
             ? TypeId{}
             : typing::object_type(call.library, spelling, static_cast<uint32_t>(result.size),
                                   static_cast<uint32_t>(result.align));
}

/// Is it "app::Mode(…)" for "app::Mode"? Such a value was asked for, and is no integer.
bool is_conversion_to(const std::string& type, const std::string& expression) {
  return !type.empty() && expression.starts_with(type + "(");
}

/// "-DSCALE=4", but for names that are a compiler's.
bool defines_macro(const std::string& option) {
  return option.starts_with("-D") && option.size() > 2 && option[2] != '_';
}

/// Words of headers that the user's source comes before, each once: whatever it has for macros.
std::vector<std::string> words_of_ours() {
  constexpr std::string_view kNeeded[] = {"defined", "offsetof", "and", "or",
                                          "not"};  // no macros of a user's
  std::set<std::string> words;
  for (const Header& header : headers()) {
    if (header.name != "shim.hpp" && header.name != "interop.hpp") continue;
    std::istringstream lines{std::string(header.text)};
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with('#') && !line.starts_with("#define")) continue;
      line.resize(std::min(line.find("//"), line.size()));
      for (size_t at = 0, end = 0; at < line.size(); at = end + 1) {
        end = std::min(line.find_first_not_of(kOfWords, at), line.size());
        const std::string word = line.substr(at, end - at);
        if (!word.empty() && std::isalpha(static_cast<unsigned char>(word[0])) &&
            !word.starts_with("HETJIT") && std::ranges::find(kNeeded, word) == std::end(kNeeded))
          words.insert(word);
      }
    }
  }
  return {words.begin(), words.end()};
}

/// The user's macros, and what goes around text of ours, in which they mean nothing. NVRTC cannot
/// put a macro by: there they are those that options define.
struct Macros {
  Macros(const CxxLibrary& library, Compiler compiler) {
    static const auto* ours = new std::vector<std::string>(words_of_ours());
    std::set<std::string> names(ours->begin(), ours->end());
    for (const std::string& option : library.options) {
      if (!defines_macro(option)) continue;
      const size_t end = std::min(option.find('='), option.size());
      const std::string head = option.substr(2, end - 2);
      const std::string value = end < option.size() ? option.substr(end + 1) : "1";
      const std::string definition = "#define " + head + " " + value + "\n";
      const std::string name = head.substr(0, head.find('('));
      definitions += definition;
      names.insert(name);
      if (compiler == Compiler::Nvrtc) off += "#undef " + name + "\n", on += definition;
    }
    if (compiler == Compiler::Nvrtc) return;
    for (const std::string& name : names) {
      off += "#pragma push_macro(\"" + name + "\")\n#undef " + name + "\n";
      on += "#pragma pop_macro(\"" + name + "\")\n";
    }
  }
  std::string definitions, off, on;
};

/// CUDA's word, which is none of the host's C++; in attributes it is.
std::string with_noinline(const std::string& source) {
  constexpr std::string_view kWord = "__noinline__";
  std::string text;
  size_t at = 0;
  for (size_t next; (next = source.find(kWord, at)) != std::string::npos;
       at = next + kWord.size()) {
    text += source.substr(at, next - at);
    const size_t before = text.find_last_not_of(" \t");
    const bool in_list =
        before != std::string::npos && (text[before] == '(' || text[before] == ',');
    text += in_list ? kWord : "__attribute__((noinline))";
  }
  return text + source.substr(at);
}

}  // namespace

std::string library_source(const CxxLibrary& library, TargetKind kind, Compiler compiler) {
  const Macros macros(library, compiler);
  const std::string& path = library.path;
  const std::string name = path.empty() ? std::string(kTextFile) : path;
  const std::string first_line = "#line 1 " + literal(name) + "\n";
  const std::string text = compiler == Compiler::Nvrtc ? first_line + library.source + "\n"
                           : dialect(kind).has_two_sides
                               ? kForBoth + first_line + for_both(library.source) + kAsItSays
                               : first_line + with_noinline(library.source) + "\n";
  return "#include \"hetjit/names.hpp\"\n" + macros.definitions + text + "#line 1 \"call\"\n" +
         macros.off + "#include \"hetjit/shim.hpp\"\n" + macros.on;
}

std::string for_both(const std::string& source) {
  std::string text;
  bool adds_lines = false, goes_on = false;  // does the line belong to the one before?
  size_t line_number = 1;
  for (size_t at = 0; at < source.size(); ++line_number) {
    const size_t end = std::min(source.find('\n', at), source.size());
    const std::string line = source.substr(at, end - at);
    const bool is_whole = goes_on || !is_others(included_by(line));
    adds_lines |= !is_whole;
    goes_on = line.ends_with('\\') || line.ends_with("\\\r");
    text += is_whole ? line + "\n" : included_as_it_says(line);
    if (!is_whole || (adds_lines && ends_condition(line)))
      text += "#line " + std::to_string(line_number + 1) + "\n";
    at = end + 1;
  }
  return text;
}

std::vector<std::string> options_of(const CxxLibrary& library) {
  std::vector<std::string> options = library.options;
  std::erase_if(options, defines_macro);
  return options;
}

namespace {

/// The function, and a type for its result.
std::string defined(const typing::ExternalCall& call, const std::string& symbol, Arrays arrays,
                    const Macros& macros) {
  const std::string operands = list(call, [&](Text, size_t i) {
    return operand(call, i, arrays) + "& " + typing::name_of_argument(i);
  });
  std::string text = "HETJIT_SHIM inline decltype(auto) " + symbol + "_call(" + operands + ") {\n" +
                     macros.on + "  return " + call.expression + ";\n" + macros.off + "}\n";
  text +=
      "using " + symbol + "_returned = std::remove_cv_t<std::remove_reference_t<decltype(" +
      symbol + "_call(" +
      list(call,
           [&](Text, size_t i) { return "std::declval<" + operand(call, i, arrays) + "&>()"; }) +
      "))>>;\n";
  text += "extern \"C\" HETJIT_SHIM void " + symbol + "(void* hetjit_to" +
          list(
              call, [](Text type, size_t i) { return type + "* hetjit_at" + std::to_string(i); },
              true) +
          ") {\n  hetjit::shim::deliver<" + symbol + "_call, " + symbol + "_returned>(hetjit_to" +
          list(
              call, [](Text, size_t i) { return "hetjit_at" + std::to_string(i); }, true) +
          ");\n}\n";
  return text;
}

}  // namespace

std::string call_source(const typing::ExternalCall& call, const std::string& symbol, Arrays arrays,
                        Compiler compiler) {
  const Macros macros(call.library, compiler);
  return "#line 1 \"call\"\n" + macros.off + records(call) + questions(call) +
         defined(call, symbol, arrays, macros) + facts(symbol) + macros.on;
}

std::string bare_call_source(const typing::ExternalCall& call, const std::string& symbol,
                             Arrays arrays, Compiler compiler) {
  const Macros macros(call.library, compiler);
  return "#line 1 \"call\"\n" + macros.off + records(call) + defined(call, symbol, arrays, macros) +
         macros.on;
}

TypeId result_of(const typing::ExternalCall& call, const target::ExternalResult& result) {
  const bool is_enumeration = kFirstEnumeration < result.number && result.number < kFirstListed;
  const int64_t number = result.number - (is_enumeration ? kFirstEnumeration : 0);
  if (is_enumeration && is_conversion_to(spelling_in(result.type), call.expression))
    return object_of(call, result);
  if (number == 0) return none_type();
  if (number == 1) return scalar_type(Scalar::Bool);
  if (number >= kFirstListed)
    return listed_results(call)[static_cast<size_t>(number) - kFirstListed];
  const bool is_signed = number < 20;
  for (const ScalarInfo& scalar : kScalars)
    if (scalar.category == Category::Integer && scalar.is_signed == is_signed &&
        scalar.bytes() == number % 10)
      return scalar_type(scalar.scalar);
  return object_of(call, result);
}

}  // namespace hetjit::cxx
