/// Decoding without a cache: a wafer computes the next logits of several texts by a pass over all their tokens.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "host/generate/passes.hpp"

namespace weft::generate {

class Generator {
 public:
  /// Loads the wafer. `plan`: from compile_generation. `plan` and `parameters` [plan.parameters] must outlive this.
  Generator(const compiler::Plan& plan, std::span<const float> parameters, std::unique_ptr<Wafer> wafer)
      : plan_(plan), passes_(plan, parameters, std::move(wafer)) {}

  /// [text][vocab]: the logits of the token that follows each of `texts`, 1 to plan.model.micro_batch of them. Only the
  /// last plan.model.seq tokens of a text are used; a text must not be empty. The logits of a text do not depend on the
  /// other texts, and have the same bits on every backend. Throws WaferHang, and std::runtime_error for a wafer's flag
  /// and for logits that are not finite.
  std::vector<std::vector<float>> logits(const std::vector<std::span<const TokenId>>& texts);
  /// As above, for one text.
  std::vector<float> logits(std::span<const TokenId> text) { return logits(std::vector{text})[0]; }

  /// The logits of a sample's token `at`, in a plan of compile_logits(). Throws as above.
  std::vector<float> logits_of(std::span<const TokenId> sample, std::size_t at);

  /// Cycles since loading; 0 for the functional model.
  std::uint64_t cycles() const { return passes_.cycles() - passes_.loading(); }

 private:
  const compiler::Plan& plan_;
  Passes passes_;
};

}  // namespace weft::generate
