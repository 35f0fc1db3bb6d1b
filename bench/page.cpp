#include "bench/page.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "host/checkpoint/file.hpp"

namespace weft::bench {
namespace {

/// Positions after the line with the name, and before the end line.
std::pair<std::size_t, std::size_t> place_of(const std::string& page, const std::string& name) {
  const auto begin = page.find("<!-- " + name + ":"), first = page.find('\n', begin),
             end = page.find("<!-- end", first);
  if (begin == std::string::npos || end == std::string::npos)
    throw std::runtime_error("the page has no place for " + name);
  return {first + 1, end};
}

}  // namespace

std::string read_page(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  if (!in) throw std::runtime_error(path + " cannot be read");
  return text.str();
}

void write_page(const std::string& path, const std::string& text) {
  AtomicFile out(path);
  out.write(text);
  out.commit();
}

std::string section(const std::string& page, const std::string& name) {
  const auto [first, end] = place_of(page, name);
  return page.substr(first + 1, end - first - 2);
}

void replace_section(std::string& page, const std::string& name, const std::string& text) {
  const auto [first, end] = place_of(page, name);
  page.replace(first, end - first, "\n" + text + "\n");
}

}  // namespace weft::bench
