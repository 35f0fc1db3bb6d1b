/// Text that the model in training generates, for TensorBoard.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/config/config.hpp"
#include "host/tokenizer/tokenizer.hpp"
#include "host/train/trainer.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::train {

/// Continues the first tokens of the data on a functional model of its own, which takes nothing from the run's wafers
/// and changes no bit of the run. The prompt and the seed are fixed, so that the text depends on the weights alone.
///
/// The cost is bounded: all texts together take at most a second and a twentieth of the run's time, and a text that
/// would take longer ends earlier, or is left out. A wafer whose tiles have more memory than kTileBytes has no texts.
class GeneratedText {
 public:
  static constexpr std::size_t kPrompt = 8;  ///< tokens of the prompt
  static constexpr int kTokens = 64;         ///< maximum number of tokens that follow
  static constexpr std::chrono::duration<double> kSeconds{1};
  static constexpr double kShare = 0.05;  ///< part of the run's time
  static constexpr double kTileBytes = 128 << 20;

  /// All references must outlive this. `tokenizer` may be empty: there are no texts, then.
  GeneratedText(const config::Config& config, const Trainer& trainer,
                const std::optional<tokenizer::Tokenizer>& tokenizer)
      : config_(config), trainer_(trainer), tokenizer_(tokenizer) {}

  /// True if there is to be a text after a settled step: after each evaluation, or, in a run without evaluations, with
  /// each checkpoint and after the last step. False without TensorBoard's files (runconfig.save_summary_steps 0).
  bool due(const metrics::StepMetrics& metrics, bool checkpoint) const;

  /// The prompt and what follows it by the current weights; no step may be under way. Empty: there is no text, because
  /// MemoryX is not in this process's DRAM, the model has no plan for single tokens on this wafer, there is no room for
  /// another wafer, the run is interrupted, the time is used up, or anything fails. Throws nothing.
  std::optional<std::string> next();

 private:
  using Clock = std::chrono::steady_clock;

  std::optional<std::string> generated();
  std::vector<TokenId> prompt() const;
  bool has_room() const;
  bool has_time() const;
  const compiler::Plan& decode_plan();

  const config::Config& config_;
  const Trainer& trainer_;
  const std::optional<tokenizer::Tokenizer>& tokenizer_;
  std::optional<compiler::Plan> plan_;  // of the masks that the run had last
  const Clock::time_point begun_ = Clock::now();
  Clock::time_point started_;               // the text that is being generated
  std::chrono::duration<double> spent_{0};  // on earlier texts
};

}  // namespace weft::train
