/// A board as a Wafer: it returns the words of the board's wafer, and reports errors.
#include "host/board/wafer/board_wafer.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>

#include "host/board/link/session.hpp"
#include "sw/base/refusal.hpp"
#include "sw/compiler/compile.hpp"
#include "sw/compiler/plan/plan.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "tests/board/echo_wafer.hpp"
#include "tests/board/simulated_line.hpp"

namespace weft::board::board_wafer_test {
namespace {

const machine::WaferShape kShape{.rows = 2, .cols = 2, .lanes = 4, .sram_kib = 24};

struct Rig {
  explicit Rig(std::unique_ptr<Wafer> behind, Damage damage = {}) {
    const machine::WaferShape shape = behind->shape();
    board = std::make_shared<FakeBoard>(std::move(behind));
    auto own = std::make_unique<SimulatedLine>(board, damage, 5);
    line = own.get();
    wafer = make_board_wafer(std::move(own), shape);
  }
  std::shared_ptr<FakeBoard> board;
  SimulatedLine* line = nullptr;
  std::unique_ptr<Wafer> wafer;
};

const std::vector<machine::Message> kThree = {machine::Message::weight(1, 2), machine::Message::weight(0x8001, 3),
                                              machine::Message::command(machine::Command::CR, 0, 0)};
const std::vector<std::uint64_t> kOneEach = {1, 1};

/// The message of the `Failure` that `work` throws.
template <class Failure>
std::string text_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "nothing was thrown";
}

TEST(BoardWafer, AMicroBatchGivesTheWordsOfTheWaferBehindIt) {
  const compiler::ModelShape model{
      .vocab = 20, .hidden = 8, .layers = 1, .heads = 2, .filter = 16, .seq = 8, .micro_batch = 2};
  const compiler::Plan plan = compiler::compile(model, kShape);
  std::vector<float> parameters(plan.parameters);
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i] = static_cast<float>(i % 17) * 0.01F - 0.08F;
  const std::vector<TokenId> tokens = {1, 2, 3, 4, 5, 6, 7, 8};
  const auto run = [&](Wafer& wafer) {
    wafer.feed(plan.load);
    wafer.settle();
    wafer.feed(plan.tokens(tokens, tokens));
    std::vector<std::uint64_t> totals(2);
    std::vector<machine::Message> messages;
    for (const compiler::Op& op : plan.ops) {
      compiler::expand(op, parameters, messages);
      wafer.feed(messages);
      for (std::size_t r = 0; r < 2; ++r) totals[r] += op.returned[r];
    }
    wafer.await(totals);
    return std::vector{wafer.outlet(0), wafer.outlet(1)};
  };
  const auto direct = make_model_wafer(kShape);
  const auto words = run(*direct);
  ASSERT_GT(words[0].size(), 100U);
  Rig rig(make_model_wafer(kShape), {.flips = 10, .losses = 10, .serial = true});
  EXPECT_EQ(run(*rig.wafer), words);
  EXPECT_EQ(rig.wafer->counters().edge_messages, direct->counters().edge_messages);
}

TEST(BoardWafer, CountsEachWaitForTheBoard) {
  Rig rig(std::make_unique<EchoWafer>(kShape));
  std::atomic<std::uint64_t> count = 0;
  EXPECT_TRUE(rig.wafer->count_progress(count));
  rig.wafer->feed(kThree);
  rig.wafer->await(kOneEach);
  EXPECT_GT(count, 0U);
  // Also counts during queries: after a hang a board's memories are read for minutes.
  for (const auto& ask :
       {std::function<void()>([&] { rig.wafer->counters(); }), std::function<void()>([&] { rig.wafer->reset(); })}) {
    const std::uint64_t before = count;
    ask();
    EXPECT_GT(count, before);
  }
}

/// Otherwise the board would resend the last frame while the host is busy elsewhere.
TEST(BoardWafer, LastFrameIsAckedBeforeAwaitReturns) {
  Rig rig(std::make_unique<EchoWafer>(kShape));
  for (std::uint64_t i = 1; i <= 3; ++i) {
    rig.wafer->feed(kThree);
    rig.wafer->await(std::vector<std::uint64_t>{i, i});
    const auto last = decode(rig.line->sent, {});
    ASSERT_TRUE(last);
    EXPECT_EQ(last->kind, Kind::Ack);
    EXPECT_EQ(last->ack, i);
  }
}

