/// A wafer that says what may come next in texts, by a pass of all their tokens.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "host/generate/passes.hpp"

namespace weft {

class Generator {
 public:
  /// Loads the wafer. `plan`: of compile_generation. It and `parameters` [plan.parameters] must outlive this.
  Generator(const Plan& plan, std::span<const float> parameters, std::unique_ptr<Wafer> wafer)
      : plan_(plan), passes_(plan, parameters, std::move(wafer)) {}

  /// [text][vocab]: the logits of the token that follows each of `texts`, 1 to plan.model.micro_batch of them. Of a
  /// text the last plan.model.seq tokens count; it has at least one. They depend on that text alone: the same bits from
  /// every backend, and whatever the others are. Throws WaferStuck, and std::runtime_error for a wafer's flag and for
  /// logits that are no numbers.
  std::vector<std::vector<float>> logits(const std::vector<std::span<const TokenId>>& texts);
  /// The same of one text.
  std::vector<float> logits(std::span<const TokenId> text) { return logits(std::vector{text})[0]; }

  /// Cycles since it was loaded; 0 from the functional model.
  std::uint64_t cycles() const { return passes_.cycles() - passes_.loading(); }

 private:
  const Plan& plan_;
  Passes passes_;
};

}  // namespace weft
