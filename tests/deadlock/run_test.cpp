/// A wafer that hangs during a run: the host's exception, and the files left behind.
#include <gtest/gtest.h>

#include "host/inspect/hang/core_file.hpp"
#include "host/inspect/hang/watched_wafer.hpp"
#include "host/memoryx/memoryx.hpp"
#include "host/swarmx/root/swarm.hpp"
#include "sw/compiler/memory/memory_plan.hpp"
#include "sw/deadlock/report.hpp"
#include "tests/cosim/tiny.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::deadlock {
namespace {

TEST(RunThatHangs, NamesTheRootCauseAndLeavesACore) {
  const machine::WaferShape shape{.rows = 3, .cols = 2};
  const cosim::Tiny tiny(shape, cosim::tiny_model());
  const compiler::Spaces spaces(tiny.plan.model, shape.rows, {});
  const compiler::MemoryPlan memory(tiny.plan.model, shape, spaces);
  compiler::Plan plan = tiny.plan;
  // Row 1 takes an output that belongs to row 2.
  const auto command = [&](machine::Command code, int value) {
    plan.load.push_back(machine::Message::command(code, 0, static_cast<std::uint16_t>(value)));
  };
  plan.load.push_back(machine::Message::select({.row = 1}));
  command(machine::Command::Maddr, memory.table_hidden + 1);
  command(machine::Command::Mdata, spaces.hidden.count(1) + 1);
  command(machine::Command::Mdata, spaces.hidden.count(2) - 1);
  plan.load.push_back(machine::Message::select());

  const test::TemporaryFolder folder;
  memoryx::MemoryX memoryx(plan, {.optimizer = {}, .learning_rate = memoryx::LearningRate(0.01), .seed = 1});
  swarmx::SwarmOptions options;
  options.num_csx = 2;
  options.micro_batches = 1;  // the second wafer is idle
  options.make_wafer = [&](int) {
    return inspect::watched(make_model_wafer(shape), folder.path(),
                            [&] { return Core{.hang_snapshot = {}, .program = plan.program}; });
  };
  options.get = [&](const swarmx::BatchRequest&) { return swarmx::MicroBatch{tiny.inputs, tiny.labels}; };
  swarmx::Swarm swarm(plan, std::move(options));
  std::string text;
  try {
    swarm.step(7, memoryx);
  } catch (const WaferHang& hang) {
    text = hang.what();
  }
  EXPECT_TRUE(text.starts_with("wafer 0")) << text;
  EXPECT_NE(text.find("root cause: tile ("), std::string::npos) << text;
  EXPECT_NE(text.find("sw/kernels/"), std::string::npos) << text;
  const std::string file = folder / "wafer_0_step_8.weftcore";
  EXPECT_NE(text.find(file), std::string::npos) << text;
  const Core core = inspect::read_core(file);
  EXPECT_EQ(core.hang_snapshot.place.wafer, 0);
  EXPECT_EQ(core.hang_snapshot.place.step, 7u);
  EXPECT_EQ(core.hang_snapshot.place.phase, plan.ops.back().name) << "the host had sent all of them";
  EXPECT_EQ(core.program.words, plan.program.words);
  EXPECT_EQ(test::file_text(folder / "wafer_0_step_8.hang.txt"), report(core.hang_snapshot, &core.program));
}

}  // namespace
}  // namespace weft::deadlock
