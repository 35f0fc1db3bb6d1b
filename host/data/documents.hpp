/// A file of text as documents.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace weft {

/// Whether a folder's file is text, by its name: *.txt or *.jsonl, also packed: *.gz, *.zst.
bool is_named_text(const std::string& file);

/// Calls `document` with each document of a file that is not empty: the text "text" of each line of a *.jsonl, else the
/// whole file. By its first bytes it may be packed, by gzip or Zstandard. What is wrong with it, or is refused by
/// `document`, is a Refusal that names the file, and the line if it has several documents.
void for_each_document(const std::string& file, const std::function<void(std::string_view)>& document);

}  // namespace weft
