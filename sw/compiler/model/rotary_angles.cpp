#include "sw/compiler/model/rotary_angles.hpp"

#include <numbers>

#include "sw/base/elementary.hpp"

namespace weft::compiler {

double rotary_frequency(const RotaryAngles& angles, int pair, int rotated) {
  const double own = rounded_pow(angles.theta, -2.0 * pair / rotated), slow = own / angles.factor;
  if (angles.scaling == "linear") return slow;
  if (angles.scaling != "llama3") return own;
  const double turns = angles.original_length * own / (2 * std::numbers::pi);  // over the original length
  if (turns < angles.low_turns) return slow;
  if (turns > angles.high_turns) return own;
  const double share = (turns - angles.low_turns) / (angles.high_turns - angles.low_turns);
  return (1 - share) * slow + share * own;
}

int rotary_feature(const RotaryAngles& angles, int place, int rotated) {
  if (!angles.has_halves() || place >= rotated) return place;
  return place / 2 + place % 2 * (rotated / 2);
}

}  // namespace weft::compiler
