// stencil FILE: the first example of docs/reference/programs.md in C++.
#include <cstdio>
#include <numeric>
#include <weft/weft.hpp>

int main(int, char** argv) {
  weft::Wafer wafer({.rows = 8, .cols = 8, .backend = "rtl"});
  weft::Layout layout;
  layout.program(argv[1], {{"N", 64}});
  layout.stream("east", weft::Way::shift(0, 1));
  layout.stream("west", weft::Way::shift(0, -1));
  layout.stream("south", weft::Way::shift(1, 0));
  layout.stream("north", weft::Way::shift(-1, 0));
  wafer.load(layout);

  std::vector<float> u(8 * 8 * 64);
  for (int row : {3, 4})
    for (int point = 3 * 64; point < 5 * 64; ++point) u[static_cast<std::size_t>(row * 8 * 64 + point)] = 1;
  wafer.set("u", u);
  const weft::Work work =
      wafer.run("main", {{"steps", 10}, {"center", weft::bf16_bits(0.5)}, {"side", weft::bf16_bits(0.125)}}).value();
  u = wafer.floats("u");
  std::printf("%.0f cycles a step, sum %.2f\n", static_cast<double>(work.cycles) / 10,
              std::accumulate(u.begin(), u.end(), 0.0));
}
