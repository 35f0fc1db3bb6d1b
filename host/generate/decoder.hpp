/// A wafer that keeps the keys and values of texts, and says what may come next by a pass of one token of each.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "host/generate/passes.hpp"

namespace weft {

class Decoder {
 public:
  /// Loads the wafer. `plan`: of compile_decode. It and `parameters` [plan.parameters] must outlive this.
  Decoder(const Plan& plan, std::span<const float> parameters, std::unique_ptr<Wafer> wafer)
      : plan_(plan), passes_(plan, parameters, std::move(wafer)) {}

  /// Other texts, 1 to most() of them, from their first token on.
  void begin() { position_ = 0; }
  std::size_t most() const { return static_cast<std::size_t>(plan_.model.micro_batch); }

  struct Next {
    TokenId token = 0;   ///< of a text at this position; any, if it has ended
    bool asked = false;  ///< whether the logits of the token that follows are wanted
  };
  /// The next token of all texts, at most plan.model.seq times since begin(). [asked][vocab]: the bits that
  /// Generator::logits() gives for that text so far. Throws as it does; std::out_of_range behind the last position.
  std::vector<std::vector<float>> next(std::span<const Next> texts);

  /// Cycles since it was loaded; 0 from the functional model.
  std::uint64_t cycles() const { return passes_.cycles() - passes_.loading(); }
  /// The wafer as after power-up. Nothing else may be called then.
  std::unique_ptr<Wafer> release();

 private:
  const Plan& plan_;
  Passes passes_;
  int position_ = 0;
  int asked_ = -1;  // the text whose validity is set
};

}  // namespace weft
