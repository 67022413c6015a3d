#include "compiler/cxx/shim.h"

#include <algorithm>

#include "abi/cxx_names.h"
#include "abi/layout.h"
#include "compiler/cxx/dialect.h"

namespace hetjit::cxx {
namespace {

/// Numbers of results: integers and bool by shim.hpp's rule, then what is listed for a call.
constexpr int kFirstListed = 100;

const CxxType* mapped(const CxxLibrary& library, TypeId id) {
  for (const CxxType& each : library.types)
    if (each.type == id) return &each;
  return nullptr;
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
  const CxxType* given = mapped(library, id);
  return given ? given->spelling : cxx_name(id);
}

/// What a mapped type must have in common with ours, so that one's memory is the other's.
std::string checks_of(const CxxType& mapped) {
  const Layout lies = layout(mapped.type);
  const std::string name = cxx_name(mapped.type), type_name = "'" + mapped.spelling + "'";
  std::string text = "static_assert(sizeof(" + mapped.spelling +
                     ") == " + std::to_string(lies.size) + ", \"" + to_python(mapped.type) +
                     " has " + std::to_string(lies.size) + " bytes, " + type_name +
                     " has others\");\n";
  text += "static_assert(alignof(" + mapped.spelling + ") <= " + std::to_string(lies.align) +
          ", \"" + type_name + " is aligned to more than " + to_python(mapped.type) + "\");\n";
  if (type(mapped.type).kind != TypeKind::Struct) return text;
  for (size_t i = 0; i < lies.offsets.size(); ++i) {
    const std::string& field = type(mapped.type).fields[i].name;
    text += "static_assert(__builtin_offsetof(" + mapped.spelling + ", " + field +
            ") == " + std::to_string(lies.offsets[i]) + ", \"field '" + field + "' of " +
            type_name + " lies elsewhere than in " + to_python(mapped.type) + "\");\n";
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

std::string definitions(const typing::ExternalCall& call) {
  std::string text;
  for (const CxxType& each : call.library.types) text += checks_of(each);
  for (TypeId id : records_of(call)) {
    const CxxType* given = mapped(call.library, id);
    text += given ? "using " + cxx_name(id) + " = " + given->spelling + ";\n" : cxx_definition(id);
  }
  int number = kFirstListed;
  for (TypeId id : listed_results(call))
    text += "template <> inline constexpr int hetjit::shim::number<" + spelling(call.library, id) +
            "> = " + std::to_string(number++) + ";\n";
  return text;
}

using Text = const std::string&;

/// What `each` makes of an argument's type and number, with commas.
template <class Each>
std::string list(const typing::ExternalCall& call, Each&& each) {
  std::string text;
  for (size_t i = 0; i < call.arguments.size(); ++i)
    text += (i ? ", " : "") + each(declared(call.library, call.arguments[i]), std::to_string(i));
  return text;
}

/// A line that includes a header of the compiler's or of ours.
bool includes_others(std::string_view line) {
  const size_t word = line.find_first_not_of(" \t");
  if (word == std::string_view::npos || line[word] != '#') return false;
  const size_t include = line.find("include", word);
  if (include == std::string_view::npos) return false;
  const std::string_view name = line.substr(include);
  return name.find('<') != std::string_view::npos ||
         name.find("\"hetjit/") != std::string_view::npos;
}

/// Others' headers know which of their functions are for GPUs; what the user writes is for both, as
/// in Python.
std::string for_both(const std::string& source, const std::string& first_line) {
  std::string text = "#pragma clang force_cuda_host_device begin\n" + first_line;
  size_t line_number = 1;
  for (size_t at = 0; at < source.size(); ++line_number) {
    const size_t end = std::min(source.find('\n', at), source.size());
    const std::string line = source.substr(at, end - at);
    text += includes_others(line) ? "#pragma clang force_cuda_host_device end\n" + line +
                                        "\n#pragma clang force_cuda_host_device begin\n#line " +
                                        std::to_string(line_number + 1) + "\n"
                                  : line + "\n";
    at = end + 1;
  }
  return text + "#pragma clang force_cuda_host_device end\n";
}

}  // namespace

std::string library_source(const CxxLibrary& library, TargetKind kind) {
  const std::string& path = library.path;
  const std::string first_line = "#line 1 \"" + (path.empty() ? "C++" : path) + "\"\n";
  return "#include \"hetjit/names.hpp\"\n" +
         (dialect(kind).has_two_sides ? for_both(library.source, first_line)
                                      : first_line + library.source + "\n") +
         "#line 1 \"call\"\n#include \"hetjit/shim.hpp\"\n";
}

std::string call_source(const typing::ExternalCall& call, const std::string& symbol) {
  std::string text = "#line 1 \"call\"\n" + definitions(call);
  text += "HETJIT_SHIM inline decltype(auto) " + symbol + "_call(" +
          list(call, [](Text type, Text i) { return "const " + type + "& a" + i; }) +
          ") {\n  return " + call.callee + "(" + list(call, [](Text, Text i) { return "a" + i; }) +
          ");\n}\n";
  std::string pointers = "void* to", places = "to";
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const std::string name = "a" + std::to_string(i);
    pointers += ", const " + declared(call.library, call.arguments[i]) + "* " + name;
    places += ", " + name;
  }
  text += "extern \"C\" HETJIT_SHIM void " + symbol + "(" + pointers + ") {\n" +
          "  hetjit::shim::deliver<" + symbol + "_call>(" + places + ");\n}\n";
  return text + "extern \"C\" HETJIT_SHIM const int " + symbol + "_result =\n" +
         "    hetjit::shim::number<hetjit::shim::result_of<decltype(" + symbol +
         "_call)>::type>;\n";
}

TypeId result_of(const typing::ExternalCall& call, int64_t number) {
  if (number == 0) return none_type();
  if (number == 1) return scalar_type(Scalar::Bool);
  if (number >= kFirstListed)
    return listed_results(call)[static_cast<size_t>(number) - kFirstListed];
  const bool is_signed = number < 20;
  for (const ScalarInfo& scalar : kScalars)
    if (scalar.category == Category::Integer && scalar.is_signed == is_signed &&
        scalar.bytes() == number % 10)
      return scalar_type(scalar.scalar);
  return {};
}

}  // namespace hetjit::cxx
