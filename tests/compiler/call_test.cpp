/// Kernels are called with all their arguments, by name.
#include "sw/compiler/program/call.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <string>

#include "sw/asm/assembler.hpp"
#include "sw/base/bf16.hpp"
#include "sw/compiler/compile.hpp"
#include "sw/compiler/lower/op_builder.hpp"
#include "sw/compiler/model/model_shape.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::compiler {
namespace {

const assembler::Program kProgram = assembler::assemble(".kernel none\n  halt\n.kernel two y=r5 x=r2\n  halt\n", "k.s");

std::string error_of(std::string_view kernel, const std::vector<Argument>& arguments) {
  try {
    call_messages(kProgram, kernel, arguments);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

TEST(Call, SetsTheKernelsRegistersAndCallsItsAddress) {
  EXPECT_EQ(call_messages(kProgram, "two", {{"x", 7}, {"y", -1}}),
            (std::vector<machine::Message>{machine::Message::command(machine::Command::Setreg, 5, 0xffff),
                                           machine::Message::command(machine::Command::Setreg, 2, 7),
                                           machine::Message::command(machine::Command::Call, 0, 1)}));
  EXPECT_EQ(call_messages(kProgram, "none", {}),
            (std::vector<machine::Message>{machine::Message::command(machine::Command::Call, 0, 0)}));
}

TEST(Call, TakesEveryArgumentOnce) {
  EXPECT_EQ(error_of("two", {{"x", 1}, {"y", 2}}), "no error");
  EXPECT_EQ(error_of("two", {{"x", 1}}), "call of two: argument y is missing");
  EXPECT_EQ(error_of("two", {{"x", 1}, {"y", 2}, {"z", 3}}), "call of two: it has no argument z");
  EXPECT_EQ(error_of("two", {{"x", 1}, {"y", 2}, {"x", 1}}), "call of two: argument x is given twice");
  EXPECT_EQ(error_of("three", {}), "call of three: the program has no such kernel");
}

TEST(Call, TakesWhatARegisterHolds) {
  EXPECT_EQ(error_of("two", {{"x", 65535}, {"y", -32768}}), "no error");
  EXPECT_EQ(error_of("two", {{"x", 65536}, {"y", 0}}),
            "call of two: argument x is 65536, which a register of 16 bits does not hold");
  EXPECT_EQ(error_of("two", {{"x", 0}, {"y", -32769}}),
            "call of two: argument y is -32769, which a register of 16 bits does not hold");
}

TEST(Call, AnOpRefusesAWrongOne) {
  EXPECT_THROW(OpBuilder({}, &kProgram, "op").call("two", {{"x", 1}}), std::invalid_argument);
}

TEST(Call, EveryCallOfAPlanSetsItsKernelsArgumentsAndNothingElse) {
  for (const Plan& plan : {compile({}, {}), compile_generation({}, {})}) {
    std::map<std::uint32_t, std::set<std::uint32_t>> wanted;
    for (const assembler::Kernel& kernel : plan.program.kernels)
      for (const assembler::Parameter& p : kernel.parameters)
        wanted[kernel.address].insert(static_cast<std::uint32_t>(p.reg));
    for (const Op& op : plan.ops) {
      std::set<std::uint32_t> set;
      for (const StreamEntry& entry : op.commands) {
        if (entry.source != StreamEntry::kCtrl) continue;
        const auto code = static_cast<machine::Command>(entry.data >> 24);
        const bool fresh = code != machine::Command::Setreg || set.insert(entry.data >> 16 & 0xff).second;
        EXPECT_TRUE(fresh) << op.name;
        if (code != machine::Command::Call) continue;
        EXPECT_EQ(set, wanted[entry.data & 0xffff]) << op.name;
        set.clear();
      }
      EXPECT_TRUE(set.empty()) << op.name;
    }
  }
}

/// The only kernel constant that is a setting. As a float, 1e-40 is not 0.
TEST(Kernels, ConstantsAreRoundedAsEverythingElse) {
  const auto words = [](float ln_eps) {
    ModelShape model;
    model.ln_eps = ln_eps;
    return compile(model, {}).program.words;
  };
  const std::vector<std::uint32_t> one = words(1), zero = words(0);
  const std::size_t at = static_cast<std::size_t>(std::ranges::mismatch(one, zero).in1 - one.begin());
  ASSERT_LT(at, one.size());
  for (const float ln_eps : {1.0F, 1 + 0x1p-8F, 1 + 0x1.8p-7F, 1e-5F, 0x1p-126F, 1e-40F}) {
    EXPECT_EQ(words(ln_eps).at(at) & 0xffff, nearest_bf16(ln_eps)) << ln_eps;
  }
  EXPECT_EQ(words(1e-40F), zero);
}

TEST(Kernels, KnowTheFileAndLineOfEveryInstruction) {
  const assembler::Program program = compile({}, {}).program;
  ASSERT_EQ(program.lines.size(), program.words.size());
  const std::map<std::string, std::string> files = {
      {"gemm", "sw/kernels/gemm.s"}, {"status", "sw/kernels/system.s"}, {"gelu", "sw/kernels/elementwise/gelu.s"}};
  for (const auto& [name, file] : files) {
    const assembler::Kernel* const kernel = program.kernel(name);
    ASSERT_NE(kernel, nullptr) << name;
    EXPECT_EQ(kernel->file, file);
    const assembler::SourceLine& first = program.lines.at(kernel->address);
    EXPECT_EQ(program.files.at(first.file), file);
    EXPECT_EQ(first.line, kernel->line + 1) << name;
  }
}

}  // namespace
}  // namespace weft::compiler
