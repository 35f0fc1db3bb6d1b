#include "sw/base/part_name.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>

#include "sw/base/crc32c.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMark = ".weft-part";
constexpr std::size_t kMostOfName = 120;  // bytes; some file systems limit names to 143

/// The first line of a file; "" if there is no such file, as without /proc.
std::string first_line(const std::string& file) {
  std::string line;
  std::getline(std::ifstream(file), line);
  return line;
}

std::string hexadecimal(std::uint64_t value, int digits) {
  std::array<char, 17> text{};
  const int length = std::snprintf(text.data(), text.size(), "%0*llx", digits, static_cast<unsigned long long>(value));
  return {text.data(), static_cast<std::size_t>(length)};
}

/// Checksum of the machine's boot and the process namespace: each container of a machine numbers its own processes.
std::string place() {
  std::error_code ignored;
  const std::string text =
      first_line("/proc/sys/kernel/random/boot_id") + fs::read_symlink("/proc/self/ns/pid", ignored).string();
  return hexadecimal(crc32c({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}), 8);
}

/// A process's start time: field 22 of /proc/PID/stat. Field 2 is the program's name, which may contain spaces and
/// brackets.
std::optional<std::uint64_t> start_of(const std::string& process) {
  const std::string line = first_line("/proc/" + process + "/stat");
  std::size_t at = line.rfind(')');
  for (int field = 2; field < 22 && at != std::string::npos; ++field) at = line.find(' ', at + 1);
  std::uint64_t ticks = 0;
  if (at == std::string::npos) return std::nullopt;
  const auto [end, bad] = std::from_chars(line.data() + at + 1, line.data() + line.size(), ticks);
  return bad == std::errc{} ? std::optional(ticks) : std::nullopt;
}

std::string process_and_start() {
  return std::to_string(::getpid()) + "." + hexadecimal(start_of("self").value_or(0), 1);
}

/// Removes the last word and the dot before it from `text`. Returns the word, or "" unless it consists of characters of
/// `is_in`.
std::string_view cut_word(std::string_view& text, std::string_view is_in) {
  const std::size_t dot = text.rfind('.');
  if (dot == std::string_view::npos) return {};
  const std::string_view word = text.substr(dot + 1);
  text = text.substr(0, dot);
  return word.find_first_not_of(is_in) == std::string_view::npos ? word : std::string_view{};
}

}  // namespace

std::string part_name(std::string_view name) {
  static std::atomic<std::uint64_t> count = 0;
  if (name.size() > kMostOfName) {
    std::size_t end = kMostOfName;
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U) --end;  // within a UTF-8 character
    name = name.substr(0, end);
  }
  return "." + std::string(name) + std::string(kMark) + "." + place() + "." + process_and_start() + "." +
         std::to_string(count++);
}

PartWriter part_writer(std::string_view file_name) {
  constexpr std::string_view kDecimal = "0123456789", kHexadecimal = "0123456789abcdef";
  std::string_view rest = file_name;
  const std::string_view number = cut_word(rest, kDecimal), start = cut_word(rest, kHexadecimal),
                         process = cut_word(rest, kDecimal), place_word = cut_word(rest, kHexadecimal);
  if (number.empty() || start.empty() || process.empty() || place_word.size() != 8 || !rest.ends_with(kMark) ||
      !rest.starts_with('.'))
    return PartWriter::None;
  if (place_word != place() || start == "0") return PartWriter::Elsewhere;
  const auto runs_since = start_of(std::string(process));
  return runs_since && hexadecimal(*runs_since, 1) == start ? PartWriter::Runs : PartWriter::Ended;
}

void remove_left_parts(const fs::path& folder, bool all) {
  std::error_code error, ignored;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with('.') || name.find(kMark) == std::string::npos) continue;
    const PartWriter writer = part_writer(name);
    const bool of_an_older_version = writer == PartWriter::None && name.ends_with(kMark);
    if (writer == PartWriter::Ended || (all && (writer == PartWriter::Elsewhere || of_an_older_version)))
      fs::remove_all(at->path(), ignored);
  }
}

}  // namespace weft
