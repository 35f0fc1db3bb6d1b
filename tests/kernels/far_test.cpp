/// Kernels whose weights come in several parts, each with a base of its own: the same bits as in one part, however they
/// are cut.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "kernel_sources.hpp"
#include "sw/asm/assembler.hpp"
#include "sw/base/bf16.hpp"
#include "sw/compiler/program/call.hpp"
#include "sw/compiler/program/load.hpp"
#include "verif/wafer.hpp"

namespace weft::kernels {
namespace {

constexpr int kTokens = 8, kSlots = 5, kOutputs = 11;           // slots of x in a row
constexpr int kHomes = 8, kX = 64, kY = kX + kSlots * kTokens;  // addresses

struct Weight {
  int row, slot;
  std::uint16_t value;
};

std::vector<std::vector<Weight>> random_weights(int rows, std::mt19937& random) {
  std::normal_distribution<double> normal;
  std::vector<std::vector<Weight>> outputs(kOutputs);
  for (auto& weights : outputs) {
    for (int row = 0; row < rows; ++row)
      for (int n = static_cast<int>(random() % 7); n > 0; --n)
        weights.push_back({row, static_cast<int>(random() % kSlots), nearest_bf16(normal(random))});
    std::ranges::shuffle(weights, random);
  }
  return outputs;
}

/// A new wafer with the kernels loaded; one of them may be called, once.
class Far {
 public:
  Far() {
    std::vector<assembler::Source> sources;
    for (const assembler::Source& source : kKernelSources)
      for (const char* file : {"/shape.s", "/system.s", "/one_count.s", "/gemm.s", "/far.s", "/far_rotating.s"})
        if (source.name.ends_with(file)) sources.push_back(source);
    program_ = assembler::assemble(sources, {{"LANES", shape_.lanes}, {"T", kTokens}, {"VLT", kTokens / shape_.lanes}});
    wafer_->feed(compiler::route_messages(shape_));
    wafer_->feed(compiler::program_messages(program_));
    messages_ = compiler::call_messages(program_, "setup", {{"mask", (1 << shape_.row_shift()) - 1}});
    write(kHomes, {4, 0, kOutputs - 4});
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    for (int row = 0; row < shape_.rows; ++row) {
      for (int col = 0; col < shape_.cols; ++col) {
        messages_.push_back(machine::Message::select({row, col}));
        std::vector<int> x(kSlots * kTokens);
        for (int& value : x) value = nearest_bf16(normal(random));
        write(kX, x);
      }
    }
    messages_.push_back(machine::Message::select());
  }

  /// Returns y, of all tiles, of a GEMM whose weights are cut at random into `parts` parts. Part n's base is n slots
  /// below x.
  std::vector<std::uint16_t> gemm(const std::string& kernel, int parts) {
    constexpr const char* kBases[] = {"x", "x2", "x3", "x4", "x5"};
    std::vector<compiler::Argument> arguments = {{"outputs", kOutputs}, {"y", kY}, {"homes", kHomes}};
    for (int n = 0; n < parts; ++n) arguments.push_back({kBases[n], kX - n * kTokens});
    const auto call = compiler::call_messages(program_, kernel, arguments);
    messages_.insert(messages_.end(), call.begin(), call.end());
    std::mt19937 random(3), cuts(static_cast<std::uint32_t>(parts));
    for (const std::vector<Weight>& weights : random_weights(shape_.rows, random)) {
      std::vector<std::size_t> ends(static_cast<std::size_t>(parts), weights.size());
      for (int n = 0; n + 1 < parts; ++n) ends[static_cast<std::size_t>(n)] = cuts() % (weights.size() + 1);
      std::ranges::sort(ends);
      std::size_t k = 0;
      for (int n = 0; n < parts; ++n) {
        for (; k < ends[static_cast<std::size_t>(n)]; ++k) {
          const int index = weights[k].row << shape_.row_shift() | (weights[k].slot + n);
          messages_.push_back(machine::Message::weight(static_cast<std::uint16_t>(index), weights[k].value));
        }
        messages_.push_back(machine::Message::command(machine::Command::CR, 0, 0));
      }
    }
    wafer_->feed(messages_);
    wafer_->settle();
    EXPECT_EQ(wafer_->flags(), "");
    std::vector<std::uint16_t> all;
    for (int row = 0; row < shape_.rows; ++row) {
      for (int col = 0; col < shape_.cols; ++col) {
        const auto sram = wafer_->sram(row, col);
        all.insert(all.end(), sram.begin() + kY, sram.begin() + kY + kOutputs * kTokens);
      }
    }
    return all;
  }

 private:
  void write(int address, const std::vector<int>& values) {
    messages_.push_back(machine::Message::command(machine::Command::Maddr, 0, static_cast<std::uint16_t>(address)));
    for (const int value : values)
      messages_.push_back(machine::Message::command(machine::Command::Mdata, 0, static_cast<std::uint16_t>(value)));
  }

  const machine::WaferShape shape_{.rows = 3, .cols = 2};
  const std::unique_ptr<Wafer> wafer_ = make_model_wafer(shape_);
  assembler::Program program_;
  std::vector<machine::Message> messages_;
};

TEST(FarKernels, AGemmInPartsHasTheBitsOfOne) {
  for (const std::string form : {"", "_rotating"}) {
    const auto whole = Far().gemm("gemm" + form, 1);
    EXPECT_GT(std::ranges::count_if(whole, [](std::uint16_t y) { return (y & 0x7fff) != 0; }), 0);
    for (int parts = 2; parts <= 5; ++parts)
      EXPECT_TRUE(Far().gemm("gemm_" + std::to_string(parts) + form, parts) == whole) << parts << form;
  }
}

}  // namespace
}  // namespace weft::kernels
