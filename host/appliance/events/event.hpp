/// TensorBoard's events: what an event file is made of (docs/metrics.md).
///
/// An Event is {1: wall time, double; 2: step; one of 3: the file's version, 5: a Summary, 7: a SessionLog}, a
/// Summary a list of values {1: tag; 2: a float, or 8: a TensorProto; 9: whose plugin it is}.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "host/appliance/events/fields.hpp"

namespace weft {

/// The values of one step; none yet.
class Summary {
 public:
  /// As a float, which is all that a scalar can be there.
  void scalar(std::string_view tag, double value);
  /// Markdown, as UTF-8. What is no UTF-8 becomes U+FFFD.
  void text(std::string_view tag, std::string_view markdown);
  /// `content`: what the plugin wants to be told.
  void plugin(std::string_view tag, std::string_view name, std::string_view content);

  bool empty() const { return fields_.text().empty(); }
  /// The Event of it.
  std::string event(std::uint64_t step) const;

 private:
  Fields fields_;
};

/// The event that begins a file. `seconds` since 1970.
std::string version_event(double seconds);
/// The event that a session begins: readers forget what earlier files have of `step` and of later ones.
std::string session_event(std::uint64_t step);

/// A text as Markdown shows it line by line: code, which is indented.
std::string as_code(std::string_view text);

}  // namespace weft
