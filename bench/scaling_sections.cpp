#include "bench/scaling_sections.hpp"

#include <vector>

#include "bench/gpt3.hpp"

namespace weft::bench {

std::map<std::string, std::string> scaling_sections() {
  std::vector<Gpt3Line> lines;
  for (const Gpt3Size& size : gpt3_sizes()) lines.push_back(gpt3_line(size, wafer_of_the_text()));
  return {{"gpt3", gpt3_table(lines)}, {"projection", projection_table(wafer_of_the_text(), lines.back())}};
}

}  // namespace weft::bench
