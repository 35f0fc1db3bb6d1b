#include "host/generate/utf8_stream.hpp"

#include <boost/locale/utf.hpp>
#include <utility>

namespace weft::generate {
namespace {

using Utf8 = boost::locale::utf::utf_traits<char>;
constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD

}  // namespace

std::string Utf8Stream::push(std::string_view bytes) {
  begun_ += bytes;
  std::string text;
  const char* at = begun_.data();
  const char* const end = at + begun_.size();
  while (at != end) {
    const char* const begin = at;
    const boost::locale::utf::code_point character = Utf8::decode(at, end);
    if (character == boost::locale::utf::incomplete) {
      begun_.erase(0, static_cast<std::size_t>(begin - begun_.data()));
      return text;
    }
    if (character == boost::locale::utf::illegal) {
      text += kReplacement;
      at = begin + 1;  // only one byte is skipped: the next one may begin a character
    } else {
      text.append(begin, at);
    }
  }
  begun_.clear();
  return text;
}

std::string Utf8Stream::end() { return std::exchange(begun_, {}).empty() ? "" : std::string(kReplacement); }

}  // namespace weft::generate
