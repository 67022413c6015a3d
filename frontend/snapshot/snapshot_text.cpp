// Prints the `.snap` form. One function:
//
//   function 0 floor_div 3.14
//   path kernels.py
//   line 12
//   | def floor_div(a, b):
//   |     return a // b
//   parameters 2 positional-only 0 keyword-only 0
//   locals a b
//   default 1 2.0                       a parameter without a default has no line
//   annotation 0 float32
//   constexpr 1                         parameters annotated as constants
//   bound 1 function(2)                 passed as a constant by a launch
//   constant None
//   attributes math sqrt                co_names
//   name math module(math)
//   code 128 0  87 1  44 2  0 0  35 0   number and argument of each code unit
//   at 1 13:11-13:12                    where units 1, 2, … come from; until the next `at`
//   handler 3 5 9 1 lasti               start, end, target, depth
//
// and before the functions what is known of the struct types among them:
//
//   struct "struct Body {pos: f32x3, mass: weak f32}"
//   field 1 1.0                         default of a field
//   member norm method function(2)      value, method, classmethod or property
//
// and the libraries in C++:
//
//   library "" "float norm(float x) { return x * x; }"
//   option "-O1"
//   type "struct Body {pos: f32x3}" "app::body"
#include "frontend/snapshot/snapshot_text.h"

#include <algorithm>

#include "frontend/snapshot/constant_text.h"

namespace hetjit {
namespace {

constexpr size_t kUnitsPerLine = 16;

bool fits_a_source_line(const std::string& line) {
  return std::all_of(line.begin(), line.end(),
                     [](char c) { return static_cast<uint8_t>(c) >= 0x20 || c == '\t'; });
}

class Printer {
 public:
  std::string run(const Program& program) {
    text_ = "snapshot 1\n";
    for (const StructRecord& record : program.structs) structure(record);
    for (const CxxLibrary& each : program.libraries) library(each);
    for (size_t i = 0; i < program.functions.size(); ++i) function(program.functions[i], i);
    return std::move(text_);
  }

 private:
  void library(const CxxLibrary& library) {
    text_ += "\nlibrary " + write_quoted(library.path) + " " + write_quoted(library.source) + "\n";
    for (const std::string& option : library.options)
      text_ += "option " + write_quoted(option) + "\n";
    for (const CxxType& each : library.types)
      text_ +=
          "type " + write_parameter({each.type, false}) + " " + write_quoted(each.spelling) + "\n";
  }

  void structure(const StructRecord& record) {
    text_ += "\nstruct " + write_parameter({record.type, false}) + "\n";
    for (size_t i = 0; i < record.defaults.size(); ++i)
      if (record.defaults[i])
        text_ += "field " + std::to_string(i) + " " + to_text(*record.defaults[i]) + "\n";
    for (const Member& member : record.members)
      text_ += "member " + write_word(member.name) + " " +
               std::string(kMemberKinds[static_cast<size_t>(member.kind)]) + " " +
               to_text(member.meaning) + "\n";
  }

  void function(const Snapshot& snapshot, size_t index) {
    text_ += "\nfunction " + std::to_string(index) + " " + write_word(snapshot.name) + " " +
             std::string(to_text(snapshot.version)) + "\n";
    source(snapshot.source);
    header(snapshot);
    values(snapshot);
    code(snapshot);
    positions(snapshot);
    handlers(snapshot);
  }

  void source(const Source& source) {
    if (!source.path.empty()) text_ += "path " + write_word(source.path) + "\n";
    text_ += "line " + std::to_string(source.first_line) + "\n";
    for (const std::string& line : source.lines)
      if (line.empty())
        text_ += "|\n";
      else
        text_ +=
            fits_a_source_line(line) ? "| " + line + "\n" : "source " + write_quoted(line) + "\n";
  }

