/// A wafer that runs a plan which returns logits: what goes in, and what comes back.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sw/compiler/plan.hpp"
#include "verif/wafer.hpp"

namespace weft {

class Passes {
 public:
  /// Loads the wafer, which is as after power-up or reset(). `plan` and `parameters` [plan.parameters] must outlive
  /// this.
  Passes(const Plan& plan, std::span<const float> parameters, std::unique_ptr<Wafer> wafer);

  void feed(std::span<const Message> messages) { wafer_->feed(messages); }
  /// An op that returns something must live until finish().
  void feed(const Op& op);
  /// Of each round of logits_ops() that was fed since the last call, in order: [vocab]. Throws WaferStuck, and
  /// std::runtime_error for a wafer's flag and for logits that are no numbers.
  std::vector<std::vector<float>> finish();

  /// The plan's ops that return logits, next to each other: one for each block of its vocabulary.
  std::span<const Op> logits_ops() const;

  /// Cycles since construction, loading among them; 0 from the functional model.
  std::uint64_t cycles() const { return wafer_->counters().cycles; }
  /// Of these, for loading.
  std::uint64_t loading() const { return loading_; }
  /// Nothing else may be called then.
  std::unique_ptr<Wafer> release() { return std::move(wafer_); }

 private:
  void take_logits(const Op& op, std::vector<std::size_t>& at, std::vector<float>& logits);

  const Plan& plan_;
  std::span<const float> parameters_;
  std::unique_ptr<Wafer> wafer_;
  std::vector<std::uint64_t> totals_;  // [row]: words since the start
  std::vector<const Op*> open_;        // that return something
  std::uint64_t loading_ = 0;
};

}  // namespace weft
