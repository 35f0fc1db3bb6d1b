/// After any fault, a reset and a load restore the wafer on every backend: a GEMM then has the right result, the flags
/// are clear and, on clocked backends, it takes as many cycles as on a new wafer.
#include <gtest/gtest.h>

#include <functional>

#include "Vweft_wafer_2x2v1.h"
#include "sw/compiler/program/load.hpp"
#include "tests/model/gemm.hpp"
#include "tests/random.hpp"
#include "verif/cosim/cosim_wafer.hpp"
#include "verif/cosim/flat_wafer.hpp"
#include "verif/sim/replicated_wafer.hpp"

namespace weft::cosim {
namespace {

constexpr machine::WaferShape kShape{.rows = 2, .cols = 2};

struct Backend {
  const char* name;
  std::unique_ptr<Wafer> (*make)();
};

const Backend kBackends[] = {
    {"model", [] { return make_model_wafer(kShape); }},
    {"model_with_threads", [] { return make_model_wafer(kShape, 2); }},
    {"replicated", []() -> std::unique_ptr<Wafer> { return std::make_unique<sim::ReplicatedWafer>(kShape); }},
    {"flat", []() -> std::unique_ptr<Wafer> { return std::make_unique<FlatWafer<Vweft_wafer_2x2v1>>(kShape); }},
    {"cosim", [] { return make_cosim_wafer("model", make_model_wafer(kShape), "rtl", make_rtl_wafer(kShape)); }},
};

/// Every row returns the bf16 word 0x4000 plus its row number, four times from each column.
constexpr const char* kReturn = R"(
        li   r1, 1
        csrw VL, r1
        csrw REP, r1
        csrr r2, ROW
        addi r2, r2, 0x4000
        li   r3, 0x3f80
        vf.fma R[r0], S[r2], S[r3], Z
        fork west
        halt
west:   li   r1, 1
        csrw VL, r1
        vs.mov own=R[r0], out=WEST, gather)";

void run(model::Rig& rig, const std::string& source) { rig.load("main: " + source + "\nhalt").call("main"); }

/// Adds a fault to `rig.pending`; afterwards `flag` is set, unless the wafer cannot quiesce.
struct Fault {
  const char* name;
  const char* flag;  ///< null: the wafer does not quiesce
  std::function<void(model::Rig&)> inject;
};

const Fault kFaults[] = {
    {"illegal_instruction", "BAD_INSTR", [](model::Rig& rig) { run(rig, ".word 0"); }},
    {"no_route", "NO_ROUTE", [](model::Rig& rig) { run(rig, "fork p\njoin\nhalt\np: snd NORTH, r0"); }},
    {"route_of_a_bad_color", "BAD_COLOR",
     [](model::Rig& rig) { rig.command(machine::Command::Route, 0, 9 << 11 | 3 << 8 | 16); }},
    {"route_of_a_bad_port", "BAD_ROUTE",
     [](model::Rig& rig) { rig.command(machine::Command::Route, 0, 1 << 11 | 5 << 8 | 16); }},
    {"bad_color", "BAD_COLOR", [](model::Rig& rig) { run(rig, "fork p\njoin\nhalt\np: snd 9, r0"); }},
    {"bad_address", "BAD_ADDRESS", [](model::Rig& rig) { run(rig, "li r2, 40000\nld r1, r2, 0"); }},
    {"misaligned", "MISALIGNED",
     [](model::Rig& rig) { run(rig, "li r2, 2\ncsrw VL, r2\ncsrw REP, r2\nvf.fma R[r0], M[r2], S[r0], Z"); }},
    {"bad_command", "BAD_COMMAND",
     [](model::Rig& rig) {
       rig.pending.push_back({200u << 24, true});
     }},
    {"weight_of_nobody", "BAD_COMMAND", [](model::Rig& rig) { rig.weight(0x8001, 7); }},
    {"hanging_program", nullptr, [](model::Rig& rig) { run(rig, "fork p\njoin\nhalt\np: rcv r1, RING"); }},
    {"loop_without_an_end", nullptr, [](model::Rig& rig) { run(rig, "here: jmp here"); }},
    {"full_queues", nullptr,
     [](model::Rig& rig) {
       run(rig, "fork p\njoin\nhalt\np: li r1, 60\nmore: snd RING, r1\ndbnz r1, more\nrcv r1, NORTH");
     }},
    {"full_handoff", nullptr,
     [](model::Rig& rig) {
       run(rig, "li r1, 2\ncsrw VL, r1\nmore: vcr R[r0], R[r1]\nli r2, 1\ndbnz r2, more\njmp more");
     }},
    {"half_a_stream", nullptr,
     [](model::Rig& rig) {
       run(rig, "li r1, 8\ncsrw VL, r1\nvaxs R[r0], M[r0]");
       for (int i = 0; i < 50; ++i) rig.weight(i % 2 << 15, 0x3f80);
     }},
    {"half_an_instruction", "",
     [](model::Rig& rig) {
       rig.select_row(1).command(machine::Command::Iaddr, 0, 3).command(machine::Command::Ilo, 0, 0x1234);
     }},
};

class Recovery : public testing::TestWithParam<std::tuple<Backend, Fault>> {};

void add_routes(model::Rig& rig) {
  for (const machine::Message& m : compiler::route_messages(kShape)) rig.pending.push_back(m);
}

/// Loads the wafer as after power-up and computes. Accumulators survive a reset, so they are cleared.
void expect_gemm(model::Rig& rig, const model::Gemm& gemm) {
  add_routes(rig);
  run(rig, "li r1, 128\ncsrw VL, r1\nli r1, 1\ncsrw REP, r1\nvf.fma R[r0], S[r0], S[r0], Z");
  gemm.load(rig);
  rig.pending.insert(rig.pending.end(), gemm.stream.begin(), gemm.stream.end());
  rig.go();
  gemm.check(rig);
  run(rig, kReturn);
  rig.wafer->feed(rig.pending);
  rig.pending.clear();
  rig.wafer->await(std::vector<std::uint64_t>{8, 8});
  for (std::uint32_t row : {0, 1})
    EXPECT_EQ(rig.wafer->outlet(row), std::vector<std::uint32_t>(8, (0x4000 + row) << 16));
}

void expect_reset(Wafer& wafer) {
  EXPECT_EQ(wafer.flags(), "");
  const WaferCounters counters = wafer.counters();
  EXPECT_EQ(counters.cycles, 0u);
  EXPECT_EQ(counters.beats, 0u);
  EXPECT_EQ(counters.fma_lanes, 0u);
  EXPECT_EQ(counters.edge_messages, 0u);
  for (int row = 0; row < kShape.rows; ++row) EXPECT_TRUE(wafer.outlet(row).empty());
}

TEST_P(Recovery, AResetAndALoadRestoreIt) {
  const auto& [backend, fault] = GetParam();
  const model::Gemm gemm(kShape, 16, 12, 10, 0.5, 3);
  model::Rig fresh(backend.make());
  expect_gemm(fresh, gemm);

  model::Rig rig(backend.make());
  for (int again = 0; again < 2; ++again) {
    add_routes(rig);
    fault.inject(rig);
    if (fault.flag != nullptr) {
      rig.go();
      EXPECT_NE(rig.wafer->flags().find(fault.flag), std::string::npos) << rig.wafer->flags();
    } else {
      EXPECT_THROW(rig.go(), std::runtime_error);
      rig.pending.clear();
    }
    rig.wafer->reset();
    expect_reset(*rig.wafer);
    expect_gemm(rig, gemm);
    EXPECT_EQ(rig.wafer->counters().cycles, fresh.wafer->counters().cycles);
  }
}

std::string name_of(const testing::TestParamInfo<std::tuple<Backend, Fault>>& info) {
  return std::string(std::get<0>(info.param).name) + "_" + std::get<1>(info.param).name;
}
INSTANTIATE_TEST_SUITE_P(, Recovery, testing::Combine(testing::ValuesIn(kBackends), testing::ValuesIn(kFaults)),
                         name_of);

class Interruption : public testing::TestWithParam<Backend> {};

TEST_P(Interruption, AResetAtAnyTimeLeavesNothingBehind) {
  test::Rng rng(test::test_seed());
  const model::Gemm gemm(kShape, 16, 12, 10, 0.5, 3);
  model::Rig rig(GetParam().make());
  std::uint64_t cycles = 0;
  for (int trial = 0; trial < 40; ++trial) {
    SCOPED_TRACE(trial);
    expect_gemm(rig, gemm);
    if (trial == 0) cycles = rig.wafer->counters().cycles;
    EXPECT_EQ(rig.wafer->counters().cycles, cycles);
    if (testing::Test::HasFailure()) return;
    rig.wafer->reset();
    gemm.load(rig);
    add_routes(rig);  // after the call, so that not all routes are in force
    rig.pending.insert(rig.pending.end(), gemm.stream.begin(), gemm.stream.end());
    rig.pending.resize(rng.below(static_cast<std::uint32_t>(rig.pending.size())));
    try {
      rig.wafer->feed(rig.pending);
    } catch (const std::runtime_error&) {
    }
    rig.pending.clear();
    rig.wafer->reset();
    expect_reset(*rig.wafer);
  }
}

INSTANTIATE_TEST_SUITE_P(, Interruption, testing::ValuesIn(kBackends),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace weft::cosim
