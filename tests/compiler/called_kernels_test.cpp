/// A program contains the kernels that its plan's ops call, for any network, mesh and mask.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "kernel_sources.hpp"
#include "sw/base/refusal.hpp"
#include "sw/compiler/compile.hpp"
#include "sw/compiler/model/mask.hpp"
#include "sw/compiler/plan/plan.hpp"
#include "sw/compiler/prepared.hpp"
#include "sw/compiler/program/program.hpp"
#include "tests/network/parallel.hpp"

namespace weft::compiler {
namespace {

class CalledKernels : public testing::Test {
 protected:
  // A unique name, since tests run in parallel.
  const std::string parallel_ =
      testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".yaml";
  void SetUp() override { std::ofstream(parallel_) << network::parallel_network("[3 head, hidden]"); }
  void TearDown() override { std::filesystem::remove(parallel_); }

  ModelShape model(const std::string& network, int layers) const {
    ModelShape m{.vocab = 30, .hidden = 24, .layers = layers, .heads = 3, .filter = 40, .seq = 8};
    m.network = network, m.tied = network == "gpt2", m.rotary_dim = network == "gptj" ? 4 : 0, m.micro_batch = 2;
    return m;
  }

  std::set<std::string> called;  // by all plans

  /// Collects called kernels. A plan throws if an op calls a kernel that the program lacks.
  void collect(const Plan& plan) {
    for (const Op& op : plan.ops)
      for (const StreamEntry& entry : op.commands)
        for (const assembler::Kernel& kernel : plan.program.kernels)
          if (entry.data == machine::Message::command(machine::Command::Call, 0, kernel.address).data)
            called.insert(kernel.name);
  }

  /// Checks training and generation, without a mask and with one parameter of each tensor masked.
  void check(const ModelShape& model, const machine::WaferShape& wafer) {
    const auto prepared = prepare(model, wafer);
    const Plan whole = with_mask(prepared, {});
    collect(whole);
    Mask mask;
    for (const TensorInfo& t : whole.tensors)
      mask[t.name] = std::vector<bool>(t.size, true), mask[t.name].back() = false;
    for (const Gradients gradients : {Gradients::OfAll, Gradients::OfKept})
      collect(with_mask(prepared, mask, Placement::ByLoad, gradients));
    if (wafer.sequence_columns == 1 && !model.has_documents()) collect(compile_decode(model, wafer, mask));
  }
};

TEST_F(CalledKernels, AreInTheProgram) {
  for (const std::string& network : {std::string("gpt2"), std::string("gptj"), parallel_})
    for (const auto& [layers, rows, lanes] : {std::tuple{1, 1, 2}, {1, 3, 8}, {2, 16, 4}, {24, 300, 4}})
      for (const int psum_cycles : {2, 4})
        for (const int columns : {1, 2}) {
          SCOPED_TRACE(network + ", rows " + std::to_string(rows));
          ModelShape shape = model(network, layers);
          const machine::WaferShape wafer{.rows = rows,
                                          .cols = 2,
                                          .lanes = lanes,
                                          .sram_kib = 128,
                                          .psum_cycles = psum_cycles,
                                          .sequence_columns = columns};
          check(shape, wafer);
          shape.recompute = "block", shape.document_end = 7;
          check(shape, wafer);
        }
  for (const char* kernel : {"gemm", "gemm_2", "gemm_rotating", "gemm_2_rotating", "affine_2", "gradient_norm",
                             "gradient_local", "gemm_interleaved", "embed_interleaved_rotating", "attend_long"})
    EXPECT_TRUE(called.contains(kernel)) << kernel;
}

/// Kernels that only save time are left out where there is no room for them.
TEST_F(CalledKernels, AreLeftOutWhereThereIsNoRoom) {
  ModelShape large = model("gpt2", 1);
  large.seq = 56;  // 28 tokens a column: the program has no interleaved kernels
  const machine::WaferShape wafer{.rows = 100, .cols = 2, .sram_kib = 128, .valves = 16, .sequence_columns = 2};
  check(large, wafer);
  EXPECT_TRUE(called.contains("gradient_norm"));
  called.clear();
  large.seq = 8, large.vocab = 100277, large.document_end = 7, large.label_smoothing = 0.1;
  check(large, wafer);
  EXPECT_FALSE(called.contains("gradient_norm"));
  EXPECT_TRUE(called.contains("gradient_local"));
}

/// Kernels of a file are included individually where not all of them fit, except those that belong together.
TEST_F(CalledKernels, AreAloneWhereThereIsNoRoomForOthers) {
  for (const std::string& network : {std::string("gpt2"), std::string("gptj"), parallel_})
    for (const int psum_cycles : {2, 4}) {
      SCOPED_TRACE(network + ", " + std::to_string(psum_cycles) + " cycles");
      ModelShape large = model(network, 24);
      large.vocab = 100277, large.document_end = 7, large.label_smoothing = 0.1;
      const machine::WaferShape wafer{
          .rows = 300, .cols = 2, .sram_kib = 128, .valves = 16, .psum_cycles = psum_cycles, .sequence_columns = 2};
      check(large, wafer);
      large.recompute = "block";
      check(large, wafer);
    }
}

/// A network that called every kernel would be rejected by its key, not by a line of a kernel.
TEST_F(CalledKernels, LackOfRoomIsRejected) {
  ModelShape large = model("gptj", 24);
  large.vocab = 100277, large.document_end = 7;
  const machine::WaferShape wafer{.rows = 300, .cols = 2, .sram_kib = 128, .valves = 16, .sequence_columns = 2};
  const auto prepared = prepare(large, wafer);
  std::set<std::string> all;
  for (const assembler::Source& source : kernels::kKernelSources)
    for (const assembler::Kernel& kernel : assembler::declared_kernels({&source, 1})) all.insert(kernel.name);
  try {
    assemble_kernels({large, wafer, prepared->spaces, prepared->memory}, {.called = all, .fallbacks = {}});
    FAIL() << "they have room";
  } catch (const Refusal& error) {
    EXPECT_EQ(error.subject(), "model.network") << error.what();
  }
}

}  // namespace
}  // namespace weft::compiler
