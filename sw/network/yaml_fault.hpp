/// YAML that the library reads without a word, but hardly as its writer meant it.
#pragma once

#include <optional>
#include <string>

namespace weft {

struct YamlFault {
  int line = 0;  ///< from 1
  std::string problem, hint;
};

/// The first of: a byte that no text has (NUL, other control characters, no UTF-8), a second document, a tag that means
/// nothing here (`!include`, `!!set`), a tab before a key or a value. Tabs in quoted texts, block texts and comments
/// stay, as do a byte order mark and lines that end with CR LF. Throws YAML::Exception for what is no YAML.
std::optional<YamlFault> yaml_fault(const std::string& text);

/// The fault behind an exception at `line`, from 1, if it is a tab.
std::optional<YamlFault> yaml_tab(const std::string& text, int line);

}  // namespace weft
