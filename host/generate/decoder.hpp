/// Incremental decoding: a wafer keeps the keys and values of several texts, and computes the next logits from one more
/// token of each.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "host/generate/passes.hpp"

namespace weft::generate {

class Decoder {
 public:
  /// Loads the wafer. `plan`: from compile_decode. `plan` and `parameters` [plan.parameters] must outlive this.
  Decoder(const compiler::Plan& plan, std::span<const float> parameters, std::unique_ptr<Wafer> wafer)
      : plan_(plan), passes_(plan, parameters, std::move(wafer)) {}

  /// Begins new texts, 1 to max_texts() of them, at their first tokens.
  void begin() { position_ = 0; }
  std::size_t max_texts() const { return static_cast<std::size_t>(plan_.model.micro_batch); }

  struct Next {
    TokenId token = 0;   ///< token of a text at this position; arbitrary if the text has ended
    bool asked = false;  ///< requests the logits of the following token
  };
  /// Processes the next token of all texts, at most plan.model.seq times after begin(). Returns [asked][vocab]: the
  /// same bits that Generator::logits() returns for the text so far. Throws as Generator::logits(), and
  /// std::out_of_range after the last position.
  std::vector<std::vector<float>> next(std::span<const Next> texts);

  /// Cycles since loading; 0 for the functional model.
  std::uint64_t cycles() const { return passes_.cycles() - passes_.loading(); }
  /// Returns the wafer in the state after power-up. No other function may be called afterwards.
  std::unique_ptr<Wafer> release();

 private:
  const compiler::Plan& plan_;
  Passes passes_;
  int position_ = 0;
  int asked_ = -1;  // the text whose validity is set
};

}  // namespace weft::generate
