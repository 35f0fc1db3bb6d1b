#include "host/data/documents.hpp"

#include <new>

#include "host/checkpoint/file.hpp"
#include "host/tokenizer/shards/byte_input.hpp"
#include "host/tokenizer/shards/documents.hpp"
#include "sw/base/known_format.hpp"
#include "sw/base/memory_room.hpp"
#include "sw/base/refusal.hpp"

namespace weft::data {
namespace {

using namespace std::string_view_literals;

/// Decompresses a file. The size of the text is known only at its end: `text` grows until a MemoryBound stops it.
void unpack(const std::string& file, std::string& text) {
  text = checkpoint::read_text(file);
  if (!tokenizer::is_gzip(text) && !tokenizer::is_zstandard(text))
    return check_format(std::string_view(text).substr(0, kFormatBytes), Expected::Text, file);
  text.clear();
  text.shrink_to_fit();
  for (const auto input = tokenizer::open_input(file); input->read(text);) {
  }
}

}  // namespace

bool is_named_text(const std::string& file) {
  std::string_view name = file;
  for (const std::string_view packed : {".gz"sv, ".zst"sv})
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  return name.ends_with(".txt") || name.ends_with(".jsonl") || name.ends_with(".ndjson");
}

void for_each_document(const std::string& file, const std::function<void(std::string_view)>& document) {
  tokenizer::Part part{.file = file, .text = "", .json_lines = tokenizer::has_json_lines(file)};
  bool whole = false;
  try {
    const MemoryBound bound;
    unpack(file, part.text);
    whole = true;
    tokenizer::for_each_document(part, "text", [&](std::string_view text, bool) { document(text); });
  } catch (const Refusal& e) {
    if (e.hint().find("--field") == std::string::npos) throw;
    throw Refusal(e.subject(), e.problem(), "name the field text, or make shards with weft tokenize --field NAME");
  } catch (const std::bad_alloc&) {
    const std::uint64_t bytes = part.text.size();
    part = {};
    if (whole) throw checkpoint::does_not_fit(file, bytes, " of text, and a token takes 4 bytes");
    throw checkpoint::does_not_fit(file, bytes, " of text and more when it is unpacked");
  }
}

}  // namespace weft::data
