/// Training on boards gives the same bits, also over bad lines; a dying board ends the step, and nothing of the step is
/// kept.
#include <gtest/gtest.h>

#include "host/board/link/session.hpp"
#include "host/board/wafer/board_wafer.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "tests/board/simulated_line.hpp"
#include "tests/cli/modes/small_trainer.hpp"

namespace weft::board {
namespace {

/// Wafers behind simulated lines. `dies_after`: number of messages after which the board of wafer 1 is dead.
swarmx::MakeWafer boards(const machine::WaferShape& shape, const Damage& damage = {},
                         std::uint64_t dies_after = ~0ULL) {
  return [=](int id) {
    auto board = std::make_shared<FakeBoard>(make_model_wafer(shape));
    if (id == 1) board->dies_after = dies_after;
    return make_board_wafer(std::make_unique<SimulatedLine>(board, damage, static_cast<std::uint64_t>(id) + 1), shape);
  };
}

TEST(BoardTraining, TrainsTheSameBits) {
  cli::SmallTrainer run({{"runconfig.num_csx", "2"}, {"wafer.backend", "fpga"}});
  const machine::WaferShape& shape = run.config().wafer;
  const auto model = run.train([&](int) { return make_model_wafer(shape); });
  EXPECT_EQ(run.train(boards(shape)), model);
  EXPECT_EQ(run.train(boards(shape, {.flips = 20, .doubles = 20, .delays = 20, .losses = 20})), model);
}

TEST(BoardTraining, ABoardThatDiesEndsTheStepAndTheStateIsThatOfTheStepBefore) {
  cli::SmallTrainer run({{"runconfig.num_csx", "2"}, {"wafer.backend", "fpga"}});
  const machine::WaferShape& shape = run.config().wafer;
  std::uint64_t messages = run.plan().load.size();
  for (const compiler::Op& op : run.plan().ops) messages += compiler::entries(op).size();
  const auto model = run.train([&](int) { return make_model_wafer(shape); }, 1);
  train::Trainer trainer(run.config(), run.plan(), boards(shape, {}, messages + messages / 2));
  EXPECT_EQ(trainer.step().state_hash, model[0]);
  try {
    trainer.step();
    FAIL();
  } catch (const BoardLost& lost) {
    EXPECT_TRUE(std::string(lost.what()).starts_with("wafer 1, step 2, micro-batch 1, ")) << lost.what();
  }
  EXPECT_EQ(trainer.history().done(), 1U);
  EXPECT_TRUE(trainer.can_be_saved());
  EXPECT_EQ(trainer.memoryx().hash(), model[0]);
}

}  // namespace
}  // namespace weft::board
