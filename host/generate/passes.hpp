/// Runs a plan that returns logits on a wafer: feeds messages and collects results.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sw/compiler/plan/plan.hpp"
#include "verif/wafer.hpp"

namespace weft::generate {

class Passes {
 public:
  /// Loads the wafer, which must be in the state after power-up or reset(). `plan` and `parameters` [plan.parameters]
  /// must outlive this.
  Passes(const compiler::Plan& plan, std::span<const float> parameters, std::unique_ptr<Wafer> wafer);

  void feed(std::span<const machine::Message> messages) { wafer_->feed(messages); }
  /// Feeds an op; one that returns something must live until finish().
  void feed(const compiler::Op& op);
  /// Returns [vocab] for each sequence of logits_ops() that was fed since the last call, in order. Throws WaferHang,
  /// and std::runtime_error for a wafer's flag and for logits that are not finite.
  std::vector<std::vector<float>> finish();

  /// The plan's ops that return logits, which are consecutive: one for each block of the vocabulary.
  std::span<const compiler::Op> logits_ops() const;

  /// Cycles since construction, including loading; 0 for the functional model.
  std::uint64_t cycles() const { return wafer_->counters().cycles; }
  /// The part of cycles() that was spent on loading.
  std::uint64_t loading() const { return loading_; }
  /// No other function may be called afterwards.
  std::unique_ptr<Wafer> release() { return std::move(wafer_); }

 private:
  void take_logits(const compiler::Op& op, std::vector<std::size_t>& at, std::vector<float>& logits);

  const compiler::Plan& plan_;
  std::span<const float> parameters_;
  std::unique_ptr<Wafer> wafer_;
  std::vector<std::uint64_t> totals_;      // [row]: words since construction
  std::vector<const compiler::Op*> open_;  // ops whose results are outstanding
  std::uint64_t loading_ = 0;
};

}  // namespace weft::generate
