/// Contents of TensorBoard's event files (docs/reference/metrics.md).
///
/// An Event is {1: wall time, double; 2: step; one of 3: the file's version, 5: a Summary, 7: a SessionLog}. A Summary
/// is a list of values {1: tag; 2: a float, or 8: a TensorProto; 9: metadata with the plugin}.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "host/metrics/events/fields.hpp"

namespace weft::metrics {

/// Values of one step; initially empty.
class Summary {
 public:
  /// Stored as a float, the only type of a scalar.
  void scalar(std::string_view tag, double value);
  /// Markdown in UTF-8. Invalid sequences become U+FFFD.
  void text(std::string_view tag, std::string_view markdown);
  /// `content`: data for the plugin.
  void plugin(std::string_view tag, std::string_view name, std::string_view content);

  bool empty() const { return fields_.text().empty(); }
  /// Serializes an Event with this summary.
  std::string event(std::uint64_t step) const;

 private:
  Fields fields_;
};

/// First event of a file. `seconds` since 1970.
std::string version_event(double seconds);
/// First event of a session: makes readers discard data of earlier files from `step` on.
std::string session_event(std::uint64_t step);

/// Formats a text as indented Markdown code, which is displayed line by line.
std::string as_code(std::string_view text);

}  // namespace weft::metrics
