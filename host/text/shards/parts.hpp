/// A corpus as parts that can be encoded one by one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "host/text/shards/byte_input.hpp"
#include "host/text/text_tokenizer.hpp"

namespace weft::text {

/// A file, or in a folder and the folders in it all *.txt, *.jsonl and *.ndjson, also packed: *.gz, *.zst; in order of
/// path. What is hidden is left out, its name beginning with a dot, and so is a *.json, which may be about the data.
/// Throws Refusal if there is none.
std::vector<std::string> corpus_files(const std::string& path);

/// Whether a file's name says that each line is a JSON object: *.jsonl, *.ndjson, *.json (C4 has such names), also
/// packed.
bool has_json_lines(const std::string& path);

struct Part {
  std::uint64_t number = 0;  ///< from 0 on
  std::string file;
  std::uint64_t offset = 0;  ///< of the first byte, in what is unpacked
  std::uint64_t line = 1;    ///< of the first byte
  std::string text;
  std::uint64_t taken = 0;  ///< bytes of files, as they are packed, that were read up to its end
  bool json_lines = false;  ///< whole lines, each a document
  bool ends_document = true;
};

/// The documents of a corpus: a file of text is one, and so is each line of *.jsonl. Documents that are larger than
/// `kPartBytes` come in parts where `tokenizer` allows it.
class Parts {
 public:
  static constexpr std::size_t kPartBytes = 1 << 20, kMostBytes = std::size_t{1} << 31;

  Parts(std::vector<std::string> files, const TextTokenizer& tokenizer);

  /// False at the end. Throws Refusal that names the file, and the line.
  bool next(Part& part);
  /// Bytes of all files, as they are packed.
  std::uint64_t size() const { return size_; }

 private:
  std::size_t find_cut(bool lines);

  std::vector<std::string> files_;
  const TextTokenizer& tokenizer_;
  std::size_t file_ = 0;  // the one that is read, or is next
  std::unique_ptr<ByteInput> input_;
  std::string buffer_;
  std::size_t looked_ = 0;  // up to here there is no cut
  std::uint64_t number_ = 0, offset_ = 0, line_ = 1, done_ = 0, size_ = 0;
};

}  // namespace weft::text
