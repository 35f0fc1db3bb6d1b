/// JSON of other programs: descriptions of errors, and Python's numbers that JSON does not have.
#pragma once

#include <string>
#include <string_view>

namespace weft {

/// Describes the first error in `text`: "is not JSON at byte 14: invalid string: ill-formed UTF-8 byte"; if the text
/// has several lines, also "line 3, ". Empty if `text` is JSON.
std::string json_fault(std::string_view text);

/// `text` with null for each NaN, Infinity and -Infinity outside of strings, as Python's json module writes
/// and reads them.
std::string without_nan(std::string_view text);

}  // namespace weft
