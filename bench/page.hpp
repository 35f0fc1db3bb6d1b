/// Access to documentation pages with generated tables.
#pragma once

#include <string>

namespace weft::bench {

/// Throws std::runtime_error with the path.
std::string read_page(const std::string& path);
/// Writes a page or a picture atomically. Throws Refusal.
void write_page(const std::string& path, const std::string& text);

/// The text between the lines "<!-- name: ... -->" and "<!-- end -->", without surrounding empty lines. Throws
/// std::runtime_error if the page has no such section.
std::string section(const std::string& page, const std::string& name);
void replace_section(std::string& page, const std::string& name, const std::string& text);

}  // namespace weft::bench