TEST(BoardWafer, AResetBeginsANewSessionAndNothingOldArrives) {
  Rig rig(std::make_unique<EchoWafer>(kShape));
  rig.wafer->feed(kThree);
  rig.wafer->await(kOneEach);
  rig.wafer->feed(kThree);
  rig.wafer->reset();
  EXPECT_TRUE(rig.wafer->outlet(0).empty());
  rig.wafer->feed(kThree);
  rig.wafer->await(kOneEach);
  EXPECT_EQ(rig.wafer->outlet(1), std::vector<std::uint32_t>{0x80010003});
  EXPECT_EQ(rig.board->taken(), kThree);
}

TEST(BoardWafer, AfterAResetTheIndexMemoryIsSentAgain) {
  Rig rig(std::make_unique<EchoWafer>(kShape));
  std::vector<machine::Message> outputs;
  for (std::uint16_t n = 0; n < 80; ++n) {
    outputs.push_back(
        machine::Message::weight(static_cast<std::uint16_t>(n % 40 * 3), static_cast<std::uint16_t>(n + 1)));
    if (n % 40 == 39) outputs.push_back(machine::Message::command(machine::Command::CR, 0, 0));
  }
  rig.wafer->feed(outputs);
  rig.wafer->reset();  // the index list was never sent
  rig.wafer->feed(outputs);
  rig.wafer->settle();
  EXPECT_EQ(rig.board->taken(), outputs);
}

TEST(BoardWafer, AwaitingMoreThanArrivesHangs) {
  Rig rig(std::make_unique<EchoWafer>(kShape));
  rig.wafer->feed(kThree);
  EXPECT_EQ(text_of<WaferHang>([&] {
              rig.wafer->await(std::vector<std::uint64_t>{1, 2});
            }),
            "the wafer hangs: the board at simulated has accepted 3 messages and hangs; row 1 has delivered 1 "
            "of 2 words; the board has no debug chain. HINT: a board built with `make fpga MESH=debug=1` reports which "
            "thread "
            "waits for which.");
}

TEST(BoardWafer, AWaferThatIsAwakeDoesNotHang) {
  Rig rig(std::make_unique<EchoWafer>(kShape));
  rig.board->awake = true;
  int asked = 0;
  rig.line->lie = [&](Bytes frame) {
    if (decode(frame, {})->kind == Kind::Status && ++asked == 6) rig.board->awake = false;
    return frame;
  };
  rig.wafer->feed(kThree);
  EXPECT_THROW(rig.wafer->await(std::vector<std::uint64_t>{1, 2}), WaferHang);
  EXPECT_GE(asked, 6);
}

/// A tile in an endless loop, whether or not the valve takes messages meanwhile.
TEST(BoardWafer, AWaferThatWorksForEverHangs) {
  for (const bool valve : {true, false}) {
    Rig rig(std::make_unique<EchoWafer>(kShape));
    rig.board->awake = true;
    if (!valve) rig.board->stops_after = 1;
    rig.wafer->feed(kThree);
    const Time before = rig.line->now();
    const std::string text = text_of<WaferHang>([&] { rig.wafer->await(std::vector<std::uint64_t>{1, 2}); });
    EXPECT_NE(text.find("is busy, but no message has entered or left the wafer for 33554432 cycles"), std::string::npos)
        << text;
    EXPECT_NE(text.find("row 1 has delivered "), std::string::npos) << text;
    // The board runs 40,000 cycles per millisecond.
    EXPECT_GT(rig.line->now() - before, std::chrono::milliseconds(838));
    EXPECT_LT(rig.line->now() - before, std::chrono::milliseconds(1500));
  }
}

/// While words wait for the host, the STATUS may be older than the host's pause, and the wafer awake because it waits.
TEST(BoardWafer, AWaferWhoseWordsWaitForTheHostDoesNotHang) {
  Rig rig(std::make_unique<EchoWafer>(kShape));
  int asked = 0;
  rig.line->lie = [&](Bytes frame) {
    Frame f = *decode(frame, {});
    if (f.kind != Kind::Status) return frame;
    f.payload[40] = ++asked < 50 ? 1 | 16 : 0;  // awake, with unconfirmed words
    return encode(f);
  };
  rig.wafer->feed(kThree);
  EXPECT_NE(text_of<WaferHang>([&] {
              rig.wafer->await(std::vector<std::uint64_t>{1, 2});
            }).find("hangs"),
            std::string::npos);
}

