/// Divides a corpus into parts that can be encoded independently.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "host/tokenizer/shards/byte_input.hpp"
#include "host/tokenizer/text_tokenizer.hpp"

namespace weft::tokenizer {

/// The file `path`; or, in a folder and its subfolders, all *.txt, *.jsonl and *.ndjson, also compressed: *.gz, *.zst;
/// sorted by path. Hidden files and folders, whose names begin with a dot, are skipped, and so is *.json, which may be
/// metadata. Throws Refusal if there are no files.
std::vector<std::string> corpus_files(const std::string& path);

/// True if each line is a JSON object according to the file's name: *.jsonl, *.ndjson, *.json (as in C4), also
/// compressed.
bool has_json_lines(const std::string& path);

struct Part {
  std::uint64_t number = 0;  ///< counted from 0
  std::string file;
  std::uint64_t offset = 0;  ///< offset of the first byte in the decompressed data
  std::uint64_t line = 1;    ///< line number of the first byte
  std::string text;
  std::uint64_t taken = 0;  ///< compressed bytes of files that were read up to the part's end
  bool json_lines = false;  ///< whole lines, each of them a document
  bool ends_document = true;
};

/// The documents of a corpus: a text file is one document, and so is each line of *.jsonl. Documents larger than
/// `kPartBytes` are divided into parts where `tokenizer` permits it.
class Parts {
 public:
  static constexpr std::size_t kPartBytes = 1 << 20, kMostBytes = std::size_t{1} << 31;

  Parts(std::vector<std::string> files, const TextTokenizer& tokenizer);

  /// Reads the next part; false at the end. Throws Refusal that names the file, and the line.
  bool next(Part& part);
  /// Total size of all files, compressed.
  std::uint64_t size() const { return size_; }

 private:
  std::size_t find_cut(bool lines);

  std::vector<std::string> files_;
  const TextTokenizer& tokenizer_;
  std::size_t file_ = 0;  // index of the current or next file
  std::unique_ptr<ByteInput> input_;
  std::string buffer_;
  std::size_t looked_ = 0;  // there is no cut before this position
  std::uint64_t number_ = 0, offset_ = 0, line_ = 1, done_ = 0, size_ = 0;
};

}  // namespace weft::tokenizer
