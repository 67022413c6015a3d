#include "compiler/cxx/exports.h"

#include <algorithm>

#include "abi/cxx_names.h"
#include "compiler/cxx/clang.h"
#include "compiler/cxx/dialect.h"
#include "compiler/cxx/headers.h"
#include "compiler/cxx/printing.h"

namespace hetjit::cxx {
namespace {

bool is_record(TypeId id) {
  return type(id).kind == TypeKind::Tuple || type(id).kind == TypeKind::Struct;
}

/// Tuples and structs of a type, each once and parts first.
void add_records(TypeId id, std::vector<TypeId>& to) {
  const Type& it = type(id);
  if (it.element.valid()) add_records(it.element, to);
  for (const Field& field : it.fields) add_records(field.type, to);
  if (is_record(id) && std::find(to.begin(), to.end(), id) == to.end()) to.push_back(id);
}

bool is_word(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(),
                                      [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

/// Definitions, and the name that Python knows a struct by. Two headers may both define it.
std::string definitions(const Exported& function) {
  std::vector<TypeId> records;
  for (TypeId id : function.parameters) add_records(id, records);
  add_records(function.result, records);
  std::string text;
  for (TypeId id : records) {
    const std::string name = cxx_name(id), guard = "hetjit_has_" + name;
    text += "#ifndef " + guard + "\n#define " + guard + "\n" + cxx_definition(id);
    const std::string known = type(id).name.substr(type(id).name.rfind('.') + 1);
    if (is_word(known)) text += "using " + known + " = " + name + ";\n";
    text += "#endif\n";
  }
  return text;
}

/// What `each` makes of a parameter's type and number, with commas.
template <class Each>
std::string list(const Exported& function, Each&& each) {
  std::string text;
  for (size_t i = 0; i < function.parameters.size(); ++i)
    text += std::string(i ? ", " : "") + each(cxx_name(function.parameters[i]), i);
  return text;
}

bool gives_nothing(const Exported& function) { return function.result == none_type(); }

std::string declaration(const Exported& function, const std::string& parameters) {
  return (gives_nothing(function) ? "void" : cxx_name(function.result)) + " " + function.symbol +
         "(" + parameters + ")";
}

/// What includes nothing of a vendor's: for the convention, our types are as good.
constexpr const char* kBare =
    "#define HETJIT_INTEROP_LEAN 1\n"
    "#if defined(__CUDA__)\n"
    "#define __CUDACC__ 1\n"
    "#endif\n"
    "#include \"hetjit/names.hpp\"\n"
    "#include \"hetjit/interop.hpp\"\n"
    "#if defined(__CUDA__) || defined(__HIP__)\n"
    "#define HETJIT_HERE __attribute__((device))\n"
    "#else\n"
    "#define HETJIT_HERE\n"
    "#endif\n";

/// The text of a record (raised.hpp): numbers in braces.
std::string with_braces(const TextPieces& pieces) {
  std::string text;
  for (const TextPiece& piece : pieces) {
    if (piece.number) {
      text += "{" + std::string(info(*piece.number).python_name) + (piece.as_text ? "!s" : "");
      text += (piece.text.empty() ? "" : ":" + piece.text) + "}";
      continue;
    }
    for (char c : piece.text) text += std::string(c == '{' || c == '}' ? 2 : 1, c);
  }
  return text;
}

/// A call that says what one site has to say.
std::string said(const Site& site, TargetKind kind) {
  if (site.kind == SiteKind::Print && dialect(kind).prints_by_printf) return printf_call(site.text);
  if (site.kind == SiteKind::Print)
    return "hetjit::says::print(*what, " + literal(with_braces(site.text)) + ")";
  constexpr size_t kMostOfFile = 300, kMostOfAll = 1023;  // of raised_bytes
  const std::string file =
      site.file.size() > kMostOfFile ? site.file.substr(site.file.size() - kMostOfFile) : site.file;
  std::string text = site.exception + '\0' + site.function + '\0' + file + '\0';
  text = (text + with_braces(site.text)).substr(0, kMostOfAll);
  return "hetjit::says::raise(*what, " + literal(text) + ", " + std::to_string(text.size()) + ", " +
         std::to_string(site.line) + ", " + std::to_string(word_count(site.text)) + ")";
}

std::string says_source(const Exported& function, TargetKind kind) {
  std::string text =
      "#include \"hetjit/says.hpp\"\nextern \"C\" HETJIT_HERE "
      "__attribute__((cold, noinline)) void hetjit_says(unsigned site, const hetjit::says::spoken* "
      "what) {\n  switch (site) {\n";
  for (size_t i = 0; i < function.sites.size(); ++i)
    text += "    case " + std::to_string(i) + ":\n      return " + said(function.sites[i], kind) +
            ";\n";
  return text + "  }\n}\n";
}

std::string entry_source(const Exported& function, TargetKind kind) {
  using Text = const std::string&;
  const std::string inner = inner_symbol(function);
  const bool nothing = gives_nothing(function);
  const std::string pointers = list(function, [](Text, size_t) { return "const void*"; });
  const std::string places =
      list(function, [](Text, size_t i) { return "&p" + std::to_string(i); });
  const std::string parameters = list(function, [](Text type, size_t i) {
    return "hetjit::shim::passed<" + type + ">::type p" + std::to_string(i);
  });
  const std::string comma = pointers.empty() ? "" : ", ";
  std::string text = kBare;
  if (!function.sites.empty()) text += says_source(function, kind);
  if (function.kernel) return text;  // its entry is ours
  text += definitions(function);
  text += "extern \"C\" HETJIT_HERE " + std::string(function.raises ? "int " : "void ") + inner +
          "(void*" + comma + pointers + ");\n";
  text += "extern \"C\" HETJIT_HERE " + declaration(function, parameters) + " {\n";
  if (!nothing) text += "  " + cxx_name(function.result) + " made;\n";
  const std::string call = inner + "(" + (nothing ? "nullptr" : "&made") + comma + places + ")";
  text +=
      function.raises ? "  if (" + call + ") hetjit::says::end_thread();\n" : "  " + call + ";\n";
  return text + (nothing ? "}\n" : "  return made;\n}\n");
}

/// Who hears of an exception may throw another one. Lines of what becomes a part of a function are
/// lost where that has none.
std::vector<std::string> compile_options(const Exported& function) {
  std::vector<std::string> options;
  if (function.raises) options = {"-fexceptions", "-funwind-tables"};
  if (function.debug) options.push_back("-gline-tables-only");
  return options;
}

}  // namespace

std::string inner_symbol(const Exported& function) { return function.symbol + "_python"; }

std::string header(const Exported& function) {
  // In comments: a name of Python's may be a word of C++'s.
  const std::string declared =
      declaration(function, list(function, [&](const std::string& type, size_t i) {
                    return type + " /*" + function.names[i] + "*/";
                  }));
  const std::string text = std::string("#pragma once\n\n#include \"hetjit/") +
                           (function.raises ? "raised_text.hpp" : "interop.hpp") + "\"\n\n" +
                           definitions(function);
  if (!function.kernel) return text + "extern \"C\" HETJIT_INTEROP_HD " + declared + ";\n";
  return text + "#if defined(__CUDACC__) || defined(__HIP__)\nextern \"C\" __global__ " + declared +
         ";\n#endif\n";
}

Result<std::string> entry_bitcode(const Exported& function, const TargetName& target) {
  Result<Compiled> made = compile(entry_source(function, target.kind), compile_options(function),
                                  target, Headers::None);
  HETJIT_TRY(made);
  if (!made->bitcode.empty()) return std::move(made->bitcode);
  return Error{ErrorCode::Internal,
               "clang does not take what was written for it: " + made->messages};
}

std::string header_text(const std::string& name) {
  for (const Header& each : headers())
    if (each.name == name) return std::string(each.text);
  fail_check("the header is part of the program", __FILE__, __LINE__);
}

}  // namespace hetjit::cxx
