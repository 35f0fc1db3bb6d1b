#include <fmt/format.h>

#include <boost/locale/utf.hpp>

#include "host/checkpoint/error.hpp"
#include "host/config/check/sections.hpp"
#include "host/config/path_keys.hpp"

namespace weft {
namespace {

bool is_utf8(const std::string& text) {
  namespace utf = boost::locale::utf;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    const utf::code_point character = utf::utf_traits<char>::decode(at, end);
    if (character == utf::illegal || character == utf::incomplete) return false;
  }
  return true;
}

}  // namespace

void check_paths(const Config& c) {
  const auto check = [&](std::string_view key, const std::string& path) {
    if (path.find('\0') != std::string::npos) {  // the system would take what is before it for the path
      throw c.error(key, fmt::format("{} has a NUL character, which no path can have", printable(path)), "remove it");
    }
    if (is_utf8(path)) return;
    throw c.error(key, fmt::format("{} is not valid UTF-8", printable(path)),
                  "rename it, or give a link to it whose whole path is UTF-8");
  };
  Config copy = c;  // slots point to what may change
  for (const PathKey& key : path_keys())
    for_each_path(copy, key.name, [&](const std::string& path) { check(key.name, path); });
}

}  // namespace weft
