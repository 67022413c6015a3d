// Reads the `.snap` form (snapshot_text.cpp shows it). Total: any text gives a Program or an Error.
#include <array>
#include <charconv>

#include "frontend/snapshot/constant_text.h"

namespace hetjit {
namespace {

constexpr uint64_t kTextVersion = 1;
/// More than any function has; a short text must not ask for gigabytes.
constexpr uint64_t kMostItems = 1 << 16, kMostPositions = 1 << 20;

class Parser {
 public:
  explicit Parser(std::string_view text) : reader_(text) {}

  Result<Program> run() {
    if (!reader_.first_line() || !reader_.accept_word("snapshot"))
      return reader_.expected("'snapshot'");
    if (reader_.number() != kTextVersion) return reader_.expected("'snapshot 1'");
    HETJIT_TRY(end_of_line());
    while (reader_.next_line()) HETJIT_TRY(line());
    HETJIT_TRY(finish_function());
    for (const StructRecord& record : program_.structs)
      for (const Member& of : record.members)
        if (auto* function = std::get_if<FunctionMeaning>(&of.meaning);
            function && function->function >= program_.functions.size())
          return Error{ErrorCode::Invalid, "no function for the member '" + of.name + "'"};
    return std::move(program_);
  }

 private:
  using Reader = Status (Parser::*)();
  struct Keyword {
    std::string_view text;
    Reader read;
  };
  static const std::array<Keyword, 19> kKeywords;

  Snapshot& here() { return program_.functions.back(); }

  Status line() {
    const std::string_view keyword = reader_.peek_plain();
    if (keyword == "function") return function();
    if (program_.functions.empty()) {
      if (keyword == "struct") return structure();
      if (keyword == "field" && !program_.structs.empty()) return field_default();
      if (keyword == "member" && !program_.structs.empty()) return member();
      if (keyword == "library") return library();
      if (keyword == "option" && !program_.libraries.empty()) return library_option();
      if (keyword == "type" && !program_.libraries.empty()) return library_type();
    }
    if (program_.functions.empty()) return reader_.expected("'function'");
    if (reader_.accept('|')) return source_line();
    for (const Keyword& row : kKeywords)
      if (row.text == keyword) {
        reader_.plain();
        HETJIT_TRY((this->*row.read)());
        return end_of_line();
      }
    return reader_.expected("a keyword");
  }

  Status end_of_line() {
    if (!reader_.at_line_end()) return reader_.expected("the end of the line");
    return ok();
  }

  Status structure() {
    reader_.plain();
    Result<Parameter> read = read_parameter(reader_);
    HETJIT_TRY(read);
    if (type(read->type).kind != TypeKind::Struct) return reader_.expected("a struct type before");
    if (program_.find_struct(read->type)) return reader_.expected("another struct type before");
    program_.structs.push_back({read->type, {}, {}});
    program_.structs.back().defaults.resize(type(read->type).fields.size());
    return end_of_line();
  }

  Status field_default() {
    reader_.plain();
    HETJIT_TRY(read_item(program_.structs.back().defaults, read_meaning));
    return end_of_line();
  }

  Status member() {
    reader_.plain();
    Member made;
    HETJIT_TRY(read_word(made.name, "a name"));
    const std::string_view kind = reader_.plain();
    size_t index = 0;
    while (index < std::size(kMemberKinds) && kMemberKinds[index] != kind) ++index;
    if (index == std::size(kMemberKinds)) return reader_.expected("a kind of member before");
    made.kind = static_cast<MemberKind>(index);
    Result<Meaning> meaning = read_meaning(reader_);
    HETJIT_TRY(meaning);
    made.meaning = std::move(*meaning);
    program_.structs.back().members.push_back(std::move(made));
    return end_of_line();
  }

  Status library() {
    reader_.plain();
    CxxLibrary made;
    HETJIT_TRY(read_word(made.path, "a path"));
    HETJIT_TRY(read_word(made.source, "source in C++"));
    program_.libraries.push_back(std::move(made));
    return end_of_line();
  }

  Status library_option() {
    reader_.plain();
    HETJIT_TRY(read_word(program_.libraries.back().options.emplace_back(), "an option"));
    return end_of_line();
  }

