/// `weft-sparsity-page DOCS`: runs measurements on the RTL, writes DOCS/sparsity.svg and the tables of
/// DOCS/sparsity.md.
#include <cmath>
#include <exception>
#include <iostream>
#include <string>

#include "bench/chart.hpp"
#include "bench/page.hpp"
#include "bench/sparsity_tables.hpp"

namespace {

using namespace weft::bench;

std::string picture(const std::vector<GemmPoint>& points) {
  Series ideal{.name = "n / (n + 2)", .color = "#888", .line = true, .filled = false, .at = {}};
  Series even{.name = "n weights in every row", .color = "#0b62a4", .at = {}};
  Series scattered{.name = "a random mask, n on average", .color = "#c2571a", .filled = false, .at = {}};
  Series of_valves{.name = "the same, a valve a row", .color = "#5b9a3c", .filled = false, .at = {}};
  for (double power = 2; power < 8.01; power += 0.0625) {
    const double n = std::exp2(power);
    ideal.at.emplace_back(n, n / (n + 2));
  }
  for (const GemmPoint& point : points) {
    even.at.emplace_back(point.n, point.even);
    scattered.at.emplace_back(point.n, point.scattered);
    of_valves.at.emplace_back(point.n, point.of_valves);
  }
  Axis x{.label = "n: non-zero weights for a row and an output",
         .first = 4,
         .last = 256,
         .logarithmic = true,
         .ticks = {}};
  for (int n = 4; n <= 256; n *= 2) x.ticks.emplace_back(n, std::to_string(n));
  Axis y{.label = "beats that multiply / cycles", .ticks = {}};
  for (const char* share : {"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}) y.ticks.emplace_back(std::stod(share), share);
  return Chart{.x = x, .y = y, .series = {ideal, scattered, of_valves, even}}.svg();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "weft-sparsity-page: name the folder of sparsity.md. HINT: make plot\n";
    return 2;
  }
  try {
    const std::string folder = argv[1], path = folder + "/sparsity.md";
    std::string page = read_page(path);
    const std::vector<GemmPoint> points = gemm_points();
    replace_section(page, "gemm", gemm_table(points));
    replace_section(page, "micro-batch", micro_batch_table(micro_batch_lines()));
    write_page(folder + "/sparsity.svg", picture(points));
    write_page(path, page);
    std::cout << path << ", " << folder << "/sparsity.svg\n";
    return 0;
  } catch (const std::exception& e) {
    std::cerr << "weft-sparsity-page: " << e.what() << '\n';
    return 1;
  }
}
