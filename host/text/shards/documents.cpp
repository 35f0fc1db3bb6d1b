#include "host/text/shards/documents.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sw/base/json_depth.hpp"
#include "sw/base/refusal.hpp"

namespace weft::text {
namespace {

constexpr auto kLines = "write an object a line, in UTF-8, with the text in it";

using Document = std::function<void(std::string_view, bool)>;

std::string text_of(std::string_view row, const std::string& field) {
  if (nests_deeper(row)) throw Refusal("", fmt::format("is JSON of more than {} levels", kJsonLevels), kLines);
  const nlohmann::json object = nlohmann::json::parse(row, nullptr, false);
  if (object.is_discarded()) throw Refusal("", "is no JSON", kLines);
  if (!object.is_object()) throw Refusal("", "is no JSON object", kLines);
  const auto at = object.find(field);
  if (at != object.end() && !at->is_string())
    throw Refusal("", fmt::format("has no text \"{}\": it is a JSON {}", one_line(field, 80), at->type_name()),
                  "write it in quotation marks, or leave the line out");
  if (at == object.end())
    throw Refusal("", fmt::format("has no text \"{}\"", one_line(field, 80)),
                  "name the field that has it: --field NAME");
  return at->get<std::string>();
}

void for_each_line(const Part& part, const std::string& field, const Document& document) {
  std::uint64_t line = part.line;
  for (std::string_view rest = part.text; !rest.empty(); ++line) {
    const std::size_t end = rest.find('\n');
    const std::string_view row = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (row.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    try {
      if (const std::string text = text_of(row, field); !text.empty()) document(text, true);
    } catch (const Refusal& e) {
      throw e.within(fmt::format("{}:{}", part.file, line));
    }
  }
}

}  // namespace

void for_each_document(const Part& part, const std::string& field, const Document& document) {
  if (part.json_lines) return for_each_line(part, field, document);
  try {
    document(part.text, part.ends_document);
  } catch (const Refusal& e) {
    throw e.within(part.offset == 0 ? part.file : fmt::format("{}: from byte {} on", part.file, part.offset));
  }
}

}  // namespace weft::text
