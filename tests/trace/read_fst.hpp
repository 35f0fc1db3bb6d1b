/// Reads an FST file with GTKWave's own fst2vcd.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sw/base/shell_word.hpp"

namespace weft::trace {

struct FstContent {
  /// By full name, "tile_2_1.west.in_W": time and value, one character per bit, or a text.
  std::map<std::string, std::vector<std::pair<std::uint64_t, std::string>>> signals;

  /// The defined values (no z, not empty), in order.
  std::vector<std::string> values(const std::string& name) const {
    std::vector<std::string> list;
    for (const auto& [time, value] : signals.at(name))
      if (!value.empty() &&
          !(value.find_first_not_of("01zx") == std::string::npos && value.find_first_of("zx") != std::string::npos))
        list.push_back(value);
    return list;
  }
};

/// `text` without the escapes that make it one word of a VCD file.
inline std::string unescaped(const std::string& text) {
  static constexpr std::string_view kLetters = "abfnrtv", kMeanings = "\a\b\f\n\r\t\v";
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\') {
      plain.push_back(text[at]);
    } else if (const char c = text.at(++at); c >= '0' && c <= '7') {
      plain.push_back(static_cast<char>(std::stoi(text.substr(at, 3), nullptr, 8)));
      at += 2;
    } else {
      const std::size_t letter = kLetters.find(c);
      plain.push_back(letter == std::string_view::npos ? c : kMeanings[letter]);
    }
  }
  return plain;
}

/// Output of `fst2vcd -e PATH`: a VCD file, with the tables of enumerations.
inline std::string vcd_of(const std::string& path) {
  const std::string command = "fst2vcd -e " + shell_word(path) + " 2>&1";
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error(command + " does not start");
  std::string vcd;
  std::array<char, 1 << 16> part{};
  for (std::size_t got = 0; (got = std::fread(part.data(), 1, part.size(), pipe)) > 0;) vcd.append(part.data(), got);
  if (::pclose(pipe) != 0)
    throw std::runtime_error(command + ": " + vcd + "HINT: scripts/setup wave installs GTKWave, which has fst2vcd");
  return vcd;
}

inline FstContent read_fst(const std::string& path) {
  std::istringstream vcd(vcd_of(path));
  FstContent content;
  std::map<std::string, std::string> names;  // by VCD's short name
  std::string scope, line, word;
  while (std::getline(vcd, line) && !line.starts_with("$enddefinitions")) {
    std::istringstream words(line);
    std::string first, kind, third, code, name;
    words >> first >> kind >> third >> code >> name;
    if (first == "$scope") scope += third + ".";
    if (first == "$upscope") scope.erase(scope.rfind('.', scope.size() - 2) + 1);
    if (first != "$var") continue;
    names[code] = scope + name;
    content.signals[scope + name];
  }
  std::uint64_t time = 0;
  while (std::getline(vcd, line)) {
    if (line.empty() || line[0] == '$') continue;
    if (line[0] == '#') {
      time = std::stoull(line.substr(1));
    } else if (line[0] == 'b' || line[0] == 's') {
      const std::size_t end = line.rfind(' ');
      const std::string value = line.substr(1, end - 1);
      content.signals.at(names.at(line.substr(end + 1))).emplace_back(time, line[0] == 's' ? unescaped(value) : value);
    } else {
      content.signals.at(names.at(line.substr(1))).emplace_back(time, line.substr(0, 1));
    }
  }
  return content;
}

}  // namespace weft::trace
