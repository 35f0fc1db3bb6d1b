/// Simulates a bad line: frames are changed, cut, sent twice or delayed at random, by a seed.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "fpga/emulator/emulated_board.hpp"

namespace weft::emulator {

/// Probabilities.
struct DamageRates {
  double flip = 0;     ///< probability, per byte, that one of its bits flips
  double cut = 0;      ///< probability, per byte, that it is lost
  double doubled = 0;  ///< probability, per frame, that it is sent twice
  double delay = 0;    ///< probability, per frame, that it is sent after the next one
};

class Damage {
 public:
  Damage(std::uint64_t seed, const DamageRates& rates) : rng_(seed), rates_(rates) {}

  /// Returns what remains of the frame, and before or after it copies and a delayed frame.
  std::vector<Piece> pass(Piece piece);
  /// "down: 7 frames, 1 bits flipped, ..."
  std::string counts(const std::string& name) const;

 private:
  bool happens(double rate);

  std::mt19937_64 rng_;
  DamageRates rates_;
  std::optional<Piece> late_;
  std::uint64_t frames_ = 0, flipped_ = 0, cut_ = 0, doubled_ = 0, delayed_ = 0;
};

}  // namespace weft::emulator
