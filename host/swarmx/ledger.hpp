/// Which slots of which micro-batches of a step are in: each is added exactly once, whoever contributes it and however
/// often (docs/swarm.md, Why the bits stay).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft {

class Ledger {
 public:
  /// A step begins: nothing is in.
  void begin(std::size_t micro_batches, std::size_t slots);

  enum class Entry : std::uint8_t {
    New,    ///< none was in; now all are
    Twice,  ///< all were in
    Half    ///< some were in: of no use, nothing has changed
  };
  /// What `micro_batches`, all below those of the step, contribute to `slot`.
  Entry enter(std::span<const std::uint32_t> micro_batches, std::size_t slot);

  /// All slots are in.
  bool whole(std::uint32_t micro_batch) const { return in_[micro_batch].count == slots_; }
  /// Some slot is in.
  bool begun(std::uint32_t micro_batch) const { return in_[micro_batch].count > 0; }
  std::size_t micro_batches() const { return in_.size(); }
  /// Micro-batches that are not whole.
  std::size_t missing() const { return missing_; }

 private:
  struct In {
    std::size_t count = 0;
    std::vector<bool> slots = {};  // empty if none or all are in
  };
  bool is_in(std::uint32_t micro_batch, std::size_t slot) const;

  std::size_t slots_ = 0;
  std::size_t missing_ = 0;
  std::vector<In> in_;  // [micro-batch]
};

}  // namespace weft
