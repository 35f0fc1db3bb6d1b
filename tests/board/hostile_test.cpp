/// Boards that send invalid frames cause neither a crash nor a hang: the session ends with a clear error, or continues.
#include <gtest/gtest.h>

#include <random>

#include "host/board/link/session.hpp"
#include "host/board/wafer/board_wafer.hpp"
#include "sw/base/refusal.hpp"
#include "tests/board/echo_wafer.hpp"
#include "tests/board/simulated_line.hpp"

namespace weft::board::hostile_test {
namespace {

const machine::WaferShape kShape{.rows = 4, .cols = 2};

/// Changes a valid frame and recomputes its checksum.
Bytes changed(const Bytes& frame, const std::function<void(Frame&)>& change) {
  Frame f = *decode(frame, {});
  change(f);
  return encode(f);
}

/// The result of a run with a board whose frames pass through `lie`: "done", or the error message.
std::string outcome(const std::function<Bytes(Bytes)>& lie) {
  auto board = std::make_shared<FakeBoard>(std::make_unique<EchoWafer>(kShape));
  auto line = std::make_unique<SimulatedLine>(board);
  line->lie = lie;
  std::vector<machine::Message> messages;
  for (int i = 0; i < 3000; ++i) messages.push_back(machine::Message::weight(static_cast<std::uint16_t>(i * 5), 1));
  std::vector<std::uint64_t> totals(4);
  for (const machine::Message& m : messages) ++totals[m.data >> 30];
  try {
    auto wafer = make_board_wafer(std::move(line), kShape);
    wafer->feed(messages);
    wafer->await(totals);
    wafer->settle();
    wafer->flags();
    return "done";
  } catch (const BoardLost& lost) {
    return lost.what();
  } catch (const WaferHang& hang) {
    return hang.what();
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(HostileBoard, AnHonestOneIsDone) {
  EXPECT_EQ(outcome([](Bytes frame) { return frame; }), "done");
}

TEST(HostileBoard, SaysThatItIsWhatNoBoardIs) {
  for (std::size_t byte = 0; byte < 48; ++byte) {
    for (const int value : {0, 1, 255}) {
      const std::string end = outcome([&](Bytes frame) {
        return changed(frame, [&](Frame& f) {
          if (f.kind == Kind::About) f.payload[byte] = static_cast<std::uint8_t>(value);
        });
      });
      const bool fine = end == "done" || has(end, "does not answer") || has(end, "its debug chain does not") ||
                        has(end, "the board has");
      const bool other_version = has(end, "uses version " + std::to_string(value) + " of the link protocol");
      EXPECT_TRUE(byte == 4 ? other_version : fine) << byte << " " << value << ": " << end;
    }
  }
}

TEST(HostileBoard, ConfirmsWhatWasNeverSent) {
  for (const int off : {1, 64, 65, 127, 128, 255}) {
    const std::string end = outcome(
        [&](Bytes frame) { return changed(frame, [&](Frame& f) { f.ack = static_cast<std::uint8_t>(f.ack + off); }); });
    EXPECT_TRUE(end == "done" || has(end, "the board at simulated")) << off << ": " << end;
  }
}

TEST(HostileBoard, NamesARowThatIsNotThere) {
  const std::string end = outcome([](Bytes frame) {
    return changed(frame, [](Frame& f) {
      if (f.kind == Kind::Data) f.payload[0] = 0xF0;
    });
  });
  EXPECT_TRUE(has(end, "sent words of row 15, but has 4 rows")) << end;
}

TEST(HostileBoard, TakesNothingAndAnswersAllTheSame) {
  const std::string end = outcome([](Bytes frame) { return changed(frame, [](Frame& f) { f.ack = 0; }); });
  EXPECT_TRUE(has(end, "answers, but accepts no more data")) << end;
}

/// A line on which DATA never passes, while all short frames do, in particular STATUS.
TEST(HostileBoard, LosesDataFramesButAnswersOthers) {
  const std::string end = outcome([](Bytes frame) { return decode(frame, {})->kind == Kind::Data ? Bytes{} : frame; });
  EXPECT_TRUE(has(end, "answers, but its data does not arrive")) << end;
}

/// A board that was reset and whose session an old HELLO has reopened reports decreasing cycle counts.
TEST(HostileBoard, CycleCountDecreases) {
  std::uint64_t cycles = 1U << 30;
  const std::string end = outcome([&](Bytes frame) {
    return changed(frame, [&](Frame& f) {
      if (f.kind != Kind::Status) return;
      --cycles;
      for (std::size_t i = 0; i < 8; ++i) f.payload[i] = static_cast<std::uint8_t>(cycles >> 8 * i);
    });
  });
  EXPECT_TRUE(has(end, "answers, but does not report its status")) << end;
}

TEST(HostileBoard, HasNeverRoom) {
  const std::string end = outcome([](Bytes frame) {
    return changed(frame, [](Frame& f) {
      f.room = 0;
      if (f.kind == Kind::About) f.payload[22] = f.payload[23] = 0;
    });
  });
  EXPECT_TRUE(has(end, "does not answer")) << end;
}

TEST(HostileBoard, SaysItHasAFault) {
  const std::string end = outcome([](Bytes frame) {
    return changed(frame, [](Frame& f) {
      if (f.kind == Kind::Status) f.payload[40] |= 8;
    });
  });
  EXPECT_TRUE(has(end, "received an unknown record")) << end;
}

TEST(HostileBoard, SpeaksGarbageInGoodFrames) {
  int done = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 rng(seed);
    const std::string end = outcome([&](Bytes frame) {
      if (rng() % 10 != 0) return frame;
      return changed(frame, [&](Frame& f) {
        switch (rng() % 6) {
          case 0:
            f.kind = static_cast<Kind>(rng() % 8);
            break;
          case 1:
            f.payload.resize(rng() % 600);
            break;
          case 2:
            f.seq = static_cast<std::uint8_t>(rng());
            break;
          case 3:
            f.ack = static_cast<std::uint8_t>(rng());
            break;
          case 4:
            f.room = static_cast<std::uint16_t>(rng());
            break;
          default:
            for (auto& byte : f.payload) byte = static_cast<std::uint8_t>(rng());
        }
      });
    });
    done += end == "done" ? 1 : 0;
    EXPECT_TRUE(end == "done" || has(end, "simulated")) << end;
  }
  EXPECT_GT(done, 0);
}

TEST(HostileBoard, SpeaksNoise) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    std::mt19937_64 rng(seed);
    const std::string end = outcome([&](Bytes frame) {
      for (auto& byte : frame) byte = static_cast<std::uint8_t>(rng());
      return frame;
    });
    EXPECT_TRUE(has(end, "does not answer")) << end;
  }
}

}  // namespace
}  // namespace weft::board::hostile_test
