/// A file that an option of a command names for what the command makes.
#pragma once

#include <memory>
#include <optional>
#include <ostream>
#include <string>

#include "host/checkpoint/file.hpp"

namespace weft {

/// A stream whose text is the file once it is committed, and not before: an AtomicFile. A pipe or a device, as in
/// --json >(jq), gets the text as it comes.
///
///   OutputFile file("check.out");
///   file.stream() << "phase ...";
///   file.commit();
class OutputFile {
 public:
  /// Opens it. Throws Refusal, as all of these do, the stream's operators included.
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

}  // namespace weft
