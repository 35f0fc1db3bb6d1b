#include <string>

#include "bench/benches.hpp"
#include "bench/common/train.hpp"
#include "bench/print.hpp"

namespace weft::bench {

void scaling() {
  heading("scaling: simulated cycles of a step of gpt_tiny, the same global batch on more RTL wafers");
  double one = 0;
  for (const int wafers : {1, 2, 4}) {
    const std::uint64_t cycles = train_step("rtl", wafers).sim_cycles.value();
    const std::string name = "NUM_CSX=" + std::to_string(wafers);
    count(name, cycles, "cycles");
    if (wafers == 1) {
      one = static_cast<double>(cycles);
    } else {
      goal(name + ": speed-up over one wafer, of linear", one / static_cast<double>(cycles) / wafers, "", 0.95);
    }
  }
}

}  // namespace weft::bench
