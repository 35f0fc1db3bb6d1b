#include "host/tokenizer/shards/documents.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "sw/base/json_depth.hpp"
#include "sw/base/json_fault.hpp"
#include "sw/base/json_parse.hpp"
#include "sw/base/refusal.hpp"
#include "sw/base/shell_word.hpp"

namespace weft::tokenizer {
namespace {

constexpr auto kLines = "write an object a line, in UTF-8, with the text in it";

using Document = std::function<void(std::string_view, bool)>;

/// Parses the object in a line, accepting what Python accepts.
nlohmann::json parse_line(std::string_view row) {
  nlohmann::json object = parse_json_or_discard(row);
  if (!object.is_discarded()) return object;
  object = parse_json_or_discard(without_nan(row));
  if (!object.is_discarded()) return object;
  const std::string problem = json_fault(row);
  throw Refusal("", problem,
                problem.find("surrogate") == problem.npos
                    ? kLines
                    : "write the character itself; half of a surrogate pair alone is not a character: leave it out");
}

/// Lists fields that could be meant, e.g. "; its texts are \"a\" and others".
std::string texts_of(const nlohmann::json& object) {
  std::string names;
  int count = 0;
  for (const auto& [name, value] : object.items())
    if (value.is_string() && ++count <= 3)
      names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", one_line(name, 40));
  return names.empty() ? "" : fmt::format("; its texts are {}{}", names, count > 3 ? " and others" : "");
}

std::string text_of(std::string_view row, const std::string& field) {
  if (nests_deeper(row)) throw Refusal("", fmt::format("is JSON of more than {} levels", kJsonLevels), kLines);
  const nlohmann::json object = parse_line(row);
  if (!object.is_object()) throw Refusal("", "is not a JSON object", kLines);
  const auto at = object.find(field);
  if (at != object.end() && !at->is_string())
    throw Refusal("", fmt::format("has no text \"{}\": the field is a JSON {}", one_line(field, 80), at->type_name()),
                  "write it in quotation marks, or leave the line out");
  if (at == object.end())
    throw Refusal("", fmt::format("has no text \"{}\"{}", one_line(field, 80), texts_of(object)),
                  "name the field that has it: --field NAME");
  return at->get<std::string>();
}

/// The error for a file that is a single list or object over several lines. `more`: lines follow the first one, `row`.
std::optional<Refusal> over_lines(const std::string& file, std::string_view row, bool more) {
  const bool list = row[row.find_first_not_of(" \t\r")] == '[';
  if (nests_deeper(row) || (!list && row[row.find_first_not_of(" \t\r")] != '{')) return std::nullopt;
  const bool open = json_fault(row).find("end of input") != std::string::npos;
  if (!(open && more) && !(list && !more)) return std::nullopt;
  const char* const unpack = file.ends_with(".gz") ? "gzip -dc" : file.ends_with(".zst") ? "zstd -dc" : "cat";
  return Refusal(
      file, fmt::format("is one JSON {}, not an object on each line", list ? "list" : "object"),
      fmt::format("convert the file: {} {} | python3 -c \"import json,sys;d=json.load(sys.stdin);[print(json.dumps(x)) "
                  "for x in (d if isinstance(d,list) else [d])]\" > OUT.jsonl",
                  unpack, shell_word(file)));
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
      if (const auto whole = line == 1 ? over_lines(part.file, row, !rest.empty()) : std::nullopt) throw *whole;
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

}  // namespace weft::tokenizer
