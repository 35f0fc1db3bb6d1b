/// weft-netlist-record FILE CONFIG SRAM_KIB ROW,COL PHASE...: records the inputs and outputs of one tile of a simulated
/// wafer in every cycle.
///
/// The wafer starts from reset: program, tokens, and all phases of step 1 up to the last PHASE; it comes to rest
/// between two phases. A line is written to FILE before the clock edge of each cycle, in hexadecimal, N E S W from the
/// least significant bits:
///
///     valid credit msg_n msg_e msg_s msg_w   valid credit msg_n msg_e msg_s msg_w   flags awake
///     ^ into the tile                        ^ out of it
///
/// The first line is `tile ROW ROWS COL EAST SRAM_KIB`; `phase NAME` precedes the first cycle to be compared, `rest`
/// follows the last one.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <set>
#include <stdexcept>

#include "host/config/config.hpp"
#include "host/config/file/load.hpp"
#include "host/inspect/replay_to_step.hpp"
#include "host/inspect/snapshot_to_rtl.hpp"
#include "sw/base/quoted_lines.hpp"
#include "verif/trace/tile_list.hpp"

namespace {

using namespace weft;

class Recorder final : public sim::TileWatch {
 public:
  explicit Recorder(const std::string& file) : out_(file) {}
  void observe(std::uint64_t /*cycle*/, std::size_t /*n*/, const sim::TileView& v) override {
    unsigned in_valid = 0, out_valid = 0, in_credit = 0, out_credit = 0;
    for (unsigned p = 0; p < 4; ++p) {
      const sim::PortView& port = v.ports[p];
      in_valid |= unsigned{port.in_valid} << p;
      out_valid |= unsigned{port.out_valid} << p;
      in_credit |= port.in_credit << 4 * p;
      out_credit |= port.out_credit << 4 * p;
    }
    out_ << fmt::format("{:x} {:x} {:x} {:x} {:x} {:x} ", in_valid, in_credit, v.ports[0].in, v.ports[1].in,
                        v.ports[2].in, v.ports[3].in)
         << fmt::format("{:x} {:x} {:x} {:x} {:x} {:x} {:x} {:x}\n", out_valid, out_credit, v.ports[0].out,
                        v.ports[1].out, v.ports[2].out, v.ports[3].out, v.flags, unsigned{v.awake});
    ++cycles_;
  }
  void line(const std::string& words) { out_ << words << '\n'; }
  std::uint64_t cycles() const { return cycles_; }
  void close() {
    out_.close();
    if (!out_) throw std::runtime_error("cannot write the recording");
  }

 private:
  std::ofstream out_;
  std::uint64_t cycles_ = 0;
};

void record(const std::string& file, const config::Config& config, const sim::TilePlace& place,
            std::set<std::string> phases) {
  inspect::ReplayToStep start(config, 1, std::cout);
  const compiler::Plan& plan = start.plan();
  if (phases == std::set<std::string>{"all"}) {
    phases.clear();
    for (const compiler::Op& op : plan.ops) phases.insert(op.name);
  }
  std::set<std::string> own;
  // throws if unknown
  for (const std::string& phase : phases) own.insert(plan.ops[inspect::find_phase(plan, phase)].name);
  phases = std::move(own);
  const auto wafer = sim::make_clocked_wafer(plan.wafer);
  Recorder recorder(file);
  wafer->watch(&recorder, {&place, 1});
  recorder.line(fmt::format("tile {} {} {} {} {}", place.row, plan.wafer.rows, place.col,
                            plan.wafer.cols - 1 - place.col, plan.wafer.sram_kib));
  wafer->feed(plan.load);
  wafer->feed(start.tokens(0));
  wafer->settle();
  std::vector<std::uint64_t> totals(static_cast<std::size_t>(plan.wafer.rows), 0);
  std::vector<machine::Message> messages;
  for (const compiler::Op& op : plan.ops) {
    const bool named = phases.erase(op.name) != 0;
    const std::uint64_t before = recorder.cycles();
    if (named) recorder.line("phase " + op.name);
    compiler::expand(op, start.parameters(), messages);
    wafer->feed(messages);
    for (std::size_t r = 0; r < totals.size(); ++r) totals[r] += op.returned[r];
    wafer->await(totals);
    wafer->settle();
    if (named) {
      recorder.line("rest");
      std::cout << fmt::format("recorded {}: {} cycles, from cycle {}\n", op.name, recorder.cycles() - before, before);
    }
    if (phases.empty()) break;
  }
  wafer->watch(nullptr);
  recorder.close();
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 6) return std::fputs("weft-netlist-record FILE CONFIG SRAM_KIB ROW,COL PHASE...\n", stderr), 2;
  config::Config config = config::load_config(argv[2], {});
  config.wafer.sram_kib = std::atoi(argv[3]);
  record(argv[1], config, trace::parse_tiles(argv[4], config.wafer).at(0), {argv + 5, argv + argc});
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "weft-netlist-record: %s\n", quoted_lines(error.what()).c_str());
  return 1;
}
