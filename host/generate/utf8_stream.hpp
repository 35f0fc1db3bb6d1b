/// Bytes that become text as they come.
#pragma once

#include <string>
#include <string_view>

namespace weft {

/// Holds back the first bytes of a character until it is whole, so that what is printed is UTF-8 at any time. What can
/// be no character becomes U+FFFD.
class Utf8Stream {
 public:
  /// The characters that are whole with these bytes.
  std::string put(std::string_view bytes);
  /// U+FFFD if a character has begun, else nothing.
  std::string end();

 private:
  std::string begun_;
};

}  // namespace weft
