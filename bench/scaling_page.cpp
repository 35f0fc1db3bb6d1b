/// `weft-scaling-page DOCS`: writes the computed tables of DOCS/scaling.md, and DOCS/figure7.svg. `weft-scaling-page
/// bandwidth=12.5e9 fanout=8`: prints the tables of figure 7 for another system.
#include <exception>
#include <iostream>
#include <string>

#include "bench/page.hpp"
#include "bench/scaling_sections.hpp"
#include "sw/base/refusal.hpp"

namespace {

using namespace weft::bench;

void write(const std::string& docs) {
  const ScalingPage computed = scaling_page();
  const std::string path = docs + "/scaling.md", picture = docs + "/figure7.svg";
  std::string page = read_page(path);
  for (const auto& [name, text] : computed.sections) replace_section(page, name, text);
  write_page(path, page);
  write_page(picture, computed.figure7);
  std::cout << path << ", " << picture << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "weft-scaling-page: name the folder of scaling.md, or what is other in figure 7. HINT: make scaling; "
                 "weft-scaling-page bandwidth=12.5e9\n";
    return 2;
  }
  try {
    if (argc == 2 && std::string(argv[1]).find('=') == std::string::npos) {
      write(argv[1]);
      return 0;
    }
    DrawnSystem system;
    for (int k = 1; k < argc; ++k) system.set(argv[k]);
    ScalingPage page = scaling_page(system);
    std::cout << page.sections["figure7"] << '\n' << page.sections["figure7-variants"];
    return 0;
  } catch (const weft::Refusal& refusal) {
    std::cerr << "weft-scaling-page: " << refusal.what() << '\n';
    return 2;
  } catch (const std::exception& e) {
    std::cerr << "weft-scaling-page: " << e.what() << '\n';
    return 1;
  }
}