  void header(const Snapshot& snapshot) {
    text_ += "parameters " + std::to_string(snapshot.parameter_count) + " positional-only " +
             std::to_string(snapshot.positional_only_count) + " keyword-only " +
             std::to_string(snapshot.keyword_only_count);
    if (snapshot.has_varargs) text_ += " varargs";
    if (snapshot.has_varkeywords) text_ += " varkeywords";
    if (snapshot.is_generator) text_ += " generator";
    text_ += "\n";
    words("locals", snapshot.locals);
    words("free", snapshot.free_variables);
  }

  void words(const char* keyword, const std::vector<std::string>& list) {
    if (list.empty()) return;
    text_ += keyword;
    for (const std::string& word : list) text_ += " " + write_word(word);
    text_ += "\n";
  }

  void values(const Snapshot& snapshot) {
    if (!snapshot.defaults.empty())
      text_ += "defaults " + std::to_string(snapshot.defaults.size()) + "\n";
    for (size_t i = 0; i < snapshot.defaults.size(); ++i)
      if (snapshot.defaults[i])
        text_ += "default " + std::to_string(i) + " " + to_text(*snapshot.defaults[i]) + "\n";
    if (!snapshot.annotations.empty())
      text_ += "annotations " + std::to_string(snapshot.annotations.size()) + "\n";
    for (size_t i = 0; i < snapshot.annotations.size(); ++i)
      if (snapshot.annotations[i])
        text_ += "annotation " + std::to_string(i) + " " +
                 write_parameter(*snapshot.annotations[i]) + "\n";
    for (uint32_t index : snapshot.constant_parameters)
      text_ += "constexpr " + std::to_string(index) + "\n";
    for (const BoundParameter& bound : snapshot.bound)
      text_ += "bound " + std::to_string(bound.parameter) + " " + to_text(bound.value) + "\n";
    for (const Constant& constant : snapshot.constants)
      text_ += "constant " + to_text(constant) + "\n";
    words("attributes", snapshot.attribute_names);
    for (const Name& name : snapshot.names)
      text_ += "name " + write_word(name.path) + " " + to_text(name.meaning) + "\n";
  }

  void code(const Snapshot& snapshot) {
    const std::vector<uint8_t>& code = snapshot.code;
    for (size_t i = 0; i < code.size(); ++i) {
      if (i % (2 * kUnitsPerLine) == 0) text_ += i == 0 ? "code" : "\ncode";
      text_ += (i % 2 == 0 && i % (2 * kUnitsPerLine) != 0 ? "  " : " ") + std::to_string(code[i]);
    }
    if (!code.empty()) text_ += "\n";
  }

  void positions(const Snapshot& snapshot) {
    const std::vector<Position>& positions = snapshot.positions;
    if (positions.size() != snapshot.code.size() / 2)
      text_ += "positions " + std::to_string(positions.size()) + "\n";
    Position last;
    for (size_t i = 0; i < positions.size(); ++i) {
      const Position& at = positions[i];
      if (at == last) continue;
      text_ += "at " + std::to_string(i) + " " + std::to_string(at.line) + ":" +
               std::to_string(at.column) + "-" + std::to_string(at.end_line) + ":" +
               std::to_string(at.end_column) + "\n";
      last = at;
    }
  }

  void handlers(const Snapshot& snapshot) {
    for (const HandlerRange& range : snapshot.handlers)
      text_ += "handler " + std::to_string(range.start) + " " + std::to_string(range.end) + " " +
               std::to_string(range.target) + " " + std::to_string(range.depth) +
               (range.lasti ? " lasti\n" : "\n");
  }

  std::string text_;
};

}  // namespace

std::string to_text(const Program& program) { return Printer().run(program); }

std::string bound_text(const Program& program, uint32_t parameter) {
  for (const BoundParameter& bound : program.functions.front().bound) {
    if (bound.parameter != parameter) continue;
    if (const auto* of = std::get_if<FunctionMeaning>(&bound.value))
      return program.functions[of->function].name;
    if (const auto* of = std::get_if<BuiltinMeaning>(&bound.value)) return of->name;
    if (const auto* of = std::get_if<TypeMeaning>(&bound.value)) return to_text(of->type);
    return to_text(bound.value);
  }
  return "";
}

}  // namespace hetjit
