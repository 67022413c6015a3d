// Every part is written with its length or count in front, so that different programs never give
// the same bytes.
#include "frontend/snapshot/fingerprint.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "frontend/snapshot/sha256.h"

namespace hetjit {
namespace {

/// Changes whenever what is hashed changes.
constexpr uint64_t kFingerprintVersion = 7;

// How far code stands on each line of a function, in bytes; 0: not at all.
std::vector<size_t> code_ends(const Snapshot& snapshot) {
  const auto& [path, first, lines] = snapshot.source;
  std::vector<size_t> ends(lines.size());
  for (const Position& at : snapshot.positions) {
    if (at.line < first) continue;
    for (size_t i = at.line - first; i < lines.size() && first + i <= at.end_line; ++i)
      ends[i] = std::max(ends[i], first + i < at.end_line ? lines[i].size() : at.end_column);
  }
  for (size_t i = 0; i < lines.size(); ++i) ends[i] = std::min(ends[i], lines[i].size());
  return ends;
}

// Takes the comments out of the lines of a function, one after the other. Of f-strings within
// f-strings it knows nothing: what it then takes for a comment is in the constants, too.
class Uncommented {
 public:
  std::string_view operator()(std::string_view line) {
    size_t at = 0;
    while (at < line.size() && (!quote_.empty() || line[at] != '#')) at += step(line.substr(at));
    if (quote_.size() == 1 && !line.ends_with('\\')) quote_ = {};
    if (!quote_.empty()) return line;
    const std::string_view code = line.substr(0, at);
    return code.substr(0, code.find_last_not_of(" \t") + 1);
  }

 private:
  // How many characters the next thing has: a quotation mark of whatever length, or one.
  size_t step(std::string_view rest) {
    if (quote_.empty()) {
      for (std::string_view mark : {"'''", "\"\"\"", "'", "\""})
        if (rest.starts_with(mark)) return quote_ = mark, mark.size();
      return 1;
    }
    if (rest[0] == '\\') return 2;
    return rest.starts_with(quote_) ? std::exchange(quote_, {}).size() : 1;
  }
  std::string_view quote_;  // of the string that has begun; empty: none
};

class Writer {
 public:
  Fingerprint finish() {
    flush();
    const auto digest = hash_.finish();
    return {uint64_t{digest[0]} << 32 | digest[1], uint64_t{digest[2]} << 32 | digest[3]};
  }

  // Seven bits a byte, as long as more follow: most numbers are small, and there are many.
  void operator()(uint64_t value) {
    for (; value >= 128; value >>= 7) bytes_.push_back(static_cast<uint8_t>(value | 128));
    bytes_.push_back(static_cast<uint8_t>(value));
    if (bytes_.size() >= kMostBytes) flush();
  }
  void operator()(std::string_view text) {
    (*this)(text.size());
    bytes_.insert(bytes_.end(), text.begin(), text.end());
  }
  void operator()(const std::string& text) { (*this)(std::string_view(text)); }
  void operator()(bool value) { (*this)(uint64_t{value}); }
  void operator()(uint32_t value) { (*this)(uint64_t{value}); }
  void operator()(double value) { (*this)(std::bit_cast<uint64_t>(value)); }
  // A TypeId means something in this process only.
  void operator()(const Parameter& type) { (*this)(to_text(type)); }

  template <class T>
  void operator()(const std::vector<T>& items) {
    (*this)(items.size());
    for (const T& item : items) (*this)(item);
  }
  template <class T>
  void operator()(const std::optional<T>& item) {
    (*this)(item.has_value());
    if (item) (*this)(*item);
  }

  void operator()(const std::vector<uint8_t>& bytes) {
    (*this)(bytes.size());
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }

  // ---- constants
  void operator()(const Constant& constant) {
    (*this)(constant.value.index());
    std::visit([this](const auto& part) { (*this)(part); }, constant.value);
  }
  void operator()(NoneConstant) {}
  void operator()(EllipsisConstant) {}
  void operator()(const IntConstant& c) {
    (*this)(c.negative), (*this)(c.magnitude), (*this)(c.mask);
  }
  void operator()(const HugeConstant& c) { (*this)(c.digits); }
  void operator()(const ComplexConstant& c) { (*this)(c.real), (*this)(c.imag); }
  void operator()(const FixedConstant& c) {
    (*this)(info(c.scalar).text), (*this)(c.bits[0]), (*this)(c.bits[1]);
  }
  void operator()(const TupleConstant& c) { (*this)(c.items); }
  void operator()(const SliceConstant& c) { (*this)(c.parts); }
  void operator()(const RecordConstant& c) { (*this)(to_text(c.type)), (*this)(c.items); }
  void operator()(CodeConstant c) { (*this)(c.function); }
  void operator()(const OtherConstant& c) { (*this)(c.python_type); }

