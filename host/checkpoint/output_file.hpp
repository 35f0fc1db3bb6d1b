/// An output file named by a command-line option.
#pragma once

#include <memory>
#include <optional>
#include <ostream>
#include <string>

#include "host/checkpoint/file.hpp"

namespace weft::checkpoint {

/// A stream whose text becomes visible only when it is committed, as with AtomicFile. A pipe or a device, as in --json
/// >(jq), gets the text immediately.
///
///   OutputFile file("check.out");
///   file.stream() << "phase ...";
///   file.commit();
class OutputFile {
 public:
  /// Opens the file. Throws Refusal, as all functions do, including the stream's operators.
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  std::ostream& stream() { return *stream_; }
  void commit();

 private:
  class Buffer;

  const std::string path_;
  std::optional<AtomicFile> file_;
  Descriptor device_;
  std::unique_ptr<Buffer> buffer_;
  std::unique_ptr<std::ostream> stream_;
};

}  // namespace weft::checkpoint
