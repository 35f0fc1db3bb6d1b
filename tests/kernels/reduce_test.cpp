/// All-reduce along a column, alone: a small kernel calls it with vectors of its own.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <random>
#include <string>

#include "kernel_sources.hpp"
#include "sw/asm/assembler.hpp"
#include "sw/base/bf16.hpp"
#include "sw/compiler/program/load.hpp"
#include "tests/reference/gpt.hpp"
#include "verif/wafer.hpp"

namespace weft::kernels {
namespace {

constexpr int kVector = 16, kResult = 1024;  // addresses; a row's group is in elements 0 and 1
constexpr int kDepth = 2;                    // depth of links: the minimum

struct Vector {
  int lanes, entries;
};

const char* const kDriver = R"(
sum:    jal   r14, get
        jal   r14, column_sum
        jmp   put
group:  jal   r14, get
        ld    r10, r0, 0
        ld    r11, r0, 1
        jal   r14, group_sum
        jmp   put
max:    jal   r14, get
        jal   r14, column_max
put:    li    r1, RESULT
        vf.fma M[r1], S[r15], R[r8], Z
        halt
get:    li    r8, 5
        li    r9, ENTRIES
        csrw  VL, r9
        li    r15, 1
        csrw  REP, r15
        li    r15, bf16(1)
        li    r1, VECTOR
        vf.fma R[r8], M[r1], S[r15], Z
        ret   r14
)";

class Reduce : public testing::TestWithParam<Vector> {
 protected:
  Reduce() {
    std::vector<assembler::Source> sources = {{"reduce_test", kDriver}};
    for (const assembler::Source& source : kKernelSources)
      if (source.name.ends_with("reduce.s")) sources.push_back(source);
    program_ = assembler::assemble(sources, {{"ENTRIES", GetParam().entries},
                                             {"VECTOR", kVector},
                                             {"RESULT", kResult},
                                             {"LANE_BITS", std::countr_zero(static_cast<unsigned>(shape_.lanes))}});
    std::mt19937 random(3);
    std::normal_distribution<float> normal;
    wafer_->feed(compiler::route_messages(shape_));
    wafer_->feed(compiler::program_messages(program_));
    for (int r = 0; r < shape_.rows; ++r) {
      for (int c = 0; c < shape_.cols; ++c) {
        const int first = r < 2 ? 0 : r == 2 ? 2 : 3;  // rows 0 1 | 2 | 3 4 5
        std::vector<float> values;
        for (int i = 0; i < GetParam().entries * shape_.lanes; ++i)
          values.push_back(reference::round_to_bf16(normal(random)));
        wafer_->feed(std::array{machine::Message::select({r, c})});
        command(machine::Command::Maddr, 0);
        command(machine::Command::Mdata, first);
        command(machine::Command::Mdata, first == 0 ? 1 : first == 2 ? 2 : 5);
        command(machine::Command::Maddr, kVector);
        for (const float v : values) command(machine::Command::Mdata, to_bf16(as_bits(v)));
        vectors_.push_back(values);
      }
    }
    wafer_->feed(std::array{machine::Message::select()});
  }

  void command(machine::Command code, int value) {
    const machine::Message m = machine::Message::command(code, 0, static_cast<std::uint16_t>(value));
    wafer_->feed({&m, 1});
  }

  /// Calls `label` and compares with `op` from row `first(r)` southwards to `last(r)`: the order is fixed, and so are
  /// the bits.
  template <class First, class Last, class Op>
  void check(const char* label, First&& first, Last&& last, Op&& op) {
    command(machine::Command::Call, program_.labels.at(label));
    wafer_->settle();
    EXPECT_EQ(wafer_->flags(), "");
    for (int r = 0; r < shape_.rows; ++r) {
      for (int c = 0; c < shape_.cols; ++c) {
        const auto sram = wafer_->sram(r, c);
        for (std::size_t i = 0; i < vectors_[0].size(); ++i) {
          float total = vectors_[first(r) * shape_.cols + c][i];
          for (int row = first(r) + 1; row <= last(r); ++row) total = op(total, vectors_[row * shape_.cols + c][i]);
          EXPECT_EQ(as_float(widen(sram[kResult + i])), reference::round_to_bf16(total))
              << "row " << r << ", column " << c << ", value " << i;
        }
      }
    }
  }

  const machine::WaferShape shape_{.rows = 6, .cols = 2, .lanes = GetParam().lanes};
  const std::unique_ptr<Wafer> wafer_ = make_model_wafer(shape_, 1, kDepth);
  assembler::Program program_;
  std::vector<std::vector<float>> vectors_;  ///< [row * cols + column][value]
};

TEST_P(Reduce, SumReachesEveryRowOfTheColumn) {
  check(
      "sum", [](int) { return 0; }, [](int) { return 5; }, [](float a, float b) { return a + b; });
}

TEST_P(Reduce, MaximumReachesEveryRowOfTheColumn) {
  check(
      "max", [](int) { return 0; }, [](int) { return 5; }, [](float a, float b) { return std::max(a, b); });
}

TEST_P(Reduce, GroupsOfRowsSumAtTheSameTimeAndKeepApart) {
  check(
      "group", [](int r) { return r < 2    ? 0
                                  : r == 2 ? 2
                                           : 3; }, [](int r) { return r < 2    ? 1
                                                                                    : r == 2 ? 2
                                                                                             : 5; },
      [](float a, float b) { return a + b; });
}

// The last row returns up to 64 words as they arrive; with more, it takes all of them first. Some vectors are larger
// than links and buffers hold.
INSTANTIATE_TEST_SUITE_P(, Reduce,
                         testing::Values(Vector{4, 1}, Vector{4, 8}, Vector{4, 12}, Vector{4, 16}, Vector{4, 17},
                                         Vector{4, 84}, Vector{2, 32}, Vector{2, 33}, Vector{8, 8}, Vector{8, 9},
                                         Vector{16, 1}, Vector{16, 4}, Vector{16, 5}),
                         [](const auto& of) {
                           return std::to_string(of.param.entries) + "EntriesOf" + std::to_string(of.param.lanes);
                         });

}  // namespace
}  // namespace weft::kernels
