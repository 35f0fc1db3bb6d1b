/// A run without a network in which one of two wafers sends frames derived from a seed.
#pragma once

#include <cstdint>
#include <optional>

#include "host/memoryx/memoryx.hpp"
#include "host/swarmx/memory/local.hpp"
#include "host/swarmx/protocol/batch.hpp"
#include "host/swarmx/root/stream.hpp"
#include "host/swarmx/tree/leaf.hpp"
#include "host/swarmx/tree/node_state.hpp"
#include "host/swarmx/tree/root.hpp"
#include "tests/random.hpp"

namespace weft::swarmx {

/// Wire: frames with corrupted bits. Liar: headers and payloads that form no valid contribution, with correct
/// checksums.
enum class Fuzz : std::uint8_t { Wire, Liar };

class FuzzedRun {
 public:
  /// `frames`: number of frames from the faulty wafer. After each rejection it is lost, and another joins.
  FuzzedRun(const compiler::Plan& plan, Fuzz fuzz, std::uint64_t seed, std::uint64_t frames);

  /// Trains until all frames have been sent and the step is complete.
  void run();
  /// Runs `steps` steps with the correct wafer only.
  void run_steps(std::uint64_t steps);

  std::uint64_t sent() const { return sent_; }
  std::uint64_t refused() const { return refused_; }
  std::uint64_t steps() const { return step_; }
  std::uint64_t hash() { return memoryx_.hash(); }
  /// Maximum of the memory in use at a step's end, beyond that of the first step.
  std::size_t most_memory() const { return most_; }

 private:
  void step();
  void stream(const Root::Next& next);
  void down(const Frame& frame);
  void up(const std::vector<Frame>& frames);
  void work(const Frame& frame);
  /// Sends frames until one is rejected or a correct wafer would have sent all of its frames.
  void talk();
  Frame frame(const PassReturns::Bucket& bucket);
  void change(Frame& frame);
  void join();

  const compiler::Plan& plan_;
  Fuzz fuzz_;
  test::Rng rng_;
  std::uint64_t frames_;
  GetBatch data_;
  memoryx::MemoryX memoryx_;
  std::vector<std::int64_t> fixed_;
  LocalMemoryXClient memory_;
  Stream stream_;
  NodeState node_state_;
  Root root_;
  Leaf leaf_;
  PassReturns returns_;
  Root::Time now_{};
  std::size_t good_ = 0, bad_ = 0;  // children
  std::uint32_t next_member_id_ = 0;
  std::optional<Frame> begun_;  // the faulty wafer's pass
  std::uint64_t step_ = 0, sent_ = 0, refused_ = 0;
  std::size_t least_ = 0, most_ = 0;
};

}  // namespace weft::swarmx
