// Every part is written with its length or count in front, so that different programs never give
// the same bytes.
#include "frontend/snapshot/fingerprint.h"

#include <bit>

#include "frontend/snapshot/sha256.h"

namespace hetjit {
namespace {

/// Changes whenever what is hashed changes.
constexpr uint64_t kFormVersion = 3;

class Writer {
 public:
  Fingerprint finish() {
    const auto digest = hash_.finish();
    return {uint64_t{digest[0]} << 32 | digest[1], uint64_t{digest[2]} << 32 | digest[3]};
  }

  void operator()(uint64_t value) {
    uint8_t bytes[8];
    for (size_t i = 0; i < 8; ++i) bytes[i] = static_cast<uint8_t>(value >> (8 * i));
    hash_.add(bytes);
  }
  void operator()(std::string_view text) {
    (*this)(text.size());
    hash_.add({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
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
    hash_.add(bytes);
  }

  // ---- constants
  void operator()(const Constant& constant) {
    (*this)(constant.value.index());
    std::visit([this](const auto& part) { (*this)(part); }, constant.value);
  }
  void operator()(NoneConstant) {}
  void operator()(EllipsisConstant) {}
  void operator()(const IntConstant& c) { (*this)(c.negative), (*this)(c.magnitude); }
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

  void operator()(const BoundParameter& b) { (*this)(b.parameter), (*this)(b.value); }
  void operator()(const Name& name) { (*this)(name.path), (*this)(name.meaning); }
  void operator()(const Member& m) {
    (*this)(m.name), (*this)(static_cast<uint32_t>(m.kind)), (*this)(m.meaning);
  }
  void operator()(const StructRecord& record) {
    (*this)(to_text(record.type)), (*this)(record.defaults), (*this)(record.members);
  }
  void operator()(const Position& position) { (*this)(position.line); }
  void operator()(const HandlerRange& range) {
    for (uint32_t number : {range.start, range.end, range.target, range.depth}) (*this)(number);
    (*this)(range.lasti);
  }

  void operator()(const Snapshot& s) {
    (*this)(to_text(s.version)), (*this)(s.name), (*this)(s.source.first_line);
    (*this)(s.locals), (*this)(s.free_variables);
    (*this)(s.parameter_count), (*this)(s.positional_only_count), (*this)(s.keyword_only_count);
    (*this)(s.has_varargs), (*this)(s.has_varkeywords), (*this)(s.is_generator);
    (*this)(s.defaults), (*this)(s.annotations);
    (*this)(s.constant_parameters), (*this)(s.bound);
    (*this)(s.code), (*this)(s.constants), (*this)(s.attribute_names), (*this)(s.names);
    (*this)(s.positions), (*this)(s.handlers);
  }

 private:
  Sha256 hash_;
};

}  // namespace

Fingerprint fingerprint(const Program& program) {
  Writer write;
  write(kFormVersion);
  write(program.functions);
  write(program.structs);
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
