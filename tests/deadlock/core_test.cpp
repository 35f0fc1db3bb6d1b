#include <gtest/gtest.h>

#include "host/inspect/hang/core_file.hpp"
#include "host/inspect/hang/watched_wafer.hpp"
#include "sw/base/crc32c.hpp"
#include "sw/deadlock/core_dump.hpp"
#include "sw/deadlock/report.hpp"
#include "tests/deadlock/injected_bug.hpp"
#include "tests/random.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::deadlock {
namespace {

InjectedBug of_name(const std::string& name) {
  for (InjectedBug& p : injected_hangs())
    if (p.name == name) return p;
  throw std::logic_error("no inject " + name);
}

/// The exception that `wafer` throws.
WaferHang hang_of(Wafer& wafer, const InjectedBug& p) {
  try {
    wafer.at({.wafer = 3, .step = 5, .micro_batch = 7, .phase = "h.0.attn"});
    wafer.feed(p.messages);
    wafer.settle();
  } catch (const WaferHang& e) {
    return e;
  }
  throw std::logic_error("it does not hang");
}

Core core_of(const InjectedBug& p, std::unique_ptr<Wafer> wafer) {
  return {*hang_of(*wafer, p).hang_snapshot, p.program};
}

TEST(Core, IsReadAsItWasWritten) {
  for (const char* name : {"TooMuchAtOnce", "BlockedIntake", "WrongHomeRow"}) {
    const InjectedBug p = of_name(name);
    const Core core = core_of(p, make_rtl_wafer(p.shape));
    const Core again = decode(encode(core), "x");
    EXPECT_EQ(again.hang_snapshot, core.hang_snapshot);
    EXPECT_EQ(report(again.hang_snapshot, &again.program), report(core.hang_snapshot, &p.program));
  }
}

TEST(Core, HoldsWhereTheHostWas) {
  const InjectedBug p = of_name("WaitsTwice");
  const Core core = core_of(p, make_model_wafer(p.shape));
  EXPECT_EQ(decode(encode(core), "x").hang_snapshot.place,
            (machine::StreamPlace{.wafer = 3, .step = 5, .micro_batch = 7, .phase = "h.0.attn"}));
}

std::string refusal(std::span<const std::uint8_t> bytes) {
  try {
    decode(bytes, "run.weftcore");
    return "";
  } catch (const Refusal& e) {
    return e.what();
  }
}

/// A core dump is untrusted: names that a program prints must not contain control characters.
TEST(Core, NamesWithControlCharactersAreRejected) {
  const InjectedBug p = of_name("WaitsTwice");
  const Core good = core_of(p, make_model_wafer(p.shape));
  EXPECT_EQ(refusal(encode(good)), "");
  const std::string bad = "a\x1b]0;name\x07";
  const auto refused = [&](const auto& change) {
    Core core = good;
    change(core);
    EXPECT_NE(refusal(encode(core)).find("is damaged: its checksum matches, but its content is invalid"),
              std::string::npos);
  };
  refused([&](Core& core) { core.program.labels[bad] = 0; });
  refused([&](Core& core) { core.program.kernels.emplace_back().name = bad; });
  refused([&](Core& core) { core.program.files.push_back("\xff.s"); });
  refused([&](Core& core) {
    compiler::ArraySymbol array;
    array.name = bad;
    core.arrays.push_back(array);
  });
  refused([&](Core& core) { core.hang_snapshot.place.phase = bad; });
  refused([&](Core& core) { core.hang_snapshot.machine = bad; });
  Core why = good;
  why.hang_snapshot.why = "one\n" + bad;
  EXPECT_EQ(decode(encode(why), "x").hang_snapshot.why, "one\na\\x1b]0;name\\x07");
}

TEST(Core, CountAboveAnyBufferSizeIsRejected) {
  const InjectedBug p = of_name("TooMuchAtOnce");
  const Core good = core_of(p, make_rtl_wafer(p.shape));
  const auto refused = [&](const auto& change) {
    Core core = good;
    change(core.hang_snapshot);
    EXPECT_NE(refusal(encode(core)).find("is damaged"), std::string::npos);
  };
  constexpr std::uint32_t kMany = 0x80000003;
  refused([](machine::HangSnapshot& s) { s.tiles[0].ramp = {kMany}; });
  refused([](machine::HangSnapshot& s) { s.tiles[0].buffers[2].at(0) = kMany; });
  refused([](machine::HangSnapshot& s) { s.rows[0].outlet = {kMany}; });
  refused([](machine::HangSnapshot& s) { s.rows[0].cell = kMany; });
}

TEST(Core, DamagedCoreIsRejected) {
  const InjectedBug p = of_name("TooMuchAtOnce");
  test::Rng rng(test::test_seed());
  const std::vector<std::uint8_t> good = encode(core_of(p, make_rtl_wafer(p.shape)));
  EXPECT_EQ(refusal(good), "");
  EXPECT_NE(refusal(std::span(good).first(7)).find("run.weftcore: is not a core dump"), std::string::npos);
  EXPECT_NE(refusal(std::span(good).first(20)).find("ends within the first 24 bytes"), std::string::npos);
  EXPECT_NE(refusal(std::span(good).first(good.size() - 1)).find("bytes after the header, not"), std::string::npos);
  auto other = good;
  other[8] = 1;
  EXPECT_NE(refusal(other).find("version 1, and this program reads 5"), std::string::npos);
  for (int i = 0; i < 200; ++i) {
    auto bad = good;
    bad[rng.below(static_cast<unsigned>(bad.size()))] ^= static_cast<std::uint8_t>(1 + rng.below(255));
    EXPECT_NE(refusal(bad), "");
  }
}

/// Invalid contents under correct checksums are rejected or yield a report.
TEST(Core, WithRightChecksumsOverNonsenseIsRefusedOrReported) {
  const InjectedBug p = of_name("TooMuchAtOnce");
  test::Rng rng(test::test_seed());
  const std::vector<std::uint8_t> good = encode(core_of(p, make_rtl_wafer(p.shape)));
  int refused = 0;
  for (int i = 0; i < 300; ++i) {
    auto bad = good;
    const std::size_t where = i % 2 ? 24 + rng.below(64) : 24 + rng.below(static_cast<unsigned>(bad.size() - 24));
    bad[where] = static_cast<std::uint8_t>(rng.below(256));
    const std::uint32_t crc = crc32c(std::span(bad).subspan(24));
    for (unsigned b = 0; b < 4; ++b) bad[12 + b] = static_cast<std::uint8_t>(crc >> 8 * b);
    try {
      const Core core = decode(bad, "x");
      EXPECT_NE(report(core.hang_snapshot, &core.program), "");
    } catch (const Refusal&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 50);
}

TEST(WatchedWafer, WritesReportAndCoreAndNamesThem) {
  const InjectedBug p = of_name("BothWait");
  const test::TemporaryFolder folder;
  const auto wafer = inspect::watched(make_rtl_wafer(p.shape), folder.path() / "run",
                                      [&] { return Core{.hang_snapshot = {}, .program = p.program}; });
  const std::string text = hang_of(*wafer, p).what();
  EXPECT_NE(text.find("root cause: tile (0,0) psum at north, " + p.at), std::string::npos) << text;
  const std::string core = (folder.path() / "run" / "wafer_3_step_6.weftcore").string();
  EXPECT_NE(text.find("core dump " + core), std::string::npos) << text;
  EXPECT_EQ(text.find('\n'), std::string::npos) << "it goes over the wire as one line";
  std::ostringstream shown;
  const Core written = inspect::read_core(core);
  EXPECT_NE(report(written.hang_snapshot, &written.program).find("wait-for cycle"), std::string::npos);
  inspect::show_tile(core, 1, 1, shown);
  EXPECT_NE(shown.str().find("psum: at psum+2, hang.s:"), std::string::npos) << shown.str();
  EXPECT_THROW(inspect::show_tile(core, 2, 0, shown), Refusal);
}

/// The model consumes weights in place, so converting them to messages would be wasted work.
TEST(WatchedWafer, HandsPiecesOnAsTheyAre) {
  struct Takes : Wafer {
    const machine::WaferShape& shape() const override { return own; }
    void feed(std::span<const machine::Message> /*messages*/) override { ADD_FAILURE() << "made into messages"; }
    void feed_piece(const machine::StreamPiece& /*piece*/) override { ++pieces; }
    void await(std::span<const std::uint64_t> /*totals*/) override {}
    void settle() override {}
    void reset() override {}
    std::vector<std::uint32_t>& outlet(int /*row*/) override { return words; }
    std::vector<std::uint16_t> sram(int /*row*/, int /*col*/) const override { return {}; }
    WaferCounters counters() const override { return {}; }
    std::string flags() const override { return {}; }
    machine::WaferShape own;
    std::vector<std::uint32_t> words;
    int pieces = 0;
  };
  auto inner = std::make_unique<Takes>();
  const Takes& takes = *inner;
  const auto wafer = inspect::watched(std::move(inner), "/proc/no/such", [] { return Core{}; });
  wafer->feed_piece({});
  EXPECT_EQ(takes.pieces, 1);
}

TEST(WatchedWafer, SaysWhatItCouldNotWrite) {
  const InjectedBug p = of_name("BothWait");
  const auto wafer = inspect::watched(make_model_wafer(p.shape), "/proc/no/such",
                                      [&] { return Core{.hang_snapshot = {}, .program = p.program}; });
  const std::string text = hang_of(*wafer, p).what();
  EXPECT_NE(text.find("root cause: tile (0,0) psum"), std::string::npos) << text;
  EXPECT_NE(text.find("no core dump: "), std::string::npos) << text;
}

}  // namespace
}  // namespace weft::deadlock
