#include <fmt/format.h>

#include <boost/locale/utf.hpp>
#include <cstdint>

#include "host/checkpoint/error.hpp"
#include "host/config/check/sections.hpp"
#include "host/config/keys/path_keys.hpp"

namespace weft::config {
namespace {

enum class Text : std::uint8_t { Plain, Control, Broken };

/// Broken: not valid UTF-8. Control: contains a control character, which a terminal would interpret when the path is
/// printed.
Text text_of(const std::string& path) {
  namespace utf = boost::locale::utf;
  const char* at = path.data();
  const char* const end = at + path.size();
  bool control = false;
  while (at != end) {
    const utf::code_point character = utf::utf_traits<char>::decode(at, end);
    if (character == utf::illegal || character == utf::incomplete) return Text::Broken;
    control = control || character < 0x20 || (character >= 0x7f && character < 0xa0);
  }
  return control ? Text::Control : Text::Plain;
}

}  // namespace

void check_paths(const Config& c) {
  const auto check = [&](std::string_view key, const std::string& path) {
    if (path.find('\0') != std::string::npos) {  // the system would silently truncate the path there
      throw c.error(key, fmt::format("{} has a NUL character, which no path can have", printable(path)), "remove it");
    }
    const Text text = text_of(path);
    if (text == Text::Broken)
      throw c.error(key, fmt::format("{} is not valid UTF-8", printable(path)),
                    "rename it, or give a link to it whose whole path is UTF-8");
    if (text == Text::Control)
      throw c.error(key, fmt::format("{} has a control character", printable(path)),
                    "rename it, or give a link to it whose path has none");
  };
  Config copy = c;  // slots need a mutable object
  for (const PathKey& key : path_keys())
    for_each_path(copy, key.name, [&](const std::string& path) { check(key.name, path); });
}

}  // namespace weft::config
