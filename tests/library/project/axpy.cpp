// axpy FILE: the program examples/axpy.s on both backends; prints y of the last tile, and an error.
#include <iostream>
#include <weft/weft.hpp>

int main(int, char** argv) {
  try {
    weft::Layout layout;
    layout.program(argv[1], {{"N", 16}, {"GAP", 16}});
    for (const char* backend : {"model", "rtl"}) {
      weft::Wafer wafer({.rows = 2, .cols = 3, .backend = backend});
      wafer.load(layout);
      std::vector<float> x(2 * 3 * 16), y(x.size(), 1);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
      wafer.set("x", x);
      wafer.set("y", y);
      const weft::Work work = wafer.run("axpy", {{"a", weft::bf16_bits(0.5)}}).value();
      std::cout << wafer.floats("y").back() << ' ' << work.beats << ' ' << (work.cycles > 0) << '\n';
    }
    layout.stream("east", weft::Way::shift(0, 1));
    weft::Wafer({.rows = 1, .cols = 2}).load(layout);
  } catch (const weft::Error& error) {
    std::cout << error.subject() << '\n' << error.what() << '\n';
    return error.exit_code();
  }
}
