/// Splits a text file into documents.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace weft::data {

/// True if a file in a folder is text according to its name: *.txt or *.jsonl, optionally compressed: *.gz, *.zst.
bool is_named_text(const std::string& file);

/// Calls `document` with each document of a file that is not empty: the value "text" of each line of a *.jsonl file,
/// otherwise the whole file. Compression by gzip or Zstandard is detected from the first bytes. Errors in the file or
/// from `document` are thrown as a Refusal that names the file, and the line if the file has several documents.
void for_each_document(const std::string& file, const std::function<void(std::string_view)>& document);

}  // namespace weft::data
