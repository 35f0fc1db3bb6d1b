/// A file of TensorBoard's events.
///
/// A record is: length (8 bytes, little endian), masked CRC-32C of these (4), the event, masked CRC-32C of it (4). So a
/// file that ends in the middle of one is read up to it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "sw/base/descriptor.hpp"

namespace weft {

/// The record of an event.
std::string event_record(std::string_view event);

/// Whether an event file of the folder has, in a whole record, a summary of this step. Throws Refusal if one cannot be
/// read.
bool has_summary(const std::filesystem::path& folder, std::uint64_t step);

class EventFile {
 public:
  /// Makes the folder, and in it events.out.tfevents.SECONDS.HOST.PROCESS, which readers take after those that are
  /// there already: its seconds, of now, are more than theirs. The file begins with `records`; if they cannot be
  /// written there is no file. Throws Refusal.
  explicit EventFile(const std::filesystem::path& folder, std::string_view records = {});

  /// Appends records. If that cannot be, nothing of them stays. Throws Refusal.
  void add(std::string_view records);
  /// Whether it still is where it was made, or at the same place in a folder that is called `folder` now.
  bool is_in(const std::filesystem::path& folder) const;
  /// Returns when all of it is on disk. Throws Refusal.
  void sync();

 private:
  std::string name_, path_;
  Descriptor fd_;
};

}  // namespace weft
