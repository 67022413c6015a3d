// On disk, little endian:
//
//     heading (abi/bytes.h)  front  image (abi/kernel_image.h)
//     front: name  ingredients  places u32 count + each  sources u32 count + each (cxx/sources.h)
//            warnings u32 count + each
//     place: path  lines u32[]
//     warning: code u16  span  message  labels u32 count + (span text)  notes  helps
//              edits u32 count + (span text)
//     span: source  line  column  end_line  end_column, u32 each
//
// where texts are u64 length + bytes, and notes and helps u32 count + texts. The heading is the
// front's; the image has its own.
#include "compiler/images/image_file.h"

#include "abi/bytes.h"
#include "frontend/snapshot/snapshot_text.h"

namespace hetjit {
namespace {

constexpr Heading kHeading = {.magic = "hetjitKC", .version = 3};

Error damaged(std::string_view how) { return {ErrorCode::Invalid, std::string(how)}; }

// ---- lists of anything

template <class T, class Write>
void write_all(ByteWriter& to, const std::vector<T>& items, Write&& write) {
  to.number(static_cast<uint32_t>(items.size()));
  for (const T& item : items) write(to, item);
}

// A count in a damaged file ends with the file.
template <class T, class Read>
void read_all(ByteReader& from, std::vector<T>& items, Read&& read) {
  for (auto left = from.number<uint32_t>(); from.ok && left > 0; --left)
    items.push_back(read(from));
}

void write_line(ByteWriter& to, uint32_t line) { to.number(line); }
uint32_t read_line(ByteReader& from) { return from.number<uint32_t>(); }

void write_text(ByteWriter& to, const std::string& text) { to.text(text); }
std::string read_text(ByteReader& from) { return from.text(); }

// ---- the parts

void write_span(ByteWriter& to, const Span& span) {
  for (uint32_t number : {span.source, span.line, span.column, span.end_line, span.end_column})
    to.number(number);
}

Span read_span(ByteReader& from) {
  Span span;
  for (uint32_t* number :
       {&span.source, &span.line, &span.column, &span.end_line, &span.end_column})
    *number = from.number<uint32_t>();
  return span;
}

void write_place(ByteWriter& to, const Place& place) {
  to.text(place.path);
  write_all(to, place.lines, write_line);
}

Place read_place(ByteReader& from) {
  Place place;
  place.path = from.text();
  read_all(from, place.lines, read_line);
  return place;
}

/// A Label, or an Edit.
template <class Marked>
void write_marked(ByteWriter& to, const Marked& marked) {
  write_span(to, marked.where), to.text(marked.text);
}

template <class Marked>
Marked read_marked(ByteReader& from) {
  const Span where = read_span(from);
  return {where, from.text()};
}

void write_warning(ByteWriter& to, const Diagnostic& warning) {
  to.number(static_cast<uint16_t>(warning.code));
  write_span(to, warning.where);
  to.text(warning.message);
  write_all(to, warning.labels, write_marked<Label>);
  write_all(to, warning.notes, write_text);
  write_all(to, warning.helps, write_text);
  write_all(to, warning.edits, write_marked<Edit>);
}

Diagnostic read_warning(ByteReader& from) {
  Diagnostic warning{};
  warning.code = static_cast<Code>(from.number<uint16_t>());
  if (!is_warning(warning.code) || code_name(warning.code) == "unknown") from.ok = false;
  warning.where = read_span(from);
  warning.message = from.text();
  read_all(from, warning.labels, read_marked<Label>);
  read_all(from, warning.notes, read_text);
  read_all(from, warning.helps, read_text);
  read_all(from, warning.edits, read_marked<Edit>);
  return warning;
}

// ---- the whole

struct Front {
  std::string name, ingredients;
  Compiled compiled;  // but for the image
  std::span<const std::byte> image;
};

Result<Front> read_front(std::span<const std::byte> file) {
  ByteReader reader(file);
  Result<std::span<const std::byte>> part = kHeading.read(reader);
  HETJIT_TRY(part);
  ByteReader from(*part);
  Front front{from.text(), from.text(), {}, reader.rest()};
  read_all(from, front.compiled.places, read_place);
  read_all(from, front.compiled.sources, cxx::read_sources);
  std::vector<Diagnostic> warnings;
  read_all(from, warnings, read_warning);
  for (Diagnostic& warning : warnings) front.compiled.warnings.add(std::move(warning));
  if (!from.ok || !from.at_end()) return damaged("its parts do not fill it");
  return front;
}

std::string flags_text(const Options& options) {
  const std::pair<const char*, bool> flags[] = {{"kernel", options.kernel},
                                                {"contract", options.contract},
                                                {"fastmath", options.fastmath},
                                                {"portable_math", options.portable_math},
                                                {"debug", options.debug}};
  std::string text;
  for (auto [name, on] : flags)
    if (on) text += std::string(" ") + name;
  if (options.checks.any()) text += " check=" + to_text(options.checks);
  if (options.limits.any()) text += " limits=" + to_text(options.limits);
  if (options.lanes) text += " lanes=" + std::to_string(options.lanes);
  if (options.tier) text += " tier=" + std::to_string(options.tier);
  return text;
}

/// Each function, without what its names mean; then each name that is a value.
std::string functions_text(const Program& program) {
  std::string text;
  for (const Snapshot& function : program.functions) {
    Snapshot body = function;
    body.names.clear();
    text += "function " + function.name + " " + to_text(fingerprint(Program{{body}, {}})) + "\n";
    for (const Name& name : function.names)
      if (std::holds_alternative<Constant>(name.meaning))
        text += "name " + function.name + ": " + name.path + " = " + to_text(name.meaning) + "\n";
  }
  return text;
}

/// Types of the arguments, and values of those that are constants.
std::string signature_text(const Program& program, const Signature& signature) {
  std::string text;
  for (uint32_t i = 0; i < signature.parameters.size(); ++i) {
    const std::string value = bound_text(program, i);
    text += (i ? ", " : "") + (value.empty() ? to_text(signature.parameters[i]) : value);
  }
  return "(" + text + ")";
}

}  // namespace

std::string ingredients(const Program& program, const Options& options,
                        const std::string& identity) {
  const Snapshot& entry = program.functions.front();
  return "kernel " + entry.name + "\nplace " + entry.source.path + ":" +
         std::to_string(entry.source.first_line) + "\npython " +
         std::string(to_text(entry.version)) + "\nsignature " +
         signature_text(program, options.signature) + "\ntarget " + to_text(options.target) +
         "\noptions" + flags_text(options) + "\n" + identity + functions_text(program);
}

std::vector<std::byte> save_compiled(const Compiled& compiled, std::string_view name,
                                     std::string_view ingredients) {
  ByteWriter front;
  front.text(name);
  front.text(ingredients);
  write_all(front, compiled.places, write_place);
  write_all(front, compiled.sources, cxx::write);
  write_all(front, compiled.warnings.all(), write_warning);

  ByteWriter file;
  kHeading.write(file, front.bytes);
  const std::vector<std::byte> image = save_image(compiled.image);
  file.raw(image.data(), image.size());
  return std::move(file.bytes);
}

Result<Compiled> load_compiled(std::span<const std::byte> file, std::string_view name) {
  Result<Front> front = read_front(file);
  HETJIT_TRY(front);
  if (front->name != name) return damaged("it was kept under another name");
  Result<KernelImage> image = load_image(front->image);
  HETJIT_TRY(image);
  front->compiled.image = std::move(*image);
  return std::move(front->compiled);
}

Result<std::string> load_ingredients(std::span<const std::byte> file) {
  Result<Front> front = read_front(file);
  HETJIT_TRY(front);
  return std::move(front->ingredients);
}

}  // namespace hetjit
