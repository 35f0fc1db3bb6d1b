/// A page of the documentation whose tables a program writes.
#pragma once

#include <string>

namespace weft::bench {

/// Throws std::runtime_error that names the path.
std::string read_page(const std::string& path);
/// All of it or nothing: a page or a picture. Throws Refusal.
void write_page(const std::string& path, const std::string& text);

/// What stands between the lines "<!-- name: ... -->" and "<!-- end -->", without the empty lines around. Throws
/// std::runtime_error if the page has no such place.
std::string section(const std::string& page, const std::string& name);
void replace_section(std::string& page, const std::string& name, const std::string& text);

}  // namespace weft::bench
