/// A short run of random cases: RTL and model agree, and every part of the instruction set occurs.
#include "tests/random.hpp"

#include <gtest/gtest.h>

#include "isa.hpp"
#include "verif/random/code.hpp"
#include "verif/random/session.hpp"

namespace weft::random {
namespace {

constexpr unsigned kSome = 20;  // executions

const bool kMany = built_machines().colors > isa::kWaferColors;  // with many colors the run tests the fabric only

TEST(Random, ProgramsDoTheSameOnRtlAndModel) {
  Session session;
  session.seed = test::test_seed();
  ASSERT_TRUE(session.programs(kMany ? 200'000 : 500'000)) << session.report;
  const Coverage& seen = session.coverage;
  std::fputs(seen.print().c_str(), stdout);
  for (const isa::Info& in : isa::kInstrs)
    for (const bool psum : {false, true})
      if (psum ? in.psum : in.main) {
        EXPECT_GE(seen.opcodes[psum][static_cast<std::size_t>(in.op)], kSome) << (psum ? "psum " : "main ") << in.name;
      }
  for (std::size_t csr = 0; csr < std::size(isa::kCsrNames); ++csr) {
    if (isa::kCsrNames[csr].empty()) continue;
    const bool writable = csr <= static_cast<std::size_t>(isa::Csr::Str), shared = csr == 0 || !writable;
    const bool flags = csr == static_cast<std::size_t>(isa::Csr::Flags);
    EXPECT_GE(seen.csrs[0][0][csr], kSome) << "csrr " << isa::kCsrNames[csr];
    EXPECT_GE(seen.csrs[0][1][csr], writable ? kSome : 0) << "csrw " << isa::kCsrNames[csr];
    EXPECT_GE(seen.csrs[1][0][csr], shared && !flags ? kSome : 0) << "psum's csrr " << isa::kCsrNames[csr];
  }
  EXPECT_GE(seen.csrs[1][1][0], kSome);
  const std::size_t values[] = {8, 4, 4, 4, 2};  // values of fn, asel, bsel, csel, dsel
  for (std::size_t field = 0; field < 5; ++field)
    for (std::size_t value = 0; value < values[field]; ++value)
      EXPECT_GE(seen.fields[field][value], kSome) << "field " << field << " value " << value;
  const unsigned edge = 1u << static_cast<unsigned>(isa::Flag::NoRow);  // a flag of the edge, not of a tile
  // A general tile has no address that is misaligned.
  const unsigned never = built_machines().general ? 1u << static_cast<unsigned>(isa::Flag::Misaligned) : 0;
  EXPECT_EQ(seen.flags | edge, 255u & ~never);
  EXPECT_GT(seen.in_lockstep, 20u);
  EXPECT_GT(seen.messages, 1000u);
}

TEST(Random, FabricsDoTheSameOnRtlAndModel) {
  Session session;
  session.seed = test::test_seed();
  ASSERT_TRUE(session.fabrics(60)) << session.report;
  EXPECT_GT(session.coverage.messages, 1000u);
}

TEST(Random, ACaseFollowsFromItsSeedAndNumber) {
  const Machines machines = built_machines();
  EXPECT_EQ(describe(make_program_case(3, 4, machines)), describe(make_program_case(3, 4, machines)));
  EXPECT_NE(describe(make_program_case(3, 4, machines)), describe(make_program_case(3, 5, machines)));
  EXPECT_EQ(describe(make_fabric_case(3, 4, machines)), describe(make_fabric_case(3, 4, machines)));
  EXPECT_NE(describe(make_fabric_case(3, 4, machines)), describe(make_fabric_case(4, 4, machines)));
}

/// Otherwise addresses would be any, also in the other thread's part of memory.
TEST(Random, BeatsOfAWeightLeaveItsAddresses) {
  const Machines machines = built_machines();
  int found = 0;
  for (std::uint64_t number = 0; number < 200; ++number)
    for (const Program& program : make_program_case(1, number, machines).programs)
      for (std::size_t i = 1; i < program.size(); ++i) {
        const Instr in = isa::decode(program[i].word), before = isa::decode(program[i - 1].word);
        if (in.op != Opcode::Vaxs || !in.interleave) continue;
        if (before.op != Opcode::Csrw || before.csr != isa::Csr::Str) continue;
        ++found;
        EXPECT_NE(before.ra, in.ra) << "case " << number;
        EXPECT_NE(before.ra, in.rd) << "case " << number;
      }
  EXPECT_GT(found, 100);
}

}  // namespace
}  // namespace weft::random
