/// Runs a plan's ops one at a time on the functional model and reads SRAM between them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "sw/compiler/memory/memory_plan.hpp"
#include "sw/compiler/placement/space.hpp"
#include "sw/compiler/plan/plan.hpp"
#include "tests/compiler/gpt2_memory.hpp"
#include "verif/wafer.hpp"

namespace weft::kernels {

/// An array of the whole wafer, [tokens][features]. Token c*T + t is position t of column c; padding is included.
struct Array {
  int tokens = 0, features = 0;
  std::vector<double> values;
  double& at(int token, int feature) { return values[static_cast<std::size_t>(token) * features + feature]; }
  double at(int token, int feature) const { return values[static_cast<std::size_t>(token) * features + feature]; }
};

/// For any network.
class Stage {
 public:
  /// Loads the wafer with random parameters and `sequences` random sequences, which may be fewer than the model's
  /// micro-batch: the rest is padding.
  Stage(const compiler::ModelShape& model, const machine::WaferShape& wafer, int sequences);

  /// Begins another micro-batch on the wafer as it is.
  void restart(int sequence_count);

  /// Runs all ops before the next op called `name`. Throws std::out_of_range if there is none.
  void before(std::string_view name);
  /// Runs this op, or the rest of it.
  void step();
  /// Runs this op up to and with its next kernel. For ops whose kernels take no weights.
  void call();
  const compiler::Op& op() const { return plan.ops.at(next_); }

  /// Reads an array from SRAM: features placed by `space`, slots from `address` on.
  Array array(const compiler::Space& space, int address) const;
  /// Reads from SRAM one value a token, which every row must hold alike, bit for bit.
  std::vector<double> per_token(int address) const;
  /// Bits of element `address` of one PE. Cheap: SRAM is copied once after each op.
  std::uint16_t bits(int row, int column, int address) const { return sram_[row * plan.wafer.cols + column][address]; }
  double value(int row, int column, int address) const;

  /// Words that the previous op returned: [row][word].
  std::vector<std::vector<std::uint32_t>> words;
  /// These words as gradients, by parameter. Throws if a parameter came twice.
  std::map<std::uint64_t, double> gradient() const;

  int tokens() const { return plan.wafer.cols * plan.tokens_per_column; }
  int column(int token) const { return token / plan.tokens_per_column; }
  int place(int token) const { return token % plan.tokens_per_column; }  ///< within its column
  bool counts(int token) const { return plan.is_token(column(token), place(token), sequences); }
  /// Position within its sequence, padding up to padded_seq included.
  int position(int token) const { return place(token) % plan.padded_seq; }
  /// Index into inputs and labels of a token that is not ignored.
  int text(int token) const;
  std::uint64_t offset(std::string_view tensor) const;

  const compiler::Plan plan;
  const compiler::Spaces spaces;
  const compiler::MemoryPlan arrays;  ///< addresses, by name
  int sequences = 0;
  std::vector<float> parameters;
  std::vector<double> weights;  ///< the parameters as they are streamed, in bf16
  std::vector<TokenId> inputs, labels;
  const std::unique_ptr<Wafer> wafer;

 private:
  void run(const std::vector<machine::Message>& messages);

  std::size_t next_ = 0;  ///< op to run
  std::size_t fed_ = 0;   ///< messages of it that were fed
  std::vector<std::uint64_t> totals_;
  std::vector<std::vector<std::uint16_t>> sram_;
};

/// For GPT-2, whose arrays have names of their own.
class Gpt2Stage : public Stage {
 public:
  Gpt2Stage(const compiler::ModelShape& model, const machine::WaferShape& shape, int sequence_count)
      : Stage(model, shape, sequence_count), memory(model, shape, spaces) {}

  const compiler::Gpt2Memory memory;
};

}  // namespace weft::kernels
