/// Detection of YAML that the library accepts, but probably not as its writer meant it.
#pragma once

#include <optional>
#include <string>

namespace weft::network {

struct YamlFault {
  int line = 0;  ///< from 1
  std::string problem, hint;
};

/// The first of these faults: a byte that is not text (NUL, other control characters, invalid UTF-8), a second
/// document, a tag without a meaning here (`!include`, `!!set`), a tab before a key or a value. Tabs in quoted texts,
/// block texts and comments are allowed, as are a byte order mark and lines that end with CR LF. Throws YAML::Exception
/// for invalid YAML.
std::optional<YamlFault> yaml_fault(const std::string& text);

/// The fault behind an exception at `line`, from 1, if it is a tab.
std::optional<YamlFault> yaml_tab(const std::string& text, int line);

}  // namespace weft::network