  // ---- meanings
  void operator()(const Meaning& meaning) {
    (*this)(meaning.index());
    std::visit([this](const auto& part) { (*this)(part); }, meaning);
  }
  void operator()(UnboundMeaning) {}
  void operator()(const ModuleMeaning& m) { (*this)(m.module); }
  void operator()(FunctionMeaning m) { (*this)(m.function); }
  void operator()(const BuiltinMeaning& m) { (*this)(m.name); }
  void operator()(const TypeMeaning& m) { (*this)(m.type); }
  void operator()(const OpaqueMeaning& m) { (*this)(m.description); }
  void operator()(const CxxMeaning& m) { (*this)(m.library), (*this)(m.name); }

  void operator()(const BoundParameter& b) { (*this)(b.parameter), (*this)(b.value); }
  void operator()(const Name& name) { (*this)(name.path), (*this)(name.meaning); }
  void operator()(const Member& m) {
    (*this)(m.name), (*this)(static_cast<uint32_t>(m.kind)), (*this)(m.meaning);
  }
  void operator()(const StructRecord& record) {
    (*this)(to_text(record.type)), (*this)(record.defaults), (*this)(record.members);
  }
  void operator()(const CxxType& t) { (*this)(to_text(t.type)), (*this)(t.spelling); }
  void operator()(const CxxLibrary& library) {
    (*this)(library.path), (*this)(library.source);
    (*this)(library.options), (*this)(library.types);
  }
  void operator()(const HandlerRange& range) {
    for (uint32_t number : {range.start, range.end, range.target, range.depth}) (*this)(number);
    (*this)(range.lasti);
  }

  void operator()(const Snapshot& s) {
    (*this)(to_text(s.version)), (*this)(s.name);
    (*this)(s.locals), (*this)(s.free_variables);
    (*this)(s.parameter_count), (*this)(s.positional_only_count), (*this)(s.keyword_only_count);
    (*this)(s.has_varargs), (*this)(s.has_varkeywords), (*this)(s.is_generator);
    (*this)(s.defaults), (*this)(s.annotations);
    (*this)(s.constant_parameters), (*this)(s.bound);
    (*this)(s.code), (*this)(s.constants), (*this)(s.attribute_names), (*this)(s.names);
    (*this)(s.handlers);
    positions(s), texts(s);
  }

 private:
  static constexpr size_t kMostBytes = 4096;

  void positions(const Snapshot& s) {
    const std::vector<uint32_t> lines = code_lines(s);
    (*this)(s.positions.size());
    const Position* before = nullptr;
    for (const Position& at : s.positions) {
      const bool same = before && at == *before;
      (*this)(same);
      if (!same) position(at, lines);
      before = &at;
    }
  }
  // Line 0 says that there is none.
  void position(const Position& at, const std::vector<uint32_t>& lines) {
    for (uint32_t line : {at.line, at.end_line}) {
      const auto found = std::lower_bound(lines.begin(), lines.end(), line);
      (*this)(line ? static_cast<uint64_t>(found - lines.begin()) + 1 : 0);
    }
    (*this)(at.column), (*this)(at.end_column);
  }
  void texts(const Snapshot& s) {
    const std::vector<size_t> ends = code_ends(s);
    std::vector<std::string_view> found;
    Uncommented uncommented;
    for (size_t i = 0; i < ends.size(); ++i) {
      const std::string_view text = uncommented(s.source.lines[i]).substr(0, ends[i]);
      if (text.find_first_not_of(" \t") != text.npos) found.push_back(text);
    }
    (*this)(found);
  }
  void flush() {
    hash_.add(bytes_);
    bytes_.clear();
  }

  std::vector<uint8_t> bytes_;  // not hashed yet
  Sha256 hash_;
};

}  // namespace

std::vector<uint32_t> code_lines(const Snapshot& function) {
  std::vector<uint32_t> lines = {function.source.first_line};
  for (const Position& at : function.positions)
    for (uint32_t line : {at.line, at.end_line})
      if (line && line != lines.back()) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

Fingerprint fingerprint(const Program& program) {
  Writer write;
  write(kFingerprintVersion);
  write(program.functions);
  write(program.structs);
  write(program.libraries);
  return write.finish();
}

Fingerprint fingerprint(std::string_view text) {
  Writer write;
  write(text);
  return write.finish();
}

std::string to_text(Fingerprint fingerprint) {
  constexpr std::string_view kHexDigits = "0123456789abcdef";
  std::string text;
  for (uint64_t half : {fingerprint.high, fingerprint.low})
    for (int shift = 60; shift >= 0; shift -= 4) text += kHexDigits[(half >> shift) & 15];
  return text;
}

}  // namespace hetjit