  Status library_type() {
    reader_.plain();
    CxxType made;
    Result<Parameter> read = read_parameter(reader_);
    HETJIT_TRY(read);
    made.type = read->type;
    HETJIT_TRY(read_word(made.spelling, "a type in C++"));
    program_.libraries.back().types.push_back(std::move(made));
    return end_of_line();
  }

  Status function() {
    HETJIT_TRY(finish_function());
    reader_.plain();
    if (reader_.number() != program_.functions.size())
      return reader_.expected("the function's number");
    Snapshot snapshot;
    HETJIT_TRY(read_word(snapshot.name, "a name"));
    const auto version = find_python(reader_.peek_plain());
    if (!version) return reader_.expected("3.11, 3.12, 3.13, 3.14 or 3.15");
    reader_.plain();
    snapshot.version = *version;
    program_.functions.push_back(std::move(snapshot));
    return end_of_line();
  }

  // Positions are runs: what `at` lines leave open is as the unit before.
  Status finish_function() {
    if (program_.functions.empty()) return ok();
    Snapshot& snapshot = here();
    const size_t count = position_count_.value_or(snapshot.code.size() / 2);
    if (!runs_.empty() && runs_.back().unit >= count)
      return Error{ErrorCode::Invalid,
                   "an 'at' behind the last code unit of function '" + snapshot.name + "'"};
    snapshot.positions.resize(count);
    for (size_t i = 0; i < runs_.size(); ++i) {
      const size_t end = i + 1 < runs_.size() ? runs_[i + 1].unit : count;
      for (size_t unit = runs_[i].unit; unit < end; ++unit)
        snapshot.positions[unit] = runs_[i].position;
    }
    runs_.clear();
    position_count_.reset();
    return ok();
  }

  // ---- one line each

  Status source_line() {
    std::string_view text = reader_.rest();
    if (text.starts_with(' ')) text.remove_prefix(1);
    here().source.lines.emplace_back(text);
    return ok();
  }

  Status source() {
    std::string text;
    HETJIT_TRY(read_word(text, "a string that ends on its line"));
    here().source.lines.push_back(std::move(text));
    return ok();
  }

  Status path() { return read_word(here().source.path, "a path"); }
  Status first_line() { return read_number(here().source.first_line); }

  Status parameters() {
    Snapshot& snapshot = here();
    HETJIT_TRY(read_number(snapshot.parameter_count));
    if (!reader_.accept_word("positional-only")) return reader_.expected("'positional-only'");
    HETJIT_TRY(read_number(snapshot.positional_only_count));
    if (!reader_.accept_word("keyword-only")) return reader_.expected("'keyword-only'");
    HETJIT_TRY(read_number(snapshot.keyword_only_count));
    snapshot.has_varargs = reader_.accept_word("varargs");
    snapshot.has_varkeywords = reader_.accept_word("varkeywords");
    snapshot.is_generator = reader_.accept_word("generator");
    return ok();
  }

  Status locals() { return read_words(here().locals); }
  Status free_variables() { return read_words(here().free_variables); }
  Status attributes() { return read_words(here().attribute_names); }

  Status defaults() { return read_count(here().defaults); }
  Status annotations() { return read_count(here().annotations); }

  Status one_default() { return read_item(here().defaults, read_meaning); }
  Status annotation() { return read_item(here().annotations, read_parameter); }

  Status constant_parameter() { return read_number(here().constant_parameters.emplace_back()); }

  Status bound() {
    BoundParameter bound;
    HETJIT_TRY(read_number(bound.parameter));
    Result<Meaning> meaning = read_meaning(reader_);
    HETJIT_TRY(meaning);
    bound.value = std::move(*meaning);
    here().bound.push_back(std::move(bound));
    return ok();
  }

  Status constant() {
    Result<Constant> constant = read_constant(reader_);
    HETJIT_TRY(constant);
    here().constants.push_back(std::move(*constant));
    return ok();
  }

  Status name() {
    Name name;
    HETJIT_TRY(read_word(name.path, "a name"));
    Result<Meaning> meaning = read_meaning(reader_);
    HETJIT_TRY(meaning);
    name.meaning = std::move(*meaning);
    here().names.push_back(std::move(name));
    return ok();
  }

