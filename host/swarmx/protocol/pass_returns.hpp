/// Results of a pass, by the plan: a list of buckets, each a part of a gradient, a loss, or the pass's stats.
///
/// Leaves, summing nodes and the root all use this one definition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host/swarmx/protocol/contribution.hpp"
#include "host/swarmx/protocol/frame.hpp"
#include "host/swarmx/protocol/payload.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::swarmx {

/// Number of words of op's gradient over all rows.
std::size_t gradient_words(const compiler::Op& op);
/// Number of frames (parts) of op's gradient; 1 for the loss, 0 for an op that returns neither.
std::uint32_t parts(const compiler::Op& op);

class PassReturns {
 public:
  struct Bucket {
    FrameType type = FrameType::Stats;
    std::uint32_t op = 0;
    std::uint32_t part = 0;
    std::size_t values = 0;  ///< 64-bit integers
    std::size_t loss = 0;    ///< Loss: which one of the plan's
  };

  /// `train`: a pass of training; false: the forward ops only.
  PassReturns(const compiler::Plan& plan, bool train);

  /// All buckets in the order of the stream; Stats is the last.
  std::span<const Bucket> buckets() const& { return buckets_; }
  std::span<const Bucket> buckets() && = delete;
  /// Tokens of a whole micro-batch.
  std::int64_t tokens() const { return tokens_; }
  /// Losses that a pass returns; the last has labels in each micro-batch.
  std::size_t losses() const { return losses_; }

  /// Returns the bucket that `frame` is for. Throws CorruptFrame naming `sender` if no pass returns such a frame.
  std::size_t find(const Frame& frame, const std::string& sender) const;

  /// Returns the contribution of `frame`, which is for `bucket`. Throws CorruptFrame naming `sender` if its contents
  /// are impossible for the micro-batches that it contains.
  Contribution read(std::size_t bucket, const Frame& frame, const std::string& sender) const;

 private:
  std::vector<Bucket> buckets_;
  std::vector<std::size_t> first_;  // [op]: bucket of its part 0; [ops]: the bucket of the stats
  bool train_;
  std::uint32_t groups_;  // gradients in a contribution of one micro-batch
  std::int64_t tokens_;   // number of tokens of a whole micro-batch
  std::size_t losses_ = 0;
};

/// Throws CorruptFrame: `sender` sent the loss of `tokens` tokens, which is impossible.
[[noreturn]] void wrong_loss(const std::string& sender, std::int64_t tokens);

/// Throws CorruptFrame: `sender` broke the protocol.
[[noreturn]] void broken(const std::string& sender, const std::string& how);

/// "step 3, pass 1" for step 2, pass 1: messages count steps from 1, as metrics do.
std::string place(std::uint64_t step, std::uint32_t pass);

}  // namespace weft::swarmx
