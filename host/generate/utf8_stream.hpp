/// Converts a stream of bytes to text.
#pragma once

#include <string>
#include <string_view>

namespace weft::generate {

/// Holds back the first bytes of a character until it is complete, so that the output is valid UTF-8 at any time.
/// Invalid bytes become U+FFFD.
class Utf8Stream {
 public:
  /// Returns the characters that are complete with these bytes.
  std::string push(std::string_view bytes);
  /// Returns U+FFFD if a character is incomplete, otherwise nothing.
  std::string end();

 private:
  std::string begun_;
};

}  // namespace weft::generate