  Status code() {
    while (!reader_.at_line_end()) {
      const auto byte = reader_.number(UINT8_MAX);
      if (!byte) return reader_.expected("a byte");
      here().code.push_back(static_cast<uint8_t>(*byte));
    }
    return ok();
  }

  Status positions() {
    position_count_ = reader_.number(kMostPositions);
    if (!position_count_) return reader_.expected("a number of positions");
    return ok();
  }

  // at UNIT LINE:COLUMN-LINE:COLUMN
  Status at() {
    Run run;
    HETJIT_TRY(read_number(run.unit));
    if (!runs_.empty() && run.unit <= runs_.back().unit)
      return reader_.expected("a code unit behind the last one before");
    Position& position = run.position;
    HETJIT_TRY(read_number(position.line));
    if (!reader_.accept(':')) return reader_.expected("':'");
    // "11-13" is one word.
    const std::string_view middle = reader_.plain();
    const size_t dash = middle.find('-');
    if (dash == std::string_view::npos || !to_number(middle.substr(0, dash), position.column) ||
        !to_number(middle.substr(dash + 1), position.end_line))
      return reader_.expected("COLUMN-LINE before");
    if (!reader_.accept(':')) return reader_.expected("':'");
    HETJIT_TRY(read_number(position.end_column));
    runs_.push_back(run);
    return ok();
  }

  Status handler() {
    HandlerRange range;
    for (uint32_t* number : {&range.start, &range.end, &range.target, &range.depth})
      HETJIT_TRY(read_number(*number));
    range.lasti = reader_.accept_word("lasti");
    here().handlers.push_back(range);
    return ok();
  }

  // ---- parts of lines

  static bool to_number(std::string_view text, uint32_t& number) {
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    return read.ec == std::errc() && read.ptr == text.data() + text.size();
  }

  Status read_number(uint32_t& number) {
    const auto read = reader_.number(UINT32_MAX);
    if (!read) return reader_.expected("a number");
    number = static_cast<uint32_t>(*read);
    return ok();
  }

  Status read_word(std::string& word, std::string_view what) {
    auto read = reader_.word();
    if (!read) return reader_.expected(what);
    word = std::move(*read);
    return ok();
  }

  Status read_words(std::vector<std::string>& words) {
    while (!reader_.at_line_end()) HETJIT_TRY(read_word(words.emplace_back(), "a name"));
    return ok();
  }

  template <class T>
  Status read_count(std::vector<std::optional<T>>& items) {
    const auto count = reader_.number(kMostItems);
    if (!count) return reader_.expected("a number");
    items.resize(*count);
    return ok();
  }

  template <class T>
  Status read_item(std::vector<std::optional<T>>& items, Result<T> (*read)(WordReader&)) {
    uint32_t index = 0;
    HETJIT_TRY(read_number(index));
    if (index >= items.size()) return reader_.expected("the number of a parameter before");
    Result<T> item = read(reader_);
    HETJIT_TRY(item);
    items[index] = std::move(*item);
    return ok();
  }

  struct Run {
    uint32_t unit = 0;
    Position position;
  };

  WordReader reader_;
  Program program_;
  std::vector<Run> runs_;
  std::optional<uint64_t> position_count_;
};

const std::array<Parser::Keyword, 19> Parser::kKeywords = {{
    {"path", &Parser::path},
    {"line", &Parser::first_line},
    {"source", &Parser::source},
    {"parameters", &Parser::parameters},
    {"locals", &Parser::locals},
    {"free", &Parser::free_variables},
    {"attributes", &Parser::attributes},
    {"defaults", &Parser::defaults},
    {"default", &Parser::one_default},
    {"annotations", &Parser::annotations},
    {"annotation", &Parser::annotation},
    {"constexpr", &Parser::constant_parameter},
    {"bound", &Parser::bound},
    {"constant", &Parser::constant},
    {"name", &Parser::name},
    {"code", &Parser::code},
    {"positions", &Parser::positions},
    {"at", &Parser::at},
    {"handler", &Parser::handler},
}};

}  // namespace

Result<Program> parse_program(std::string_view text) { return Parser(text).run(); }

}  // namespace hetjit
