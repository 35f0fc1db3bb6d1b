#include "host/metrics/events/event.hpp"

#include <boost/locale/utf.hpp>
#include <chrono>

namespace weft::metrics {
namespace {

constexpr int kWallTime = 1, kStep = 2, kFileVersion = 3, kSummary = 5, kSession = 7;  // fields of Event
constexpr int kValue = 1;                                                              // fields of Summary
constexpr int kTag = 1, kSimpleValue = 2, kTensor = 8, kMetadata = 9;                  // fields of Summary.Value
constexpr std::uint64_t kString = 7;                                                   // DataType

double now() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

/// Metadata of a value: {1: {1: the plugin's name, 2: content for the plugin}}.
Fields metadata(std::string_view plugin, std::string_view content) {
  return Fields().message(1, Fields().bytes(1, plugin).bytes(2, content));
}

std::string valid_utf8(std::string_view text) {
  namespace utf = boost::locale::utf;
  std::string result;
  for (const char *at = text.data(), *const end = at + text.size(); at != end;) {
    const char* const begin = at;
    const utf::code_point character = utf::utf_traits<char>::decode(at, end);
    const bool valid = character != utf::illegal && character != utf::incomplete;
    result.append(valid ? std::string_view(begin, at) : "\xef\xbf\xbd");
  }
  return result;
}

}  // namespace

void Summary::scalar(std::string_view tag, double value) {
  fields_.message(kValue, Fields().bytes(kTag, tag).float32(kSimpleValue, static_cast<float>(value)));
}

void Summary::text(std::string_view tag, std::string_view markdown) {
  const Fields shape = Fields().message(2, Fields().integer(1, 1));  // one dimension, of size 1
  const Fields tensor = Fields().integer(1, kString).message(2, shape).bytes(8, valid_utf8(markdown));
  fields_.message(kValue, Fields().bytes(kTag, tag).message(kTensor, tensor).message(kMetadata, metadata("text", "")));
}

void Summary::plugin(std::string_view tag, std::string_view name, std::string_view content) {
  fields_.message(kValue, Fields().bytes(kTag, tag).message(kMetadata, metadata(name, content)));
}

std::string Summary::event(std::uint64_t step) const {
  return Fields().float64(kWallTime, now()).integer(kStep, step).message(kSummary, fields_).text();
}

std::string version_event(double seconds) {
  return Fields().float64(kWallTime, seconds).bytes(kFileVersion, "brain.Event:2").text();
}

std::string session_event(std::uint64_t step) {
  constexpr std::uint64_t kStart = 1;
  const Fields log = Fields().integer(1, kStart);
  return Fields().float64(kWallTime, now()).integer(kStep, step).message(kSession, log).text();
}

std::string as_code(std::string_view text) {
  std::string result = "    ";
  for (const char c : text) {
    result += c;
    if (c == '\n') result += "    ";
  }
  return result;
}

}  // namespace weft::metrics
