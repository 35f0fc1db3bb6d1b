#include <fmt/format.h>

#include "bench/benches.hpp"
#include "bench/print.hpp"
#include "bench/sparsity/layer.hpp"

namespace weft::bench {

void layer() {
  heading(
      "layer: the RTL's cycles of a transformer block's ops, dense over 90 % sparse, filter 4 x hidden, 5 sequences of "
      "16 tokens a column, a valve a row");
  struct Goal {
    LayerShape shape;
    double all;
  };
  for (const auto& [shape, all] : {Goal{{.rows = 4, .cols = 4, .hidden = 128, .heads = 4}, 5.0},
                                   Goal{{.rows = 8, .cols = 8, .hidden = 256, .heads = 8}, 5.5}}) {
    const LayerCycles dense = rtl_layer_cycles(layer_plan(shape, 0)), sparse = rtl_layer_cycles(layer_plan(shape, 0.9));
    const std::string what = fmt::format("{}x{}, hidden {}", shape.rows, shape.cols, shape.hidden);
    const auto ratio = [](std::uint64_t a, std::uint64_t b) { return static_cast<double>(a) / static_cast<double>(b); };
    count(what + ", all ops, dense", dense.all, "cycles");
    count(what + ", all ops, 90 %", sparse.all, "cycles");
    goal(what + ", all ops", ratio(dense.all, sparse.all), "times", all);
    count(what + ", GEMMs and gradients, dense", dense.matrices, "cycles");
    count(what + ", GEMMs and gradients, 90 %", sparse.matrices, "cycles");
    goal(what + ", GEMMs and gradients", ratio(dense.matrices, sparse.matrices), "times", 6.5);
  }
}

}  // namespace weft::bench
