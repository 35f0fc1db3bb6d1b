#include "host/data/documents.hpp"

#include <new>

#include "host/checkpoint/file.hpp"
#include "host/data/corpus.hpp"
#include "host/text/shards/byte_input.hpp"
#include "host/text/shards/documents.hpp"
#include "sw/base/known_format.hpp"
#include "sw/base/refusal.hpp"

namespace weft {
namespace {

using namespace std::string_view_literals;

bool is_packed(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b"sv) || bytes.starts_with("\x28\xb5\x2f\xfd"sv);
}

std::string unpacked(const std::string& file) {
  std::string text = read_text(file);
  if (!is_packed(text)) {
    check_format(std::string_view(text).substr(0, kFormatBytes), Expected::Text, file);
    return text;
  }
  text.clear();
  for (const auto input = text::open_input(file); input->read(text);) {
  }
  return text;
}

}  // namespace

bool is_named_text(const std::string& file) {
  std::string_view name = file;
  for (const std::string_view packed : {".gz"sv, ".zst"sv})
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  return name.ends_with(".txt") || name.ends_with(".jsonl") || name.ends_with(".ndjson");
}

void for_each_document(const std::string& file, const std::function<void(std::string_view)>& document) {
  text::Part part{.file = file, .text = unpacked(file), .json_lines = text::has_json_lines(file)};
  try {
    text::for_each_document(part, "text", [&](std::string_view text, bool) { document(text); });
  } catch (const Refusal& e) {
    if (e.hint().find("--field") == std::string::npos) throw;
    throw Refusal(e.subject(), e.problem(), "call it text, or make shards of it with weft tokenize --field NAME");
  } catch (const std::bad_alloc&) {  // tokens are four times as long as text
    throw does_not_fit(file, part.text.size());
  }
}

}  // namespace weft
