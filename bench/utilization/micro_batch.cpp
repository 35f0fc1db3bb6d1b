/// Whole micro-batches on the RTL: utilization of its multiply-adders by gpt_tiny and gpt_small.
#include <fmt/format.h>

#include <string>
#include <utility>

#include "bench/benches.hpp"
#include "bench/common/gpt.hpp"
#include "bench/common/work.hpp"
#include "bench/print.hpp"
#include "host/config/file/load.hpp"

namespace weft::bench {
namespace {

struct Used {
  double cycles, lanes;
};

/// Measures a streamed micro-batch.
Used measured(const std::string& file, int psum_cycles) {
  const Gpt gpt(config::load_config(WEFT_CONFIGS "/" + file,
                                    {{"wafer.backend", "rtl"}, {"wafer.psum_cycles", std::to_string(psum_cycles)}}));
  const machine::WaferShape& w = gpt.config.wafer;
  const compiler::ModelShape& m = gpt.config.model;
  const auto wafer = make_rtl_wafer(w);
  wafer->feed(gpt.plan.load);
  wafer->settle();
  const Work work = measure(*wafer, [&] {
    wafer->feed(gpt.micro_batch);
    wafer->settle();
  });
  const auto cycles = static_cast<double>(work.done.cycles);
  const double own = model_multiply_adds(m) * m.micro_batch * m.seq / (cycles * w.rows * w.cols * w.lanes);
  const std::string name = fmt::format("{}, {} cycles a partial sum", file, psum_cycles);
  text(fmt::format("  {:<40} {:>9} {:>7.3f} {:>9.3f}\n", name, work.done.cycles, work.fpu_utilization(), own));
  point(name, cycles, "cycles");
  point(name + ", what the model itself asks for", own, "FPU utilization");
  return {cycles, work.fpu_utilization()};
}

}  // namespace

void micro_batch() {
  heading("micro_batch: cycles and FPU utilization of a micro-batch on one RTL wafer");
  text(fmt::format("  {:<40} {:>9} {:>7} {:>9}\n", "", "cycles", "FPU", "model's"));
  const Used tiny4 = measured("gpt_tiny.yaml", 4), tiny2 = measured("gpt_tiny.yaml", 2),
             small = measured("gpt_small.yaml", 2);
  text("  FPU: multiply-adds of what the lanes could do; model's: of these, what the model itself asks for.\n");
  goal("gpt_tiny, 4 cycles: FPU utilization", tiny4.lanes, "", 0.74);
  goal("gpt_tiny, 2 cycles: FPU utilization", tiny2.lanes, "", 0.80);
  limit("gpt_tiny, 2 cycles", tiny2.cycles, "cycles", 292'000);
  goal("gpt_small, 2 cycles: FPU utilization", small.lanes, "", 0.86);
}

}  // namespace weft::bench
