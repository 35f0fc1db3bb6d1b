/// A file of TensorBoard events.
///
/// A record is: length (8 bytes, little endian), masked CRC-32C of the length (4), the event, masked CRC-32C of the
/// event (4). A file that ends within a record can be read up to that record.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "sw/base/descriptor.hpp"

namespace weft::metrics {

/// Record of an event.
std::string event_record(std::string_view event);

/// True if an event file of the folder contains a summary of this step in a complete record. Throws Refusal if a file
/// cannot be read.
bool has_summary(const std::filesystem::path& folder, std::uint64_t step);

class EventFile {
 public:
  /// Creates the folder, and in it events.out.tfevents.SECONDS.HOST.PROCESS. Its time is now, or later if needed to
  /// sort it after the existing files. The file begins with `records`; if they cannot be written, there is no file.
  /// Throws Refusal.
  explicit EventFile(const std::filesystem::path& folder, std::string_view records = {});

  /// Appends records. On failure, removes partial data and throws Refusal.
  void add(std::string_view records);
  /// True if the file is still in its place, in the folder that is now named `folder`.
  bool is_in(const std::filesystem::path& folder) const;
  /// Returns when all data is on disk. Throws Refusal.
  void sync();

 private:
  std::string name_, path_;
  Descriptor fd_;
};

}  // namespace weft::metrics