TEST(BoardWafer, AValveThatTakesNothingHangsAndSaysItsFlags) {
  for (const int call : {0, 1, 2}) {
    Rig rig(std::make_unique<EchoWafer>(kShape));
    rig.board->stops_after = 2;
    rig.board->flag = 1;
    std::vector<machine::Message> many;
    for (int i = 0; i < 200000; ++i)
      many.push_back(machine::Message::command(machine::Command::Setreg, 1, static_cast<std::uint16_t>(i)));
    const std::string text = text_of<WaferHang>([&] {
      if (call == 0) rig.wafer->feed(many);
      rig.wafer->feed(std::span(many).first(5000));
      if (call == 1) rig.wafer->settle();
      rig.wafer->await(kOneEach);
    });
    EXPECT_TRUE(text.find("has accepted 2 messages and hangs, one waits at the valve") != std::string::npos) << text;
    EXPECT_TRUE(text.find("row 1 column 0 NO_ROUTE") != std::string::npos) << text;
  }
}

TEST(BoardWafer, ABoardThatDiesInTheMiddleIsLostAndSaysWhere) {
  for (const bool gone : {false, true}) {
    Rig rig(std::make_unique<EchoWafer>(kShape));
    rig.wafer->at({.wafer = 3, .step = 4, .micro_batch = 17, .phase = "h.0.ln_1"});
    rig.wafer->feed(kThree);
    rig.wafer->await(kOneEach);
    if (gone) {
      rig.line->gone_after = 0;
    } else {
      rig.board->dead = true;
    }
    const Time before = rig.line->now();
    const std::string text = text_of<BoardLost>([&] {
      rig.wafer->feed(kThree);
      rig.wafer->await(std::vector<std::uint64_t>{2, 2});
    });
    const std::string what = gone ? "cannot be reached: pulled out" : "has sent nothing for 5 s";
    EXPECT_TRUE(text.starts_with("wafer 3, step 5, micro-batch 17, h.0.ln_1: the board at simulated " + what + " ("))
        << text;
    EXPECT_NE(text.find("HINT: "), std::string::npos) << text;
    EXPECT_TRUE(gone || rig.line->now() - before < std::chrono::seconds(6));
  }
}

TEST(BoardWafer, ABoardThatWasResetInTheMiddleIsLost) {
  Rig rig(std::make_unique<EchoWafer>(kShape));
  rig.wafer->feed(kThree);
  rig.wafer->await(kOneEach);
  *rig.board = FakeBoard(std::make_unique<EchoWafer>(kShape));
  EXPECT_THROW(rig.wafer->await(std::vector<std::uint64_t>{2, 2}), BoardLost);
  EXPECT_THROW(rig.wafer->settle(), BoardLost);
}

TEST(BoardWafer, AHostThatThoughtForAMinuteHasNotLostIt) {
  Rig rig(std::make_unique<EchoWafer>(kShape));
  Bytes ignored;
  rig.wafer->feed(kThree);
  rig.wafer->await(kOneEach);
  rig.line->receive(ignored, rig.line->now() + std::chrono::minutes(1));
  rig.wafer->feed(kThree);
  rig.wafer->await(std::vector<std::uint64_t>{2, 2});
  rig.line->receive(ignored, rig.line->now() + std::chrono::minutes(1));
  rig.wafer->counters();
  rig.line->receive(ignored, rig.line->now() + std::chrono::minutes(1));
  rig.wafer->settle();
}

TEST(BoardWafer, AHostThatWasStoppedWhileItWaitedHasNotLostIt) {
  Rig rig(std::make_unique<EchoWafer>(kShape));
  rig.board->awake = true;
  int asked = 0;
  rig.line->lie = [&](Bytes frame) {
    if (decode(frame, {})->kind == Kind::Status && ++asked == 3) rig.line->stopped = std::chrono::minutes(1);
    if (asked == 6) rig.board->awake = false;
    return frame;
  };
  rig.wafer->feed(kThree);
  EXPECT_NE(text_of<WaferHang>([&] {
              rig.wafer->await(std::vector<std::uint64_t>{1, 2});
            }).find("hangs"),
            std::string::npos);
  EXPECT_GE(asked, 6);
}

TEST(BoardWafer, OtherMeshIsRejected) {
  auto board = std::make_shared<FakeBoard>(std::make_unique<EchoWafer>(kShape));
  EXPECT_THROW(make_board_wafer(std::make_unique<SimulatedLine>(board), {.rows = 4, .cols = 4}), Refusal);
}

TEST(BoardWafer, ShowsNoMemory) {
  Rig rig(std::make_unique<EchoWafer>(kShape));
  EXPECT_THROW(rig.wafer->sram(0, 0), std::logic_error);
  EXPECT_THROW(rig.wafer->state(0, 0), std::logic_error);
}

}  // namespace
}  // namespace weft::board::board_wafer_test
