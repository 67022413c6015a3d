// Sites in the text form, both ways.
#include "compiler/ir/line_reader.h"
#include "compiler/ir/text.h"

namespace hetjit::ir {
namespace {

// Always in quotes, so that it is told from a number's type.
std::string quoted(std::string_view text) {
  std::string plain = name_text(text);
  return plain.starts_with('"') ? plain : "\"" + plain + "\"";
}

std::string piece_text(const TextPiece& piece) {
  if (!piece.number) return quoted(piece.text);
  return std::string(info(*piece.number).text) + (piece.as_text ? " str " : " ") +
         quoted(piece.text);
}

std::string site_text(const Site& site, size_t index) {
  bool raises = site.kind == SiteKind::Raise;
  std::string text = "site " + std::to_string(index) + (raises ? " raise " : " print");
  if (raises) text += site.exception;
  text += " at " + name_text(site.function) + " " + quoted(site.file);
  text += " " + std::to_string(site.line);
  if (site.has_message && site.text.empty()) text += ", \"\"";
  for (const TextPiece& piece : site.text) text += ", " + piece_text(piece);
  return text + "\n";
}

Status read_piece(LineReader& line, TextPiece& piece) {
  LineReader ahead = line;
  if (std::optional<Scalar> number = find_scalar(ahead.token())) {
    line = ahead;
    piece.number = number;
    piece.as_text = line.accept("str");
  }
  std::optional<std::string> text = line.name();
  if (!text) return line.error("expected a text in quotes");
  piece.text = std::move(*text);
  return {};
}

}  // namespace

std::string sites_text(const Sites& sites) {
  std::string text;
  for (size_t i = 0; i < sites.size(); ++i) text += site_text(sites[i], i);
  return text;
}

bool is_site_line(LineReader line) { return line.token() == "site" && line.number(); }

Status read_site(LineReader& line, Sites& sites) {
  line.accept("site");
  if (line.number() != sites.size()) return line.error("sites are numbered in order");
  Site site;
  std::string_view kind = line.token();
  if (kind != "raise" && kind != "print") return line.error("expected raise or print");
  site.kind = kind == "raise" ? SiteKind::Raise : SiteKind::Print;
  if (kind == "raise") site.exception = line.token();
  std::optional<std::string> function, file;
  std::optional<uint32_t> number;
  if (!line.accept("at") || !(function = line.name()) || !(file = line.name()) ||
      !(number = line.number()))
    return line.error("expected 'at', a function, a file and a line");
  site.function = std::move(*function);
  site.file = std::move(*file);
  site.line = *number;
  while (line.accept(",")) {
    site.has_message = true;
    HETJIT_TRY(read_piece(line, site.text.emplace_back()));
  }
  if (site.text.size() == 1 && !site.text[0].number && site.text[0].text.empty()) site.text.clear();
  sites.push_back(std::move(site));
  return line.at_end() ? Status{} : line.error("expected the end of the line");
}

}  // namespace hetjit::ir
