// A tile's cycle counters: for each reason a small program in which it occurs a known number of times.
#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "tests/pe/stream_case.hpp"

namespace weft::test {
namespace {

using isa::StallReason;
constexpr int kPairs = kLanes / 2;    // beats of an entry in psum
constexpr unsigned kBeatLatency = 7;  // rtl/pe/weft_pe_pkg.sv
constexpr unsigned kTableSteps = kLanes > 8 ? 4 : kLanes / 2;
constexpr unsigned kTableLatency = kBeatLatency + 2 + kTableSteps;

void mark(TileGrid& g, int tag) {
  for (int row = 0; row < g.rows(); ++row) g.command(row, machine::Command::Mark, 0, static_cast<std::uint16_t>(tag));
}

std::uint64_t sum(const sim::StallRecord& r, int thread) {
  const auto& counts = r.counts[static_cast<std::size_t>(thread)];
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

/// Counters of tile (0, 0) from the call of the program to its end. `host` runs after the call.
sim::StallRecord count(TileGrid& g, const std::string& program, const std::function<void(TileGrid&)>& host = {}) {
  g.program(program);
  g.settle();
  mark(g, 1);
  for (int row = 0; row < g.rows(); ++row) g.call(0, row);
  if (host) host(g);
  mark(g, 2);
  g.settle();
  const sim::StallRecord r = g.stall_record();
  EXPECT_EQ(r.tag, 2);
  EXPECT_EQ(g.flags(), 0);
  EXPECT_EQ(sum(r, 0), r.cycles());
  EXPECT_EQ(sum(r, 1), r.cycles());
  return r;
}
sim::StallRecord count(const std::string& program, const std::function<void(TileGrid&)>& host = {}, int rows = 1) {
  TileGrid g(rows);
  return count(g, program, host);
}

/// Expects that only these counts differ between two runs, and by these numbers.
using Change = std::pair<StallReason, std::uint32_t>;
void expect_change(const sim::StallRecord& a, const sim::StallRecord& b, Change main, Change psum) {
  const Change change[] = {main, psum};
  for (std::size_t t = 0; t < sim::kThreads; ++t)
    for (std::size_t c = 0; c < sim::kStallReasons; ++c) {
      const bool meant = static_cast<StallReason>(c) == change[t].first;
      EXPECT_EQ(b.counts[t][c] - a.counts[t][c], meant ? change[t].second : 0)
          << "thread " << t << " " << isa::kStallNames[c];
    }
}

std::string loop(int times) { return "li r9, " + std::to_string(times) + "\nD: dbnz r9, D\n"; }
void wait(TileGrid& g, int cycles) {
  for (int n = 0; n < cycles; ++n) g.step();
}

TEST(StallReasons, ScalarTwoCyclesAnInstructionAndOneToBegin) {
  for (unsigned times : {1u, 10u, 500u}) {
    const sim::StallRecord r = count(loop(static_cast<int>(times)) + "halt");
    EXPECT_EQ(r.count(0, StallReason::Scalar), 1 + 2 * (times + 2));
    EXPECT_EQ(r.count(0, StallReason::Scalar) + r.count(0, StallReason::Command), r.cycles());
    EXPECT_EQ(r.count(1, StallReason::Asleep), r.cycles());
  }
}

TEST(StallReasons, IssuedABeatAndNothingElseWhereNothingWaits) {
  const sim::StallRecord r = count(csr("VL", 10) + csr("REP", 3) + "vf.fma M[r0], S[r0], S[r0], Z\nhalt");
  EXPECT_EQ(r.count(0, StallReason::Issued), 30u);
  EXPECT_EQ(r.count(0, StallReason::Hazard), kBeatLatency);  // until the last is written
  EXPECT_EQ(r.count(1, StallReason::Asleep), r.cycles());
}

TEST(StallReasons, HazardWhereABeatNeedsTheOneBefore) {
  const unsigned times = 20;
  const std::string set = csr("VL", 1) + csr("REP", static_cast<int>(times));
  const sim::StallRecord c = count(set + "vf.fma R[r0], S[r0], S[r0], R[r0]\nhalt");
  EXPECT_EQ(c.count(0, StallReason::Issued), times);
  EXPECT_EQ(c.count(0, StallReason::Hazard), (kBeatLatency - 1) * (times - 1) + kBeatLatency);
  const sim::StallRecord b = count(set + "vf.fma R[r0], S[r0], R[r0], Z\nhalt");
  EXPECT_EQ(b.count(0, StallReason::Hazard), kBeatLatency * (times - 1) + kBeatLatency);
}

TEST(StallReasons, HazardWhereOperandBWaitsForThePort) {
  const sim::StallRecord r =
      count(csr("VL", 40) + csr("REP", 1) + "li r1, 100\n vf.fma M[r0], S[r0], R[r0], R[r1]\nhalt");
  EXPECT_EQ(r.count(0, StallReason::Issued), 40u);
  EXPECT_EQ(r.count(0, StallReason::Hazard), 39 + kBeatLatency);
}

TEST(StallReasons, TableWhereTheUnitsAreBusy) {
  const sim::StallRecord r = count(csr("VL", 20) + csr("REP", 1) + "vf.exp M[r0], S[r0], S[r0], Z\nhalt");
  EXPECT_EQ(r.count(0, StallReason::Issued), 20u);
  EXPECT_EQ(r.count(0, StallReason::Table), (kTableSteps - 1) * 19);
  EXPECT_EQ(r.count(0, StallReason::Hazard), kTableLatency);
}

TEST(StallReasons, MemoryForTheWordOfEachLd) {
  const sim::StallRecord r = count(csr("VL", 1) + "ld r1, r0, 8\n ld r2, r0, 9\n ld r3, r0, 10\n halt");
  EXPECT_EQ(r.count(0, StallReason::Memory), 3u);
  EXPECT_EQ(r.count(0, StallReason::Issued), 3u);
}

TEST(StallReasons, WeightWhileTheStreamPauses) {
  const auto run = [](int pause) {
    return count(csr("VL", 8) + "vaxs R[r0], M[r0]\nhalt", [pause](TileGrid& g) {
      wait(g, 200 + pause);
      for (std::uint16_t n = 0; n < 10; ++n) g.weight(0, n, 0x3f80);
      g.cr();
    });
  };
  const sim::StallRecord a = run(0), b = run(77);
  expect_change(a, b, {StallReason::Weight, 77}, {StallReason::Asleep, 77});
  EXPECT_EQ(a.count(0, StallReason::Issued), 80u);
}

TEST(StallReasons, CommandWhileNoneArrives) {
  const auto run = [](int pause) { return count("halt", [pause](TileGrid& g) { wait(g, 50 + pause); }); };
  expect_change(run(0), run(1234), {StallReason::Command, 1234}, {StallReason::Asleep, 1234});
}

TEST(StallReasons, JoinWhileMainHasNothingToDoButWaitForPsum) {
  for (const char* main : {"fork P\n join\n halt\n", "fork P\n halt\n", "fork E\n fork P\n halt\n"}) {
    SCOPED_TRACE(main);
    const bool second = std::string(main).find('E') != std::string::npos;
    const auto run = [&](int times) {
      return count(main + ("P: " + loop(second ? 10 : times)) + "halt\nE: li r8, " + std::to_string(times) +
                   "\nF: dbnz r8, F\n halt");
    };
    expect_change(run(20), run(50), {StallReason::Join, 60}, {StallReason::Scalar, 60});
  }
}

TEST(StallReasons, OtherWhereMainWouldHaveIssuedButForPsum) {
  const auto run = [](int vl) {
    return count(csr("VL", 32) + csr("REP", 40) + "fork P\n vf.fma M[r0], S[r0], S[r0], Z\n halt\nP: " + csr("VL", vl) +
                 loop(100) + "vs.mov own=R[r0], dst=R[r0]\n halt");
  };
  for (int vl : {1, 9}) {
    const sim::StallRecord r = run(vl);
    EXPECT_EQ(r.count(0, StallReason::Issued), 32u * 40);
    EXPECT_EQ(r.count(1, StallReason::Issued), static_cast<unsigned>(vl * kPairs));
    EXPECT_EQ(r.count(0, StallReason::Other), static_cast<unsigned>(vl * kPairs));
    EXPECT_EQ(r.count(0, StallReason::Hazard), kBeatLatency);
  }
}

TEST(StallReasons, PsumWhileAWordOfItsColorIsMissing) {
  // Row 1 sends after a loop, row 0 waits: with vs, with rcv.
  for (const char* take : {"vs.mov in=RING, dst=R[r0]", "rcv r1, RING"}) {
    SCOPED_TRACE(take);
    const auto run = [&](int times) {
      return count(
          "csrr r1, ROW\n mvp r4, r1\n fork P\n join\n halt\nP: " + csr("VL", 1) + "beq r4, r0, T\n" + loop(times) +
              "vs.mov own=R[r0], out=RING\n halt\nT: " + take + "\n" +
              (take[0] == 'r' ? "li r8, " + std::to_string(kLanes - 1) + "\nM: rcv r1, RING\n dbnz r8, M\n" : "") +
              "halt",
          {}, 2);
    };
    expect_change(run(50), run(80), {StallReason::Join, 60}, {StallReason::Psum, 60});
  }
}

TEST(StallReasons, CreditWhileTheOutQueueIsFull) {
  const auto run = [](int pause) {
    return count("fork P\n join\n halt\nP: " + csr("VL", 64) + "vs.mov own=R[r0], out=WEST\n halt",
                 [pause](TileGrid& g) {
                   g.hold_outlets(true);
                   wait(g, 200 + pause);
                   g.hold_outlets(false);
                 });
  };
  const sim::StallRecord a = run(0), b = run(55);
  expect_change(a, b, {StallReason::Join, 55}, {StallReason::Credit, 55});
  EXPECT_EQ(a.count(1, StallReason::Issued), 64u * kPairs);
}

TEST(StallReasons, HandoffWhilePsumHasNoEntryOrMainNoRoom) {
  const std::string vl = csr("VL", 2);
  const auto psum_waits = [&](int times) {
    return count(vl + "fork P\n" + loop(times) + "vcr R[r0], R[r0]\n join\n halt\nP: " + vl +
                 "vs.mov own=Q[r0], dst=R[r0]\n halt");
  };
  expect_change(psum_waits(40), psum_waits(70), {StallReason::Scalar, 60}, {StallReason::Handoff, 60});
  const auto main_waits = [&](int times) {
    const std::string take = "vs.mov own=Q[r0], dst=R[r0]\n";
    return count(vl + "fork P\n vcr R[r0], R[r0]\n vcr R[r0], R[r0]\n vcr R[r0], R[r0]\n halt\nP: " + vl + loop(times) +
                 take + take + take + "halt");
  };
  expect_change(main_waits(60), main_waits(90), {StallReason::Handoff, 60}, {StallReason::Scalar, 60});
  const auto main_waits_for_pm = [&](int times) {
    return count(
        vl + "fork P\n vdot R[r0], M[r0], M[r0]\n halt\nP: " + vl + loop(times) + "vb src=M[r0], dst=M[r0]\n halt",
        [](TileGrid& g) { g.cr(); });
  };
  expect_change(main_waits_for_pm(60), main_waits_for_pm(90), {StallReason::Handoff, 60}, {StallReason::Scalar, 60});
}

TEST(StallReasons, PsumMemoryForTheWordOfEachLd) {
  const sim::StallRecord r = count("fork P\n halt\nP: ld r1, r0, 8\n ld r2, r0, 9\n halt");
  EXPECT_EQ(r.count(1, StallReason::Memory), 2u);
  EXPECT_EQ(r.count(1, StallReason::Issued), 2u);
}

TEST(StallReasons, PsumHazardWhereAnInstructionReadsThePreviousResult) {
  for (unsigned times : {2u, 9u}) {
    std::string psum = csr("VL", 1);
    for (unsigned n = 0; n < times; ++n) psum += "vs.mov own=R[r0], dst=R[r0]\n";
    const sim::StallRecord r = count("fork P\n halt\nP: " + psum + "halt");
    EXPECT_EQ(r.count(1, StallReason::Issued), times * kPairs);
    // The next candidate is ready a cycle after the last beat and waits for the first; the second's word arrives later.
    const unsigned wait = kBeatLatency - (kPairs + 1), second = kBeatLatency - std::max(kPairs + 1, 3);
    EXPECT_EQ(r.count(1, StallReason::Hazard), second + (times - 2) * wait);
  }
}

TEST(StallReasons, PsumTableWhereMainHasTableFunctionsAhead) {
  const auto run = [](const std::string& fn) {
    return count(csr("VL", 16) + csr("REP", 20) + "fork P\n vf." + fn + " M[r0], S[r0], S[r0], Z\n halt\nP: " +
                 csr("VL", 4) + loop(20) + "vs.mov own=R[r0], dst=R[r0]\n halt");
  };
  const sim::StallRecord fma = run("fma"), exp = run("exp");
  EXPECT_EQ(fma.count(1, StallReason::Table), 0u);
  EXPECT_GT(exp.count(1, StallReason::Table), 0u);
  EXPECT_EQ(exp.count(1, StallReason::Hazard), fma.count(1, StallReason::Hazard));
  EXPECT_EQ(exp.count(1, StallReason::Issued), 4u * kPairs);
}

TEST(StallReasons, IssuedIsWhatTheVectorUnitWasGiven) {
  TileGrid g(1, 1, false);
  std::uint64_t main = 0, psum = 0;
  const sim::StallRecord r = count(
      g,
      csr("VL", 16) + csr("REP", 5) + "fork P\n vf.exp M[r0], S[r0], S[r0], Z\n vf.fma R[r0], M[r0], S[r0], R[r0]\n" +
          "join\n halt\nP: " + csr("VL", 7) + "vs.mov own=R[r0], dst=R[r0]\n vs.mov own=R[r0], out=WEST\n halt",
      [&](TileGrid& grid) {
        for (int n = 0; n < 1000; ++n) {
          grid.step();
          main += grid.tile().main_issue_o;
          psum += grid.tile().psum_issue_o;
        }
      });
  EXPECT_EQ(r.count(0, StallReason::Issued), main);
  EXPECT_EQ(r.count(1, StallReason::Issued), psum);
  EXPECT_EQ(psum, 14u * kPairs);
}

TEST(Mark, IsTakenByTilesThatAreNotSelectedAndChangesNothing) {
  TileGrid g(1, 2);
  g.select(0, {0, 1});
  g.command(0, machine::Command::Mark, 255, 0xabcd);
  g.set_reg(3, 7);
  g.settle();
  for (int col : {0, 1}) {
    EXPECT_EQ(g.stall_record(0, col).tag, 0xabcd);
    EXPECT_EQ(g.flags(0, col), 0);
  }
  EXPECT_EQ(g.reg(0, 3, 0, 0), 0);
  EXPECT_EQ(g.reg(0, 3, 0, 1), 7);
}

TEST(Mark, IsTakenAtRestAlone) {
  TileGrid g;
  g.program(loop(100) + "halt");
  g.settle();
  mark(g, 1);
  g.call(0);
  mark(g, 2);
  wait(g, 100);
  EXPECT_EQ(g.stall_record().tag, 1);
  g.settle();
  EXPECT_EQ(g.stall_record().tag, 2);
  EXPECT_GT(g.stall_record().cycles(), 200u);
}

TEST(Mark, OneRightBehindTheOtherEndsAPhaseOfOneCycle) {
  TileGrid g;
  g.settle();
  for (int tag = 1; tag <= 3; ++tag) mark(g, tag);
  std::vector<unsigned> tags, cycles;
  for (int n = 0; n < 30; ++n) {
    g.step();
    if (!sim::is_fresh_stall_record(g.tile().tally_o)) continue;
    const sim::StallRecord r = g.stall_record();
    tags.push_back(r.tag);
    cycles.push_back(static_cast<unsigned>(sum(r, 0)));
    EXPECT_EQ(sum(r, 1), r.cycles());
    EXPECT_EQ(sum(r, 0), r.cycles());
    g.tile().eval();
    if (tags.size() == 3) break;
  }
  EXPECT_EQ(tags, (std::vector<unsigned>{1, 2, 3}));
  EXPECT_EQ(cycles[1], 1u);
  EXPECT_EQ(cycles[2], 1u);
}

TEST(Mark, TilesThatAreLeftOutWhileTheySleepCountTheSame) {
  const std::string program = csr("VL", 2) + "fork P\n vaxs R[r0], M[r0]\n halt\nP: " + csr("VL", 2) + loop(30) +
                              "vs.mov own=R[r0], out=WEST\n halt";
  const auto run = [&](bool skip) {
    TileGrid g(1, 1, skip);
    const sim::StallRecord r = count(g, program, [](TileGrid& grid) {
      wait(grid, 321);
      grid.weight(0, 1, 0x3f80);
      wait(grid, 123);
      grid.cr();
      wait(grid, 500);
    });
    EXPECT_EQ(g.skipped() > 500, skip);
    return r.counts;
  };
  EXPECT_EQ(run(true), run(false));
}

}  // namespace
}  // namespace weft::test
