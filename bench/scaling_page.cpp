/// `weft-scaling-page DOCS`: writes the tables of DOCS/scaling.md that compile_only's estimate gives.
#include <exception>
#include <iostream>
#include <string>

#include "bench/page.hpp"
#include "bench/scaling_sections.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "weft-scaling-page: name the folder of scaling.md. HINT: make scaling\n";
    return 2;
  }
  try {
    const std::string path = std::string(argv[1]) + "/scaling.md";
    std::string page = weft::bench::read_page(path);
    for (const auto& [name, text] : weft::bench::scaling_sections()) weft::bench::replace_section(page, name, text);
    weft::bench::write_page(path, page);
    std::cout << path << '\n';
    return 0;
  } catch (const std::exception& e) {
    std::cerr << "weft-scaling-page: " << e.what() << '\n';
    return 1;
  }
}
