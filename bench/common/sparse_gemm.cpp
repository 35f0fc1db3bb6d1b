#include "bench/common/sparse_gemm.hpp"

#include <algorithm>
#include <random>
#include <stdexcept>
#include <string>

#include "sw/base/bf16.hpp"
#include "sw/compiler/memory/memory_plan.hpp"
#include "sw/compiler/placement/loads.hpp"
#include "sw/compiler/program/call.hpp"
#include "sw/compiler/program/load.hpp"
#include "sw/compiler/program/program.hpp"

namespace weft::bench {
namespace {

constexpr int kTable = 0;  // element address: number of outputs in each row
constexpr unsigned kSeed = 1;

/// Kernels for a number of tokens; the rest of the model is irrelevant.
assembler::Program kernels(const machine::WaferShape& wafer, int tokens) {
  compiler::ModelShape model;
  model.seq = tokens;
  model.micro_batch = wafer.cols;
  const compiler::Spaces spaces(model, wafer.rows);
  const compiler::MemoryPlan memory(model, wafer, spaces);
  return compiler::assemble_kernels({model, wafer, spaces, memory}, {});
}

int rounded_up(int value, int to) { return (value + to - 1) / to * to; }

}  // namespace

SparseGemm::SparseGemm(const machine::WaferShape& wafer, int i, int t, int o, const NonZeros& non_zeros)
    : shape(wafer), inputs(i), tokens(t), outputs(o) {
  const int x = rounded_up(shape.rows, tokens), y = x + inputs * tokens;
  const int end = y + rounded_up(outputs, shape.rows) / shape.rows * tokens;
  if (end > shape.sram_elements())
    throw std::invalid_argument("the GEMM needs " + std::to_string(end) + " elements of SRAM. HINT: fewer outputs");

  const assembler::Program program = kernels(shape, tokens);
  const auto append = [this](const std::vector<machine::Message>& more) {
    load_.insert(load_.end(), more.begin(), more.end());
  };
  const auto command = [this](machine::Command code, int arg, int value) {
    load_.push_back(machine::Message::command(code, static_cast<std::uint8_t>(arg), static_cast<std::uint16_t>(value)));
  };
  append(compiler::route_messages(shape));
  append(compiler::program_messages(program));
  append(compiler::call_messages(program, "setup", {{"mask", (1 << shape.row_shift()) - 1}}));
  const compiler::Space homes = compiler::Space::interleaved(compiler::heaviest_first(outputs, {}), shape.rows);
  command(machine::Command::Maddr, 0, kTable);
  for (int row = 0; row < shape.rows; ++row) command(machine::Command::Mdata, 0, homes.count(row));
  std::mt19937 random(kSeed);
  std::normal_distribution<float> normal;
  command(machine::Command::Maddr, 0, x);
  for (int i = 0; i < inputs * tokens; ++i) command(machine::Command::Mdata, 0, nearest_bf16(normal(random)));

  const char* const kernel = shape.psum_cycles == 2 ? "gemm_rotating" : "gemm";
  stream_ = compiler::call_messages(program, kernel, {{"x", x}, {"outputs", outputs}, {"y", y}, {"homes", kTable}});
  for (int output = 0; output < outputs; ++output) {
    std::vector<std::vector<int>> rows;
    std::size_t fullest = 0;
    for (int row = 0; row < shape.rows; ++row) {
      rows.push_back(non_zeros(output, row));
      fullest = std::max(fullest, rows.back().size());
    }
    for (std::size_t k = 0; k < fullest; ++k) {  // rows alternate
      for (int row = 0; row < shape.rows; ++row) {
        const std::vector<int>& here = rows[static_cast<std::size_t>(row)];
        if (k >= here.size()) continue;
        stream_.push_back(machine::Message::weight(static_cast<std::uint16_t>(row << shape.row_shift() | here[k]),
                                                   nearest_bf16(normal(random))));
        ++weights_;
      }
    }
    stream_.push_back(machine::Message::command(machine::Command::CR, 0, 0));
  }
}

void SparseGemm::load(Wafer& wafer) const {
  wafer.feed(load_);
  wafer.settle();
}

Work SparseGemm::run(Wafer& wafer) const {
  return measure(wafer, [&] {
    wafer.feed(stream_);
    wafer.settle();
  });
}

}  // namespace weft::bench
